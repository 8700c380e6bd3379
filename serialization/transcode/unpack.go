package transcode

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/wire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// unpacker carries MessagePack over to JSON. Its methods append what begins at
// a position of data and return where it ends, or failed.
type unpacker struct {
	*road
	feed
	flow
	depth int // how many more levels are allowed
	limit int // of one string
	keys  wire.Keys
	// typeKey is the mark of `__ptype`.
	typeKey wire.Mark
}

func newUnpacker(r *road, f feed, w flow) *unpacker {
	return &unpacker{
		road: r, feed: f, flow: w,
		depth: r.decode.Depth(), limit: r.decode.StringLimit(),
		typeKey: wire.MarkText([]byte(richdata.TypeKey)),
	}
}

func (u *unpacker) document(dst []byte) ([]byte, bool) {
	u.only = len(u.maps) > 0
	out, i := u.value(dst, 0)
	if i < 0 || u.need(i, 1) != len(u.data) || u.feed.err != nil {
		return dst, false
	}
	return out, true
}

// pass hands over what was written.
func (u *unpacker) pass(out []byte) []byte {
	out = u.flow.pass(out)
	if u.flow.err != nil {
		u.src, u.data = nil, nil // nobody wants more
	}
	return out
}

// more is that of feed, after which keys have to stand elsewhere.
func (u *unpacker) more(keep int) (at int, ok bool) {
	if u.src != nil {
		u.keys.Keep()
	}
	return u.feed.more(keep)
}

// need is that of feed.
func (u *unpacker) need(i, n int) int {
	if len(u.data)-i < n && u.src != nil {
		u.keys.Keep()
		return u.feed.need(i, n)
	}
	return i
}

func (u *unpacker) value(out []byte, i int) ([]byte, int) {
	if i >= len(u.data) {
		if i = u.need(i, 1); i >= len(u.data) {
			return out, failed
		}
	}
	switch c := u.data[i]; {
	case 0xa0 <= c && c <= 0xbf:
		return u.text(out, i+1, int(c&0x1f))
	case c <= 0x7f:
		return appendSmall(out, c), i + 1
	case c <= 0x8f:
		return u.members(out, i, i+1, int(c&0x0f))
	case c <= 0x9f:
		return u.array(out, i+1, int(c&0x0f))
	case c >= 0xe0:
		return strconv.AppendInt(out, int64(int8(c)), 10), i + 1
	default:
		return u.long(out, i, c)
	}
}

func appendSmall(out []byte, c byte) []byte {
	if c < 10 {
		return append(out, '0'+c)
	}
	return strconv.AppendUint(out, uint64(c), 10)
}

// long carries a value whose header says more than its first byte, c.
func (u *unpacker) long(out []byte, i int, c byte) ([]byte, int) {
	switch c {
	case 0xc0:
		return append(out, "null"...), i + 1
	case 0xc2:
		return append(out, "false"...), i + 1
	case 0xc3:
		return append(out, "true"...), i + 1
	}
	width := widthOf(c)
	i = u.need(i, 1+width)
	body := i + 1 + width
	if width == 0 || body > len(u.data) {
		return out, failed
	}
	n := bigEndian(u.data[i+1:], width)
	switch c {
	case 0xca:
		return u.float(out, float64(math.Float32frombits(uint32(n))), body)
	case 0xcb:
		return u.float(out, math.Float64frombits(n), body)
	case 0xcc, 0xcd, 0xce, 0xcf:
		return strconv.AppendUint(out, n, 10), body
	case 0xd0, 0xd1, 0xd2, 0xd3:
		shift := 64 - 8*width
		return strconv.AppendInt(out, int64(n)<<shift>>shift, 10), body
	case 0xd9, 0xda, 0xdb:
		return u.text(out, body, int(n))
	case 0xdc, 0xdd:
		return u.array(out, body, int(n))
	default: // 0xde, 0xdf
		return u.members(out, i, body, int(n))
	}
}

// widthOf returns how many bytes of a header follow its first one; 0 for byte
// strings and extensions, which are not carried.
func widthOf(c byte) int {
	switch c {
	case 0xcc, 0xd0, 0xd9:
		return 1
	case 0xcd, 0xd1, 0xda, 0xdc, 0xde:
		return 2
	case 0xca, 0xce, 0xd2, 0xdb, 0xdd, 0xdf:
		return 4
	case 0xcb, 0xcf, 0xd3:
		return 8
	}
	return 0
}

func bigEndian(b []byte, width int) uint64 {
	switch width {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.BigEndian.Uint16(b))
	case 4:
		return uint64(binary.BigEndian.Uint32(b))
	}
	return binary.BigEndian.Uint64(b)
}

