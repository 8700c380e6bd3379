package bill

import (
	"context"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
)

// Late is the effect on a call of the agent of [Options.Reference]. The agents of
// Puppet 8 and OpenVox 8 resolve each parameter when its resource is applied,
// rather than the whole catalog in advance. See docs/puppet-versions.md.
type Late struct {
	// Breaks reports that the call is not made, is made too late, or fails.
	// Always reports that this applies to every agent.
	Breaks, Always bool
	// NeedsModules reports that a call that breaks works on nodes on which the
	// modules are installed, as for puppet apply.
	NeedsModules bool
	// Loses reports that the call is made, but that its secret is replaced, or
	// that the parameter is not marked as sensitive.
	Loses bool
	// Reason explains the problem, or is empty if there is none.
	Reason string
}

// Reasons of [Late], also for a value that has been resolved.
const (
	LosesText = `the agent has the text "` + pcore.RedactedText + `" in place of the secret`
	LosesMark = "the agent does not mark the parameter as sensitive, so its logs and reports can show the secret"
)

// lateness returns the effect of the agent on e, an entry of a parameter with the
// value v.
func (o *Options) lateness(r *catalog.Resource, parameter string, v pcore.Value, e *Entry) Late {
	switch e.Position {
	case Attribute:
		return Late{Breaks: true, Always: true, Reason: "agents do not resolve calls in objects"}
	case Key:
		return Late{Breaks: true, Always: true, Reason: "agents do not resolve calls in hash keys"}
	}
	if name, ok := strings.CutPrefix(e.Function, "$"); ok && strings.TrimPrefix(name, "::") != "facts" {
		return Late{Breaks: true, Always: true, Reason: "agents define only the variable $facts"}
	}
	late := o.Reference == pcore.Puppet8 || o.Reference == pcore.OpenVox8
	if late && (r.Type() == "Class" || r.Kind() == "class" || r.Kind() == "defined_type") {
		return Late{} // not applied itself
	}
	if l := o.missing(e); l.Breaks {
		return l
	}
	switch {
	case !late:
		return Late{}
	case e.Position == Nested && !isSingleValue(r.Type(), parameter, v, e.call):
		return Late{Breaks: true, Reason: "agents that resolve late resolve only whole parameters, not calls in arrays and hashes"}
	case !puppet.ResolvesLate(r.Type(), parameter):
		return Late{Breaks: true, Reason: "agents that resolve late do not resolve calls in this parameter"}
	case e.Position == Scalar && isReadEarly(r.Type(), parameter):
		return Late{Breaks: true, Reason: "the agent reads this parameter before it applies the resource"}
	case o.needsSecret(e.call):
		return Late{Breaks: true, Reason: "agents that resolve late unwrap the result of the inner call, and the template needs a Sensitive"}
	}
	return Late{}
}

// missing returns the effect if the agent does not have what a call needs: an agent
// has only the folders lib of modules, unless the modules are on its node.
func (o *Options) missing(e *Entry) Late {
	name := function.CanonicalName(e.Function)
	switch {
	case strings.HasSuffix(e.Provider, ".pp") && o.Reference == pcore.OpenVox9:
		return Late{Breaks: true, NeedsModules: true, Reason: "only agents with the modules on their node have functions written in the Puppet language"}
	case strings.HasSuffix(e.Provider, ".pp"):
		return Late{Breaks: true, Reason: "agents before OpenVox 9 cannot call functions written in the Puppet language"}
	case readsModule(name, e.call.Arguments()):
		return Late{Breaks: true, NeedsModules: true, Reason: "only agents with the modules on their node have templates and files of modules"}
	case o.Reference != pcore.OpenVox9 && (name == "stdlib::fqdn_rand_string" || name == "fqdn_rand_string"):
		return Late{Breaks: true, Reason: "before OpenVox 9, a function of a module cannot call fqdn_rand on an agent"}
	default:
		return Late{}
	}
}

