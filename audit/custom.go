package audit

import (
	"strings"

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

// CustomTexts are rules that also find secrets in texts. [Options].Custom may be one.
type CustomTexts interface {
	Custom
	// Text calls found for each secret in a text, with the ID of the rule and the position
	// of the secret in the text. Positions outside of the text are ignored.
	Text(t Text, found func(id string, start, end int))
}

// Text is a text of a catalog that is not declared Sensitive: a value, a key or a title, or a
// text that is encoded in one.
type Text struct {
	Text string
	// Path is the path of the file that contains the text, as the resource or a Hash in it
	// names it, or empty if unknown.
	Path string
	// IsContent indicates that the text is the whole content of a file.
	IsContent bool
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

// customText applies the user-defined rules to a text of the current leaf.
func (s *scanner) customText(t *detect.Text) {
	if s.customTexts == nil || s.at.Number || s.at.Kind == leaf.Tag || s.at.Kind == leaf.Edge {
		return
	}
	isContent := !t.IsDecoded() && s.at.Kind == leaf.Value && s.at.Name() == "content"
	s.customTexts.Text(Text{Text: t.S, Path: filePath(s.at), IsContent: isContent}, func(id string, start, end int) {
		if 0 <= start && start < end && end <= len(t.S) {
			s.hit(raw{Hit: t.Hit(id, start, end, t.S[start:end], rule.Likely)})
		}
	})
}

// filePath returns the path of the file that the resource of a leaf manages, or that a Hash in it
// describes, or "" if there is none.
func filePath(l *leaf.Leaf) string {
	if l.Resource == nil {
		return ""
	}
	if h := l.Hash(); h != nil && h != l.Resource.Parameters {
		for _, key := range []string{"path", "target", "file"} {
			v, _ := h.GetString(key)
			if s, ok := v.(pcore.String); ok && strings.ContainsAny(string(s), `/\`) {
				return string(s)
			}
		}
	}
	return l.Resource.Path()
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
