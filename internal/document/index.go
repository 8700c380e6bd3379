package document

import (
	"bytes"
	"iter"
	"slices"
	"sort"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/serialization"
)

// Span is a range of bytes in a document.
type Span struct{ Start, End int }

// Len returns the length in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Holds reports whether s contains all of other.
func (s Span) Holds(other Span) bool { return s.Start <= other.Start && other.End <= s.End }

// Part is the value of a member of the document, or an element of a list.
type Part struct {
	Span
	// In is set if the part is an element of a list.
	In bool
	// Odd is set if [Index.Rich] may be incomplete: a key has escapes, or a
	// `__ptype` is not the first key of its map or not a string without
	// escapes, or very many rich values are nested very deeply.
	Odd bool
	// Watched is set if the part contains the watched key.
	Watched bool

	list int8 // position of its key in lists
	rich int  // start of its rich values in Index.rich
}

// Rich is a map that begins with `__ptype`.
type Rich struct {
	Span
	// Type is the text of `__ptype`, without quotes.
	Type Span
	// Value is the `__pvalue`, if that is the only other member; otherwise
	// its End is 0.
	Value Span

	path Span // range in Index.steps
}

// Index locates the parts of a JSON document that is a map.
type Index struct {
	// Data is the document.
	Data []byte
	// Parts are its parts in order. Between them are only keys, commas, colons,
	// brackets and blanks.
	Parts []Part
	// Text contains the unescaped strings that have escapes, each after
	// [unescape.BeforeString].
	Text []byte

	lists   []string
	found   []bool // which of the lists exist
	rich    []Rich
	steps   []int // position of a key, or -1 minus an index
	strings []escapedString
}

// escapedString is a string with escapes: its position in the document and in
// Text.
type escapedString struct{ start, text int }

// HasList reports whether the document has one of the lists, possibly empty.
func (o *Index) HasList(key string) bool {
	i := slices.Index(o.lists, key)
	return i >= 0 && o.found[i]
}

// Key returns the key of a part, or of the list that contains it.
func (o *Index) Key(i int) string {
	p := &o.Parts[i]
	if p.In {
		return o.lists[p.list]
	}
	before := bytes.TrimRight(o.Data[:p.Start], ": \t\r\n")
	end := len(before) - 1
	return string(before[bytes.LastIndexByte(before[:end], '"')+1 : end])
}

// Rich returns the rich values of a part in the order of their start.
func (o *Index) Rich(i int) []Rich {
	end := len(o.rich)
	if i+1 < len(o.Parts) {
		end = o.Parts[i+1].rich
	}
	return o.rich[o.Parts[i].rich:end:end]
}

// Newline reports whether the document ends with a line break.
func (o *Index) Newline() bool { return o.Data[len(o.Data)-1] == '\n' }

// At returns the position in Parts of the one that contains a span, or -1.
func (o *Index) At(s Span) int {
	i := last(len(o.Parts), func(i int) bool { return o.Parts[i].Start <= s.Start })
	if i < 0 || !o.Parts[i].Holds(s) {
		return -1
	}
	return i
}

// TextFrom returns the position in Text of the first string after start, which
// must not be inside a string.
func (o *Index) TextFrom(start int) int {
	i := sort.Search(len(o.strings), func(i int) bool { return o.strings[i].start >= start })
	if i == len(o.strings) {
		return len(o.Text)
	}
	return o.strings[i].text
}

// Source returns the position in the document of the string at a position in
// Text.
func (o *Index) Source(at int) int {
	i := last(len(o.strings), func(i int) bool { return o.strings[i].text <= at })
	return o.strings[i].start
}

// last returns the last of n positions for which begun is true, or -1.
func last(n int, begun func(int) bool) int {
	return sort.Search(n, func(i int) bool { return !begun(i) }) - 1
}

// Depth returns the number of steps from a part to one of its rich values.
func (o *Index) Depth(r *Rich) int { return r.path.Len() }

