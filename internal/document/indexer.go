package document

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/unescape"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/serialization"
)

// indexer makes an Index. Its methods read the value at a position of data and
// return its end, or failed.
type indexer struct {
	data    []byte
	depth   int // number of levels still allowed
	limit   int // length limit of one string
	watched string

	whole   bool            // data is the rest of the document
	stage   stage           // between parts
	list    int8            // list of the current stage
	members map[string]bool // of the document, so far

	keys wire.Keys // of the maps in a part
	// The marks of `__ptype`, of `__pvalue` and, when it is short, of watched.
	typeKey, valueKey, watchedKey wire.Mark
	path                          []int // path from the part to the current array or map, as in Index.steps
	text                          []byte
	part                          *Part
	out                           *Index
}

// newScanner returns a scanner of a document.
func newScanner(data []byte, o serialization.DecodeOptions, watched string) *indexer {
	s := &indexer{
		data: data, depth: codec.Depth(&o), limit: codec.StringLimit(&o), watched: watched, members: map[string]bool{},
		typeKey: wire.MarkText([]byte(dataconv.TypeKey)), valueKey: wire.MarkText([]byte(dataconv.ValueKey)), watchedKey: noKey(),
	}
	if len(watched) <= wire.MarkLen {
		s.watchedKey = wire.MarkText([]byte(watched))
	}
	return s
}

// noKey returns a mark that no key has.
func noKey() wire.Mark { return wire.Mark{Low: ^uint64(0), High: ^uint64(0)} }

// at returns the byte at i, or 0 after the end.
func (s *indexer) at(i int) byte {
	if uint(i) < uint(len(s.data)) {
		return s.data[i]
	}
	return 0
}

// stage is the state of the scanner between two parts.
type stage uint8

const (
	atStart   stage = iota
	atMember        // a key of the document
	atElement       // the first element of a list, or its end
	inList          // another element of a list
	afterPart       // of a list
	afterMember
	atEnd
)

// document reads data from i on, step by step, and returns the start of the next step.
// The document is a map. ok is false if a step cannot be read because the document has
// another shape or data ends within the step.
func (s *indexer) document(i int) (next int, ok bool) {
	for s.stage != atEnd {
		before := s.mark()
		end := s.step(s.skip(i))
		// A number may continue after the end of data.
		if end < 0 || end == len(s.data) && !s.whole {
			s.reset(before)
			return i, false
		}
		i = end
	}
	return i, s.skip(i) == len(s.data)
}

// step reads one step of the document.
func (s *indexer) step(i int) (end int) {
	switch c := s.at(i); s.stage {
	case atStart:
		if c != '{' {
			return failed
		}
		s.depth--
		s.stage = atMember
		return i + 1
	case atMember:
		return s.memberAt(i)
	case atElement:
		if c == ']' {
			return s.endList(i)
		}
		return s.element(i)
	case inList:
		return s.element(i)
	case afterPart:
		if c == ',' {
			s.stage = inList
			return i + 1
		}
		return s.endList(i)
	default:
		return s.endMember(i)
	}
}

// memberAt reads a key and its value, or the bracket of a list.
func (s *indexer) memberAt(i int) int {
	key, at := s.member(i)
	if at < 0 {
		return failed
	}
	end := at + 1
	list := slices.Index(s.out.lists, key)
	switch {
	case list < 0:
		s.stage = afterMember
		end = s.begin(Part{Span: Span{Start: at}}, s.value)
	case s.at(at) != '[' || s.depth == 0:
		return failed
	default:
		s.depth--
		s.out.found[list] = true
		s.list, s.stage = int8(list), atElement
	}
	if end >= 0 && (end < len(s.data) || s.whole) {
		s.members[key] = true
	}
	return end
}

func (s *indexer) element(i int) int {
	if s.at(i) != '{' {
		return failed
	}
	s.stage = afterPart
	return s.begin(Part{Span: Span{Start: i}, In: true, list: s.list}, s.object)
}

func (s *indexer) endList(i int) int {
	if s.at(i) != ']' {
		return failed
	}
	s.depth++
	s.stage = afterMember
	return i + 1
}

func (s *indexer) endMember(i int) int {
	switch s.at(i) {
	case ',':
		s.stage = atMember
	case '}':
		s.stage = atEnd
	default:
		return failed
	}
	return i + 1
}

// before is the state to restore if a step fails.
type before struct {
	stage                             stage
	depth                             int
	list                              int8
	parts, rich, steps, escaped, text int
}

func (s *indexer) mark() before {
	o := s.out
	return before{s.stage, s.depth, s.list, len(o.Parts), len(o.rich), len(o.steps), len(o.strings), len(s.text)}
}

