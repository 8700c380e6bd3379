// Package terminal makes untrusted text safe for display: on a terminal, in a
// log, or in a report.
//
//	Hidden      the characters that are replaced
//	Line        for part of a line
//	Text        for text of several lines
//	Sprintf     for a line with untrusted parts
//	Cell        for a cell of a CSV file
//	JSONWriter  for JSON, which escapes the characters instead
//	Encode      for a value as JSON
//	Wrap        breaks a text into lines
//	Width       the number of characters that are shown
//	Paint       gives a text a style
//	Link        makes a text a hyperlink
//	ColorJSON   colours JSON
//
// Everything that keeps untrusted text harmless in output belongs here; masking of secrets
// does not.
package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Replacement appears in place of a hidden character.
const Replacement = '·'

// Hidden reports whether a reader cannot see r, but may see its effect: control
// characters, which command a terminal; characters that change the direction of
// text; line and paragraph separators; and characters without a glyph, such as
// zero-width and tag characters, which make different texts look equal.
func Hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Line returns s with `·` in place of hidden characters, including line breaks
// and tabs, and of bytes that are not UTF-8.
func Line(s string) string {
	i := nextHidden(s)
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		b.WriteRune(Replacement)
		_, size := utf8.DecodeRuneInString(s[i:])
		s = s[i+size:]
		i = nextHidden(s)
	}
	b.WriteString(s)
	return b.String()
}

// nextHidden returns the index of the first hidden character, or of the first
// byte that is not UTF-8; -1 for none.
func nextHidden(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if Hidden(r) || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// Text is like [Line], but preserves line breaks and tabs.
func Text(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(s, "\n\t")
		if i < 0 {
			break
		}
		b.WriteString(Line(s[:i]))
		b.WriteByte(s[i])
		s = s[i+1:]
	}
	if b.Len() == 0 {
		return Line(s)
	}
	b.WriteString(Line(s))
	return b.String()
}

// Sprintf is like [fmt.Sprintf], but applies [Line] to arguments that are text,
// errors or have a String method, so that none of them begins another line or
// column.
func Sprintf(format string, args ...any) string {
	clean := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			clean[i] = Line(a)
		case error:
			clean[i] = Line(a.Error())
		case fmt.Stringer:
			clean[i] = Line(a.String())
		default:
			clean[i] = a
		}
	}
	return fmt.Sprintf(format, clean...)
}

// JSON returns b, which is valid JSON, with escapes in place of hidden
// characters, and of bytes that are not UTF-8. The values stay the same. It
// returns b itself if there are none.
func JSON(b []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(b); {
		if b[i] < 0x7f { // hidden ones are escaped already, or between values
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if Hidden(r) || r == utf8.RuneError && size == 1 {
			out = appendEscape(append(out, b[done:i]...), r)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

func appendEscape(b []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Appendf(b, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}

// JSONWriter returns a writer that applies [JSON] to each write to w. A write
// must not end inside a character; those of a [json.Encoder] never do.
//
// [json.Encoder]: https://pkg.go.dev/encoding/json#Encoder
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

type jsonWriter struct{ w io.Writer }

func (j jsonWriter) Write(p []byte) (int, error) {
	if _, err := j.w.Write(JSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
