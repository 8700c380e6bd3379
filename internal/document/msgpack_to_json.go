package document

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/internal/ruby/literal"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/serialization"
)

// msgpackToJSON transcodes MessagePack to JSON. Its methods append the value at a
// position of data and return its end, or failed.
type msgpackToJSON struct {
	*transcoder
	window
	output
	depth int // the number of levels still allowed
	limit int // of one string
	keys  wire.Keys
	// typeKey is the mark of `__ptype`.
	typeKey wire.Mark
}

func newMsgpackToJSON(r *transcoder, f window, w output) *msgpackToJSON {
	return &msgpackToJSON{
		transcoder: r, window: f, output: w,
		depth: codec.Depth(&r.decode), limit: codec.StringLimit(&r.decode),
		typeKey: wire.MarkText([]byte(dataconv.TypeKey)),
	}
}

func (u *msgpackToJSON) document(dst []byte) ([]byte, bool) {
	u.only = len(u.maps) > 0
	out, i := u.value(dst, 0)
	if i < 0 || u.need(i, 1) != len(u.data) || u.window.err != nil {
		return dst, false
	}
	return out, true
}

// flush writes the output.
func (u *msgpackToJSON) flush(out []byte) []byte {
	out = u.output.flush(out)
	if u.output.err != nil {
		u.src, u.data = nil, nil // stop reading
	}
	return out
}

// more is window.more, which overwrites the keys.
func (u *msgpackToJSON) more(keep int) (at int, ok bool) {
	if u.src != nil {
		u.keys.Keep()
	}
	return u.window.more(keep)
}

// need is window.need.
func (u *msgpackToJSON) need(i, n int) int {
	if len(u.data)-i < n && u.src != nil {
		u.keys.Keep()
		return u.window.need(i, n)
	}
	return i
}

func (u *msgpackToJSON) value(out []byte, i int) ([]byte, int) {
	if i >= len(u.data) {
		if i = u.need(i, 1); i >= len(u.data) {
			return out, failed
		}
	}
	c := u.data[i]
	if n, ok := mpwire.Short(c); ok {
		return u.text(out, i+1, n)
	}
	switch f := mpwire.First(c); {
	case f.Width > 0:
		return u.long(out, i, f)
	case f.Kind == mpwire.Map:
		return u.members(out, i, i+1, int(f.Few))
	case f.Kind == mpwire.Array:
		return u.array(out, i+1, int(f.Few))
	case f.Kind == mpwire.Int && c < 10:
		return append(out, '0'+c), i + 1
	case f.Kind == mpwire.Int:
		return strconv.AppendInt(out, int64(f.Few), 10), i + 1
	case f.Kind == mpwire.Nil:
		return append(out, "null"...), i + 1
	case f.Kind == mpwire.Bool:
		return strconv.AppendBool(out, f.Few == 1), i + 1
	}
	return out, failed
}

// long appends a value whose header is longer than a byte.
func (u *msgpackToJSON) long(out []byte, i int, f mpwire.Form) ([]byte, int) {
	i = u.need(i, 1+int(f.Width))
	n, ok := f.Number(u.data, i)
	if !ok {
		return out, failed
	}
	body := i + f.Size()
	switch f.Kind {
	case mpwire.Float:
		return u.float(out, math.Float64frombits(f.Value(n)), body)
	case mpwire.Uint:
		return strconv.AppendUint(out, n, 10), body
	case mpwire.Int:
		return strconv.AppendInt(out, int64(f.Value(n)), 10), body
	case mpwire.String:
		return u.text(out, body, int(n))
	case mpwire.Array:
		return u.array(out, body, int(n))
	case mpwire.Map:
		return u.members(out, i, body, int(n))
	default: // byte strings and extension types
		return out, failed
	}
}

// float appends a float that ends at end.
func (u *msgpackToJSON) float(out []byte, f float64, end int) ([]byte, int) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return out, failed
	}
	return literal.AppendFloat(out, f), end
}