func (s *indexer) reset(b before) {
	s.stage, s.depth, s.list = b.stage, b.depth, b.list
	o := s.out
	o.Parts, o.rich, o.steps, o.strings, s.text = o.Parts[:b.parts], o.rich[:b.rich], o.steps[:b.steps], o.strings[:b.escaped], s.text[:b.text]
	s.path = s.path[:0]
	s.keys.Reset()
}

// member reads a key of the document, which must have no escapes, and returns the position
// of its value.
func (s *indexer) member(i int) (key string, value int) {
	if s.at(i) != '"' {
		return "", failed
	}
	end, text := s.string(i)
	if end < 0 || end-i != len(text)+2 {
		return "", failed
	}
	key = string(text)
	if end = s.skip(end); s.at(end) != ':' || s.members[key] {
		return "", failed
	}
	return key, s.skip(end + 1)
}

// begin reads a part.
func (s *indexer) begin(p Part, value func(int) int) int {
	p.rich = len(s.out.rich)
	s.out.Parts = append(s.out.Parts, p)
	last := len(s.out.Parts) - 1
	s.part = &s.out.Parts[last]
	end := value(p.Start)
	s.part.End = end
	return end
}

// skip returns the position after the blanks at i.
func (s *indexer) skip(i int) int {
	if uint(i) < uint(len(s.data)) && s.data[i] > ' ' {
		return i
	}
	return jsonwire.SkipBlanks(s.data, i)
}

func (s *indexer) value(i int) int {
	switch s.at(i) {
	case '"':
		end, _ := s.string(i)
		return end
	case '{':
		return s.object(i)
	case '[':
		return s.array(i)
	default:
		return s.plainValue(i)
	}
}

func (s *indexer) plainValue(i int) int {
	switch s.at(i) {
	case 'n':
		return s.literal(i, "null")
	case 't':
		return s.literal(i, "true")
	case 'f':
		return s.literal(i, "false")
	default:
		return s.number(i)
	}
}

func (s *indexer) literal(i int, text string) int {
	if end, ok := jsonwire.Literal(s.data, i, text); ok {
		return end
	}
	return failed
}

func (s *indexer) array(i int) int {
	if s.depth == 0 {
		return failed
	}
	if i = s.skip(i + 1); s.at(i) == ']' {
		return i + 1
	}
	s.depth--
	level := len(s.path)
	s.path = append(s.path, 0)
	data := s.data
	for n := -1; ; n-- {
		if uint(i) >= uint(len(data)) {
			return failed
		}
		switch data[i] {
		case '"':
			start := i + 1
			if i = jsonwire.ShortEnd(data, start); i < len(data) && data[i] == '"' {
				i++
			} else {
				i, _ = s.anyString(start, i)
			}
		case '{':
			s.path[level] = n
			i = s.object(i)
		case '[':
			s.path[level] = n
			i = s.array(i)
		default:
			i = s.plainValue(i)
		}
		if uint(i) >= uint(len(data)) {
			return failed
		}
		c := data[i]
		if c <= ' ' {
			i = s.skip(i)
			c = s.at(i)
		}
		i++
		if c != ',' {
			if c != ']' {
				return failed
			}
			break
		}
		i = s.skip(i)
	}
	s.path = s.path[:level]
	s.depth++
	return i
}

