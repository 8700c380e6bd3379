package secret

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// Spelling is a hit of a pattern, with the ways in which the text spells it.
type Spelling struct {
	Hit
	// Layers are the notations, encodings and escapes around the pattern, the outermost one
	// first. None means that the text has the pattern as it is.
	Layers []string
}

// Explain returns the hits of a text in order, and says how each is spelled. A hit inside a
// longer one is left out. It takes longer than [Set.Spans], and is for people.
func (s *Set) Explain(text []byte) []Spelling {
	if s.Len() == 0 {
		return nil
	}
	var all []Spelling
	for _, p := range s.parts() {
		add := func(h Hit, layers []string) {
			h.Pattern += p.from
			all = append(all, Spelling{h, layers})
		}
		if p.spellings != nil {
			p.spellings.explain(text, add)
			continue
		}
		p.index.find(text, 0, func(h Hit) bool {
			add(h, nil)
			return true
		})
	}
	slices.SortStableFunc(all, func(a, b Spelling) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(len(a.Layers), len(b.Layers)))
	})
	end := 0 // of the hits before
	return slices.DeleteFunc(all, func(a Spelling) bool {
		inside := a.End <= end
		end = max(end, a.End)
		return inside
	})
}

// explain yields the hits with their layers.
func (s *spellings) explain(text []byte, yield func(Hit, []string)) {
	s.findWritten(text, false, func(h Hit) bool {
		yield(h, s.layers(h, text))
		return true
	})
	if !s.decodes || len(text) > math.MaxInt32 {
		return
	}
	d := newDecoder()
	d.trail = new([]string)
	d.begin(s, text, true)
	d.find(text, false)
	for i, h := range d.hits {
		yield(h, d.trails[i])
	}
}

// layers says how the text of a hit, whose characters follow each other, spells its secret.
func (s *spellings) layers(h Hit, text []byte) []string {
	secret, spelled := s.texts[h.Pattern], text[h.Start:h.End]
	bare := withoutBreaks(spelled)
	for form, as := range Forms(secret) {
		switch {
		case bytes.Equal(spelled, as) && form == Raw:
			return nil
		case bytes.Equal(spelled, as):
			return []string{form.String()}
		case form != Raw && form != Lower && bytes.Equal(bare, withoutBreaks(as)):
			return []string{"line breaks", form.String()}
		}
	}
	var names []string
	for _, i := range [...]struct {
		char byte // begins an escape
		name string
	}{{'\\', "backslashes"}, {'%', "percent"}, {'&', "entities"}, {'=', "quoted-printable"}, {'^', "carets"}, {'`', "backticks"}} {
		if bytes.IndexByte(spelled, i.char) >= 0 && bytes.IndexByte(secret, i.char) < 0 {
			names = append(names, i.name)
		}
	}
	switch {
	case len(names) > 0:
		return names
	case bytes.Equal(bytes.Join(bytes.Fields(spelled), nil), bytes.Join(bytes.Fields(secret), nil)):
		return []string{"line breaks"}
	case slices.ContainsFunc(otherSpellings(secret), func(other []byte) bool { return bytes.EqualFold(spelled, other) }) || bytes.EqualFold(spelled, secret):
		return []string{"other characters"} // such as the digits of a UUID without hyphens
	}
	return []string{"escapes"}
}

// withoutBreaks returns the text of an encoding without the signs between its lines and groups.
func withoutBreaks(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\r', '\n', ':', '"', '\'', '\\', '#':
			return -1
		}
		return r
	}, text)
}
