package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// stage replaces one set of secrets. It is not safe for concurrent use.
type stage struct {
	*matcher
	unescaper
	masker Masker
	random bool // a replacement of masker depends on chance
	counts Counts

	// omitted is the replacement of a value that is left out.
	omitted pcore.Value

	binary   []byte       // memory of hitsEncoded
	plan     *plan        // of the last document with an outline
	takePlan func() *plan // returns the plan of the last collected document, once; may be nil
}

func newStage(s *layer, m Masker) *stage {
	r := &stage{matcher: s.matcher(), masker: recorded(m), omitted: pcore.NewSensitive(pcore.Undef{})}
	_, r.random = m.(*encrypter)
	if m, ok := m.(reserver); ok {
		m.reserveMarkers(r.lastMarker)
	}
	if _, plain := m.(*texts); plain && s.plan != nil {
		r.takePlan = s.plan
	}
	return r
}

// hitsJSON reports whether JSON contains a followed secret.
func (r *stage) hitsJSON(raw []byte) (hit bool) {
	hit, r.scratch = r.matcher.hitsJSON(raw, r.scratch)
	return hit
}

// masked returns text with the copies of secrets replaced.
func (r *stage) masked(text string) string {
	replaced, _ := r.replace(text, r.masker)
	return replaced
}

// maskedRef returns a reference with the copies of secrets in its title replaced.
func (r *stage) maskedRef(ref catalog.Ref) catalog.Ref {
	ref.Title, _ = r.replaceTitle(ref, r.masker)
	return ref
}

// location returns a location with the copies of secrets in it replaced.
func (r *stage) location(at catalog.Location) catalog.Location {
	clean := catalog.Location{Ref: r.maskedRef(at.Ref)}
	for _, step := range at.Path {
		if key, ok := step.Key.(pcore.String); ok {
			step.Key = pcore.String(r.masked(string(key)))
		}
		clean.Path = append(clean.Path, step)
	}
	return clean
}

// copyless returns text with the copies of secrets and the parts in own replaced, and
// counts them. In a reference to a resource, the title is replaced as in the resource.
func (r *stage) copyless(text string, own ...secret.Span) string {
	replaced, n := r.replace(text, r.masker, own...)
	if n == 0 {
		return text
	}
	r.counts.Copies += n
	if ref, ok := catalog.ParseRef(text); ok && len(own) == 0 {
		if spelled := r.maskedRef(ref).String(); !r.hits([]byte(spelled)) {
			return spelled
		}
	}
	return replaced
}
