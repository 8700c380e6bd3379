package sensitive

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// learned is the state of a [Collector].
type learned struct {
	parts func(text string) []string
	facts
	found   map[string]bool          // candidates, by text
	spelled map[string]int           // numbers of the candidates that are only spellings; nil for none
	settled int                      // number of candidates whose location is resolved
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
	at       seen
	spelling bool // another text of a number, which is counted once
}

// unfollowed is a text of a secret whose copies are not searched for.
type unfollowed struct {
	candidate
	reason secret.Reason
}

// seen computes the location of a text, which few texts need. It is safe for concurrent
// use.
type seen interface{ Location() catalog.Location }

// located is a known location.
type located catalog.Location

func (l located) Location() catalog.Location { return catalog.Location(l) }

// foundAt is the location of an undeclared secret.
type foundAt struct {
	located
	rule string // that found it
}

// settled returns at without a document.
func settled(at seen) seen {
	if f, ok := at.(foundAt); ok {
		return f
	}
	return located(at.Location())
}

func newLearned(parts func(string) []string) *learned {
	return &learned{
		parts:   parts,
		facts:   facts{locations: map[catalog.Ref]locations{}},
		found:   map[string]bool{},
		isApart: map[string]secret.Reason{},
	}
}

// snapshot returns a copy of the facts. The Collector may continue.
func (s *learned) snapshot() facts {
	s.shared = true
	f := s.facts
	f.candidates, f.apart, f.titles = slices.Clip(f.candidates), slices.Clip(f.apart), slices.Clip(f.titles)
	f.undeclared = maps.Clone(s.undeclared)
	f.locations = nil
	if len(s.locations) > 0 {
		f.locations = make(map[catalog.Ref]locations, len(s.locations))
	}
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

// settle resolves the locations of all candidates, so that none holds a document.
func (s *learned) settle() {
	if s.settled == len(s.candidates) {
		return
	}
	s.unshare()
	for ; s.settled < len(s.candidates); s.settled++ {
		c := &s.candidates[s.settled]
		c.at = settled(c.at)
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
	s.settle()
	s.expect(len(f.candidates))
	for _, c := range f.candidates {
		at := settled(c.at)
		if _, found := f.undeclared[c.text]; found {
			s.undeclaredly(func() { s.add(c.text, at) })
			continue
		}
		s.addCandidate(candidate{c.text, at, c.spelling})
	}
	for _, u := range f.apart {
		s.leave(u.text, located(u.at.Location()), u.reason)
	}
	for ref, found := range f.locations {
		for location, all := range found {
			s.addLocation(ref, location, all...)
		}
	}
	s.titles = append(s.titles, f.titles...)
}

// take adds all texts of a secret.
func (s *learned) take(own *pcore.Sensitive, at seen) error {
	v := own.Reveal() //nolint:forbidigo // collected to be looked for
	return pcore.Walk(v, func(c *pcore.Cursor) error {
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
func (s *learned) takeValue(v pcore.Value, at seen) {
	if text, ok := textOf(v); ok {
		s.takeText(text, at)
	}
	for _, text := range spellings(v) {
		s.addCandidate(candidate{text, at, true})
	}
}

// takeKey adds a key of a secret Hash. It is followed only if it is a secret itself and
// not a name such as `password`.
func (s *learned) takeKey(text string, at seen) {
	if isSecretKey(text) {
		s.add(text, at)
		return
	}
	s.leave(text, at, secret.KeyOnly)
}

// isSecretKey reports whether a key of a secret Hash is a secret itself: not a name, whose
// words are longer than the runs of letters in a token.
func isSecretKey(text string) bool {
	const leastWord = 3
	letters, runs := 0, 0
	before := ' '
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.IsLetter(before) || unicode.IsLower(before) && unicode.IsUpper(r) {
				runs++
			}
		}
		before = r
	}
	return letters < leastWord*runs && secret.Traceable(text)
}

// isNameIn reports whether a text in a secret Array or Hash is the name of a file, a host or an
// account that is no secret itself: `/etc/ssl/key.pem`, or `www-data` under the key `owner`.
func isNameIn(c *pcore.Cursor, text string) bool {
	if len(c.Path()) == 0 || !pcore.Is[pcore.String](c.Value()) {
		return false
	}
	last, _ := c.Last()
	key, _ := last.Key.(pcore.String)
	return secret.IsPlace(text) || secret.NamesAccount(string(key)) && !secret.Traceable(text)
}

// leave notes a text of a secret that is not followed.
func (s *learned) leave(text string, at seen, reason secret.Reason) {
	if s.isApart[text] != "" || secret.IsMarker(text) {
		return
	}
	s.isApart[text] = reason
	s.apart = append(s.apart, unfollowed{candidate{text: text, at: at}, reason})
}

// takeText adds a text and the secrets in it.
func (s *learned) takeText(text string, location seen) {
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

func (s *learned) add(text string, at seen) { s.addCandidate(candidate{text: text, at: at}) }

func (s *learned) addCandidate(c candidate) {
	text, ok := candidateOf(c.text)
	switch {
	case !ok:
	case !s.found[text]:
		s.found[text] = true
		if c.spelling {
			if s.spelled == nil {
				s.spelled = map[string]int{}
			}
			s.spelled[text] = len(s.candidates)
		}
		s.candidates = append(s.candidates, candidate{text, c.at, c.spelling})
	default:
		if i, only := s.spelled[text]; only && !c.spelling { // it is a secret of its own, too
			s.unshare()
			s.candidates[i].spelling = false
			delete(s.spelled, text)
		}
		if i, undeclared := s.undeclared[text]; undeclared { // not in undeclaredly
			s.unshare()
			s.candidates[i].at = parameterOf(c.at.Location())
			delete(s.undeclared, text)
		}
	}
}

// parameterOf returns the whole parameter of a location.
func parameterOf(at catalog.Location) located {
	at.Path = at.Path[:min(len(at.Path), 1)]
	return located(at)
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
	case pcore.BigInteger:
		return v.Text(), true
	case pcore.Float:
		return floatText(v)
	case *pcore.URI:
		return v.Text(), true
	case *pcore.Regexp:
		return v.Source(), true
	case pcore.Timestamp:
		return v.Text(), true
	case pcore.Timespan:
		return v.Text(), true
	case *pcore.SemVer:
		return v.Text(), true
	case *pcore.SemVerRange:
		return v.Text(), true
	default:
		return "", false
	}
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
