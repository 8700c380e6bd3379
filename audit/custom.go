package audit

import (
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/detect"
	"github.com/pcatdev/pcat/internal/audit/leaf"
)

// Custom are rules that a user adds. It must be safe for concurrent use, and
// tell the same of the same each time.
type Custom interface {
	// Rules returns what the rules mean.
	Rules() []rule.Rule
	// Resource calls found for each rule that finds a resource, with the
	// parameter that it is about or "", and failed for each that cannot be
	// asked. The error says nothing of what the catalog holds.
	Resource(r *leaf.Resource, found func(id, parameter string), failed func(id string, err error))
	// Text calls found for each secret that a text shows, which is that of l
	// or is encoded in it.
	Text(l *leaf.Leaf, t *detect.Text, found func(detect.Hit))
}

// customText asks the rules of the user about a text of the leaf that is
// scanned.
func (s *scanner) customText(t *detect.Text) {
	if s.custom == nil || s.at.Number || s.at.Kind == leaf.Tag || s.at.Kind == leaf.Edge {
		return
	}
	s.custom.Text(s.at, t, func(h detect.Hit) { s.hit(raw{Hit: h}) })
}

// customResource asks the rules of the user about a resource. One that cannot
// be asked is noted once for each document.
func (s *scanner) customResource(r *leaf.Resource) {
	if s.custom == nil {
		return
	}
	s.custom.Resource(r, func(id, parameter string) { s.practice(id, r, parameter) }, func(id string, err error) {
		if s.failed[id] {
			return
		}
		if s.failed == nil {
			s.failed = map[string]bool{}
		}
		s.failed[id] = true
		s.notes = append(s.notes, s.note(raw{catalog: r.Catalog, base: r.Pointer}, "the rule "+id+" cannot be asked about this resource: "+err.Error()))
	})
}