// readsModule reports whether a call reads a template or a file of a module. The
// function file reads the first that exists.
func readsModule(name string, args *pcore.Array) bool {
	switch name {
	case "epp", "template", "file":
	default:
		return false
	}
	for v := range args.Values() {
		path, ok := v.(pcore.String)
		switch {
		case name == "epp" && !ok:
			return false
		case name != "file":
			return !strings.HasPrefix(string(path), "/")
		case !ok || strings.HasPrefix(string(path), "/"):
			return false
		}
	}
	return args.Len() > 0
}

// isSingleValue reports whether v is an array that begins with a call, for a property
// of which a type of Puppet takes one value. An agent that resolves late makes this
// call. Of several values, a Notify uses the first; other types differ.
func isSingleValue(typ, property string, v pcore.Value, call *pcore.Deferred) bool {
	a, ok := v.(*pcore.Array)
	if !ok || a.Len() == 0 || a.At(0) != pcore.Value(call) {
		return false
	}
	var properties []string
	switch strings.ToLower(typ) {
	case "notify":
		return property == "message"
	case "file":
		properties = []string{"content", "ensure", "group", "mode", "owner", "selrange", "selrole", "seltype", "seluser"}
	case "group":
		properties = []string{"ensure", "gid"}
	case "package":
		properties = []string{"ensure"}
	case "service":
		properties = []string{"enable", "ensure"}
	case "user":
		properties = []string{"comment", "ensure", "expiry", "gid", "home", "password", "shell", "uid"}
	}
	return a.Len() == 1 && slices.Contains(properties, property)
}

// isReadEarly reports whether a type of Puppet reads the parameter while the
// agent orders or creates resources. A late call has not been made by then, and
// the run fails.
func isReadEarly(typ, parameter string) bool {
	switch parameter {
	case "schedule", "before", "notify", "require", "subscribe":
		return true
	}
	switch strings.ToLower(typ) {
	case "file":
		return parameter == "path"
	case "user":
		return parameter == "name"
	}
	return false
}

// lose completes the entries of a parameter whose calls are made, but lose a
// secret. An entry that already has a reason is unchanged.
func (l *lister) lose() {
	late := l.options.Reference == pcore.Puppet8 || l.options.Reference == pcore.OpenVox8
	returned := false
	for _, e := range l.entries {
		returned = returned || l.options.returnsSecret(e.call)
		if e.Late.Reason == "" {
			e.Late = l.options.replaces(e.call, late)
		}
	}
	if len(l.entries) == 0 {
		return
	}
	top := l.entries[0]
	if top.Position != Scalar || top.Sensitive || top.Late.Reason != "" {
		return
	}
	looks := LooksSecret(l.value)
	switch {
	case late && returned && !looks, !late && (returned || looks) && function.CanonicalName(top.Function) == "unwrap":
		top.Late = Late{Loses: true, Reason: LosesMark}
	}
}

// replaces returns the effect on a call of a function that does not handle the
// Sensitive among its arguments. Inner calls return one unless they are made late.
func (o *Options) replaces(d *pcore.Deferred, late bool) Late {
	f := o.function(d.Name())
	if f == nil || f.HandlesSensitive {
		return Late{}
	}
	inner, secret := false, false
	for v := range d.Arguments().Values() {
		secret = pcore.Search(v, func(v pcore.Value) (found, inside bool) {
			if call, ok := v.(*pcore.Deferred); ok {
				inner = true
				return !late && o.returnsSecret(call), false
			}
			return pcore.Is[*pcore.Sensitive](v), true
		}) || secret
	}
	switch {
	case !secret:
		return Late{}
	case !inner && !accepts(f, d.Arguments()):
		return Late{Breaks: true, Always: true, Reason: "the function does not accept a Sensitive"}
	case makesText(function.CanonicalName(d.Name())):
		return Late{Loses: true, Reason: LosesText}
	default:
		return Late{} // it may pass a Sensitive on
	}
}

