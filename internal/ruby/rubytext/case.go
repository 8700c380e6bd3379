package rubytext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Upcase returns s in upper case by the full mapping of Unicode, as Ruby's
// String#upcase: "ß" becomes "SS". Bytes that are not UTF-8 stay as they are.
func Upcase(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(s)
}

// Downcase returns s in lower case by the full mapping of Unicode, letter by
// letter, as Ruby's String#downcase: a sigma at the end of a word gets no form of
// its own. Bytes that are not UTF-8 stay as they are.
func Downcase(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und, cases.HandleFinalSigma(false)).String(s)
}

// Swapcase returns s with the case of each letter inverted, as Ruby's
// String#swapcase. Bytes that are not UTF-8 stay as they are.
func Swapcase(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case unicode.IsTitle(r):
			b.WriteString(swapTitle(r))
		case unicode.ToLower(r) != r:
			b.WriteString(Downcase(s[:n]))
		default:
			b.WriteString(Upcase(s[:n]))
		}
		s = s[n:]
	}
	return b.String()
}

// swapTitle returns the text that Ruby makes of a character in title case: its
// first letter in lower case, the second one in upper case.
func swapTitle(r rune) string {
	switch r {
	case 'ǅ':
		return "dŽ"
	case 'ǈ':
		return "lJ"
	case 'ǋ':
		return "nJ"
	case 'ǲ':
		return "dZ"
	}
	upper := Upcase(string(r)) // a Greek letter and a capital iota
	_, n := utf8.DecodeRuneInString(upper)
	return Downcase(upper[:n]) + upper[n:]
}

// Capitalize returns s with its first character in title case and the others
// in lower case, as Ruby's String#capitalize. Bytes that are not UTF-8 stay as
// they are.
func Capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	first := cases.Title(language.Und, cases.NoLower).String(s[:n])
	if isGeorgianCapital(r) {
		first = Downcase(s[:n])
	}
	return first + Downcase(s[n:])
}

// isGeorgianCapital reports whether r is one of the capital letters for which
// Ruby takes the small ones as title case.
func isGeorgianCapital(r rune) bool { return 0x1C90 <= r && r <= 0x1CBF }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
