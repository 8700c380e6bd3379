// Package repair makes documents readable that hold text which is no UTF-8.
//
//	JSON         each such string becomes a Binary of rich data
//	MessagePack  likewise
//	Fix          where, and which bytes
//
// Old servers wrote the bytes of files into catalogs as they were: PSON is
// JSON in which a string may be in any encoding, and MessagePack of old does
// not tell text from bytes. Nothing else is repaired: what is wrong besides is
// found by the decoder. Keys that are no UTF-8 stay, for a key that is a Binary
// is the key of another kind of Hash.
package repair

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/unescape"
)

// Fix is a text that became a Binary.
type Fix struct {
	// Offset is where the text begins in the input, its quotes or its header
	// not counted, and Bad the position in it of the first byte that is no
	// UTF-8; both in bytes.
	Offset, Bad int64
	// At is where the Binary begins in the output.
	At int64
}

// Rich data spells a Binary so.
const (
	typeKey  = "__ptype"
	typeName = "Binary"
	valueKey = "__pvalue"
)

// JSON returns a document with the strings that are no UTF-8 as Binary, and
// which ones they are. What is no JSON stays as it is. The result is data
// itself when there is nothing to repair.
func JSON(data []byte) ([]byte, []Fix) {
	if utf8.Valid(data) {
		return data, nil
	}
	var out []byte
	var fixes []Fix
	done := 0
	for start := 0; start < len(data); {
		i := bytes.IndexByte(data[start:], '"')
		if i < 0 {
			break
		}
		begin := start + i + 1
		if start = jsonwire.StringEnd(data, begin-1); start < 0 {
			break
		}
		end := start - 1
		bad := firstBad(data[begin:end])
		if bad < 0 || isKey(data[start:]) {
			continue
		}
		text, ok := unescape.JSON(nil, data[begin:end])
		if !ok {
			continue
		}
		out = append(out, data[done:begin-1]...)
		fixes = append(fixes, Fix{int64(begin), int64(bad), int64(len(out))})
		out = append(out, `{"`+typeKey+`":"`+typeName+`","`+valueKey+`":"`...)
		out = append(base64.StdEncoding.AppendEncode(out, text), `"}`...)
		done = start
	}
	if len(fixes) == 0 {
		return data, nil
	}
	return append(out, data[done:]...), fixes
}

func isKey(rest []byte) bool {
	i := jsonwire.SkipBlanks(rest, 0)
	return i < len(rest) && rest[i] == ':'
}

// firstBad returns the position of the first byte that is no UTF-8, -1 when
// there is none.
func firstBad(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// MessagePack does for MessagePack what [JSON] does for JSON.
func MessagePack(data []byte) ([]byte, []Fix) {
	w := packed{data: data}
	// Positions in a container are counted down; only maps have keys.
	type container struct {
		left int
		keys bool
	}
	stack := []container{{left: 1}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.left == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		key := top.keys && top.left%2 == 0
		top.left--
		n, pairs, ok := w.item(key)
		if !ok {
			break
		}
		if n > 0 {
			stack = append(stack, container{n, pairs})
		}
	}
	if len(w.fixes) == 0 {
		return data, nil
	}
	return append(w.out, data[w.done:]...), w.fixes
}

// packed walks through MessagePack.
type packed struct {
	data  []byte
	pos   int
	out   []byte
	done  int
	fixes []Fix
}

// item goes past a scalar, or past the header of a container, of which it
// returns how many items follow, and whether they are keys and values.
func (w *packed) item(key bool) (items int, pairs, ok bool) {
	if w.pos >= len(w.data) {
		return 0, false, false
	}
	header := w.pos
	c := w.data[w.pos]
	w.pos++
	switch {
	case c < 0x80, c >= 0xe0, c == 0xc0, c == 0xc2, c == 0xc3:
		return 0, false, true
	case c < 0x90:
		return 2 * int(c&15), true, true
	case c < 0xa0:
		return int(c & 15), false, true
	case c < 0xc0:
		return 0, false, w.text(header, int(c&31), key)
	case c >= 0xc4 && c <= 0xc6: // bin
		n, ok := w.number(1 << (c - 0xc4))
		return 0, false, ok && w.skip(n)
	case c >= 0xc7 && c <= 0xc9: // ext
		n, ok := w.number(1 << (c - 0xc7))
		return 0, false, ok && w.skip(n) && w.skip(1)
	case c == 0xca, c == 0xcb:
		return 0, false, w.skip(4 << (c - 0xca))
	case c >= 0xcc && c <= 0xcf: // uint
		return 0, false, w.skip(1 << (c - 0xcc))
	case c >= 0xd0 && c <= 0xd3: // int
		return 0, false, w.skip(1 << (c - 0xd0))
	case c >= 0xd4 && c <= 0xd8: // fixext
		return 0, false, w.skip(1 + 1<<(c-0xd4))
	case c >= 0xd9 && c <= 0xdb: // str
		n, ok := w.number(1 << (c - 0xd9))
		return 0, false, ok && w.text(header, n, key)
	case c == 0xdc, c == 0xdd:
		n, ok := w.number(2 << (c - 0xdc))
		return n, false, ok
	case c == 0xde, c == 0xdf:
		n, ok := w.number(2 << (c - 0xde))
		return 2 * n, true, ok
	default: // 0xc1
		return 0, false, false
	}
}

// number reads an unsigned number of n bytes. One that is more than what is
// left is none that a document can mean.
func (w *packed) number(n int) (int, bool) {
	if len(w.data)-w.pos < n {
		return 0, false
	}
	var all [8]byte
	copy(all[8-n:], w.data[w.pos:w.pos+n])
	w.pos += n
	v := binary.BigEndian.Uint64(all[:])
	return int(v), v <= uint64(len(w.data)-w.pos)
}

func (w *packed) skip(n int) bool {
	if len(w.data)-w.pos < n {
		return false
	}
	w.pos += n
	return true
}

// text goes past a text of n bytes that has its header at header.
func (w *packed) text(header, n int, key bool) bool {
	start := w.pos
	if !w.skip(n) {
		return false
	}
	text := w.data[start:w.pos]
	bad := -1
	if !key && !utf8.Valid(text) {
		bad = firstBad(text)
	}
	if bad < 0 {
		return true
	}
	w.out = append(w.out, w.data[w.done:header]...)
	w.fixes = append(w.fixes, Fix{int64(start), int64(bad), int64(len(w.out))})
	w.out = append(w.out, 0x82)
	for _, s := range []string{typeKey, typeName, valueKey} {
		w.out = append(append(w.out, 0xa0|byte(len(s))), s...)
	}
	w.out = appendString(w.out, base64.StdEncoding.EncodeToString(text))
	w.done = w.pos
	return true
}

// appendString appends a string with the smallest header.
func appendString(b []byte, s string) []byte {
	switch n := len(s); {
	case n < 32:
		b = append(b, 0xa0|byte(n))
	case n < 1<<8:
		b = append(b, 0xd9, byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0xda), uint16(n))
	default:
		b = binary.BigEndian.AppendUint32(append(b, 0xdb), uint32(n))
	}
	return append(b, s...)
}