// text appends a string of n bytes at i.
func (u *msgpackToJSON) text(out []byte, i, n int) ([]byte, int) {
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

// quote appends the n bytes at i as a string.
func (u *msgpackToJSON) quote(out []byte, i, n int) ([]byte, int) {
	if n <= 2*word && len(u.data)-i >= 2*word && cap(out)-len(out) >= 2*word+2 {
		// Most strings are short. They need no calls.
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

func (u *msgpackToJSON) array(out []byte, i, n int) ([]byte, int) {
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
				out = u.flush(out)
			}
		}
		if only {
			if i = u.need(i, 1); !u.is(mpwire.Map, i) {
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

// members appends the map at start, whose n members begin at i.
func (u *msgpackToJSON) members(out []byte, start, i, n int) ([]byte, int) {
	if u.depth == 0 {
		return out, failed
	}
	u.depth--
	u.pin = start // in case it must be decoded
	opening := len(out)
	out = append(out, '{')
	u.keys.Open()
	for k := range n {
		if k > 0 {
			out = append(out, ',')
			if len(out) >= u.full {
				out = u.flush(out)
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
			u.expect(out[at+1:len(out)-2], codec.Depth(&u.decode)-u.depth)
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

// memberKey appends a key with its colon, and returns its mark. Most keys are short.
// Their mark is made of the words already loaded.
func (u *msgpackToJSON) memberKey(out []byte, i int) ([]byte, int, wire.Mark) {
	data := u.data
	if len(data)-i > 2*word && cap(out)-len(out) > 2*word+3 {
		if n, ok := mpwire.Short(data[i]); ok && n <= wire.MarkLen && n <= u.limit {
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
		i = u.need(i, 1)
		u.secrets = u.secrets || i < len(u.data) && mpwire.First(u.data[i]) != mpwire.Form{Kind: mpwire.Array}
	}
	return append(out, ':'), i, mark
}

// key returns the text of the string at i and its end, or failed for another
// value.
func (u *msgpackToJSON) key(i int) ([]byte, int) {
	const longest = 5 // header
	i = u.need(i, longest)
	if i >= len(u.data) {
		return nil, failed
	}
	f := mpwire.First(u.data[i])
	count, ok := f.Number(u.data, i)
	if !ok || f.Kind != mpwire.String {
		return nil, failed
	}
	i += f.Size()
	n := int(count)
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

// typ appends the value of `__ptype` and returns the shape of its map.
func (u *msgpackToJSON) typ(out []byte, i int) ([]byte, int, shape) {
	name, end := u.key(i)
	if end < 0 {
		return out, foreign, shapeOther
	}
	u.name = append(u.name[:0], name...)
	out, i = u.quote(out, end-len(name), len(name))
	return out, i, u.shape(u.name)
}

// rich appends the rest of a map of n members, after its `__ptype`, if it has the
// shape s. Otherwise it decodes and encodes the map.
func (u *msgpackToJSON) rich(out []byte, i, opening, n int, s shape) ([]byte, int) {
	if i >= 0 {
		out, i = u.shaped(out, i, n, s)
	}
	u.depth++
	if i == foreign {
		return u.fragment(out[:opening])
	}
	return out, i
}

func (u *msgpackToJSON) shaped(out []byte, i, n int, s shape) ([]byte, int) {
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

// member appends the k-th member of a map that has a shape.
func (u *msgpackToJSON) member(out []byte, i int, s shape, k int) ([]byte, int) {
	key, i := u.key(i)
	if i < 0 || string(key) != s.member(k) {
		return out, foreign
	}
	out = append(out, '"')
	out = append(out, key...)
	out = append(out, '"', ':')
	i = u.need(i, 1)
	if s == shapeAny || s == shapeDeferred && k == 1 && u.is(mpwire.Array, i) {
		u.pin = none
		return u.value(out, i)
	}
	text, end := u.key(i)
	if end < 0 || k == 1 || s == shapeText && !u.canonical.has(u.name, text) {
		return out, foreign
	}
	return u.quote(out, end-len(text), len(text))
}

// is reports whether the value at i has a kind.
func (u *msgpackToJSON) is(k mpwire.Kind, i int) bool {
	return i < len(u.data) && mpwire.First(u.data[i]).Kind == k
}

// fragment decodes and encodes the map at pin.
func (u *msgpackToJSON) fragment(out []byte) ([]byte, int) {
	for {
		start := u.pin
		grown, n, err := u.transcoder.fragment(out, u.data[start:], u.depth)
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
