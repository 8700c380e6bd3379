package detect

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/feature"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
)

// Text is a text to search: the text of a leaf, or text decoded from a part of it. It is
// valid during the visit of the leaf.
type Text struct {
	// S is the text.
	S string
	// Encodings are the encodings that were removed, the outermost first. The text of a
	// leaf has none.
	Encodings []string

	has        alphabet.Contained // the bytes that occur in S, set by next
	features   *feature.Set       // of S; nil if they are unknown
	scanner    *Scanner
	leaf       *leaf.Leaf
	start, end int            // position of the encoded text in the leaf
	number     int            // of a decoded text
	within     []Inner        // positions of a decoded text in others
	origin     origin         // maps positions in S to those in the leaf; nil if they are equal
	content    decode.Content // what S is
	isObject   bool           // S was written for an object, whose parts are searched instead
	flow       flow           // use of the text
	kind       kind           // kind of the file
	path       string         // path of a member of an archive
	masked     *masked
	outcomes   map[string]struct{} // the prefixes of the names of results of checks; nil until it is asked
}

// names returns the vocabulary of the detector, and values the knowledge about values.
func (t *Text) names() *verdict.Vocabulary { return t.scanner.detector.names }
func (t *Text) values() *verdict.Values    { return t.scanner.detector.values }

// classOf returns the class of a name.
func (t *Text) classOf(name string) verdict.NameClass { return t.names().ClassOf(name) }

// resourceType returns the type of the resource that contains the text, or "" outside of
// resources.
func (t *Text) resourceType() string {
	if t.leaf.Resource == nil {
		return ""
	}
	return t.leaf.Resource.Type
}

// Hit returns a hit for the secret at S[start:end].
func (t *Text) Hit(id string, start, end int, secret string, confidence rule.Confidence) Hit {
	masked := t.isMasked(start, end) || t.isMaskedBinary(start, end)
	within := t.inside(start, end)
	start, end = t.position(start, end)
	return Hit{Rule: id, Start: start, End: end, Within: within, Secret: secret, Encodings: t.Encodings, Confidence: confidence, Masked: masked}
}

// inside returns the positions of S[start:end] in the decoded texts that contain it.
func (t *Text) inside(start, end int) []Inner {
	if t.unchanged() {
		return nil
	}
	return append(slices.Clip(t.within), Inner{t.number, start, end})
}

// mentions reports whether the text contains one of the words.
func (t *Text) mentions(words ...string) bool { return slices.ContainsFunc(words, t.contains) }

// contains reports whether the text contains a word.
func (t *Text) contains(word string) bool {
	return t.features.May(word) && t.has.HasAll(word) && strings.Contains(t.S, word)
}

// index returns the position of the first occurrence of a word in the text, or -1.
func (t *Text) index(word string) int {
	if !t.features.May(word) {
		return -1
	}
	return strings.Index(t.S, word)
}

// occurrences returns an iterator over the positions of a word in the text.
func (t *Text) occurrences(word string) iter.Seq[int] {
	return func(yield func(int) bool) { t.each(word, yield) }
}

// each calls yield for each position of a word in the text.
func (t *Text) each(word string, yield func(int) bool) {
	if !t.features.May(word) {
		return
	}
	for i := range lines.Occurrences(t.S, word) {
		if !yield(i) {
			return
		}
	}
}

// position returns the position of S[start:end] in the leaf: that of the encoded text if there
// is one.
func (t *Text) position(start, end int) (int, int) {
	if !t.unchanged() {
		return t.start, t.end
	}
	if t.origin == nil {
		return start, end
	}
	return t.origin.Position(start), t.origin.Position(end)
}

// origin maps positions in a text to those in the text or the bytes that it was read from.
type origin interface{ Position(at int) int }

// unchanged reports whether S is the text of the leaf or in the bytes of its Binary.
func (t *Text) unchanged() bool {
	return len(t.Encodings) == 0 || len(t.Encodings) == 1 && t.leaf.Binary
}

// IsDecoded reports whether S was decoded from a part of the leaf.
func (t *Text) IsDecoded() bool { return !t.unchanged() }

// found emits a hit for S[start:end], which is the secret itself.
func (t *Text) found(id string, start, end int, confidence rule.Confidence) {
	t.emit(t.Hit(id, start, end, t.S[start:end], confidence))
}

// named emits a hit for S[start:end], which represents a secret with a name.
func (t *Text) named(id string, start, end int, name, secret string, confidence rule.Confidence) {
	t.emit(t.namedHit(id, start, end, name, secret, confidence))
}

// namedHit returns a hit for S[start:end], which represents a secret with a name.
func (t *Text) namedHit(id string, start, end int, name, secret string, confidence rule.Confidence) Hit {
	if knownHash(secret) {
		id = "password-hash"
	}
	h := t.Hit(id, start, end, secret, confidence)
	h.Name = name
	return h
}