// Step returns the i-th step from a part to one of its rich values: a key, or if
// that is nil, an index.
func (o *Index) Step(r *Rich, i int) (key []byte, index int) {
	start := o.steps[r.path.Start+i]
	if start < 0 {
		return nil, -1 - start
	}
	return o.Data[start : jsonwire.StringEnd(o.Data, start-1)-1], 0
}

// String returns the unescaped string whose quote is at start. The caller must
// not change it.
func (o *Index) String(start int) []byte {
	if text := o.Data[start+1 : jsonwire.StringEnd(o.Data, start)-1]; jsonwire.IsPlain(text) {
		return text
	}
	return o.Text[o.TextFrom(start)+1 : o.TextFrom(start+1)]
}

// Members returns the keys, without quotes, and the values of the map at a span.
func (o *Index) Members(at Span) iter.Seq2[Span, Span] {
	return func(yield func(key, value Span) bool) {
		for i, more := jsonwire.Next(o.Data, at.Start); more; i, more = jsonwire.Next(o.Data, i) {
			key, _, value := jsonwire.Key(o.Data, i)
			end := jsonwire.ValueEnd(o.Data, value)
			if !yield(Span{i + 1, i + 1 + len(key)}, Span{value, end}) {
				return
			}
			i = end
		}
	}
}

// Elements returns the elements of the array at a span.
func (o *Index) Elements(at Span) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for i, more := jsonwire.Next(o.Data, at.Start); more; i, more = jsonwire.Next(o.Data, i) {
			end := jsonwire.ValueEnd(o.Data, i)
			if !yield(Span{i, end}) {
				return
			}
			i = end
		}
	}
}

// NewIndex returns the Index of data, which must not change while it is used.
// Lists are the keys of members that must be arrays of maps, whose elements are
// parts of their own; watched is the key for [Part.Watched]. NewIndex returns nil
// if data is malformed or has another shape.
func NewIndex(data []byte, o serialization.DecodeOptions, lists []string, watched string) *Index {
	if !suits(o) || int64(len(data)) > codec.ByteLimit(&o) {
		return nil
	}
	s := newScanner(data, o, watched)
	s.whole = true
	s.out = newIndex(data, lists)
	s.text = make([]byte, 0, len(data)/textShare)
	if _, ok := s.document(0); !ok {
		return nil
	}
	s.out.Text = s.text
	return s.out
}

// suits reports whether the options allow an Index.
func suits(o serialization.DecodeOptions) bool {
	return !o.Plain && !o.AllowDuplicates && codec.StringLimit(&o) >= jsonwire.PairLen
}

func newIndex(data []byte, lists []string) *Index {
	return &Index{
		Data: data, lists: lists, found: make([]bool, len(lists)), Parts: make([]Part, 0, len(data)/partShare),
		rich: make([]Rich, 0, len(data)/richShare), strings: make([]escapedString, 0, len(data)/richShare),
		steps: make([]int, 0, len(data)/stepsShare),
	}
}

// The maximum number of steps is a few and one for each stepShare bytes. Paths of
// very many deeply nested rich values would take quadratic memory.
const (
	stepShare = 8
	fewSteps  = 1024
)

// Initial capacities: one element for so many bytes, and for the text a fraction of
// the length.
const (
	partShare  = 400
	richShare  = 512
	stepsShare = 256
	textShare  = 5
)

// IsPlain reports whether the value at a position is a string without escapes.
func (o *Index) IsPlain(at Span) bool {
	return o.Data[at.Start] == '"' && jsonwire.IsPlain(o.Data[at.Start:at.End])
}

// HasOneSpelling reports whether the bytes of a rich value of this type show its text, because
// that has only one spelling.
func (o *Index) HasOneSpelling(v *Rich) bool {
	return dataconv.HasOneSpelling(string(o.Data[v.Type.Start:v.Type.End]))
}

// IsCanonical reports whether the bytes show the text of a rich value in its canonical
// spelling.
func (o *Index) IsCanonical(v *Rich) bool {
	return v.Value.End > 0 && o.IsPlain(v.Value) &&
		dataconv.IsCanonical(o.Data[v.Type.Start:v.Type.End], o.Data[v.Value.Start+1:v.Value.End-1])
}
