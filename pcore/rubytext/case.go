package rubytext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Upcase returns s in upper case by the full mapping of Unicode, as Ruby's
// String#upcase: "ß" becomes "SS".
func Upcase(s string) string { return mapCase(s, specialUpper, unicode.ToUpper) }

// Downcase returns s in lower case by the full mapping of Unicode, without
// regard to what stands around a letter, as Ruby's String#downcase.
func Downcase(s string) string { return mapCase(s, specialLower, unicode.ToLower) }

// Swapcase returns s with the case of each letter turned round, as Ruby's
// String#swapcase.
func Swapcase(s string) string {
	var b strings.Builder
	for i, r := range s {
		c := s[i : i+runeLen(s[i:], r)]
		switch {
		case unicode.IsTitle(r):
			b.WriteString(swapTitle(r))
		case unicode.ToLower(r) != r:
			b.WriteString(Downcase(c))
		default:
			b.WriteString(Upcase(c))
		}
	}
	return b.String()
}

// Capitalize returns s with its first character in title case and the others
// in lower case, as Ruby's String#capitalize.
func Capitalize(s string) string {
	if s == "" {
		return ""
	}
	_, n := utf8.DecodeRuneInString(s)
	return mapCase(s[:n], specialTitle, toTitle) + Downcase(s[n:])
}

// toTitle is the simple mapping, in which the capital letters of Georgian have
// the small ones as their title case.
func toTitle(r rune) rune {
	if 0x1C90 <= r && r <= 0x1CBF {
		return unicode.ToLower(r)
	}
	return unicode.ToTitle(r)
}

// mapCase maps each character by the special mapping, which may give several,
// or by the simple one. Bytes that are no UTF-8 stay as they are.
func mapCase(s string, special func(rune) string, simple func(rune) rune) string {
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		switch to := special(r); {
		case to != "":
			b.WriteString(to)
		case r == utf8.RuneError:
			b.WriteString(s[i : i+runeLen(s[i:], r)])
		default:
			b.WriteRune(simple(r))
		}
	}
	return b.String()
}

// runeLen returns how many bytes of s its first rune r takes.
func runeLen(s string, r rune) int {
	if r == utf8.RuneError {
		_, n := utf8.DecodeRuneInString(s)
		return n
	}
	return utf8.RuneLen(r)
}
