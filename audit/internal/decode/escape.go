package decode

import (
	"strings"

	"github.com/pcatdev/pcat/internal/unescape"
)

// XML returns s without the predefined entities of XML.
func XML(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return entities.Replace(s)
}

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&#34;", `"`, "&amp;", "&")

// doubled reverts the escapes of escapes: each level of nesting doubles them.
var doubled = strings.NewReplacer(`\\\\`, `\`, `\\`, `\`)

// Quoted returns the text of a string between quotes, without the usual escapes. If nested
// is set, the quotes are escaped themselves, as in JSON inside JSON.
func Quoted(s string, quote byte, nested bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		if quote == '\'' {
			return strings.ReplaceAll(s, "''", "'")
		}
		return XML(s)
	}
	if nested {
		s = doubled.Replace(s)
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