// float carries a float that ends at end.
func (u *unpacker) float(out []byte, f float64, end int) ([]byte, int) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return out, failed
	}
	return pcore.AppendFloat(out, f), end
}

// text carries a string of n bytes at i.
func (u *unpacker) text(out []byte, i, n int) ([]byte, int) {
	if n > u.limit {
		return out, failed
	}
	if n > len(u.data)-i {
		if i = u.need(i, n); n > len(u.data)-i {
			return out, failed
		}
	}
	return u.quote(out, i, n)
}

// quote writes the n bytes at i as a string.
func (u *unpacker) quote(out []byte, i, n int) ([]byte, int) {
	if n <= 2*word && len(u.data)-i >= 2*word && cap(out)-len(out) >= 2*word+2 {
		// Most strings are short: they need no calls.
		first := binary.LittleEndian.Uint64(u.data[i:])
		second := binary.LittleEndian.Uint64(u.data[i+word:])
		at := len(out)
		room := out[at : at+2*word+2]
		room[0] = '"'
		binary.LittleEndian.PutUint64(room[1:], first)
		binary.LittleEndian.PutUint64(room[1+word:], second)
		room[1+n] = '"'
		plain := word
		odd := jsonwire.Odd(first)
		if odd == 0 {
			if odd = jsonwire.Odd(second); odd == 0 {
				return out[:at+n+2], i + n
			}
		} else {
			plain = 0
		}
		if plain+jsonwire.Plain(odd) >= n {
			return out[:at+n+2], i + n
		}
	}
	text := u.data[i : i+n]
	end := jsonwire.PlainEnd(text, 0)
	if end == n {
		out = append(out, '"')
		out = append(out, text...)
		return append(out, '"'), i + n
	}
	if !utf8.Valid(text[end:]) {
		return out, failed
	}
	return jsonwire.AppendQuoted(out, text), i + n
}

func (u *unpacker) array(out []byte, i, n int) ([]byte, int) {
	if u.depth == 0 {
		return out, failed
	}
	u.depth--
	only := u.only
	u.only = false
	out = append(out, '[')
	for k := range n {
		if k > 0 {
			out = append(out, ',')
			if len(out) >= u.full {
				out = u.pass(out)
			}
		}
		if only {
			if i = u.need(i, 1); !u.isMap(i) {
				return out, failed
			}
		}
		if out, i = u.value(out, i); i < 0 {
			return out, i
		}
	}
	u.depth++
	return append(out, ']'), i
}

// members carries the map at start, whose n members begin at i.
func (u *unpacker) members(out []byte, start, i, n int) ([]byte, int) {
	if u.depth == 0 {
		return out, failed
	}
	u.depth--
	u.pin = start // until it is clear that no fragment begins here
	opening := len(out)
	out = append(out, '{')
	u.keys.Open()
	for k := range n {
		if k > 0 {
			out = append(out, ',')
			if len(out) >= u.full {
				out = u.pass(out)
			}
		}
		at := len(out)
		var mark wire.Mark
		if out, i, mark = u.memberKey(out, i); i < 0 || !u.keys.AddMark(mark) {
			return out, failed
		}
		if mark == u.typeKey {
			if k > 0 {
				return out, failed
			}
			var s shape
			if out, i, s = u.typ(out, i); s != shapeObject {
				u.keys.Close()
				return u.rich(out, i, opening, n, s)
			}
			continue
		}
		u.pin = none
		if len(u.maps) > 0 {
			u.expect(out[at+1:len(out)-2], u.decode.Depth()-u.depth)
		}
		if out, i = u.value(out, i); i < 0 {
			return out, i
		}
	}
	u.pin = none
	u.keys.Close()
	u.depth++
	return append(out, '}'), i
}

// memberKey carries a key, the colon behind it included, of a map of which all
// keys are noted. Most keys are short; their mark is made of what is in hand.
func (u *unpacker) memberKey(out []byte, i int) ([]byte, int, wire.Mark) {
	data := u.data
	if len(data)-i > 2*word && cap(out)-len(out) > 2*word+3 {
		if n := int(data[i]) - 0xa0; 0 <= n && n <= wire.MarkLen && n <= u.limit {
			first := binary.LittleEndian.Uint64(data[i+1:])
			second := binary.LittleEndian.Uint64(data[i+1+word:])
			plain := jsonwire.Plain(jsonwire.Odd(first))
			if plain == word {
				plain += jsonwire.Plain(jsonwire.Odd(second))
			}
			if plain >= n {
				at := len(out)
				out = out[:at+n+3]
				room := out[at:cap(out)]
				room[0] = '"'
				binary.LittleEndian.PutUint64(room[1:], first)
				binary.LittleEndian.PutUint64(room[1+word:], second)
				room[n+1], room[n+2] = '"', ':'
				return out, i + 1 + n, wire.MarkOf(first, second, n)
			}
		}
	}
	key, end := u.key(i)
	if end < 0 {
		return out, failed, wire.Mark{}
	}
	mark, list := u.keys.Mark(key), string(key) == u.secretList
	if out, i = u.quote(out, end-len(key), len(key)); list && i >= 0 {
		const empty = 0x90
		i = u.need(i, 1)
		u.secrets = u.secrets || i < len(u.data) && u.data[i] != empty
	}
	return append(out, ':'), i, mark
}

