package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Eight bytes at a time: each in one byte of a word.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	// Below blanks are the control characters.
	blanks  = ' ' * ones
	quotes  = '"' * ones
	escapes = '\\' * ones
)

// Odd returns a word whose lowest bit tells which of the eight bytes of w, the
// first one lowest, is the first that is not plain in a string of JSON, 0 when
// all are: [Plain] counts those before it.
func Odd(w uint64) uint64 {
	// A difference borrows from the bytes above only where it is negative, so
	// the lowest bit is always right.
	return (w | (w - blanks) | ((w ^ quotes) - ones) | ((w ^ escapes) - ones)) & highs
}

// OddText is Odd where what is beyond ASCII counts as plain.
func OddText(w uint64) uint64 {
	q, e := w^quotes, w^escapes
	return ((w-blanks)&^w | (q-ones)&^q | (e-ones)&^e) & highs
}

// Plain returns how many bytes stand before the first one that odd tells.
func Plain(odd uint64) int { return bits.TrailingZeros64(odd) >> 3 }

// Wide reports whether one of the bytes of w is beyond ASCII.
func Wide(w uint64) bool { return w&highs != 0 }

// PlainEnd returns the position of the first byte in data, from i on, that is
// not plain in a string of JSON: a quote, a backslash, a control character or
// one beyond ASCII; len(data) when there is none.
func PlainEnd(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if odd := Odd(binary.LittleEndian.Uint64(data[i:])); odd != 0 {
			return i + Plain(odd)
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// TextEnd is PlainEnd where what is beyond ASCII counts as plain.
func TextEnd(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if odd := OddText(binary.LittleEndian.Uint64(data[i:])); odd != 0 {
			return i + Plain(odd)
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// unescaped are the characters that letters stand for behind a backslash, 0 for
// those that stand for none.
var unescaped = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// Unescaped returns the character that a letter stands for behind a backslash, 0
// for those that stand for none.
func Unescaped(letter byte) byte { return unescaped[letter] }

// Unescape appends the text of a string of JSON at i, up to something that needs
// a closer look: the end of the string or of data, an escape by a number, or what
// must not stand there. It adds to wide what it moves over, for [Wide].
func Unescape(out, data []byte, i int, wide uint64) ([]byte, int, uint64) {
	const word = 8
	for len(data)-i > word+1 {
		if cap(out)-len(out) < word {
			out = slices.Grow(out, len(out)+word)
		}
		w := binary.LittleEndian.Uint64(data[i:])
		at := len(out)
		binary.LittleEndian.PutUint64(out[at:at+word], w)
		odd := OddText(w)
		if odd == 0 {
			wide |= w
			out = out[:at+word]
			i += word
			continue
		}
		n := Plain(odd)
		wide |= w << (64 - 8*n) // a shift by all of 64 bits leaves nothing
		i += n
		c := unescaped[data[i+1]]
		if data[i] != '\\' || c == 0 {
			return out[:at+n], i, wide
		}
		out = out[:at+n+1]
		out[at+n] = c
		i += 2
	}
	return out, i, wide
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends text as a string of JSON. Only what must be escaped is.
func AppendQuoted(b, text []byte) []byte {
	b = slices.Grow(b, len(text)+len(text)/8+2+8)
	b = append(b, '"')
	for len(text) >= 8 {
		// Eight bytes are copied at once, and those taken back that were too
		// many: most stretches between two escapes are short.
		w := binary.LittleEndian.Uint64(text)
		if cap(b)-len(b) < 8 {
			b = slices.Grow(b, len(text)+8)
		}
		n := len(b)
		b = b[:n+8]
		binary.LittleEndian.PutUint64(b[n:], w)
		odd := OddText(w)
		if odd == 0 {
			text = text[8:]
			continue
		}
		plain := Plain(odd)
		b = appendEscape(b[:n+plain], text[plain])
		text = text[plain+1:]
	}
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			b = appendEscape(b, c)
		} else {
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// escapeOf is the letter that stands for a character behind a backslash, 0 for
// those that have none.
const escapeOf = "\x00\x00\x00\x00\x00\x00\x00\x00btn\x00fr\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

func appendEscape(b []byte, c byte) []byte {
	if c >= ' ' { // a quote or a backslash
		return append(b, '\\', c)
	}
	if letter := escapeOf[c]; letter != 0 {
		return append(b, '\\', letter)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
