package sensitive

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/unescape"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// secrets is what is known of the secrets of the catalogs of a run. It is held
// by closures only, so that nothing prints it.
type secrets struct {
	more  func(text string) []string
	names map[string]bool // words that catalogs are made of

	found   map[string]bool // candidates, by text
	order   []candidate
	settled int         // how many of order hold no document
	keys    []candidate // texts of keys, which are not followed
	isKey   map[string]bool
	numeric bool
	places  map[catalog.Ref]places // of what was found without being declared
	titles  []foundTitle

	followed []string
	left     []leftOut
	set      *secret.Set

	scratch []byte // for searchable and hitsJSON
	binary  []byte // for hitsEncoded

	plan *plan // of the document that was outlined last
}

// candidate is a text that may be followed, and where it was seen first.
type candidate struct {
	text string
	at   seen
}

// seen tells where a text was seen, which is asked of few of them.
type seen interface{ location() catalog.Location }

// located is a place that is known.
type located catalog.Location

func (l located) location() catalog.Location { return catalog.Location(l) }

// settle asks all candidates where they were seen, so that none holds the document
// that tells.
func (s *secrets) settle() {
	for ; s.settled < len(s.order); s.settled++ {
		c := &s.order[s.settled]
		c.at = located(c.at.location())
	}
}

type leftOut struct {
	at     catalog.Location
	reason secret.Reason
}

func newSecrets(more func(string) []string) *secrets {
	return &secrets{
		more:  more,
		names: map[string]bool{},
		found: map[string]bool{},
		isKey: map[string]bool{},

		places: map[catalog.Ref]places{},
	}
}

// expect makes room for so many secrets more.
func (s *secrets) expect(n int) {
	if len(s.found) == 0 {
		s.found = make(map[string]bool, n)
	}
	s.order = slices.Grow(s.order, n)
}

// take notes all texts of a secret.
func (s *secrets) take(secret *pcore.Sensitive, at catalog.Location) error {
	v := secret.Reveal() //nolint:forbidigo // collected to be looked for
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		text, ok := textOf(c.Value())
		if !ok {
			return nil
		}
		place := located(at) // of its inside nothing is told
		if inPlainKey(c) {
			s.addKey(text, place)
			return nil
		}
		s.takeText(text, place)
		return nil
	})
}

func (s *secrets) addKey(text string, at seen) {
	if s.isKey[text] || secret.IsMarker(text) {
		return
	}
	s.isKey[text] = true
	s.keys = append(s.keys, candidate{text, at})
}

// takeText notes a text and what secrets it holds.
func (s *secrets) takeText(text string, place seen) {
	s.add(text, place)
	for _, part := range secret.Inside(text) {
		s.add(part, place)
	}
	if s.more != nil {
		for _, part := range s.more(text) {
			s.add(part, place)
		}
	}
}

// inPlainKey reports whether the cursor is in a key of a Hash that is not a
// Sensitive of its own.
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

func (s *secrets) add(text string, at seen) {
	text = strings.TrimSpace(text)
	if text == "" || secret.IsMarker(text) || isCiphertext(text) || s.found[text] {
		return
	}
	s.found[text] = true
	s.order = append(s.order, candidate{text, at})
}

// textOf returns the text by which a value is followed; undef, default,
// booleans, floats and what holds other values have none.
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

// compile decides which secrets are followed, and makes them ready to be
// found.
func (s *secrets) compile() {
	s.followed, s.numeric = nil, false
	s.left = nil
	for _, k := range s.keys {
		s.left = append(s.left, leftOut{k.at.location(), secret.KeyOnly})
	}
	s.takeTitles()
	size := 0
	for _, c := range s.order {
		if reason := secret.Judge(c.text, s.names); reason != "" {
			s.left = append(s.left, leftOut{c.at.location(), reason})
			continue
		}
		s.followed = append(s.followed, c.text)
		s.numeric = s.numeric || isNumeric(c.text)
		size += len(c.text)
	}
	texts := make([][]byte, len(s.followed))
	all := make([]byte, 0, size)
	for i, text := range s.followed {
		all = append(all, text...)
		texts[i] = all[len(all)-len(text) : len(all) : len(all)]
	}
	s.set = secret.CompileForms(texts)
}

// isNumeric reports whether a text may be that of a number.
func isNumeric(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != '-' && (c < '0' || '9' < c) {
			return false
		}
	}
	return true
}

// hits reports whether a followed secret stands in text.
func (s *secrets) hits(text []byte) bool { return s.set.Contains(text) }

// hitsJSON reports whether a followed secret stands in JSON: in the bytes as
// they are, or in what strings with escapes stand for.
func (s *secrets) hitsJSON(raw []byte) bool {
	if s.hits(raw) {
		return true
	}
	s.scratch = unescape.Strings(s.scratch[:0], raw)
	return s.hits(s.scratch)
}

// replace returns text with every secret in it replaced, and with it the parts
// in own.
func (s *secrets) replace(text string, masker Masker, own ...secret.Span) (string, int) {
	spans := s.set.Spans([]byte(text))
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
		b.WriteString(masker.Text(pcore.NewSensitive(pcore.String(text[span.Start:span.End]))))
		end = span.End
	}
	b.WriteString(text[end:])
	return b.String(), len(spans)
}

// learn notes the words that a catalog is made of, in lower case: to replace them
// would take the catalog apart.
func (s *secrets) learn(h *catalog.Header) {
	add := func(name string) { s.names[strings.ToLower(name)] = true }
	add(h.Name())
	add(h.Environment())
	for _, class := range slices.Concat(h.Classes(), h.Tags()) {
		if strings.Trim(class, "abcdefghijklmnopqrstuvwxyz0123456789_:") != "" {
			continue // no name of a class
		}
		add(class)
		for part := range strings.SplitSeq(class, "::") {
			add(part)
		}
	}
}
