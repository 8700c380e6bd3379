package jsonwire

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/unescape"
)

// AppendString appends the text of a string from i, a position inside it. It
// stops at the closing quote, a control character, an invalid escape or the end
// of data, and returns that position as end. It also returns the fault of the
// escape, and whether the string from i contains bytes beyond ASCII, which are
// not validated.
func AppendString(dst, data []byte, i int) (_ []byte, end int, wide bool, fault unescape.Fault) {
	all := uint64(0) // accumulates the high bits of the text
	for {
		dst, i, all = appendBlocks(dst, data, i, all)
		for i < len(data) && data[i] >= ' ' && data[i] != '"' && data[i] != '\\' {
			dst = append(dst, data[i])
			all |= uint64(data[i])
			i++
		}
		if i >= len(data) || data[i] != '\\' {
			return dst, i, Wide(all), unescape.None
		}
		if i+1 < len(data) {
			if c := unescape.Letter(data[i+1]); c != 0 {
				dst = append(dst, c)
				i += 2
				continue
			}
		}
		r, n, fault := unescape.Escape(data[i:])
		if fault != unescape.None {
			return dst, i, Wide(all), fault
		}
		dst = utf8.AppendRune(dst, r)
		i += n
	}
}

// block is the number of bytes that appendBlocks processes at a time.
const block = 4 * word

// appendBlocks appends the text of a string from i on, up to something that needs
// a closer look: the end of the string, an escape by a number, a fault, or less
// than two blocks of data. It adds the bytes it moves over to wide, for [Wide].
//
// It looks at a block of bytes at once. Behind each escape it copies as many bytes,
// whatever they are, and the next escape takes back those that were too many: this
// way no branch depends on how far they are from each other, and none of them waits
// for the one before.
func appendBlocks(out, data []byte, i int, wide uint64) (_ []byte, end int, _ uint64) {
	if i+1 < len(data) && data[i] == '\\' && unescape.Letter(data[i+1]) == 0 {
		return out, i, wide // usually a numeric escape after another one
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
			c := unescape.Letter(from[n+1])
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

// eachOdd returns a bit for each of the eight bytes of w, with the lowest bit
// for the first byte. The bit is set if OddText would mark the byte as the
// first one.
func eachOdd(w uint64) uint64 {
	low := w &^ highs // sums of these never carry into the next byte
	plain := w | (low+(highs-blanks))&(low^quotes+(highs-ones))&(low^escapes+(highs-ones))
	return gather(^plain&highs) >> (64 - word)
}

// gather moves the highest bit of each byte to the highest byte, with the first
// byte as the lowest bit. The other bits must be zero.
func gather(w uint64) uint64 { return w * 0x0002040810204081 & (0xff << 56) }

// below returns the bits of the first n bytes of a word.
func below(n int) uint64 { return 1<<(8*max(n, 0)) - 1 }

const hexDigits = "0123456789abcdef"

// AppendQuoted appends text as a string with the minimum of escapes.
func AppendQuoted[Text []byte | string](b []byte, text Text) []byte {
	b = slices.Grow(b, len(text)+len(text)/8+2+8)
	b = append(b, '"')
	for len(text) >= word {
		// Eight bytes are copied at once, and the surplus is taken back: most
		// stretches between two escapes are short.
		w := firstWord(text)
		if cap(b)-len(b) < word {
			b = slices.Grow(b, len(text)+word)
		}
		n := len(b)
		b = b[:n+word]
		binary.LittleEndian.PutUint64(b[n:], w)
		odd := OddText(w)
		if odd == 0 {
			text = text[word:]
			continue
		}
		plain := Plain(odd)
		b = appendEscape(b[:n+plain], text[plain])
		text = text[plain+1:]
	}
	if rest := len(text); rest > 0 {
		w := lastWord(text)
		if OddText(w|blanks<<(8*rest)) == 0 {
			n := len(b)
			b = slices.Grow(b, word+1)[:n+word]
			binary.LittleEndian.PutUint64(b[n:], w)
			return append(b[:n+rest], '"')
		}
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			b = appendEscape(b, c)
		} else {
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// AppendPlain appends text as a string if all of it is plain: ASCII without
// escapes, as most texts are. Otherwise it returns b and false.
func AppendPlain(b []byte, text string) (_ []byte, ok bool) {
	n := len(b)
	out := slices.Grow(b, len(text)+2+word)
	out = out[:cap(out)]
	out[n] = '"'
	n++
	for ; len(text) >= word; text = text[word:] {
		w := firstWord(text)
		if Odd(w) != 0 {
			return b, false
		}
		binary.LittleEndian.PutUint64(out[n:], w)
		n += word
	}
	if rest := len(text); rest > 0 {
		w := lastWord(text)
		if Odd(w|blanks<<(8*rest)) != 0 {
			return b, false
		}
		binary.LittleEndian.PutUint64(out[n:], w)
		n += rest
	}
	out[n] = '"'
	return out[:n+1], true
}

// firstWord returns the first eight bytes of text as a little-endian number.
// The compiler turns it into a single load.
func firstWord[Text []byte | string](text Text) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

// lastWord returns text, which has one to seven bytes, as a little-endian
// number. The bytes above are zero.
func lastWord[Text []byte | string](text Text) uint64 {
	n := len(text)
	if n < 4 {
		return uint64(text[0]) | uint64(text[n/2])<<(8*(n/2)) | uint64(text[n-1])<<(8*(n-1))
	}
	first := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24
	end := text[n-4:]
	return first | (uint64(end[0])|uint64(end[1])<<8|uint64(end[2])<<16|uint64(end[3])<<24)<<(8*(n-4))
}

// escapeOf contains the letter of the escape for each control character, or 0
// if there is none.
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