// makesText reports whether a function accepts any values and writes them into a
// text, a Sensitive as its redaction.
func makesText(name string) bool {
	switch name {
	case "join", "sprintf", "join_keys_to_values", "to_json", "to_json_pretty", "to_yaml", "to_toml", "to_python", "to_ruby":
		return true
	default:
		return false
	}
}

func accepts(f *function.Function, args *pcore.Array) bool {
	values := slices.Collect(args.Values())
	return slices.ContainsFunc(f.Signatures(), func(s *function.Signature) bool { return s.Accepts(values, nil) })
}

// returnsSecret reports whether the result of a call is known to be a Sensitive.
func (o *Options) returnsSecret(d *pcore.Deferred) bool {
	switch function.CanonicalName(d.Name()) {
	case "azure_key_vault::secret", "node_decrypt", "vault_lookup::lookup": // functions of the field, written in Ruby
		return true
	}
	if makesSecret(d) {
		return true
	}
	f := o.function(d.Name())
	if f == nil {
		return false
	}
	signatures := f.Signatures()
	return len(signatures) > 0 && !slices.ContainsFunc(signatures, func(s *function.Signature) bool { return s.Return == nil || !isSecret(s.Return) })
}

// LooksSecret reports whether v contains a Sensitive or the type Sensitive, at any
// depth. Agents that resolve late use this to predict that a call may return a
// secret.
func LooksSecret(v pcore.Value) bool {
	switch v := v.(type) {
	case *pcore.Deferred:
		return LooksSecret(v.Arguments())
	case *pcore.Array:
		for e := range v.Values() {
			if LooksSecret(e) {
				return true
			}
		}
		return false
	case *pcore.Hash:
		for k, e := range v.All() {
			if LooksSecret(k) || LooksSecret(e) {
				return true
			}
		}
		return false
	case *pcore.Sensitive, *pcore.SensitiveType:
		return true
	default:
		return false
	}
}

// needsSecret reports whether a call evaluates a template with an inner call as
// the value of a parameter that only accepts a Sensitive.
func (o *Options) needsSecret(d *pcore.Deferred) bool {
	args := d.Arguments()
	if args.Len() < 2 {
		return false
	}
	source, ok := args.At(0).(pcore.String)
	given, isHash := args.At(1).(*pcore.Hash)
	if !ok || !isHash {
		return false
	}
	text := string(source)
	switch function.CanonicalName(d.Name()) {
	case "inline_epp":
	case "epp":
		if text, ok = o.template(text); !ok {
			return false
		}
	default:
		return false
	}
	t, err := eval.ParseTemplate("", text)
	if err != nil {
		return false
	}
	const steps = 10_000 // for the types of the parameters
	e := eval.New(function.Env{Functions: function.NewRegistry(), Budget: function.NewBudget(steps)}, o.Types, eval.Like(o.Reference))
	params, err := e.Parameters(e.Scope(context.Background()), t)
	if err != nil {
		return false
	}
	for _, p := range params {
		if v, ok := given.GetString(p.Name); ok && pcore.Is[*pcore.Deferred](v) && isSecret(p.Type) {
			return true
		}
	}
	return false
}

// template returns the text of a template of a module.
func (o *Options) template(name string) (string, bool) {
	if o.Files == nil {
		return "", false
	}
	path, found, err := o.Files.Find(function.TemplateFile, name)
	if err != nil || !found {
		return "", false
	}
	text, err := o.Files.ReadFile(path, nil)
	return string(text), err == nil
}

// isSecret reports whether all instances of a type are Sensitive, or undef.
func isSecret(t pcore.Type) bool {
	switch t := t.(type) {
	case *pcore.SensitiveType:
		return true
	case *pcore.OptionalType:
		return isSecret(t.Elem())
	case *pcore.TypeAliasType:
		return isSecret(t.Resolved())
	default:
		return false
	}
}
