// Package unescape converts escaped text to the text that it represents.
//
//	Letter, Hex    the parts of an escape in JSON
//	Escape         one escape in JSON, strictly
//	JSON           the contents of a string in JSON, strictly
//	Lenient        any text with such escapes, even with faults
//	Strings        the strings with escapes in a document, for searching them
//	Path, Query    percent-encoding in a URL
//	Readings       all ways to read each character of a text, in any language, for searching it
//
// Nothing here allocates more than the result needs, and everything but Readings is safe for
// concurrent use.
//
// Escapes of every language belong here; where a text ends belongs to the lexers.
package unescape

import (
	"bytes"
	"net/url"
	"unicode/utf16"
	"unicode/utf8"
)

// letters maps each letter after a backslash to its character, or to 0 if it is
// not an escape.
var letters = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// Letter returns the character of a letter after a backslash in JSON, or 0 if
// it is not an escape.
func Letter(letter byte) byte { return letters[letter] }

// hexDigit is set in the values of hexadecimal digits.
const hexDigit = 0x10

// hexValues contains the values of the hexadecimal digits, each with hexDigit.
var hexValues = [256]byte{
	'0': 0x10, '1': 0x11, '2': 0x12, '3': 0x13, '4': 0x14, '5': 0x15, '6': 0x16, '7': 0x17, '8': 0x18, '9': 0x19,
	'a': 0x1a, 'b': 0x1b, 'c': 0x1c, 'd': 0x1d, 'e': 0x1e, 'f': 0x1f, 'A': 0x1a, 'B': 0x1b, 'C': 0x1c, 'D': 0x1d, 'E': 0x1e, 'F': 0x1f,
}

// Hex parses the four hexadecimal digits at the beginning of text.
func Hex[T ~[]byte | ~string](text T) (n rune, ok bool) {
	if len(text) < 4 {
		return 0, false
	}
	first, second, third, fourth := hexValues[text[0]], hexValues[text[1]], hexValues[text[2]], hexValues[text[3]]
	if first&second&third&fourth&hexDigit == 0 {
		return 0, false
	}
	return rune(first&15)<<12 | rune(second&15)<<8 | rune(third&15)<<4 | rune(fourth&15), true
}

// Fault is the reason why an escape spells nothing.
type Fault uint8

// The faults of an escape. None is the zero value.
const (
	None      Fault = iota
	Truncated       // the text ends inside the escape
	BadLetter       // the character after the backslash cannot be escaped
	BadHex          // \u without four hexadecimal digits
	Unpaired        // half of a surrogate pair without the other half
)

// Longest is the length of the longest escape, in bytes.
const Longest = len(`\ud83d\ude00`)

// Escape returns the character and the length of the escape at the beginning of
// text, which may be a surrogate pair. If the second half of a pair is invalid
// or missing, r and n are the value and the length of the first half. For other
// faults n is 0. A text of less than 8 bytes with the fault Unpaired may be the
// beginning of a pair.
func Escape(text []byte) (r rune, n int, fault Fault) {
	if len(text) < 2 {
		return 0, 0, Truncated
	}
	if text[1] != 'u' {
		if c := letters[text[1]]; c != 0 {
			return rune(c), 2, None
		}
		return 0, 0, BadLetter
	}
	if r, fault = unit(text); fault != None || !utf16.IsSurrogate(r) {
		if fault != None {
			return 0, 0, fault
		}
		return r, 6, None
	}
	if len(text) < 8 || text[6] != '\\' || text[7] != 'u' {
		return r, 6, Unpaired
	}
	low, fault := unit(text[6:])
	if fault != None {
		return r, 6, fault
	}
	if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
		return pair, Longest, None
	}
	return r, 6, Unpaired
}

// unit parses \uXXXX, given that \u is present.
func unit(text []byte) (rune, Fault) {
	if len(text) < 6 {
		return 0, Truncated
	}
	r, ok := Hex(text[2:])
	if !ok {
		return 0, BadHex
	}
	return r, None
}

// JSON appends the text of the contents of a string in JSON. Invalid UTF-8 is
// kept. It reports false if an escape is invalid.
func JSON(dst, text []byte) (_ []byte, ok bool) {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...), true
		}
		r, n, fault := Escape(text[i:])
		if fault != None {
			return dst, false
		}
		dst = utf8.AppendRune(append(dst, text[:i]...), r)
		text = text[i+n:]
	}
}

// Lenient appends text with its escapes decoded, wherever they occur. In
// invalid escapes, half of a surrogate pair becomes U+FFFD, a character that
// cannot be escaped becomes itself, and the rest is kept.
func Lenient(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...)
		}
		var n int
		dst, n = lenient(append(dst, text[:i]...), text[i:])
		text = text[i+n:]
	}
}

// lenient appends the text of the escape at the beginning of text and returns
// the length of the escape.
func lenient(dst, text []byte) ([]byte, int) {
	r, n, fault := Escape(text)
	switch {
	case fault == None:
		return utf8.AppendRune(dst, r), n
	case n > 0:
		return utf8.AppendRune(dst, utf8.RuneError), n
	case fault == BadLetter:
		return append(dst, text[1]), 2
	}
	n = min(2, len(text))
	return append(dst, text[:n]...), n
}

// BeforeString is the byte before each text of [Strings]. No text in UTF-8 has it.
const BeforeString = 0xff

// Strings appends the texts of the strings with escapes in a document of
// JSON, each behind [BeforeString]. The document may begin and end inside a string;
// faulty escapes are treated as by [Lenient].
func Strings(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return dst
		}
		// Only strings have escapes, so the quote before the first escape
		// begins its string.
		start := bytes.LastIndexByte(raw[:i], '"') + 1
		dst = append(append(dst, BeforeString), raw[start:i]...)
		for raw = raw[i:]; len(raw) > 0 && raw[0] != '"'; {
			if raw[0] == '\\' {
				var n int
				dst, n = lenient(dst, raw)
				raw = raw[n:]
				continue
			}
			n := 1
			for n < len(raw) && raw[n] != '"' && raw[n] != '\\' {
				n++
			}
			dst = append(dst, raw[:n]...)
			raw = raw[n:]
		}
		raw = raw[min(1, len(raw)):]
	}
}

// Path decodes the path or the user of a URL. It reports false if the text does
// not change or s is not encoded correctly.
func Path(s string) (plain string, changed bool) {
	plain, err := url.PathUnescape(s)
	return plain, err == nil && plain != s
}

// Query is [Path] for the query of a URL, in which a plus is a space.
func Query(s string) (plain string, changed bool) {
	plain, err := url.QueryUnescape(s)
	return plain, err == nil && plain != s
}
