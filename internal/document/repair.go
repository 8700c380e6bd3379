package document

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/internal/mpwire/pack"
	"github.com/pcatdev/pcat/internal/unescape"
	"github.com/pcatdev/pcat/serialization"
)

// Fix is a string that became a Binary.
type Fix struct {
	// Offset is the offset of the string in the input, without quotes or
	// header, and Bad the position in it of the first invalid byte.
	Offset, Bad int64
	// At is the offset of the Binary in the output.
	At int64
}

// The members of a Binary in rich data.
const (
	typeKey  = "__ptype"
	typeName = "Binary"
	valueKey = "__pvalue"
)

// Repair returns a document of the given form in which strings that are invalid
// UTF-8 are Binary values, and the changes. The result is data itself if nothing
// changed, which includes every format whose wire is not JSON or MessagePack.
func Repair(data []byte, format serialization.Format) ([]byte, []Fix) {
	switch format.Wire {
	case "json":
		return repairJSON(data)
	case "msgpack":
		return repairMsgpack(data)
	default:
		return data, nil
	}
}

func repairJSON(data []byte) ([]byte, []Fix) {
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

// firstBad returns the position of the first byte that is invalid UTF-8, or -1.
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

func repairMsgpack(data []byte) ([]byte, []Fix) {
	w := msgpackRepair{data: data}
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

// msgpackRepair repairs MessagePack.
type msgpackRepair struct {
	data  []byte
	pos   int
	out   []byte
	done  int
	fixes []Fix
}

// item skips a scalar, or the header of a container, and returns the number of
// items that follow and whether they are keys and values.
func (w *msgpackRepair) item(key bool) (items int, pairs, ok bool) {
	header := w.pos
	if header == len(w.data) {
		return 0, false, false
	}
	f := mpwire.First(w.data[header])
	n, ok := f.Number(w.data, header)
	if !ok || f.Kind == mpwire.Invalid || !w.skip(f.Size()) {
		return 0, false, false
	}
	switch f.Kind {
	case mpwire.String:
		return 0, false, w.text(header, int(n), key)
	case mpwire.Binary, mpwire.Ext:
		return 0, false, w.skip(int(n))
	case mpwire.Array, mpwire.Map:
		if f.Width > 0 && int(n) > len(w.data)-w.pos { // more than can follow
			return 0, false, false
		}
		if f.Kind == mpwire.Map {
			return 2 * int(n), true, true
		}
		return int(n), false, true
	}
	return 0, false, true
}

func (w *msgpackRepair) skip(n int) bool {
	if len(w.data)-w.pos < n {
		return false
	}
	w.pos += n
	return true
}

// text skips a string of n bytes with its header at header.
func (w *msgpackRepair) text(header, n int, key bool) bool {
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
	w.out = append(w.out, pack.FixMap|2)
	for _, s := range []string{typeKey, typeName, valueKey, base64.StdEncoding.EncodeToString(text)} {
		w.out = append(pack.Text(w.out, len(s)), s...)
	}
	w.done = w.pos
	return true
}
