package repair

import (
	"unicode/utf16"
	"unicode/utf8"
)

// unescape returns what a string of JSON stands for, its bytes that are no
// UTF-8 as they are; false when an escape cannot be read.
func unescape(text []byte) ([]byte, bool) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			out = append(out, text[i])
			i++
			continue
		}
		if i+1 >= len(text) {
			return nil, false
		}
		if text[i+1] != 'u' {
			c, ok := simple(text[i+1])
			if !ok {
				return nil, false
			}
			out = append(out, c)
			i += 2
			continue
		}
		r, n, ok := unit(text[i:])
		if !ok {
			return nil, false
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return out, true
}

func simple(c byte) (byte, bool) {
	switch c {
	case '"', '\\', '/':
		return c, true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	default:
		return 0, false
	}
}

// unit reads one escape by number, or the two of a surrogate pair, and returns
// its length.
func unit(text []byte) (rune, int, bool) {
	r, ok := hex4(text)
	if !ok || !utf16.IsSurrogate(r) {
		return r, 6, ok
	}
	low, ok := hex4(text[6:])
	if !ok {
		return 0, 0, false
	}
	r = utf16.DecodeRune(r, low)
	return r, 12, r != utf8.RuneError
}

func hex4(text []byte) (r rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		r <<= 4
		switch {
		case '0' <= c && c <= '9':
			r |= rune(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r |= rune(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	return r, true
}