// part returns the decoded text of S[start:end].
func (t *Text) part(start, end int, s, encoding string) *Text {
	p := *t
	p.S, p.path, p.origin, p.masked, p.features = s, "", nil, nil, nil
	p.start, p.end = t.position(start, end)
	p.Encodings = append(slices.Clip(t.Encodings), encoding)
	return &p
}

// decoded visits a part of the text that was decoded. That of a marker is no text.
func (t *Text) decoded(p decode.Part) {
	if t.isMasked(p.Start, p.End) {
		return
	}
	d := *t
	d.S, d.path, d.content, d.origin, d.masked, d.features = p.S, "", p.Content, nil, nil, nil
	d.start, d.end = t.position(p.Start, p.End)
	d.number, d.within = len(t.scanner.texts), t.inside(p.Start, p.End)
	if p.Origin != nil {
		d.origin = p.Origin
	}
	d.Encodings = slices.Concat(t.Encodings, p.Encodings)
	inArchive := p.Archives > 0
	if inArchive {
		d.flow, d.kind = content, kindOf(p.Path, p.S)
	}
	if inArchive && p.Archives == len(p.Encodings) {
		d.path = p.Path
	} else if d.kind == source && slices.ContainsFunc(p.Encodings, func(e string) bool { return e != "percent" }) {
		d.kind = settings // whatever contains it
	}
	d.visit()
}

// visit adds the text to the texts to visit.
func (t *Text) visit() { t.scanner.texts = append(t.scanner.texts, t) }

// Hits returns an iterator over the secrets in the text that have a context or a form. Hits
// may overlap.
func (t *Text) Hits() iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		s := t.scanner
		for g := range t.grammars {
			s.hits = s.hits[:0]
			g.search()
			for _, h := range s.hits {
				if !yield(h) {
					return
				}
			}
		}
	}
}

// emit adds a hit.
func (t *Text) emit(h Hit) {
	if s := t.scanner; len(s.hits) < s.most {
		s.hits = append(s.hits, h)
	} else {
		s.cut = true
	}
}

// Bytes returns the text as bytes. They are valid during the visit and must not be changed.
func (t *Text) Bytes() []byte { return t.scanner.bytes }

// grammar finds the secrets that a language marks by their form, or by a name, in a text. It
// first looks whether the bytes of the text allow any.
type grammar interface{ search() }

// grammars yields the grammars that may occur in the text.
func (t *Text) grammars(yield func(grammar) bool) {
	l := t.leaf
	switch {
	case t.isObject:
		yield(leaks{t})
		return
	case t.content == decode.Key:
		yield(keys{t})
		return
	case t.content == decode.Bytes:
		yield(randomKeys{t})
		return
	case t.content == decode.Strings:
		_ = yield(keys{t}) && yield(hashes{t}) && yield(issuers{t})
		return
	case l.Kind == leaf.Tag:
		yield(issuers{t})
		return // Puppet derives the other tags from titles
	case !yield(parameters{t}), l.Number, len(t.S) < minText, t.isWord(), l.InParameter() && isRelation(l.Parameter()):
		return // a reference repeats a title
	}
	for _, g := range t.forms() {
		if !yield(g) {
			return
		}
	}
	if l.Kind != leaf.Value && l.Kind != leaf.Title && len(t.Encodings) == 0 {
		return
	}
	for _, g := range t.languages() {
		if !yield(g) {
			return
		}
	}
}

// forms returns the grammars of secrets that their form marks.
func (t *Text) forms() [6]grammar {
	return [...]grammar{keys{t}, urls{t}, hashes{t}, leaks{t}, issuers{t}, outputs{t}}
}

// languages returns the grammars of secrets that a name marks.
func (t *Text) languages() [13]grammar {
	return [...]grammar{
		commands{t}, conditions{t}, assignments{t}, directives{t}, prompts{t}, lineFormats{t},
		statements{t}, calls{t}, tuples{t}, files{t}, sentences{t}, stated{t}, drawn{t},
	}
}

// isWord reports whether the text is a word that is too short for a form, and contains no mark
// of a language. Only its location can make it a secret.
func (t *Text) isWord() bool {
	return len(t.S) < decode.MinEncoded && t.flow == value && t.has.Within(&wordBytes)
}

// wordBytes are the bytes of a word: the letters and digits, dash and underscore.
var wordBytes = alphabet.Contained{1<<'-' | (1<<10-1)<<'0', 1<<('_'-64) | (1<<26-1)<<('A'-64) | (1<<26-1)<<('a'-64)}

// minText is the minimum length of a text with a name and a secret.
const minText = 6

// assignments finds names and values with a separator between them.
type assignments struct{ *Text }

func (t assignments) search() {
	if t.has.Has('=') || t.has.Has(':') || t.has.Has('>') || t.has.Has(',') || t.has.Has('(') {
		t.assignText().Find(t.judge)
	}
}

// assignText returns the text as one to search for assignments.
func (t *Text) assignText() *assign.Text {
	return &assign.Text{S: t.S, Names: t.names(), IsProgram: t.kind == source, IsSettings: t.kind == settings, Features: t.features, File: t.target}
}
