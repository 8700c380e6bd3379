package sensitive

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
)

// matcher finds the secrets of catalogs in text. It is immutable, except for its
// memory of documents, and safe for concurrent use.
type matcher struct {
	facts
	held     map[string]bool // secrets that are words of the catalogs
	followed int             // number of followed texts, without other spellings of numbers
	left     []unfollowed    // secrets that are not followed
	numeric  bool            // a followed text may be a number
	hasFound bool            // there are secrets that no document declares
	// inRefs is set if a followed text can be part of a reference `Type[title]` without
	// being part of the title.
	inRefs bool
	set    *secret.Set
	texts  []followedText // by their numbers in set

	seed  maphash.Seed
	known sync.Map // of found, by the number of a piece; see rereader
}

// followedText describes a text that is searched for.
type followedText struct {
	origin
	undeclared bool
	isDocument bool // an object or an array in JSON
}

// newMatcher decides which secrets to follow and compiles them.
func newMatcher(f facts) *matcher {
	s := &matcher{facts: f, held: f.words.Held(textsOf(f.candidates)), hasFound: len(f.locations) > 0, seed: maphash.MakeSeed()}
	s.left = slices.Clone(s.apart)
	followed := make([]string, 0, len(s.candidates))
	titles := s.wholeTitles()
	for text := range f.words.Held(textsOf(titles)) {
		s.held[text] = true
	}
	for i, c := range append(s.candidates, titles...) {
		if reason := secret.Judge(c.text, s.held); reason != "" {
			s.left = append(s.left, unfollowed{c, reason})
			continue
		}
		if !c.spelling {
			s.followed++
		}
		_, undeclared := s.undeclared[c.text]
		undeclared = undeclared || i >= len(s.candidates)
		s.hasFound = s.hasFound || undeclared
		followed = append(followed, c.text)
		s.texts = append(s.texts, followedText{c.at, undeclared, isDocument(c.text)})
		s.numeric = s.numeric || secret.IsDecimal(c.text)
		s.inRefs = s.inRefs || mayReachOutOfTitle(c.text)
	}
	s.set = secret.CompileTexts(followed)
	return s
}

// isDocument reports whether text is an object or an array in JSON.
func isDocument(text string) bool {
	return len(text) > 1 && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text))
}

func textsOf(list []candidate) []string {
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = c.text
	}
	return texts
}

// wholeTitles returns the titles that are replaced as a whole because a secret in them
// cannot be followed.
func (s *matcher) wholeTitles() (titles []candidate) {
	if len(s.titles) == 0 {
		return nil
	}
	known := make(map[string]bool, len(s.candidates))
	for _, c := range s.candidates {
		known[c.text] = true
	}
	for _, t := range s.titles {
		if text, ok := candidateOf(t.at.Ref.Title); ok && !known[text] && !s.follows(t.occurrence) {
			known[text] = true
			titles = append(titles, candidate{text: text, at: origin{Location: t.at}})
		}
	}
	return titles
}

// follows reports whether copies of a secret are searched for, so it is replaced in its
// own location as well.
func (s *matcher) follows(o occurrence) bool {
	return o.known && secret.Judge(strings.TrimSpace(o.secret), s.held) == ""
}

// ownSpans returns the parts of the text of a location to replace because of the secrets
// found there. whole is set if a secret is the whole text.
func (s *matcher) ownSpans(found []occurrence, text string) (spans []secret.Span, whole bool) {
	for _, o := range found {
		followed := s.follows(o)
		switch spelled := strings.TrimSpace(o.text); {
		case spelled == strings.TrimSpace(text) && (!followed || spelled == strings.TrimSpace(o.secret)):
			return nil, true
		case !followed:
			spans = append(spans, o.in(text)...)
		}
	}
	return secret.Merge(spans), false
}

// foundIn returns the undeclared secrets found in a resource.
func (s *matcher) foundIn(res *catalog.Resource) locations {
	if len(s.locations) == 0 {
		return nil // avoids computing the reference
	}
	typ, title := res.TypeAndTitle()
	return s.locations[catalog.Ref{Type: string(typ), Title: string(title)}]
}

// hits reports whether text contains a followed secret.
func (s *matcher) hits(text []byte) bool { return s.set.Contains(text) }

// hitsJSON is hits for JSON: its bytes and its strings with escapes.
func (s *matcher) hitsJSON(raw []byte, memory *searcher) bool {
	return s.hitsJSONOf(raw, memory, func([]byte, secret.Hit) bool { return true })
}

// hitsOf is hits for the hits in text that count.
func (s *matcher) hitsOf(text []byte, counts func(text []byte, h secret.Hit) bool) bool {
	for h := range s.set.Find(text) {
		if counts(text, h) {
			return true
		}
	}
	return false
}

// hitsJSONOf is hitsJSON for the hits that count, in raw or in its unescaped strings.
func (s *matcher) hitsJSONOf(raw []byte, memory *searcher, counts func(text []byte, h secret.Hit) bool) bool {
	for h := range s.set.FindJSON(raw) {
		if !s.isSameData(raw, h) && counts(raw, h) {
			return true
		}
	}
	return s.hitsOf(memory.Strings(raw, "json"), counts)
}

// isSameData reports whether a hit in JSON is the syntax of values, and the secret is a
// document in JSON: a configuration file whose data are also parameters, for example. Its
// tokens and passwords are followed by themselves; see [secret.Inside].
func (s *matcher) isSameData(raw []byte, h secret.Hit) bool {
	return s.texts[h.Pattern].isDocument && bytes.HasPrefix(bytes.TrimLeft(raw[h.Start:h.End], "{[ \t\r\n"), []byte(`"`))
}

// mayReachOutOfTitle reports whether text can begin before the title in `Type[title]`, or
// end behind it.
func mayReachOutOfTitle(text string) bool {
	typ, _, found := strings.Cut(text, "[")
	return strings.HasSuffix(text, "]") || found && strings.TrimFunc(typ, isOfType) == ""
}

func isOfType(r rune) bool { return r == ':' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// hitsRef reports whether a secret reaches out of the title of a resource in a reference.
// The bytes of the resource do not show it.
func (s *matcher) hitsRef(typ, title []byte) bool {
	return s.inRefs && s.hits(slices.Concat(typ, []byte("["), title, []byte("]")))
}

// maySplitRef reports whether an edge has the types and the titles of its ends in different
// strings, so that its bytes do not show a secret in a reference.
func (s *matcher) maySplitRef(edge []byte) bool {
	return s.inRefs && (edge == nil || bytes.Contains(edge, []byte("title")))
}
