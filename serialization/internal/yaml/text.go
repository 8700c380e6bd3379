package yaml

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/psych"
)

// isPlain reports whether s needs no quotes because every version of YAML reads
// it as the same text.
func isPlain(s string) bool {
	if s == "" || len(s) > maxSimpleKey || s[len(s)-1] == ' ' || s[len(s)-1] == ':' {
		return false
	}
	for i := 0; i < len(s); {
		c, n := rune(s[i]), 1
		if lower := c | 0x20; 'a' <= lower && lower <= 'z' { // most often
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case c > 0xa0 && unicode.IsLetter(c), c == '_', c == '/':
		case i == 0:
			return false
		case '0' <= c && c <= '9', isInnerSign(c):
		case c == ' ' && s[i+1] != '#' && s[i-1] != ' ':
		case c == ':' && s[i+1] != ' ':
		default:
			return false
		}
		i += n
	}
	return !isWord(s)
}

// isInnerSign reports whether a sign needs no quotes behind the first character.
func isInnerSign(r rune) bool {
	switch r {
	case '.', '-', '+', '@', '%', '=', '~', '$', '(', ')':
		return true
	}
	return false
}

// isWord reports whether some version of YAML reads s as a boolean or null.
func isWord(s string) bool {
	switch s {
	case "y", "Y", "n", "N":
		return true
	}
	return !psych.IsString(s)
}

// isPrintable reports whether r needs no escape in a document and is not a line
// break of any kind.
func isPrintable(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return ' ' <= r && r <= '~'
	case r == utf8.RuneError, r == 0xfeff:
		return false
	}
	return unicode.IsPrint(r)
}

// isLiteral reports whether s can be written as a literal block: lines of
// printable text, of which the first determines the indentation.
func isLiteral(s string) bool {
	if !strings.Contains(s, "\n") || s[0] == '\n' || s[0] == ' ' {
		return false
	}
	blank := true // the line so far
	for _, r := range s {
		switch {
		case r == '\n':
			blank = true
			continue
		case r == '\t' && !blank, isPrintable(r) && (r != ' ' || !blank):
			blank = false
		case r == ' ':
			// An indented line is allowed unless nothing follows.
			continue
		default:
			return false
		}
	}
	return !hasBlankLine(s)
}

// hasBlankLine reports whether a line of s consists of spaces.
func hasBlankLine(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && strings.Trim(line, " ") == "" {
			return true
		}
	}
	return false
}

func appendLiteral(b []byte, s string, indent int) []byte {
	b = append(b, '|')
	text := strings.TrimSuffix(s, "\n")
	switch {
	case text == s:
		b = append(b, '-')
	case strings.HasSuffix(text, "\n"):
		b = append(b, '+')
	}
	b = append(b, '\n')
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			for range indent {
				b = append(b, ' ')
			}
		}
		b = append(append(b, line...), '\n')
	}
	return b
}

// appendQuoted appends s in double quotes, on one line.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for {
		n := 0
		for n < len(s) && ' ' <= s[n] && s[n] <= '~' && s[n] != '"' && s[n] != '\\' {
			n++
		}
		if b = append(b, s[:n]...); n == len(s) {
			return append(b, '"')
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		b, s = appendEscaped(b, r), s[n+size:]
	}
}

// appendEscaped appends a character in double quotes.
func appendEscaped(b []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(b, '\\', byte(r))
	case r == '\n':
		return append(b, `\n`...)
	case r == '\t':
		return append(b, `\t`...)
	case r == '\r':
		return append(b, `\r`...)
	case isPrintable(r):
		return utf8.AppendRune(b, r)
	case r <= 0xff:
		return fmt.Appendf(b, `\x%02X`, r)
	case r <= 0xffff:
		return fmt.Appendf(b, `\u%04X`, r)
	default:
		return fmt.Appendf(b, `\U%08X`, r)
	}
}
