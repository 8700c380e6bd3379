package document

import (
	"errors"
	"math"
	"strconv"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/internal/mpwire/pack"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/serialization"
)

// jsonToMsgpack transcodes JSON to MessagePack. Its methods append the value at a
// position of data and return its end, or failed.
type jsonToMsgpack struct {
	*transcoder
	window
	output
	msgpackHeaders
	depth int // the number of levels still allowed
	limit int // of one string
	keys  wire.Keys
	// typeKey is the mark of `__ptype`.
	typeKey wire.Mark
}

func newJSONToMsgpack(r *transcoder, f window, w output) *jsonToMsgpack {
	return &jsonToMsgpack{
		transcoder: r, window: f, output: w, msgpackHeaders: msgpackHeaders{held: none},
		depth: codec.Depth(&r.decode), limit: codec.StringLimit(&r.decode),
		typeKey: wire.MarkText([]byte(dataconv.TypeKey)),
	}
}

func (p *jsonToMsgpack) document(dst []byte) ([]byte, bool) {
	p.only = len(p.maps) > 0
	out, i := p.value(dst, p.skip(0))
	if i < 0 || p.skip(i) != len(p.data) || p.window.err != nil || p.wrong {
		return dst, false
	}
	return p.widen(out), true
}

// flush writes output that will not change.
func (p *jsonToMsgpack) flush(out []byte) []byte {
	if p.held >= 0 {
		return out
	}
	p.keys.Keep()
	out = p.output.flush(p.widen(out))
	if p.output.err != nil {
		p.src, p.data = nil, nil // stop reading
	}
	return out
}

// at returns the byte at i, or 0 after the end.
func (p *jsonToMsgpack) at(i int) byte {
	if uint(i) < uint(len(p.data)) {
		return p.data[i]
	}
	return 0
}

// skip returns the position after the blanks at i.
func (p *jsonToMsgpack) skip(i int) int {
	if uint(i) < uint(len(p.data)) && p.data[i] > ' ' {
		return i
	}
	return p.blanks(i)
}

func (p *jsonToMsgpack) blanks(i int) int {
	for {
		i = jsonwire.SkipBlanks(p.data, i)
		if i < len(p.data) {
			return i
		}
		at, ok := p.more(i)
		if !ok {
			return i
		}
		i = at
	}
}

func (p *jsonToMsgpack) value(out []byte, i int) ([]byte, int) {
	switch c := p.at(i); c {
	case '"':
		return p.text(out, i)
	case '{':
		return p.object(out, i)
	case '[':
		return p.array(out, i)
	case 'n':
		return p.literal(out, i, "null", pack.Nil)
	case 't':
		return p.literal(out, i, "true", pack.True)
	case 'f':
		return p.literal(out, i, "false", pack.False)
	default:
		return p.number(out, i)
	}
}

func (p *jsonToMsgpack) literal(out []byte, i int, text string, b byte) ([]byte, int) {
	i = p.need(i, len(text))
	if end, ok := jsonwire.Literal(p.data, i, text); ok {
		return append(out, b), end
	}
	return out, failed
}

func (p *jsonToMsgpack) array(out []byte, i int) ([]byte, int) {
	if p.depth == 0 {
		return out, failed
	}
	p.depth--
	only := p.only
	p.only = false
	header := len(out)
	if p.streams {
		out, header = p.open(out, p.base+int64(i), pack.FixArray)
	} else {
		out = append(out, 0)
	}
	n := 0
	if i = p.skip(i + 1); p.at(i) != ']' {
		for {
			if only && p.at(i) != '{' {
				return out, failed
			}
			if out, i = p.value(out, i); i < 0 {
				return out, i
			}
			n++
			i = p.skip(i)
			if p.at(i) != ',' {
				break
			}
			i = p.skip(i + 1)
			if len(out) >= p.full {
				out = p.flush(out)
			}
		}
		if p.at(i) != ']' {
			return out, failed
		}
	}
	p.depth++
	if n <= pack.Fixed && !p.streams {
		out[header] = pack.FixArray | byte(n)
	} else {
		p.close(out, header, n, pack.FixArray)
	}
	return out, i + 1
}

// openMap is an open map: its position in the output, and that of its header.
type openMap struct{ at, header int }

// closeMap ends a map of n members.
func (p *jsonToMsgpack) closeMap(out []byte, m openMap, n int) {
	if n <= pack.Fixed && !p.streams {
		out[m.header] = pack.FixMap | byte(n)
	} else {
		p.close(out, m.header, n, pack.FixMap)
	}
}

