package transcode

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization/internal/wire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// unpacker carries MessagePack over to JSON. Its methods append what begins at
// a position of data and return where it ends, or failed.
type unpacker struct {
	*road
	depth int // how many more levels are allowed
	limit int // of one string
	keys  wire.Keys
}

func (u *unpacker) document(dst []byte) ([]byte, bool) {
	out := slices.Grow(dst, len(u.data)+len(u.data)/4)
	out, i := u.value(out, 0)
	if i != len(u.data) {
		return dst, false
	}
	return out, true
}

func (u *unpacker) value(out []byte, i int) ([]byte, int) {
	if i >= len(u.data) {
		return out, failed
	}
	switch c := u.data[i]; {
	case c <= 0x7f:
		return appendSmall(out, c), i + 1
	case c <= 0x8f:
		return u.members(out, i, i+1, int(c&0x0f))
	case c <= 0x9f:
		return u.array(out, i+1, int(c&0x0f))
	case c <= 0xbf:
		return u.text(out, i+1, int(c&0x1f))
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
	body := i + 1 + width
	if width == 0 || body > len(u.data) {
		return out, failed
	}
	n := bigEndian(u.data[i+1:], width)
	switch c {
	case 0xca:
		return appendFloat(out, float64(math.Float32frombits(uint32(n))), body)
	case 0xcb:
		return appendFloat(out, math.Float64frombits(n), body)
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

func appendFloat(out []byte, f float64, end int) ([]byte, int) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return out, failed
	}
	return pcore.AppendFloat(out, f), end
}

// text carries a string of n bytes at i.
func (u *unpacker) text(out []byte, i, n int) ([]byte, int) {
	text := u.bytes(i, n)
	if text == nil {
		return out, failed
	}
	if plain := wire.PlainEnd(text, 0); plain == n {
		out = append(out, '"')
		out = append(out, text...)
		return append(out, '"'), i + n
	}
	if !utf8.Valid(text) {
		return out, failed
	}
	return wire.AppendQuoted(out, text), i + n
}

// bytes returns the n bytes at i, and nil when there are not so many, or more
// than one string may have.
func (u *unpacker) bytes(i, n int) []byte {
	if n > u.limit || n > len(u.data)-i {
		return nil
	}
	return u.data[i : i+n : i+n]
}

func (u *unpacker) array(out []byte, i, n int) ([]byte, int) {
	if u.depth == 0 {
		return out, failed
	}
	u.depth--
	out = append(out, '[')
	for k := range n {
		if k > 0 {
			out = append(out, ',')
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
	opening := len(out)
	out = append(out, '{')
	u.keys.Open()
	for k := range n {
		key, value := u.key(i)
		if value < 0 {
			return out, failed
		}
		if string(key) == richdata.TypeKey {
			if k > 0 {
				return out, failed
			}
			u.keys.Close()
			u.depth++
			return u.rich(out[:opening], start, value, n)
		}
		if _, added := u.keys.Add(key); !added {
			return out, failed
		}
		if k > 0 {
			out = append(out, ',')
		}
		if out, i = u.text(out, value-len(key), len(key)); i < 0 {
			return out, i
		}
		out = append(out, ':')
		if out, i = u.value(out, i); i < 0 {
			return out, i
		}
	}
	u.keys.Close()
	u.depth++
	return append(out, '}'), i
}

// key returns the bytes of the string at i, which is a key, and where they
// end; failed when there is anything else.
func (u *unpacker) key(i int) ([]byte, int) {
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
	text := u.bytes(i, n)
	if text == nil {
		return nil, failed
	}
	return text, i + n
}

// rich carries the map of n members at start, which begins with `__ptype`,
// whose value stands at i, when it has one of the shapes, and takes it along
// the value road otherwise.
func (u *unpacker) rich(out []byte, start, i, n int) ([]byte, int) {
	opening := len(out)
	u.depth--
	out, end := u.shaped(out, i, n)
	u.depth++
	if end == foreign {
		return u.fragment(out[:opening], start, u.depth)
	}
	return out, end
}

func (u *unpacker) shaped(out []byte, i, n int) ([]byte, int) {
	name, i := u.key(i)
	if i < 0 {
		return out, foreign
	}
	if string(name) == localRef {
		return out, failed
	}
	s := u.shape(name)
	if least, most := s.count(); s == shapeOther || n-1 < least || n-1 > most {
		return out, foreign
	}
	out = append(out, `{"`+richdata.TypeKey+`":"`...)
	out = append(out, name...)
	out = append(out, '"')
	for k := range n - 1 {
		out = append(out, ',')
		if out, i = u.member(out, i, s, k, name); i < 0 {
			return out, i
		}
	}
	return append(out, '}'), i
}

// member carries the k-th member of a map that has a shape.
func (u *unpacker) member(out []byte, i int, s shape, k int, name []byte) ([]byte, int) {
	key, i := u.key(i)
	if i < 0 || string(key) != s.member(k) {
		return out, foreign
	}
	out = append(out, '"')
	out = append(out, key...)
	out = append(out, '"', ':')
	if s == shapeAny || s == shapeDeferred && k == 1 && u.isArray(i) {
		return u.value(out, i)
	}
	text, end := u.key(i)
	if end < 0 || k == 1 || s == shapeText && !u.isCanonical(name, text) {
		return out, foreign
	}
	return u.text(out, end-len(text), len(text))
}

// isArray reports whether the value at i is an array.
func (u *unpacker) isArray(i int) bool {
	if i >= len(u.data) {
		return false
	}
	c := u.data[i]
	return 0x90 <= c && c <= 0x9f || c == 0xdc || c == 0xdd
}
