package document

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire/pack"
	"github.com/pcatdev/pcat/internal/unescape"
	"github.com/pcatdev/pcat/internal/wire"
)

// word is the number of bytes processed at once.
const word = 8

// text appends the string at i. Its length is known before its header is written,
// except for strings with escapes or characters beyond ASCII.
func (p *jsonToMsgpack) text(out []byte, i int) ([]byte, int) {
	start := i + 1
	end := start
	if len(p.data)-start >= 2*word && cap(out)-len(out) > 2*word {
		// Most strings are short. They need no calls.
		first := binary.LittleEndian.Uint64(p.data[start:])
		odd := jsonwire.Odd(first)
		if odd == 0 {
			second := binary.LittleEndian.Uint64(p.data[start+word:])
			if odd = jsonwire.Odd(second); odd == 0 {
				return p.longText(out, start)
			}
			binary.LittleEndian.PutUint64(out[len(out)+1+word:cap(out)], second)
			end += word
		}
		end += jsonwire.Plain(odd)
		if n := end - start; p.data[end] == '"' && n <= p.limit {
			header := len(out)
			out = out[:header+1+n]
			out[header] = 0xa0 | byte(n)
			binary.LittleEndian.PutUint64(out[header+1:cap(out)], first)
			return out, end + 1
		}
		return p.oddText(out, start, end)
	}
	return p.anyText(out, start, start)
}

// longText appends a string at start whose first 16 bytes are plain. Strings that
// end in the next 16 bytes need no calls either.
func (p *jsonToMsgpack) longText(out []byte, start int) ([]byte, int) {
	if len(p.data)-start > 4*word && cap(out)-len(out) > 4*word {
		text := p.data[start : start+4*word+1]
		n := 2 * word
		odd := jsonwire.Odd(binary.LittleEndian.Uint64(text[n:]))
		if odd == 0 {
			n += word
			odd = jsonwire.Odd(binary.LittleEndian.Uint64(text[n:]))
		}
		n += jsonwire.Plain(odd)
		if text[n] == '"' && odd != 0 && n <= p.limit {
			header := len(out)
			out = out[:header+1+n]
			out[header] = 0xa0 | byte(n)
			*(*[4 * word]byte)(out[header+1 : cap(out)]) = [4 * word]byte(text)
			return out, start + n + 1
		}
	}
	return p.anyText(out, start, start+2*word)
}

// anyText appends a string that begins at start and is plain up to end.
func (p *jsonToMsgpack) anyText(out []byte, start, end int) ([]byte, int) {
	end = jsonwire.PlainEnd(p.data, end)
	if end == len(p.data) || p.data[end] != '"' {
		return p.oddText(out, start, end)
	}
	if end-start > p.limit {
		return out, failed
	}
	return append(pack.Text(out, end-start), p.data[start:end]...), end + 1
}

// memberKey is key, with the mark of the key. Most keys are short and without blanks
// after them. Their mark is made of the words already loaded.
func (p *jsonToMsgpack) memberKey(out []byte, i int) ([]byte, int, wire.Mark) {
	data := p.data
	if len(data)-i > 2*word+4 && cap(out)-len(out) > 2*word {
		text := data[i+1 : i+2*word+4]
		first := binary.LittleEndian.Uint64(text)
		odd := jsonwire.Odd(first)
		n := jsonwire.Plain(odd)
		second := binary.LittleEndian.Uint64(text[word:])
		if odd == 0 {
			n += jsonwire.Plain(jsonwire.Odd(second))
		}
		if n <= wire.MarkLen && n <= p.limit && data[i] == '"' && text[n] == '"' && text[n+1] == ':' && text[n+2] > ' ' {
			header := len(out)
			out = out[:header+1+n]
			out[header] = 0xa0 | byte(n)
			binary.LittleEndian.PutUint64(out[header+1:cap(out)], first)
			binary.LittleEndian.PutUint64(out[header+1+word:cap(out)], second)
			return out, i + n + 3, wire.MarkOf(first, second, n)
		}
	}
	at := len(out)
	if out, i = p.key(out, i); i < 0 {
		return out, i, wire.Mark{}
	}
	key := packed(out[at:])
	if string(key) == p.secretList {
		i = p.need(i, 2)
		p.secrets = p.secrets || p.at(i) != '[' || p.at(i+1) != ']'
	}
	return out, i, p.keys.Mark(key)
}

// guess is the assumed length of the header of a string of unknown length.
const guess = 3

// oddText appends a string that begins at start, is plain up to i, and does not end
// there.
func (p *jsonToMsgpack) oddText(out []byte, start, i int) ([]byte, int) {
	header := len(out)
	out = slices.Grow(out, guess+i-start+2*word)[:header+guess]
	out = append(out, p.data[start:i]...)
	out, i, wide, fault := jsonwire.AppendString(out, p.data, i)
	switch isEscape := fault != unescape.None; {
	case i-start > p.limit:
		return out, failed
	case p.src != nil && (i == len(p.data) || isEscape && len(p.data)-i < unescape.Longest):
		// Try again with more input. Pieces grow, so the total cost stays
		// proportional.
		at, _ := p.more(start - 1)
		return p.text(out[:header], at)
	case p.at(i) != '"' || wide && !utf8.Valid(out[header+guess:]):
		return out, failed
	}
	return headed(out, header), i + 1
}

// headed writes the header of a string that has a header of the length guess.
func headed(out []byte, at int) []byte {
	n := len(out) - at - guess
	var scratch [5]byte
	header := pack.Text(scratch[:0], n)
	if more := len(header) - guess; more > 0 {
		out = slices.Grow(out, more)
	}
	out = out[:at+len(header)+n]
	copy(out[at+len(header):], out[at+guess:at+guess+n:cap(out)])
	copy(out[at:], header)
	return out
}
