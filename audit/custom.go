package audit

import (
	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Custom are rules that a user adds. Implementations must be safe for concurrent
// use, and deterministic.
type Custom interface {
	// Rules describes the rules.
	Rules() []rule.Rule
	// Resource calls found for each rule that applies to a resource, with the ID
	// of the rule and the parameter that the finding is about, or "". It calls
	// failed for each rule that cannot be evaluated; the error must not contain
	// values of the catalog.
	Resource(r *Resource, found func(id, parameter string), failed func(id string, err error))
}

// Resource is a resource as custom rules see it: its reference, its parameters
// including secrets in plain text, the names of the sensitive ones, its tags,
// and its location in the manifest.
type Resource struct {
	catalog.Ref
	// File and Line are the position in the manifest, or empty and 0 if unknown.
	File string
	Line int64
	// Kind is the kind of the type; see [catalog.Resource.Kind].
	Kind     string
	Exported bool
	Tags     []string
	// Parameters are the parameters by name, never nil. The parameters named in Sensitive
	// are in plain text.
	Parameters *pcore.Hash
	Sensitive  []string
}

// textRules are custom rules that find secrets in text.
type textRules interface {
	// Text calls found for each secret in a text, which is the text of l or
	// encoded in it.
	Text(l *leaf.Leaf, t *detect.Text, found func(detect.Hit))
}

// customText applies the user-defined rules to a text of the current leaf.
func (s *scanner) customText(t *detect.Text) {
	if s.customTexts == nil || s.at.Number || s.at.Kind == leaf.Tag || s.at.Kind == leaf.Edge {
		return
	}
	s.customTexts.Text(s.at, t, func(h detect.Hit) { s.hit(raw{Hit: h}) })
}

// customResource applies the user-defined rules to a resource. A rule that
// cannot be evaluated is noted once for each document.
func (s *scanner) customResource(r *leaf.Resource) {
	if s.custom == nil {
		return
	}
	seen := &Resource{
		Ref: r.Ref, File: r.File, Line: r.Line, Kind: r.Kind, Exported: r.Exported,
		Tags: r.Tags, Parameters: r.Parameters, Sensitive: r.Sensitive,
	}
	s.custom.Resource(seen, func(id, parameter string) { s.practice(id, r, parameter) }, func(id string, err error) {
		if s.failed[id] {
			return
		}
		if s.failed == nil {
			s.failed = map[string]bool{}
		}
		s.failed[id] = true
		s.notes = append(s.notes, s.note(location{catalog: r.Catalog, base: r.Pointer}, r, "the rule "+id+" failed for this resource: "+err.Error()))
	})
}