func (p *jsonToMsgpack) object(out []byte, i int) ([]byte, int) {
	if p.depth == 0 {
		return out, failed
	}
	p.depth--
	p.pin = i // in case it must be decoded
	m := openMap{at: len(out), header: len(out)}
	if p.streams {
		out, m.header = p.open(out, p.base+int64(i), pack.FixMap)
	} else {
		out = append(out, 0)
	}
	n := 0
	p.keys.Open()
	if i = p.skip(i + 1); p.at(i) != '}' {
		for {
			at := len(out)
			var mark wire.Mark
			if out, i, mark = p.memberKey(out, i); i < 0 || !p.keys.AddMark(mark) {
				return out, failed
			}
			if mark == p.typeKey {
				if n > 0 {
					return out, failed
				}
				var s shape
				if out, i, s = p.typ(out, i); s != shapeObject {
					p.keys.Close()
					return p.rich(out, i, m, s)
				}
			} else {
				p.pin = none
				if c := p.at(i); len(p.maps) > 0 && (c == '[' || c == '{') {
					p.expect(packed(out[at:]), codec.Depth(&p.decode)-p.depth)
				}
				if out, i = p.value(out, i); i < 0 {
					return out, i
				}
			}
			n++
			i = p.skip(i)
			if p.at(i) != ',' {
				break
			}
			i = p.skip(i + 1)
			if len(out) >= p.full {
				out = p.flush(out)
			}
		}
		if p.at(i) != '}' {
			return out, failed
		}
	}
	p.pin = none
	p.depth++
	p.keys.Close()
	p.closeMap(out, m, n)
	return out, i + 1
}

// key appends a key and returns the position of its value.
func (p *jsonToMsgpack) key(out []byte, i int) ([]byte, int) {
	if p.at(i) != '"' {
		return out, failed
	}
	if out, i = p.text(out, i); i < 0 {
		return out, i
	}
	if i = p.skip(i); p.at(i) != ':' {
		return out, failed
	}
	return out, p.skip(i + 1)
}

// packed returns the text of a MessagePack string.
func packed(b []byte) []byte { return b[1+mpwire.First(b[0]).Width:] }

// typ appends the value of `__ptype` and returns the shape of its map.
func (p *jsonToMsgpack) typ(out []byte, i int) ([]byte, int, shape) {
	if p.at(i) != '"' {
		return out, foreign, shapeOther
	}
	at := len(out)
	if out, i = p.text(out, i); i < 0 {
		return out, failed, shapeOther
	}
	p.name = append(p.name[:0], packed(out[at:])...)
	return out, i, p.shape(p.name)
}

// rich appends the rest of the map m, after its `__ptype`, if it has the shape s.
// Otherwise it decodes and encodes the map.
func (p *jsonToMsgpack) rich(out []byte, i int, m openMap, s shape) ([]byte, int) {
	if i >= 0 {
		out, i = p.shaped(out, i, m, s)
	}
	if i == foreign {
		p.depth++
		p.drop(m.header)
		return p.fragment(out[:m.at])
	}
	return out, i
}

func (p *jsonToMsgpack) shaped(out []byte, i int, m openMap, s shape) ([]byte, int) {
	if s == shapeNone {
		return out, failed
	}
	least, most := s.count()
	if s == shapeOther {
		return out, foreign
	}
	for n := 0; ; n++ {
		i = p.skip(i)
		switch b := p.at(i); {
		case b == '}' && n < least:
			return out, foreign
		case b == '}':
			p.pin = none
			p.depth++
			p.closeMap(out, m, 1+n)
			return out, i + 1
		case b != ',':
			return out, failed
		case n == most:
			return out, s.stray()
		}
		if out, i = p.member(out, p.skip(i+1), s, n); i < 0 {
			return out, i
		}
	}
}

// member appends the n-th member of a map that has a shape.
func (p *jsonToMsgpack) member(out []byte, i int, s shape, n int) ([]byte, int) {
	at := len(out)
	if out, i = p.key(out, i); i < 0 {
		return out, failed
	}
	if string(packed(out[at:])) != s.member(n) {
		return out, foreign
	}
	switch c := p.at(i); {
	case s == shapeAny, s == shapeDeferred && n == 1 && c == '[':
		p.pin = none
		return p.value(out, i)
	case c != '"' || n == 1:
		return out, foreign
	}
	at = len(out)
	if out, i = p.text(out, i); i < 0 {
		return out, failed
	}
	if s == shapeText && !p.canonical.has(p.name, packed(out[at:])) {
		return out, foreign
	}
	return out, i
}

// fragment decodes and encodes the map at pin.
func (p *jsonToMsgpack) fragment(out []byte) ([]byte, int) {
	for {
		start := p.pin
		grown, n, err := p.transcoder.fragment(out, p.data[start:], p.depth)
		if n >= 0 {
			p.pin = none
			return grown, start + n
		}
		if !errors.Is(err, serialization.ErrTruncated) {
			return out, failed
		}
		if _, ok := p.more(len(p.data)); !ok {
			return out, failed
		}
	}
}

// maxDigits is the maximum length of a number here.
const maxDigits = 64

// number appends a number.
func (p *jsonToMsgpack) number(out []byte, i int) ([]byte, int) {
	if len(p.data)-i <= maxDigits {
		i = p.need(i, maxDigits+1)
	}
	switch n, f, end, class := jsonwire.SmallNumber(p.data, i); class {
	case jsonwire.SmallInteger:
		return pack.Int(out, n), end
	case jsonwire.SmallFloat:
		return pack.Float(out, f), end
	case jsonwire.NotSmall:
	}
	end, integer, ok := jsonwire.Number(p.data, i)
	if !ok || end-i > maxDigits {
		return out, failed
	}
	text := string(p.data[i:end])
	if integer {
		return large(out, text, end)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return out, failed
	}
	return pack.Float(out, f), end
}

// large appends an integer of many digits that ends at end.
func large(out []byte, text string, end int) ([]byte, int) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return pack.Int(out, n), end
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return pack.Uint(out, n), end
	}
	return out, failed
}