// key returns the bytes of the string at i, which is a key, and where they
// end; failed when there is anything else.
func (u *unpacker) key(i int) ([]byte, int) {
	const longest = 5 // header
	i = u.need(i, longest)
	if i >= len(u.data) {
		return nil, failed
	}
	var n int
	switch c := u.data[i]; {
	case 0xa0 <= c && c <= 0xbf:
		i, n = i+1, int(c&0x1f)
	case 0xd9 <= c && c <= 0xdb:
		width := widthOf(c)
		if len(u.data)-i <= width {
			return nil, failed
		}
		n = int(bigEndian(u.data[i+1:], width))
		i += 1 + width
	default:
		return nil, failed
	}
	if n > u.limit {
		return nil, failed
	}
	if n > len(u.data)-i {
		if i = u.need(i, n); n > len(u.data)-i {
			return nil, failed
		}
	}
	return u.data[i : i+n : i+n], i + n
}

// typ carries the value of `__ptype` and tells what may follow.
func (u *unpacker) typ(out []byte, i int) ([]byte, int, shape) {
	name, end := u.key(i)
	if end < 0 {
		return out, foreign, shapeOther
	}
	u.name = append(u.name[:0], name...)
	out, i = u.quote(out, end-len(name), len(name))
	return out, i, u.shape(u.name)
}

// rich carries the rest of a map of n members, behind the value of its
// `__ptype`, when it has the shape s, and takes all of it along the value road
// otherwise.
func (u *unpacker) rich(out []byte, i, opening, n int, s shape) ([]byte, int) {
	if i >= 0 {
		out, i = u.shaped(out, i, n, s)
	}
	u.depth++
	if i == foreign {
		return u.fragment(out[:opening])
	}
	return out, i
}

func (u *unpacker) shaped(out []byte, i, n int, s shape) ([]byte, int) {
	if s == shapeNone {
		return out, failed
	}
	if least, most := s.count(); s == shapeOther || n-1 < least || n-1 > most {
		return out, foreign
	}
	for k := range n - 1 {
		out = append(out, ',')
		if out, i = u.member(out, i, s, k); i < 0 {
			return out, i
		}
	}
	u.pin = none
	return append(out, '}'), i
}

// member carries the k-th member of a map that has a shape.
func (u *unpacker) member(out []byte, i int, s shape, k int) ([]byte, int) {
	key, i := u.key(i)
	if i < 0 || string(key) != s.member(k) {
		return out, foreign
	}
	out = append(out, '"')
	out = append(out, key...)
	out = append(out, '"', ':')
	i = u.need(i, 1)
	if s == shapeAny || s == shapeDeferred && k == 1 && u.isArray(i) {
		u.pin = none
		return u.value(out, i)
	}
	text, end := u.key(i)
	if end < 0 || k == 1 || s == shapeText && !u.canon.is(u.name, text) {
		return out, foreign
	}
	return u.quote(out, end-len(text), len(text))
}

// isMap reports whether the value at i is a map.
func (u *unpacker) isMap(i int) bool {
	if i >= len(u.data) {
		return false
	}
	c := u.data[i]
	return 0x80 <= c && c <= 0x8f || c == 0xde || c == 0xdf
}

// isArray reports whether the value at i is an array.
func (u *unpacker) isArray(i int) bool {
	if i >= len(u.data) {
		return false
	}
	c := u.data[i]
	return 0x90 <= c && c <= 0x9f || c == 0xdc || c == 0xdd
}

// fragment takes the map at pin along the value road, alone.
func (u *unpacker) fragment(out []byte) ([]byte, int) {
	for {
		start := u.pin
		grown, n, err := u.road.fragment(out, u.data[start:], u.depth)
		if n >= 0 {
			u.pin = none
			return grown, start + n
		}
		if !errors.Is(err, serialization.ErrTruncated) {
			return out, failed
		}
		if _, ok := u.more(len(u.data)); !ok {
			return out, failed
		}
	}
}
