// Package literal writes strings and floats in the notation of the Puppet language.
//
// The notation of single literals belongs here; expressions are in package syntax.
package literal

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Quote returns s as a string literal of the language: in single quotes if
// possible, in double quotes if it contains control characters. Like the
// reference implementation, it does not escape a backslash in single quotes: a
// text with one before a quote or at its end does not read back.
func Quote(s string) string { return string(AppendQuoted(nil, s)) }

// DoubleQuote returns s as a string literal in double quotes.
func DoubleQuote(s string) string { return string(AppendDoubleQuoted(nil, s)) }

// AppendQuoted appends the result of [Quote].
func AppendQuoted(b []byte, s string) []byte {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' }) >= 0 {
		return AppendDoubleQuoted(b, s)
	}
	b = append(b, '\'')
	escaped := false
	for i := range len(s) {
		c := s[i]
		switch {
		case escaped:
			b = append(b, '\\', c)
			escaped = false
		case c == '\'':
			b = append(b, '\\', c)
		case c == '\\':
			escaped = true
		default:
			b = append(b, c)
		}
	}
	if escaped {
		b = append(b, '\\')
	}
	return append(b, '\'')
}

// AppendDoubleQuoted appends the result of [DoubleQuote].
func AppendDoubleQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '"' || r == '$' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, `\u{`...)
			b = append(b, strings.ToUpper(strconv.FormatInt(int64(r), 16))...)
			b = append(b, '}')
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// AppendFloat appends f as the reference implementation writes it, in Puppet
// text and in JSON: the shortest digits that parse back to f, always with a
// fraction. It uses an exponent of at least two digits below 1e-4, from 1e16
// on, and from 1e15 on for numbers without a fraction.
func AppendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "NaN"...)
	case math.IsInf(f, 1):
		return append(b, "Infinity"...)
	case math.IsInf(f, -1):
		return append(b, "-Infinity"...)
	}
	abs := math.Abs(f)
	if abs == 0 || abs >= 1e-4 && abs < 1e16 {
		start := len(b)
		b = strconv.AppendFloat(b, f, 'f', -1, 64)
		for _, c := range b[start:] {
			if c == '.' {
				return b
			}
		}
		if abs < 1e15 {
			return append(b, ".0"...)
		}
		b = b[:start]
	}
	var scratch [32]byte
	digits := strconv.AppendFloat(scratch[:0], f, 'e', -1, 64)
	for i, c := range digits {
		if c == '.' {
			return append(b, digits...)
		}
		if c == 'e' {
			b = append(b, digits[:i]...)
			b = append(b, ".0"...)
			return append(b, digits[i:]...)
		}
	}
	return append(b, digits...)
}
