package audit

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

// resource checks the practices of one resource.
func (s *scanner) resource(r *leaf.Resource) {
	s.shown, s.exported = false, false
	s.manifests.add(r, s.interned)
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
		s.exportedSecret(r, r.Sensitive[0])
	}
}

// practice reports a practice of a parameter of a resource, or of the resource
// itself if parameter is empty.
func (s *scanner) practice(id string, r *leaf.Resource, parameter string) {
	h := raw{
		Hit:      detect.Hit{Rule: id, Name: parameter, Confidence: rule.Certain},
		location: location{catalog: r.Catalog, base: r.Pointer}, offset: -1,
	}
	if parameter != "" {
		h.path, h.skip = pcore.Path{}.Key("parameters").Key(parameter), 1
	}
	s.found = append(s.found, s.interned.in(h, r))
}

// leaked checks the practices of a resource with a plain-text secret in l.
func (s *scanner) leaked(l *leaf.Leaf) {
	r := l.Resource
	if r == nil {
		return
	}
	if show, _ := r.Parameters.GetString("show_diff"); !s.shown && show == pcore.Boolean(true) && (l.Parameter() == "content" || l.Parameter() == "value") {
		s.shown = true
		s.practice(showDiff, r, "show_diff")
	}
	s.exportedSecret(r, l.Parameter())
}

// showDiff is the rule for files with a secret whose differences are shown.
const showDiff = "show-diff-enabled"

// exportedSecret is the rule for secrets in exported resources.
const exportedSecret = "exported-secret"

// exportedSecret reports a resource that is exported with a secret in a parameter.
func (s *scanner) exportedSecret(r *leaf.Resource, parameter string) {
	if !r.Exported || s.exported {
		return
	}
	s.exported = true
	s.found = append(s.found, s.interned.in(raw{
		Hit:      detect.Hit{Rule: exportedSecret, Name: parameter, Confidence: rule.Certain},
		location: location{catalog: r.Catalog, base: r.Pointer, path: pcore.Path{}.Key("exported")}, offset: -1,
	}, r))
}

// declared checks a declared secret.
func (s *scanner) declared(l *leaf.Leaf) {
	if l.State == leaf.Nested || l.State == leaf.Param {
		if s.detector.Weak(l) {
			s.found = append(s.found, s.about(weakSecret, l))
		}
		if s.atRest {
			s.found = append(s.found, s.about("at-rest-sensitive", l))
		}
	}
}

// about returns a hit for the whole of l.
func (s *scanner) about(id string, l *leaf.Leaf) raw {
	h := origin{location: locationOf(l), name: l.Name()}
	return s.interned.in(h.hit(id, l.Text), l.Resource)
}

// origin is the first location that declares a secret.
type origin struct {
	location
	name string // of the secret, if it has one
}

// originOf returns the first location that declares a secret, or nil if none does.
func originOf(s *taint.Source) *origin {
	o, _ := s.First.Origin.(*origin)
	return o
}

// hit returns a hit for the secret.
func (o *origin) hit(id, hidden string) raw {
	return raw{Hit: detect.Hit{Rule: id, Secret: hidden, Name: o.name, Confidence: rule.Certain}, location: o.location, offset: -1}
}

// reuse returns a hit for a secret of several nodes, at the first location that
// declares it.
func reuse(s *taint.Source) (raw, bool) {
	o := originOf(s)
	if o == nil || len(s.Nodes) < 2 {
		return raw{}, false
	}
	h := o.hit("secret-reuse", s.Reveal())
	h.nodes = len(s.Nodes)
	return h, true
}

// weakSecret is the rule for Sensitive values that are easily guessed.
const weakSecret = "weak-secret"

// weakWords adds hits for Sensitive values that are words of the catalogs, at the first
// location that declares them, unless found has one there.
func weakWords(held []*taint.Source, found [][]raw) {
	reported := map[known]bool{}
	for _, list := range found {
		for i := range list {
			if list[i].Rule == weakSecret {
				reported[known{base: list[i].base, secret: list[i].Secret}] = true
			}
		}
	}
	for _, s := range held {
		if o := originOf(s); o != nil && !reported[known{base: o.base, secret: s.Reveal()}] {
			found[s.First.Catalog] = append(found[s.First.Catalog], o.hit(weakSecret, s.Reveal()))
		}
	}
}
