package audit

import (
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog/audit/detect"
	"github.com/pcatdev/pcat/catalog/audit/leaf"
	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/catalog/audit/taint"
	"github.com/pcatdev/pcat/pcore"
)

// properties are, by type, what [Puppet] can redact: of native types only
// properties, and what a type makes an exception for. Parameters that are none
// of these stay in clear in logs and reports, whatever wraps them. Types that
// are not listed are not judged.
//
// [Puppet]: https://www.puppet.com/docs/puppet/latest/securing-sensitive-data.html
var properties = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"archive":              "ensure creates",
		"augeas":               "",
		"concat_file":          "ensure",
		"cron":                 "ensure command special minute hour weekday month monthday environment user target",
		"exec":                 "command unless onlyif returns",
		"file_line":            "ensure",
		"filebucket":           "",
		"git_config":           "value",
		"group":                "ensure gid members attributes",
		"host":                 "ensure ip host_aliases comment target",
		"ini_setting":          "ensure value",
		"ini_subsetting":       "ensure value",
		"java_ks":              "ensure",
		"mount":                "ensure device blockdevice fstype options pass atboot dump target",
		"mysql_grant":          "ensure privileges table user options",
		"mysql_user":           "ensure password_hash plugin max_user_connections max_connections_per_hour max_queries_per_hour max_updates_per_hour tls_options",
		"notify":               "message",
		"package":              "ensure package_settings flavor mark",
		"rabbitmq_user":        "ensure password admin tags",
		"registry_value":       "ensure type data",
		"resources":            "",
		"schedule":             "",
		"scheduled_task":       "ensure enabled command working_dir arguments trigger user compatibility description",
		"service":              "ensure enable flags logonaccount logonpassword",
		"ssh_authorized_key":   "ensure type key user target options",
		"sshkey":               "ensure type key host_aliases target",
		"tidy":                 "",
		"user":                 "ensure home uid gid comment shell password password_min_age password_max_age password_warn_days groups expiry roles auths profiles keys project attributes salt iterations loginclass",
		"vcsrepo":              "ensure revision source branch module",
		"windows_env":          "ensure value",
		"environment_variable": "ensure value",
	}
})

// resource looks at the practices of one resource.
func (s *scanner) resource(r *leaf.Resource) {
	s.shown, s.exported = false, false
	s.customResource(r)
	for k, v := range r.Parameters.All() {
		key, _ := k.(pcore.String)
		name := string(key)
		switch {
		case r.IsSensitive(name):
			if list, known := properties()[strings.ToLower(r.Type)]; known && !slices.Contains(strings.Fields(list), name) {
				s.practice("unredactable-parameter", r, name)
			}
		case losesSensitive(v):
			s.practice("deferred-unsensitive", r, name)
		}
	}
	if len(r.Sensitive) > 0 {
		s.exportedSecret(r)
	}
}

// practice tells about a parameter of a resource, or, without one, about the
// resource itself.
func (s *scanner) practice(id string, r *leaf.Resource, parameter string) {
	h := raw{Hit: detect.Hit{Rule: id, Name: parameter, Confidence: rule.Certain}, catalog: r.Catalog, base: r.Pointer, offset: -1}
	if parameter != "" {
		h.path, h.skip = pcore.Path{}.Key("parameters").Key(parameter), 1
	}
	s.found = append(s.found, s.keeper.in(h, r))
}

// leaked looks at the practices of a resource that shows a secret in l.
func (s *scanner) leaked(l *leaf.Leaf) {
	r := l.Resource
	if r == nil {
		return
	}
	if show, _ := r.Parameters.GetString("show_diff"); !s.shown && show == pcore.Boolean(true) && (l.Parameter() == "content" || l.Parameter() == "value") {
		s.shown = true
		s.practice("show-diff-enabled", r, "show_diff")
	}
	s.exportedSecret(r)
}

// exportedSecret is the rule about resources that go to other nodes.
const exportedSecret = "exported-secret"

func (s *scanner) exportedSecret(r *leaf.Resource) {
	if !r.Exported || s.exported {
		return
	}
	s.exported = true
	s.found = append(s.found, s.keeper.in(raw{
		Hit: detect.Hit{Rule: exportedSecret, Confidence: rule.Certain}, catalog: r.Catalog,
		base: r.Pointer, path: pcore.Path{}.Key("exported"), offset: -1,
	}, r))
}

// declared looks at a value that is declared to be a secret.
func (s *scanner) declared(l *leaf.Leaf) {
	if l.State == leaf.Nested || l.State == leaf.Param {
		if s.detector.Weak(l) {
			s.found = append(s.found, s.about("weak-secret", l))
		}
		if s.atRest {
			s.found = append(s.found, s.about("at-rest-sensitive", l))
		}
	}
}

// about returns a hit that is the whole of l.
func (s *scanner) about(id string, l *leaf.Leaf) raw {
	h := origin(l)
	h.Rule, h.Secret = id, l.Text
	return s.keeper.in(h, l.Resource)
}

// origin returns the place of l, which is not kept yet.
func origin(l *leaf.Leaf) raw {
	h := raw{Hit: detect.Hit{Name: l.Name(), Confidence: rule.Certain}, catalog: l.Catalog, offset: -1}
	h.base, h.path, h.skip = l.Steps()
	return h
}

// reuse returns a hit for a secret that several nodes have, at the place
// that declares it first.
func reuse(s *taint.Source) (raw, bool) {
	h, ok := s.First.Origin.(raw)
	h.Rule, h.Secret, h.nodes = "secret-reuse", s.Reveal(), len(s.Nodes)
	return h, ok && h.nodes > 1
}

// losesSensitive reports whether some Deferred in v gives what a store of
// secrets returned to another function, with nothing Sensitive about it: the
// result is a plain String.
func losesSensitive(v pcore.Value) bool {
	switch v := v.(type) {
	case *pcore.Deferred:
		return loses(v)
	case *pcore.Array:
		for e := range v.Values() {
			if losesSensitive(e) {
				return true
			}
		}
	case *pcore.Hash:
		for _, e := range v.All() {
			if losesSensitive(e) {
				return true
			}
		}
	default: // what holds no call
	}
	return false
}

func loses(call *pcore.Deferred) bool {
	switch strings.ToLower(call.Name()) {
	case "sensitive", "new":
		return false
	}
	return readsStore(call.Arguments())
}

// readsStore reports whether the arguments of a call hold a call of a store of
// secrets.
func readsStore(v pcore.Value) bool {
	switch v := v.(type) {
	case *pcore.Deferred:
		return isStore(v.Name()) || strings.ToLower(v.Name()) != "sensitive" && readsStore(v.Arguments())
	case *pcore.Array:
		for e := range v.Values() {
			if readsStore(e) {
				return true
			}
		}
	case *pcore.Hash:
		for _, e := range v.All() {
			if readsStore(e) {
				return true
			}
		}
	default: // what holds no call
	}
	return false
}

// isStore reports whether a function is named as one that reads a store of
// secrets.
func isStore(function string) bool {
	low := strings.ToLower(function)
	for _, part := range []string{"vault", "secret", "conjur", "cyberark", "onepassword", "1password", "bitwarden", "keepass", "gopass", "passwordstate", "password_store",
		"thycotic", "delinea", "credhub", "node_decrypt", "keyring", "sops", "eyaml", "ssm_parameter", "ssm::", "credstash", "doppler", "infisical"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}
