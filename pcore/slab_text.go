package pcore

import "unsafe"

// textHeader is a String as it lies in the chunks below: where its bytes are and how
// many. The address is written as a plain number, so that the garbage collector
// neither looks at each nor has to be told of each while it runs, which is 3 to 6 % of
// the time that decoding a catalog of 4 MB takes. That is sound because any Value that
// points into a chunk keeps it alive, and the chunk keeps what its Strings point to:
// one of shared texts the input that all of them lie in, one of copied texts their
// bytes, which lie in it as well. Go does not move what lies in the heap.
// TestSlabKeepsTexts holds it.
type textHeader struct {
	data uintptr
	len  int
}

// value returns the String that h stands for.
func (h *textHeader) value() Value { return boxedString((*String)(unsafe.Pointer(h))) } //nolint:gosec // as told above

// sharedTexts is a chunk of Strings that lie in input, of 32 KB.
type sharedTexts struct {
	input   []byte
	used    int
	headers [2045]textHeader
}

// holds reports whether text lies in the input.
func (c *sharedTexts) holds(text []byte) bool {
	at := address(text) - address(c.input)
	all := uintptr(len(c.input))
	return at <= all && uintptr(len(text)) <= all-at
}

func address(text []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(text))) } //nolint:gosec // compared, and kept as told above

// Share tells that what SharedText returns may point into input from now on.
func (s *Slab) Share(input []byte) { s.input, s.shared = input, nil }

// SharedText returns text as a [String] that points to it: it must not change any
// more. Most texts should be parts of what was given to [Slab.Share].
func (s *Slab) SharedText(text []byte) Value {
	c := s.shared
	if c == nil || c.used == len(c.headers) || !c.holds(text) {
		return s.otherShared(text)
	}
	h := &c.headers[c.used]
	c.used++
	*h = textHeader{address(text), len(text)}
	return h.value()
}

// otherShared is SharedText where there is no room, or is for few texts so far, or for
// one that stands elsewhere.
func (s *Slab) otherShared(text []byte) Value {
	many := s.shared != nil || len(s.strings) >= slowChunk
	if c := s.shared; many && (c == nil || c.used == len(c.headers)) {
		if c = (&sharedTexts{input: s.input}); c.holds(text) {
			s.shared = c
			return s.SharedText(text)
		}
	}
	// The text stays as it is, which is what makes a string of Go.
	return s.String(unsafe.String(unsafe.SliceData(text), len(text))) //nolint:gosec // as told above
}

const (
	wordSize    = 8
	headerWords = int(unsafe.Sizeof(textHeader{})) / wordSize
)

// Text returns a copy of text as a [String].
func (s *Slab) Text(text []byte) Value {
	words := s.words(headerWords + len(text)/wordSize + 1)
	room := words[headerWords:]
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(room))), len(room)*wordSize) //nolint:gosec // as told above
	copy(data, text)
	h := (*textHeader)(unsafe.Pointer(unsafe.SliceData(words))) //nolint:gosec // as told above
	*h = textHeader{address(data), len(text)}
	return h.value()
}

// words returns room for n words of a String with its header.
func (s *Slab) words(n int) []uint64 {
	if cap(s.text)-len(s.text) < n {
		if n > ownText {
			return make([]uint64, n)
		}
		s.text = make([]uint64, 0, max(min(2*cap(s.text), maxText), firstText, n))
	}
	start := len(s.text)
	s.text = s.text[:start+n]
	return s.text[start:]
}
