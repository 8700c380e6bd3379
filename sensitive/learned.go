package sensitive

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// learned is the state of a [Collector].
type learned struct {
	parts func(text string) []string
	facts
	found   map[string]bool          // candidates, by text
	spelled map[string]int           // numbers of the candidates that are only spellings
	isApart map[string]secret.Reason // texts that are not followed
	shared  bool                     // the candidates and words are those of a matcher, too
	weak    bool                     // a weak secret was taken since weak was last unset
}

// facts are the collected data about the secrets of catalogs.
type facts struct {
	words      secret.Vocabulary // words that make up catalogs
	candidates []candidate
	apart      []unfollowed   // texts of secrets that are not followed, such as keys
	undeclared map[string]int // numbers of the candidates that no document declares; nil for none
	locations  map[catalog.Ref]locations
	titles     []foundTitle
	lastMarker int // the highest number of a marker in the documents
	// Documents that were streamed: read in pieces to their end, or only to a location
	// where they must be read part by part.
	inPieces, endsEarly bool
}

// candidate is a text that may be followed, with its first location, or if it was found before it
// was declared, the parameter that declares it.
type candidate struct {
	text     string
	at       origin
	spelling bool // another text of a number, which is counted once
}

// unfollowed is a text of a secret whose copies are not searched for.
type unfollowed struct {
	candidate
	reason secret.Reason
}

// origin is where a text was declared or found first.
type origin struct {
	catalog.Location
	rule string // that found it, or "" if it is declared
}

// originator computes an origin, which few texts need.
type originator interface{ origin() origin }

func (o origin) origin() origin { return o }

func newLearned(parts func(string) []string) *learned {
	return &learned{
		parts:   parts,
		facts:   facts{locations: map[catalog.Ref]locations{}},
		found:   map[string]bool{},
		spelled: map[string]int{},
		isApart: map[string]secret.Reason{},
	}
}

// snapshot returns a copy of the facts. The Collector may continue.
func (s *learned) snapshot() facts {
	s.shared = true
	f := s.facts
	f.candidates, f.apart, f.titles = slices.Clip(f.candidates), slices.Clip(f.apart), slices.Clip(f.titles)
	f.undeclared = maps.Clone(s.undeclared)
	f.locations = make(map[catalog.Ref]locations, len(s.locations))
	for ref, found := range s.locations {
		f.locations[ref] = found.clone()
	}
	return f
}

// unshare copies what a matcher has as well, to be changed.
func (s *learned) unshare() {
	if s.shared {
		s.candidates, s.words, s.shared = slices.Clone(s.candidates), s.words.Clone(), false
	}
}

// expect reserves memory for n more secrets.
func (s *learned) expect(n int) {
	if len(s.found) == 0 {
		s.found = make(map[string]bool, n)
	}
	s.candidates = slices.Grow(s.candidates, n)
}

// include adds the facts of another Collector, as if they were collected now.
func (s *learned) include(f *facts) {
	s.unshare()
	s.words.Include(&f.words)
	s.lastMarker = max(s.lastMarker, f.lastMarker)
	s.inPieces, s.endsEarly = s.inPieces || f.inPieces, s.endsEarly || f.endsEarly
	s.expect(len(f.candidates))
	for _, c := range f.candidates {
		if _, found := f.undeclared[c.text]; found {
			s.undeclaredly(func() { s.add(c.text, c.at) })
			continue
		}
		s.addText(c.text, c.at, c.spelling)
	}
	for _, u := range f.apart {
		s.leave(u.text, u.at, u.reason)
	}
	for ref, found := range f.locations {
		for location, all := range found {
			s.addLocation(ref, location, all...)
		}
	}
	s.titles = append(s.titles, f.titles...)
}

// take adds all texts of a secret.
func (s *learned) take(own *pcore.Sensitive, at originator) {
	v := own.Reveal() //nolint:forbidigo // collected to be looked for

	_ = pcore.Walk(v, func(c *pcore.Cursor) error { // never fails
		text, ok := textOf(c.Value())
		switch { // paths do not continue inside a secret
		case ok && inPlainKey(c):
			s.takeKey(text, at)
		case ok && isNameIn(c, text):
			s.leave(text, at, secret.NameOnly)
		default:
			s.takeValue(c.Value(), at)
		}
		return nil
	})
}

// takeValue adds the texts of a value, if it has any.
func (s *learned) takeValue(v pcore.Value, at originator) {
	text, ok := textOf(v)
	if ok {
		s.takeText(text, at)
	}
	switch v.(type) {
	case pcore.Integer, pcore.BigInteger, pcore.Float:
		for _, form := range secret.NumberForms(text) {
			s.addText(form, at, true)
		}
	default:
	}
}

// takeKey adds a key of a secret Hash. It is followed only if it is a secret itself and
// not a name such as `password`.
func (s *learned) takeKey(text string, at originator) {
	if secret.IsSecretKey(text) {
		s.add(text, at)
		return
	}
	s.leave(text, at, secret.KeyOnly)
}

