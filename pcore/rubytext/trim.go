package rubytext

import (
	"strings"
	"unicode/utf8"
)

// Strip returns s without the blanks around it, as Ruby's String#strip: those
// of ASCII and NUL, and no others of Unicode.
func Strip(s string) string { return LeftStrip(RightStrip(s)) }

// LeftStrip returns s without the blanks before it, as Ruby's String#lstrip.
func LeftStrip(s string) string { return strings.TrimLeft(s, "\x00 \t\n\v\f\r") }

// RightStrip returns s without the blanks after it, as Ruby's String#rstrip.
func RightStrip(s string) string { return strings.TrimRight(s, "\x00 \t\n\v\f\r") }

// Chomp returns s without one end of line, which is CR LF, LF or CR, as Ruby's
// String#chomp.
func Chomp(s string) string {
	if t, ok := strings.CutSuffix(s, "\n"); ok {
		return strings.TrimSuffix(t, "\r")
	}
	return strings.TrimSuffix(s, "\r")
}

// Chop returns s without its last character; CR LF counts as one. It is Ruby's
// String#chop.
func Chop(s string) string {
	if t, ok := strings.CutSuffix(s, "\r\n"); ok {
		return t
	}
	_, n := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-n]
}
