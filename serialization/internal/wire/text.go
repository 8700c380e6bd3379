package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Eight bytes at a time: each in one byte of a word.
const (
	word  = 8
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

// PlainPair is Plain for two words that follow each other, with no branch that
// depends on where the byte is.
func PlainPair(first, second uint64) int {
	n, more := Plain(Odd(first)), Plain(Odd(second))
	return n + more&-(n>>3) // more only where n is 8
}

// Digits returns how many digits stand before the first of the eight bytes of w
// that is none.
func Digits(w uint64) int {
	digit := w ^ '0'*ones
	return Plain((digit | (digit&^highs + (highs - 10*ones))) & highs)
}

// Wide reports whether one of the bytes of w is beyond ASCII.
func Wide(w uint64) bool { return w&highs != 0 }

// PlainEnd returns the position of the first byte in data, from i on, that is
// not plain in a string of JSON: a quote, a backslash, a control character or
// one beyond ASCII; len(data) when there is none.
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

// hexDigit is set in the values of hexadecimal digits.
const hexDigit = 0x10

// hexValues are the values of the hexadecimal digits, each with hexDigit.
var hexValues = [256]byte{
	'0': 0x10, '1': 0x11, '2': 0x12, '3': 0x13, '4': 0x14, '5': 0x15, '6': 0x16, '7': 0x17, '8': 0x18, '9': 0x19,
	'a': 0x1a, 'b': 0x1b, 'c': 0x1c, 'd': 0x1d, 'e': 0x1e, 'f': 0x1f, 'A': 0x1a, 'B': 0x1b, 'C': 0x1c, 'D': 0x1d, 'E': 0x1e, 'F': 0x1f,
}

// Hex returns the number that the four hexadecimal digits stand for that text begins
// with.
func Hex(text []byte) (n rune, ok bool) {
	if len(text) < 4 {
		return 0, false
	}
	first, second, third, fourth := hexValues[text[0]], hexValues[text[1]], hexValues[text[2]], hexValues[text[3]]
	if first&second&third&fourth&hexDigit == 0 {
		return 0, false
	}
	return rune(first&15)<<12 | rune(second&15)<<8 | rune(third&15)<<4 | rune(fourth&15), true
}

// block is how much of a string with escapes Unescape looks at at once.
const block = 4 * word

// Unescape appends the text of a string of JSON at i, up to something that needs
// a closer look: the end of the string, an escape by a number, what must not stand
// there, or less than two blocks of data. It adds to wide what it moves over, for
// [Wide].
//
// It looks at a block of bytes at once. Behind each escape it copies as many bytes,
// whatever they are, and the next escape takes back what was too much: this way no
// branch depends on how far they are from each other, and none of them waits for the
// one before.
func Unescape(out, data []byte, i int, wide uint64) (_ []byte, end int, _ uint64) {
	if i+1 < len(data) && data[i] == '\\' && unescaped[data[i+1]] == 0 {
		return out, i, wide // most often an escape by a number behind another one
	}
	for len(data)-i >= 2*block+1 {
		if cap(out)-len(out) < 2*block {
			out = slices.Grow(out, len(out)+2*block)
		}
		from := (*[2*block + 1]byte)(data[i:])
		first, second := binary.LittleEndian.Uint64(from[:]), binary.LittleEndian.Uint64(from[word:])
		third, fourth := binary.LittleEndian.Uint64(from[2*word:]), binary.LittleEndian.Uint64(from[3*word:])
		odd := eachOdd(first) | eachOdd(second)<<word | eachOdd(third)<<(2*word) | eachOdd(fourth)<<(3*word)
		at := len(out)
		to := (*[2 * block]byte)(out[at : at+2*block])
		copyBlock((*[block]byte)(to[:]), (*[block]byte)(from[:]))
		moved, gone := block, 0
		for odd != 0 {
			n := bits.TrailingZeros64(odd) & (block - 1)
			c := unescaped[from[n+1]]
			if from[n] != '\\' || c == 0 {
				return out[:at+n-gone], i + n, wide | first&below(n) | second&below(n-word) | third&below(n-2*word) | fourth&below(n-3*word)
			}
			to[n-gone] = c
			gone++ // the backslash
			moved = max(block, n+2)
			copyBlock((*[block]byte)(to[n+2-gone:]), (*[block]byte)(from[n+2:]))
			odd &^= 3 << n
		}
		wide |= first | second | third | fourth
		out = out[:at+moved-gone]
		i += moved
	}
	return out, i, wide
}

func copyBlock(to, from *[block]byte) {
	first, second := binary.LittleEndian.Uint64(from[:]), binary.LittleEndian.Uint64(from[word:])
	third, fourth := binary.LittleEndian.Uint64(from[2*word:]), binary.LittleEndian.Uint64(from[3*word:])
	binary.LittleEndian.PutUint64(to[:], first)
	binary.LittleEndian.PutUint64(to[word:], second)
	binary.LittleEndian.PutUint64(to[2*word:], third)
	binary.LittleEndian.PutUint64(to[3*word:], fourth)
}

// eachOdd returns a bit for each of the eight bytes of w, the first one lowest,
// that is set when OddText would tell the byte if it were the first.
func eachOdd(w uint64) uint64 {
	low := w &^ highs // sums of these never reach the byte above
	plain := w | (low+(highs-blanks))&(low^quotes+(highs-ones))&(low^escapes+(highs-ones))
	const gather = 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42 | 1<<49 | 1<<56
	return ^plain & highs >> 7 * gather >> 56
}

// below returns the bits of the first n bytes of a word.
func below(n int) uint64 { return 1<<(8*max(n, 0)) - 1 }

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
