package wire

import (
	"encoding/binary"
	"math/bits"
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

// PlainEnd returns the position of the first byte in data, from i on, that is
// not plain in a string of JSON: a quote, a backslash, a control character or
// one beyond ASCII; len(data) when there is none.
func PlainEnd(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		// A difference borrows from the bytes above only where it is
		// negative, so the lowest bit is always right.
		if odd := (w | (w - blanks) | ((w ^ quotes) - ones) | ((w ^ escapes) - ones)) & highs; odd != 0 {
			return i + bits.TrailingZeros64(odd)>>3
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
		w := binary.LittleEndian.Uint64(data[i:])
		q, e := w^quotes, w^escapes
		if odd := ((w-blanks)&^w | (q-ones)&^q | (e-ones)&^e) & highs; odd != 0 {
			return i + bits.TrailingZeros64(odd)>>3
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends text as a string of JSON. Only what must be escaped is.
func AppendQuoted(b, text []byte) []byte {
	b = append(b, '"')
	for {
		n := TextEnd(text, 0)
		b = append(b, text[:n]...)
		if n == len(text) {
			return append(b, '"')
		}
		b = appendEscape(b, text[n])
		text = text[n+1:]
	}
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
