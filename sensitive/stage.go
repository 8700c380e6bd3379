package sensitive

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// stage replaces one set of secrets. It is not safe for concurrent use.
type stage struct {
	*matcher
	searcher
	masker Masker
	random bool // a replacement of masker depends on chance
	counts Counts
	shown  *shown

	planned planned // the next resource, if it is known

	// omitted is the replacement of a value that is left out.
	omitted pcore.Value

	binary   []byte       // memory of hitsBinary
	plan     *plan        // of the last document with an outline
	takePlan func() *plan // returns the plan of the last collected document, once; may be nil
}

func newStage(s *layer, m Masker) *stage {
	r := &stage{matcher: s.matcher(), masker: recorded(m), shown: &shown{markers: map[string]bool{}}, omitted: pcore.NewSensitive(pcore.Undef{})}
	_, r.random = m.(*encrypter)
	if m, ok := m.(reserver); ok {
		m.reserveMarkers(r.lastMarker)
	}
	r.takePlan = s.plan
	return r
}

// hitsJSON reports whether JSON contains a followed secret.
func (r *stage) hitsJSON(raw []byte) (hit bool) {
	return r.matcher.hitsJSON(raw, &r.searcher)
}

// masked returns text with the copies of secrets replaced.
func (r *stage) masked(text string) string {
	replaced, _ := r.replace(text)
	return replaced
}

// maskedRef returns a reference with the copies of secrets in its title replaced.
func (r *stage) maskedRef(ref catalog.Ref) catalog.Ref {
	ref.Title, _ = r.replaceTitle(ref)
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

// foundAt returns the undeclared secrets for a value at a location: those of its resource,
// and under its own location those of the whole parameter that it is a part of. An index can be
// that of another version of the catalog.
func (r *stage) foundAt(at catalog.Location) locations {
	found := r.locations[at.Ref]
	if len(found) == 0 || len(at.Path) < 2 {
		return found
	}
	own := found.clone()
	for location, list := range found {
		if isBelow(location, locationName(at.Path[:1])) {
			own[locationName(at.Path)] = append(own[locationName(at.Path)], list...)
		}
	}
	return own
}

// isBelow reports whether a location is another one, or a part of it.
func isBelow(location, other string) bool {
	rest, ok := strings.CutPrefix(location, other)
	return ok && (other == "" || rest == "" || rest[0] == '/')
}

// textAt returns text without copies of secrets, and without the undeclared ones that were
// found at a location, above or below it.
func (r *stage) textAt(text string, at catalog.Location) string {
	var own []secret.Span
	here := locationName(at.Path)
	for location, list := range r.locations[at.Ref] {
		if !isBelow(location, here) && !isBelow(here, location) {
			continue
		}
		for _, o := range list {
			if !r.follows(o) {
				own = append(own, occurrence{text: o.text}.in(text)...)
			}
		}
	}
	replaced, _ := r.replace(text, own...)
	return replaced
}

// copyless returns text with the copies of secrets and the parts in own replaced, and
// counts them. In a reference to a resource, the title is replaced as in the resource.
func (r *stage) copyless(text string, own ...secret.Span) string {
	replaced, n := r.replace(text, own...)
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

// replace returns text with all secrets and the parts in own replaced, and the number of
// replacements.
func (r *stage) replace(text string, own ...secret.Span) (string, int) {
	spans := r.set.Spans([]byte(text))
	if len(own) > 0 {
		spans = secret.Merge(append(spans, own...))
	}
	if len(spans) == 0 {
		return text, 0
	}
	var b strings.Builder
	end := 0
	for _, span := range spans {
		b.WriteString(text[end:span.Start])
		marker := r.mark(text[span.Start:span.End])
		if span.Pattern < 0 && r.hasFound || span.Pattern >= 0 && r.texts[span.Pattern].undeclared {
			r.noteFound(marker)
		}
		b.WriteString(marker)
		end = span.End
	}
	b.WriteString(text[end:])
	return b.String(), len(spans)
}

// replaceTitle returns the title of a resource with all secrets replaced, and the number of
// replacements. Of a secret that begins before the title in `Type[title]`, or ends behind
// it, the part in the title is replaced, so that all references to the resource stay equal.
func (r *stage) replaceTitle(ref catalog.Ref) (string, int) {
	if !r.inRefs {
		return r.replace(ref.Title)
	}
	var own []secret.Span
	before := len(ref.Type) + len("[")
	for _, span := range r.set.Spans([]byte(ref.String())) {
		span.Start, span.End = max(0, span.Start-before), min(len(ref.Title), span.End-before)
		if span.Start < span.End {
			own = append(own, span)
		}
	}
	return r.replace(ref.Title, own...)
}
