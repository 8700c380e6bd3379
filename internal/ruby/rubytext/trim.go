package rubytext

import (
	"strings"
	"unicode/utf8"
)

// Strip returns s without leading and trailing blanks, as Ruby's String#strip
// does: ASCII blanks and NUL, but no other Unicode blanks.
func Strip(s string) string { return LeftStrip(RightStrip(s)) }

// LeftStrip returns s without leading blanks, as Ruby's String#lstrip does.
func LeftStrip(s string) string { return strings.TrimLeft(s, "\x00 \t\n\v\f\r") }

// RightStrip returns s without trailing blanks, as Ruby's String#rstrip does.
func RightStrip(s string) string { return strings.TrimRight(s, "\x00 \t\n\v\f\r") }

// Chomp returns s without a final line break, which is CR LF, LF or CR, as
// Ruby's String#chomp does.
func Chomp(s string) string {
	if t, ok := strings.CutSuffix(s, "\n"); ok {
		return strings.TrimSuffix(t, "\r")
	}
	return strings.TrimSuffix(s, "\r")
}

// Chop returns s without its last character, as Ruby's String#chop does; CR LF
// counts as one.
func Chop(s string) string {
	if t, ok := strings.CutSuffix(s, "\r\n"); ok {
		return t
	}
	_, n := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-n]
}
