package pcore

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

func format(v Value) string { return string(appendValue(nil, v)) }

// appendValue appends v in the notation of the language.
func appendValue(b []byte, v Value) []byte {
	switch v := v.(type) {
	case Undef:
		return append(b, "undef"...)
	case Default:
		return append(b, "default"...)
	case Boolean:
		return strconv.AppendBool(b, bool(v))
	case Integer:
		return strconv.AppendInt(b, int64(v), 10)
	case BigInteger:
		return append(b, v.Text()...)
	case Float:
		return AppendFloat(b, float64(v))
	case String:
		return appendQuoted(b, string(v))
	case Symbol:
		return append(append(b, ':'), v...)
	case *Regexp:
		return appendRegexp(b, v.source)
	case Binary:
		return append(append(append(b, `Binary("`...), v.Base64()...), `")`...)
	case Timestamp:
		return append(append(append(b, "Timestamp('"...), v.Text()...), "')"...)
	case Timespan:
		return append(append(append(b, "Timespan('"...), v.Text()...), "')"...)
	case *SemVer:
		return append(append(append(b, "SemVer('"...), v.Text()...), "')"...)
	case *SemVerRange:
		return append(append(append(b, "SemVerRange('"...), v.Text()...), "')"...)
	case *URI:
		return append(appendQuoted(append(b, "URI("...), v.Text()), ')')
	case *Array:
		return appendArray(b, v)
	case *Hash:
		return appendHash(b, v)
	case *Sensitive:
		return append(b, RedactedText...)
	case *Deferred:
		return appendCall(b, "Deferred", deferredInit(v))
	case *Object:
		return appendCall(b, v.TypeName(), v.InitHash())
	case *Iterator:
		return append(b, v.String()...)
	case Type:
		return append(b, v.String()...)
	default:
		return fmt.Append(b, v)
	}
}

func deferredInit(v *Deferred) *Hash {
	init := []Entry{{String("name"), String(v.name)}}
	if v.args != nil {
		init = append(init, Entry{String("arguments"), v.args})
	}
	return NewHash(init...)
}

func appendCall(b []byte, name string, init *Hash) []byte {
	b = append(append(b, name...), '(')
	return append(appendHash(b, init), ')')
}

func appendArray(b []byte, v *Array) []byte {
	b = append(b, '[')
	for i, e := range v.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendValue(b, e)
	}
	return append(b, ']')
}

func appendHash(b []byte, v *Hash) []byte {
	b = append(b, '{')
	first := true
	for k, e := range v.All() {
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = append(appendValue(b, k), " => "...)
		b = appendValue(b, e)
	}
	return append(b, '}')
}

// appendRegexp escapes slashes that are not yet escaped.
func appendRegexp(b []byte, source string) []byte {
	b = append(b, '/')
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\' && i+1 < len(source):
			b = append(b, c, source[i+1])
			i++
		case c == '/':
			b = append(b, '\\', '/')
		default:
			b = append(b, c)
		}
	}
	return append(b, '/')
}

// Quote returns s as a string literal of the language: in single quotes if
// possible, in double quotes if it contains control characters. Like the
// reference implementation, it does not escape a backslash in single quotes: a
// text with one before a quote or at its end does not read back.
func Quote(s string) string { return string(appendQuoted(nil, s)) }

// DoubleQuote returns s as a string literal in double quotes.
func DoubleQuote(s string) string { return string(appendDoubleQuoted(nil, s)) }

func appendQuoted(b []byte, s string) []byte {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' }) >= 0 {
		return appendDoubleQuoted(b, s)
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

func appendDoubleQuoted(b []byte, s string) []byte {
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
