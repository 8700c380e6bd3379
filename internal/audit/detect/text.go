package detect

import (
	"slices"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/leaf"
)

// Text is what a search goes over: the text of a leaf, or what was decoded out
// of a part of it. It is valid during the visit of the leaf.
type Text struct {
	// S is the text.
	S string
	// Encodings are those that were taken off, the outermost first; none for
	// the leaf itself.
	Encodings []string

	has        contained // what bytes S has, once it is looked at
	scanner    *Scanner
	leaf       *leaf.Leaf
	start, end int    // where in the leaf the encoded text stands
	flow       flow   // what the text is for
	kind       kind   // what grammar it has
	path       string // of the member of an archive that it is

	// A part of the text that is too long for a word, so that it is not read
	// again from each place in it where a value could begin.
	unbroken stretch
}

// What is known about names, values and tokens.
func (t *Text) names() *vocabulary { return t.scanner.detector.names }
func (t *Text) values() *values    { return t.scanner.detector.values }
func (t *Text) tables() tables     { return t.scanner.detector.tables }

// sortOf returns what name says about the value that it names.
func (t *Text) sortOf(name string) sort { return t.names().sortOf(name) }

// resourceType returns the type of the resource that the text stands in, empty
// beside the resources.
func (t *Text) resourceType() string {
	if t.leaf.Resource == nil {
		return ""
	}
	return t.leaf.Resource.Type
}

// Hit returns a hit of the secret that stands at S[start:end].
func (t *Text) Hit(id string, start, end int, secret string, confidence rule.Confidence) Hit {
	if !t.unchanged() {
		start, end = t.start, t.end
	}
	return Hit{Rule: id, Start: start, End: end, Secret: secret, Encodings: t.Encodings, Confidence: confidence}
}

// unchanged reports whether S is the text of the leaf, or the bytes of a Binary.
func (t *Text) unchanged() bool {
	return len(t.Encodings) == 0 || len(t.Encodings) == 1 && t.leaf.Binary
}

// found tells about S[start:end], which is the secret as it stands there.
func (t *Text) found(id string, start, end int, confidence rule.Confidence) {
	t.scanner.emit(t.Hit(id, start, end, t.S[start:end], confidence))
}

// named tells about S[start:end], which spells a secret that has a name.
func (t *Text) named(id string, start, end int, name, secret string, confidence rule.Confidence) {
	t.scanner.emit(t.namedHit(id, start, end, name, secret, confidence))
}

// namedHit returns a hit of the secret that S[start:end] spells, which has a name.
func (t *Text) namedHit(id string, start, end int, name, secret string, confidence rule.Confidence) Hit {
	if knownHash(secret) {
		id = "password-hash"
	}
	h := t.Hit(id, start, end, secret, confidence)
	h.Name = name
	return h
}

// part returns the text that S[start:end] decodes to.
func (t *Text) part(start, end int, s, encoding string) *Text {
	p := *t
	p.S, p.path = s, ""
	if t.unchanged() {
		p.start, p.end = start, end
	}
	p.Encodings = append(slices.Clip(t.Encodings), encoding)
	return &p
}

// look visits the text.
func (t *Text) look() {
	t.has = bytesIn(t.S)
	t.scanner.bytes = append(t.scanner.bytes[:0], t.S...)
	t.scanner.visit(t)
}

// Bytes returns the text as bytes, which are valid during the visit and must
// not be changed.
func (t *Text) Bytes() []byte { return t.scanner.bytes }