// isNameIn reports whether a text in a secret Array or Hash is a name and no secret itself.
func isNameIn(c *pcore.Cursor, text string) bool {
	if len(c.Path()) == 0 || !pcore.Is[pcore.String](c.Value()) {
		return false
	}
	last, _ := c.Last()
	key, _ := last.Key.(pcore.String)
	return secret.IsOnlyName(string(key), text)
}

// leave notes a text of a secret that is not followed.
func (s *learned) leave(text string, at originator, reason secret.Reason) {
	if s.isApart[text] != "" || secret.IsMarker(text) {
		return
	}
	s.isApart[text] = reason
	s.apart = append(s.apart, unfollowed{candidate{text: text, at: at.origin()}, reason})
}

// takeText adds a text and the secrets in it.
func (s *learned) takeText(text string, location originator) {
	s.weak = s.weak || secret.MayBeWord(text)
	s.add(text, location)
	for _, part := range secret.Inside(text) {
		s.add(part, location)
	}
	if s.parts != nil {
		for _, part := range s.parts(text) {
			s.add(part, location)
		}
	}
}

func (s *learned) add(text string, at originator) { s.addText(text, at, false) }

// addText adds a text, which may be another text of a number.
func (s *learned) addText(text string, at originator, spelling bool) {
	text, ok := candidateOf(text)
	switch {
	case !ok:
	case !s.found[text]:
		s.found[text] = true
		if spelling {
			s.spelled[text] = len(s.candidates)
		}
		s.candidates = append(s.candidates, candidate{text, at.origin(), spelling})
	default:
		if i, only := s.spelled[text]; only && !spelling { // it is a secret of its own, too
			s.unshare()
			s.candidates[i].spelling = false
			delete(s.spelled, text)
		}
		if i, undeclared := s.undeclared[text]; undeclared { // not in undeclaredly
			s.unshare()
			s.candidates[i].at = parameterOf(at.origin())
			delete(s.undeclared, text)
		}
	}
}

// parameterOf returns the whole parameter of an origin, which is declared.
func parameterOf(at origin) origin {
	at.Path = at.Path[:min(len(at.Path), 1)]
	return origin{Location: at.Location}
}

// undeclaredly calls add, whose new candidates are undeclared secrets.
func (s *learned) undeclaredly(add func()) {
	known, before := s.undeclared, len(s.candidates)
	s.undeclared = nil
	add()
	s.undeclared = known
	for i := before; i < len(s.candidates); i++ {
		if s.undeclared == nil {
			s.undeclared = map[string]int{}
		}
		s.undeclared[s.candidates[i].text] = i
	}
}

// candidateOf returns the part of a text that may be followed. It returns false for blank
// text, markers, ciphertext, and the text that Puppet writes instead of a secret.
func candidateOf(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, text != "" && text != pcore.RedactedText && !secret.IsMarker(text) && !secret.IsCiphertext(text)
}

// addLocation adds undeclared secrets that were found at a location.
func (s *learned) addLocation(ref catalog.Ref, location string, found ...occurrence) {
	if s.locations[ref] == nil {
		s.locations[ref] = locations{}
	}
	s.locations[ref][location] = append(s.locations[ref][location], found...)
}

// inPlainKey reports whether the cursor is in a key of a Hash, but not in a Sensitive
// inside the key.
func inPlainKey(c *pcore.Cursor) bool {
	key := false
	for _, step := range c.Path() {
		switch step.Kind {
		case pcore.StepKey:
			key = true
		case pcore.StepSecret:
			key = false
		default:
		}
	}
	return key
}

// textOf returns the text by which a value is followed. Undef, defaults, booleans and
// containers have none.
func textOf(v pcore.Value) (string, bool) {
	switch v := v.(type) {
	case pcore.String:
		return string(v), true
	case pcore.Symbol:
		return string(v), true
	case pcore.Binary:
		return v.Raw(), true
	case pcore.Integer:
		return v.String(), true
	case pcore.Float:
		return floatText(v)
	case *pcore.Regexp:
		return v.Source(), true
	case interface{ Text() string }: // of the other scalars
		return v.Text(), true
	default:
		return "", false
	}
}

// floatText returns the decimal digits of a Float, without a fraction of zero: equal
// numbers have equal texts, including Integers.
func floatText(f pcore.Float) (text string, ok bool) {
	if math.IsInf(float64(f), 0) || math.IsNaN(float64(f)) {
		return "", false
	}
	return strconv.FormatFloat(float64(f), 'f', -1, 64), true
}

// learn adds the words of the header of a catalog.
func (s *learned) learn(h *catalog.Header) {
	s.unshare()
	s.words.Keep(h.Name())
	s.words.Keep(h.Environment())
	for _, name := range slices.Concat(h.Classes(), h.Tags()) {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_:") == "" {
			s.words.Add([]byte(name))
		}
	}
}
