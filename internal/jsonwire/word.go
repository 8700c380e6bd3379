package jsonwire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Constants for eight bytes in one word.
const (
	word  = 8
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	// The control characters are below blanks.
	blanks  = ' ' * ones
	quotes  = '"' * ones
	escapes = '\\' * ones
)

// Odd returns a word whose lowest set bit marks the first of the eight bytes of
// w that is not plain in a string. It returns 0 if all are plain. [Plain]
// returns the number of bytes before it.
func Odd(w uint64) uint64 {
	// A subtraction borrows from the next byte only if it is negative, so the
	// lowest set bit is always correct.
	return (w | (w - blanks) | ((w ^ quotes) - ones) | ((w ^ escapes) - ones)) & highs
}

// OddText is Odd with bytes beyond ASCII treated as plain.
func OddText(w uint64) uint64 {
	q, e := w^quotes, w^escapes
	return ((w-blanks)&^w | (q-ones)&^q | (e-ones)&^e) & highs
}

// Plain returns the number of bytes before the first one that odd marks.
func Plain(odd uint64) int { return bits.TrailingZeros64(odd) >> 3 }

// PlainPair is Plain for two adjacent words, without a branch that depends on
// the position of the byte.
func PlainPair(first, second uint64) int {
	n, more := Plain(Odd(first)), Plain(Odd(second))
	return n + more&-(n>>3) // more only if n is 8
}

// Wide reports whether a byte of w is beyond ASCII.
func Wide(w uint64) bool { return w&highs != 0 }

// digits returns the number of digits at the beginning of the eight bytes of w.
func digits(w uint64) int {
	digit := w ^ '0'*ones
	return Plain((digit | (digit&^highs + (highs - 10*ones))) & highs)
}

// PairLen is the number of bytes that [ShortEnd] inspects.
const PairLen = 2 * word

// ShortEnd returns the position of the first byte from start that is not plain,
// in the next 16 bytes, which suffices for most strings. It returns start if
// fewer than 16 bytes of data are left.
func ShortEnd(data []byte, start int) int {
	if len(data)-start < PairLen {
		return start
	}
	two := data[start : start+PairLen]
	return start + PlainPair(binary.LittleEndian.Uint64(two), binary.LittleEndian.Uint64(two[word:]))
}

// PlainEnd returns the position of the first byte of data from i that is not
// plain in a string: a quote, a backslash, a control character or a byte beyond
// ASCII. It returns len(data) if there is none.
func PlainEnd(data []byte, i int) int {
	for ; i+2*word <= len(data); i += 2 * word {
		two := data[i : i+2*word]
		if n := PlainPair(binary.LittleEndian.Uint64(two), binary.LittleEndian.Uint64(two[word:])); n < 2*word {
			return i + n
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// TextEnd is PlainEnd with bytes beyond ASCII treated as plain; wide reports
// whether there are any before the end.
func TextEnd(data []byte, i int) (end int, wide bool) {
	if i = PlainEnd(data, i); i == len(data) || data[i] < utf8.RuneSelf {
		return i, false
	}
	for ; i+word <= len(data); i += word {
		if odd := OddText(binary.LittleEndian.Uint64(data[i:])); odd != 0 {
			return i + Plain(odd), true
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i, true
}
