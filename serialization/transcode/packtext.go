package transcode

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pcatdev/pcat/serialization/internal/pack"
	"github.com/pcatdev/pcat/serialization/internal/wire"
)

// word is how many bytes are looked at, and copied, at once.
const word = 8

// text carries the string at i. Its length is known before its header is
// written, but for strings with escapes or characters beyond ASCII.
func (p *packer) text(out []byte, i int) ([]byte, int) {
	start := i + 1
	end := start
	if len(p.data)-start >= 2*word && cap(out)-len(out) > 2*word {
		// Most strings are short: they need no calls.
		first := binary.LittleEndian.Uint64(p.data[start:])
		odd := wire.Odd(first)
		if odd == 0 {
			second := binary.LittleEndian.Uint64(p.data[start+word:])
			if odd = wire.Odd(second); odd == 0 {
				return p.longText(out, start)
			}
			binary.LittleEndian.PutUint64(out[len(out)+1+word:cap(out)], second)
			end += word
		}
		end += wire.Plain(odd)
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

// longText carries a string that begins at start, with 16 bytes that are plain.
// Again, those that end in the next 16 need no calls.
func (p *packer) longText(out []byte, start int) ([]byte, int) {
	if len(p.data)-start > 4*word && cap(out)-len(out) > 4*word {
		text := p.data[start : start+4*word+1]
		n := 2 * word
		odd := wire.Odd(binary.LittleEndian.Uint64(text[n:]))
		if odd == 0 {
			n += word
			odd = wire.Odd(binary.LittleEndian.Uint64(text[n:]))
		}
		n += wire.Plain(odd)
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

// anyText carries a string that begins at start and is plain up to end.
func (p *packer) anyText(out []byte, start, end int) ([]byte, int) {
	end = wire.PlainEnd(p.data, end)
	if end == len(p.data) || p.data[end] != '"' {
		return p.oddText(out, start, end)
	}
	if end-start > p.limit {
		return out, failed
	}
	return append(pack.Text(out, end-start), p.data[start:end]...), end + 1
}

// memberKey is key for a map of which all keys are noted. Most keys are short and
// no blanks follow them; their mark is made of what is in hand.
func (p *packer) memberKey(out []byte, i int) ([]byte, int, wire.Mark) {
	data := p.data
	if len(data)-i > 2*word+4 && cap(out)-len(out) > 2*word {
		text := data[i+1 : i+2*word+4]
		first := binary.LittleEndian.Uint64(text)
		odd := wire.Odd(first)
		n := wire.Plain(odd)
		second := binary.LittleEndian.Uint64(text[word:])
		if odd == 0 {
			n += wire.Plain(wire.Odd(second))
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

// guess is how long the header of a string is taken to be while its length is
// not known.
const guess = 3

// oddText carries the string that begins at start and is plain up to i, where
// something else than its end stands.
func (p *packer) oddText(out []byte, start, i int) ([]byte, int) {
	header := len(out)
	out = slices.Grow(out, guess+i-start+2*word)[:header+guess]
	out = append(out, p.data[start:i]...)
	wide := uint64(0) // all words of the text, put together
	for {
		out, i, wide = wire.Unescape(out, p.data, i, wide)
		data := p.data
		for i < len(data) && data[i] >= ' ' && data[i] != '"' && data[i] != '\\' {
			wide |= uint64(data[i])
			out = append(out, data[i])
			i++
		}
		switch c := p.at(i); {
		case i-start > p.limit:
			return out, failed
		case p.src != nil && len(data)-i < maxEscape:
			// Again, with more of it. Pieces grow, so that this costs no more
			// than reading them.
			at, _ := p.more(start - 1)
			return p.text(out[:header], at)
		case c == '"':
			if wire.Wide(wide) && !utf8.Valid(out[header+guess:]) {
				return out, failed
			}
			return headed(out, header), i + 1
		case c != '\\' || i+1 >= len(data):
			return out, failed
		}
		if c := wire.Unescaped(data[i+1]); c != 0 {
			out = append(out, c)
			i += 2
			continue
		}
		var n int
		if out, n = appendUnescaped(out, data[i+1:]); n == 0 {
			return out, failed
		}
		i += 1 + n
	}
}

// headed puts the header in place of a string behind a header of the length that
// was guessed.
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

// maxEscape is how long an escape may be.
const maxEscape = len(`\ud83d\ude00`)

// appendUnescaped appends the character of the escape whose text, u and four
// digits, follows its backslash, and returns how long that is; 0 when it is
// none.
func appendUnescaped(out, text []byte) ([]byte, int) {
	if text[0] != 'u' {
		return out, 0
	}
	r, n := unicodeEscape(text[1:])
	if n == 0 {
		return out, 0
	}
	return utf8.AppendRune(out, r), 1 + n
}

// unicodeEscape returns the character of an escape, whose text follows its
// \u, or of the two that make a surrogate pair, and how long it is; 0 when it
// is none.
func unicodeEscape(text []byte) (r rune, n int) {
	r, ok := wire.Hex(text)
	if !ok || !utf16.IsSurrogate(r) {
		if !ok {
			return 0, 0
		}
		return r, 4
	}
	if len(text) < 6 || text[4] != '\\' || text[5] != 'u' {
		return 0, 0
	}
	low, ok := wire.Hex(text[6:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 10
}
