package document

import (
	"bytes"
	"slices"
	"sort"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/serialization"
)

// Span is what stands from Start to End, counted in bytes of the document.
type Span struct{ Start, End int }

// Len returns the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Holds reports whether the other one stands in s as a whole.
func (s Span) Holds(other Span) bool { return s.Start <= other.Start && other.End <= s.End }

// Part is the value of a member of the document, or an element of one that is
// a list.
type Part struct {
	Span
	// In tells that the part is an element of the list that stands there.
	In bool
	// Odd tells that rich values may stand there that [Outline.Rich] does not
	// know of: a key has escapes, or a `__ptype` is not the first of its map,
	// or not a text without escapes, or there are very many very deep.
	Odd bool
	// Watched tells that one of the keys in the part is the one that was
	// watched for.
	Watched bool

	list int8 // the position of its key in the lists
	rich int  // where its rich values begin, in Outline.rich
}

// Rich is a map that begins with `__ptype`.
type Rich struct {
	Span
	// Type is the text of the `__ptype`.
	Type Span
	// Value is what stands under `__pvalue`, when that is the only other
	// member; else its End is 0.
	Value Span

	path Span // of Outline.steps
}

// Outline is a document that is a map, on one line.
type Outline struct {
	// Data is the document.
	Data []byte
	// Parts are its parts in order: what is between them and is no key is
	// commas, colons and brackets, without blanks.
	Parts []Part
	// Text is what the strings with escapes stand for, each behind a quote.
	Text []byte

	lists   []string
	found   []bool // which of the lists there are
	rich    []Rich
	steps   []int // a key's position, or -1 minus an index
	strings []escapedString
}

// escapedString is a string with escapes: where it stands in the document, and
// where what it stands for begins in Text.
type escapedString struct{ start, text int }

// HasList reports whether the document has one of the lists, empty perhaps.
func (o *Outline) HasList(key string) bool {
	i := slices.Index(o.lists, key)
	return i >= 0 && o.found[i]
}

// Key returns the name of the member that a part is, or that lists it.
func (o *Outline) Key(i int) string {
	p := &o.Parts[i]
	if p.In {
		return o.lists[p.list]
	}
	end := p.Start - len(`":`)
	return string(o.Data[bytes.LastIndexByte(o.Data[:end], '"')+1 : end])
}

// Rich returns the rich values of a part, in the order in which they begin.
func (o *Outline) Rich(i int) []Rich {
	end := len(o.rich)
	if i+1 < len(o.Parts) {
		end = o.Parts[i+1].rich
	}
	return o.rich[o.Parts[i].rich:end:end]
}

// Newline reports whether the document ends with a line break.
func (o *Outline) Newline() bool { return o.Data[len(o.Data)-1] == '\n' }

// At returns the position in Parts of the one that holds a span, and -1 when
// there is none.
func (o *Outline) At(s Span) int {
	i := last(len(o.Parts), func(i int) bool { return o.Parts[i].Start <= s.Start })
	if i < 0 || !o.Parts[i].Holds(s) {
		return -1
	}
	return i
}

// Texts tells where in Text that of strings stands, from position to position of the
// document. The zero value begins with the first string.
type Texts struct{ next int }

// From returns where in Text that of the strings begins that stand behind start, which
// must not be inside a string, nor before that of the call before.
func (t *Texts) From(o *Outline, start int) int {
	for t.next < len(o.strings) && o.strings[t.next].start < start {
		t.next++
	}
	if t.next == len(o.strings) {
		return len(o.Text)
	}
	return o.strings[t.next].text
}

func (o *Outline) textFrom(start int) int {
	i := sort.Search(len(o.strings), func(i int) bool { return o.strings[i].start >= start })
	if i == len(o.strings) {
		return len(o.Text)
	}
	return o.strings[i].text
}

// Source returns where the string stands in the document that a position in
// Text belongs to.
func (o *Outline) Source(at int) int {
	i := last(len(o.strings), func(i int) bool { return o.strings[i].text <= at })
	return o.strings[i].start
}

// last returns the last of n for which begun is true, -1 when there is none.
func last(n int, begun func(int) bool) int {
	return sort.Search(n, func(i int) bool { return !begun(i) }) - 1
}

// Depth returns the number of steps from a part to one of its rich values.
func (o *Outline) Depth(r *Rich) int { return r.path.Len() }

// Step returns the key of a step from a part to one of its rich values, and for
// a step into an array, of which the key is nil, the index.
func (o *Outline) Step(r *Rich, i int) (key []byte, index int) {
	start := o.steps[r.path.Start+i]
	if start < 0 {
		return nil, -1 - start
	}
	return o.Data[start : jsonwire.StringEnd(o.Data, start-1)-1], 0
}

// String returns what the string stands for whose quote is at start, which is
// not to be changed.
func (o *Outline) String(start int) []byte {
	if text := o.Data[start+1 : jsonwire.StringEnd(o.Data, start)-1]; jsonwire.IsPlain(text) {
		return text
	}
	return o.Text[o.textFrom(start)+1 : o.textFrom(start+1)]
}

// Of returns the Outline of data, which must not be changed as long as it is
// used. Lists are the members of the document that must be arrays of maps, and
// whose elements are parts of their own; watched is a key. It returns nil when
// the document has to be read otherwise: what is wrong with it, or another
// shape than that, it does not tell.
func Of(data []byte, o serialization.DecodeOptions, lists []string, watched string) *Outline {
	if !suits(o) || int64(len(data)) > o.ByteLimit() {
		return nil
	}
	s := newScanner(data, o, watched)
	s.whole = true
	s.out = newOutline(data, lists)
	s.text = make([]byte, 0, len(data)/textShare)
	if _, ok := s.document(0); !ok {
		return nil
	}
	s.out.Text = s.text
	return s.out
}

// suits reports whether there may be outlines under the options.
func suits(o serialization.DecodeOptions) bool {
	return !o.Plain && !o.AllowDuplicates && o.StringLimit() >= jsonwire.PairLen
}

func newOutline(data []byte, lists []string) *Outline {
	return &Outline{
		Data: data, lists: lists, found: make([]bool, len(lists)), Parts: make([]Part, 0, len(data)/partShare),
		rich: make([]Rich, 0, len(data)/richShare), strings: make([]escapedString, 0, len(data)/richShare),
		steps: make([]int, 0, len(data)/stepsShare),
	}
}

// How many steps there may be: one for so many bytes, and a few. Paths would take
// the square of the length where very many rich values stand very deep.
const (
	stepShare = 8
	fewSteps  = 1024
)

// What is taken at first: a part, a rich value, a string with escapes and a step for
// so many bytes, and so much of the length for the text.
const (
	partShare  = 400
	richShare  = 512
	stepsShare = 256
	textShare  = 5
)