// object reads a map. It reads members in one loop, with few calls for short keys and
// strings, because most are short.
func (s *indexer) object(start int) int {
	if s.depth == 0 {
		return failed
	}
	i := start + 1
	if s.at(i) != '"' {
		if i = s.skip(i); s.at(i) == '}' {
			return i + 1
		}
	}
	s.depth--
	s.keys.Open()
	level := len(s.path)
	s.path = append(s.path, 0)
	rich := none
	seen := uint64(0) // the bits of all keys
	n := 0
	data := s.data
	for ; ; n++ {
		at := failed
		var mark wire.Mark
		if len(data)-i > keyRoom {
			// Most keys are short and without blanks after them. Their mark is
			// made of the words already loaded.
			text := (*[keyRoom]byte)(data[i : i+keyRoom])
			first, second := binary.LittleEndian.Uint64(text[1:]), binary.LittleEndian.Uint64(text[9:])
			n := jsonwire.PlainPair(first, second)
			if n <= wire.MarkLen && text[0] == '"' && binary.LittleEndian.Uint16(text[n+1:]) == '"'|':'<<8 && text[n+3] > ' ' {
				at, mark = i+n+3, wire.MarkOf(first, second, n)
			}
		}
		if at < 0 {
			i = s.skip(i)
			if at, mark = s.key(i); at >= len(data) || at < 0 {
				return failed
			}
		}
		bit := mark.Bit()
		if (seen&bit != 0 || n >= wire.FewKeys) && !s.keys.IsNew(mark) {
			return failed
		}
		seen |= bit
		s.keys.Note(mark)
		switch data[at] {
		case '"':
			if i = jsonwire.ShortEnd(data, at+1); i < len(data) && data[i] == '"' {
				i++
			} else {
				i, _ = s.anyString(at+1, i)
			}
		case '{':
			s.path[level] = i + 1
			i = s.object(at)
		case '[':
			s.path[level] = i + 1
			i = s.array(at)
		default:
			i = s.plainValue(at)
		}
		if uint(i) >= uint(len(data)) {
			return failed
		}
		switch mark {
		case s.typeKey:
			rich = s.begins(start, Span{at, i}, n)
		case s.valueKey:
			if n == 1 && rich >= 0 {
				s.out.rich[rich].Value = Span{at, i}
			}
		}
		if mark == s.watchedKey {
			s.part.Watched = true
		}
		c := data[i]
		if c <= ' ' {
			i = s.skip(i)
			c = s.at(i)
		}
		i++
		if c != ',' {
			if c != '}' {
				return failed
			}
			break
		}
	}
	if rich >= 0 {
		s.out.rich[rich].End = i
		if n > 1 {
			s.out.rich[rich].Value = Span{}
		}
	}
	s.path = s.path[:level]
	s.keys.Close()
	s.depth++
	return i
}

// keyRoom is the maximum length of a short key with its quotes, its colon and the
// first byte of the value.
const keyRoom = jsonwire.PairLen + 4

// key reads the key of a member and returns the position of its value.
func (s *indexer) key(i int) (end int, mark wire.Mark) {
	if s.at(i) != '"' {
		return failed, mark
	}
	end, text := s.string(i)
	if end < 0 {
		return failed, mark
	}
	s.part.Odd = s.part.Odd || end-i != len(text)+2
	s.part.Watched = s.part.Watched || string(text) == s.watched
	if i = s.skip(end); s.at(i) != ':' {
		return failed, mark
	}
	return s.skip(i + 1), s.keys.Mark(text)
}

// begins adds a rich value at start, if its `__ptype` is its first key and a string
// without escapes.
func (s *indexer) begins(start int, typ Span, n int) int {
	o := s.out
	first, depth := len(o.steps), len(s.path)-1
	if n > 0 || s.data[typ.Start] != '"' || !jsonwire.IsPlain(s.data[typ.Start:typ.End]) || first+depth > len(s.data)/stepShare+fewSteps {
		s.part.Odd = true
		return none
	}
	o.steps = append(o.steps, s.path[:depth]...)
	o.rich = append(o.rich, Rich{Span: Span{Start: start}, Type: Span{typ.Start + 1, typ.End - 1}, path: Span{first, len(o.steps)}})
	return len(o.rich) - 1
}

// number reads a number. One with an exponent is parsed, to check that it is in
// range.
func (s *indexer) number(start int) int {
	const plainly = 300 // digits of a number that is always in range
	end, integer, ok := jsonwire.Number(s.data, start)
	if !ok || end-start > plainly {
		return failed
	}
	if text := s.data[start:end]; !integer && bytes.ContainsAny(text, "eE") {
		if _, err := strconv.ParseFloat(string(text), 64); err != nil {
			return failed
		}
	}
	return end
}

// string reads the string at i and returns its text.
func (s *indexer) string(i int) (end int, text []byte) {
	start := i + 1
	if i = jsonwire.ShortEnd(s.data, start); s.at(i) == '"' {
		return i + 1, s.data[start:i]
	}
	return s.anyString(start, i)
}

// anyString reads a string of any length without escapes before i.
func (s *indexer) anyString(start, i int) (end int, text []byte) {
	i, wide := jsonwire.TextEnd(s.data, i)
	switch c := s.at(i); {
	case c == '\\':
		return s.escaped(start)
	case c != '"', i-start > s.limit, wide && !utf8.Valid(s.data[start:i]):
		return failed, nil
	}
	return i + 1, s.data[start:i]
}

// escaped reads a string with escapes and appends its text to text.
func (s *indexer) escaped(start int) (end int, text []byte) {
	s.out.strings = append(s.out.strings, escapedString{start - 1, len(s.text)})
	b := append(s.text, unescape.BeforeString)
	first := len(b)
	b, i, wide, fault := jsonwire.AppendString(b, s.data, start)
	if fault != unescape.None || s.at(i) != '"' || i-start > s.limit || wide && !utf8.Valid(s.data[start:i]) {
		return failed, nil
	}
	s.text = b
	return i + 1, b[first:]
}
