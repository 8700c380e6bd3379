package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
)

// plan lists the parts of a document in memory that need work, without decoding them. It
// replaces the parts of a [catalog.Reader]. It is not safe for concurrent use.
type plan struct {
	*outlined
	// special are the parts with rich values or listed parameters, in order.
	special []special
	secrets int // number of secrets in their own locations

	// Memory for sites.
	sites  slab[sites]
	spare  *sites // unused sites
	places slab[site]
	spans  slab[byteRange]
}

// slab allocates small slices from large ones, which is faster for many slices.
type slab[T any] struct{ free []T }

// take returns an empty slice for n elements.
func (s *slab[T]) take(n int) []T {
	const atOnce = 256
	if len(s.free) < n {
		s.free = make([]T, max(n, atOnce))
	}
	taken := s.free[:0:n]
	s.free = s.free[n:]
	return taken
}

// special is a part that a search of its bytes does not fully cover. Some parts with rich
// values are fully covered.
type special struct {
	part  int
	sites *sites // nil if the values must be decoded
}

func newPlan(o *catalog.Outline) *plan {
	p := &plan{outlined: &outlined{Outline: o, keys: map[string]pcore.Value{}}}
	for i := range o.Parts {
		if part := &o.Parts[i]; !part.Odd && !part.Watched && len(o.Rich(i)) == 0 {
			continue
		}
		s := p.sitesOf(i)
		if s != nil && s.isEmpty() {
			p.spare = s
			continue
		}
		p.special = append(p.special, special{part: i, sites: s})
		if s.hasPlaces() {
			p.secrets += len(s.found)
		}
	}
	return p
}

// sitesOf returns the sites of the secrets in a part, or nil if its values must be
// decoded.
func (p *plan) sitesOf(i int) *sites {
	part := &p.Parts[i]
	if !p.IsResource(i) || part.Odd {
		return nil
	}
	if !part.Watched {
		if s := p.sitesOfRich(i); s != nil {
			return s
		}
	}
	if s := p.newSites(i); s.resource() {
		return s
	}
	return nil
}

func (p *plan) newSites(i int) *sites {
	part := &p.Parts[i]
	s := p.spare
	if p.spare = nil; s == nil {
		s = &p.sites.take(1)[:1][0]
	}
	*s = sites{data: p.Data[part.Start:part.End], doc: p.outlined, part: i}
	return s
}

// sitesOfRich is sitesOf for a resource without listed parameters, based on its rich
// values. It supports only the layout that Puppet writes, and returns nil for others.
func (p *plan) sitesOfRich(i int) *sites {
	s := p.newSites(i)
	if !s.head() {
		return nil
	}
	base, end := p.Parts[i].Start, 0
	rich := p.Rich(i)
	for k := range rich {
		v := &rich[k]
		if v.Start < end {
			continue // inside a secret
		}
		typ := p.Data[v.Type.Start:v.Type.End]
		value := byteRange{v.Value.Start - base, v.Value.End - base}
		hasValue := v.Value.End > 0
		if !p.isOfResource(v) || !isClear(typ) || hasValue && k+1 < len(rich) && v.Value.Holds(rich[k+1].Span) && string(typ) != "Sensitive" {
			return nil
		}
		switch string(typ) {
		case "Sensitive":
			if !hasValue || s.mayRefer(value) {
				return nil
			}
			end = v.End
			if s.found == nil {
				s.found = p.places.take(len(rich) - k)
			}
			s.found = append(s.found, site{start: v.Start - base, end: v.End - base, inner: value.start, innerEnd: value.end, of: s, rich: v})
		case "Binary":
			if !hasValue || s.data[value.start] != '"' || !jsonwire.IsPlain(s.data[value.start:value.end]) {
				return nil
			}
			if s.encoded == nil {
				s.encoded = p.spans.take(len(rich) - k)
			}
			s.encoded = append(s.encoded, byteRange{value.start + 1, value.end - 1})
		case "Timestamp", "Timespan", "URI", "SemVerRange":
			if hasValue && s.shows(typ, value) {
				continue
			}
			if s.spelled == nil {
				s.spelled = p.spans.take(len(rich) - k)
			}
			s.spelled = append(s.spelled, byteRange{v.Start - base, v.End - base})
		}
	}
	return s
}

// isOfResource reports whether a rich value is in a valid location of a resource: parameters
// are a map, not a rich value.
func (p *plan) isOfResource(v *document.Rich) bool {
	if key, _ := p.Step(v, 0); string(key) != "parameters" {
		return true
	}
	if p.Depth(v) == 1 {
		return false
	}
	key, _ := p.Step(v, 1)
	return key != nil
}

// planOf returns the plan of the document that src reads, which may be known. It is nil
// if the document is not a catalog in memory with an outline.
func planOf(src *catalog.Reader, known *plan) *plan {
	var outline *catalog.Outline
	if known != nil {
		outline = known.Outline
	}
	switch o := src.Outline(outline); o {
	case nil:
		return nil
	case outline:
		return known
	default:
		return newPlan(o)
	}
}
