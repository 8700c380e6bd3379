package sensitive

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// searchable returns text in which each string of a document stands as it is:
// JSON with its escapes undone. The result is raw itself when there are none;
// else it is made in scratch, which is returned, too.
func searchable(raw, scratch []byte) (text, grown []byte) {
	i := bytes.IndexByte(raw, '\\')
	if i < 0 {
		return raw, scratch
	}
	b := scratch[:0]
	for i >= 0 {
		b = append(b, raw[:i]...)
		grown, n := appendUnescaped(b, raw[i:])
		b, raw = grown, raw[i+n:]
		i = bytes.IndexByte(raw, '\\')
	}
	b = append(b, raw...)
	return b, b
}

// unescaped returns what the strings of JSON that have escapes stand for, each
// behind a quote; it is made in scratch. raw may begin and end inside a string.
func unescaped(raw, scratch []byte) []byte {
	b := scratch[:0]
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return b
		}
		// Escapes stand in strings only, so that the quote before the first
		// one begins its string.
		start := bytes.LastIndexByte(raw[:i], '"') + 1
		b = append(b, '"')
		b = append(b, raw[start:i]...)
		raw = raw[i:]
		for len(raw) > 0 && raw[0] != '"' {
			if raw[0] == '\\' {
				grown, n := appendUnescaped(b, raw)
				b, raw = grown, raw[n:]
				continue
			}
			plain := 1
			for plain < len(raw) && raw[plain] != '"' && raw[plain] != '\\' {
				plain++
			}
			b = append(b, raw[:plain]...)
			raw = raw[plain:]
		}
		raw = raw[min(1, len(raw)):]
	}
}

// appendUnescaped appends what the escape at the beginning of raw stands for,
// and returns its length.
func appendUnescaped(b, raw []byte) ([]byte, int) {
	if len(raw) < 2 {
		return append(b, raw...), len(raw)
	}
	switch c := raw[1]; c {
	case 'n':
		return append(b, '\n'), 2
	case 't':
		return append(b, '\t'), 2
	case 'r':
		return append(b, '\r'), 2
	case 'b':
		return append(b, '\b'), 2
	case 'f':
		return append(b, '\f'), 2
	case 'u':
		r, ok := unit(raw)
		if !ok {
			return append(b, raw[:2]...), 2
		}
		if utf16.IsSurrogate(r) {
			if low, ok := unit(raw[6:]); ok {
				return utf8.AppendRune(b, utf16.DecodeRune(r, low)), 12
			}
		}
		return utf8.AppendRune(b, r), 6
	default:
		return append(b, c), 2
	}
}

func unit(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(n), err == nil
}
