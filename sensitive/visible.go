package sensitive

import (
	"slices"

	"github.com/pcatdev/pcat/internal/secret"
)

// shown knows the markers of undeclared secrets, and whether output has one. It belongs to
// one stage.
type shown struct {
	markers map[string]bool // of undeclared secrets
	any     bool            // the output has one
}

// noteFound notes the marker of a secret that no document declares.
func (r *stage) noteFound(marker string) {
	if secret.IsMarker(marker) {
		r.shown.markers[marker] = true
	}
}

// look searches output for the markers of undeclared secrets.
func (s *shown) look(output []byte) {
	if s.any || len(s.markers) == 0 {
		return
	}
	for marker := range secret.Markers(output) {
		if s.markers[string(marker)] || s.markers["/"+string(marker)] {
			s.any = true
			return
		}
	}
}

// MasksFound reports whether r replaced a secret that no document declares by a marker so far.
// See [Redactor.ShowsFound].
func (r *Redactor) MasksFound() bool {
	return slices.ContainsFunc(r.stages(), func(s *stage) bool { return len(s.shown.markers) > 0 })
}

// ShowsFound reports whether output that a [Redactor.Guard] wrote so far contains the marker
// of a secret that no document declares: one of [Collector.Add]. A reader of the documents
// does not expect that it is masked.
func (r *Redactor) ShowsFound() bool {
	return slices.ContainsFunc(r.stages(), func(s *stage) bool { return s.shown.any })
}
