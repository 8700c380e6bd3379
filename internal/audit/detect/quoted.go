package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
	"github.com/pcatdev/pcat/internal/unescape"
)

// quotedValue returns the string whose quote is at q, preceded by the escapes that begin at
// i, as in JSON inside JSON. The closing quote has the same number of escapes and is before
// end.
func quotedValue(s string, i, q, end int) (assignment, bool) {
	quote, escapes := s[q], s[i:q]
	limit := min(end, q+1+verdict.MaxValue*2)
	for j := q + 1; j < limit; j++ {
		switch {
		case s[j] == '\\' && len(escapes) == 0:
			j++
		case s[j] == quote:
			n := 0
			for j-1-n > q && s[j-1-n] == '\\' {
				n++
			}
			if n != len(escapes) {
				continue
			}
			a := assignment{start: q + 1, end: j - n, quoted: true}
			a.value = unquoted(s[a.start:a.end], quote, len(escapes) > 0)
			return a, true
		}
	}
	return assignment{}, false
}

// unquoted resolves the usual escapes of a quoted string.
func unquoted(s string, quote byte, nested bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		if quote == '\'' {
			return strings.ReplaceAll(s, "''", "'")
		}
		return unescapeXML(s)
	}
	if nested {
		// Each level of nesting doubles the escapes.
		s = strings.NewReplacer(`\\\\`, `\`, `\\`, `\`).Replace(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case quote == '\'' && c != '\'' && c != '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == 'n':
			b.WriteByte('\n')
		case c == 't':
			b.WriteByte('\t')
		case c == 'r':
			b.WriteByte('\r')
		case c == 'u':
			if r, ok := unescape.Hex(s[i+1:]); ok {
				b.WriteRune(r)
				i += 4
			} else {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
