package richdata

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
)

// appendInspect appends v as Ruby's inspect shows it, which is how an Array or
// a Hash that is the key of a plain hash is written.
func appendInspect(b []byte, v pcore.Value) []byte {
	switch v := v.(type) {
	case pcore.Undef:
		return append(b, "nil"...)
	case pcore.Default:
		return append(b, ":default"...)
	case pcore.String:
		return appendRubyString(b, string(v))
	case pcore.Symbol:
		return append(append(b, ':'), v...)
	case *pcore.Array:
		b = append(b, '[')
		for i, e := range v.All() {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendInspect(b, e)
		}
		return append(b, ']')
	case *pcore.Hash:
		b = append(b, '{')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ", "...)
			}
			e := v.At(i)
			b = append(appendInspect(b, e.Key), "=>"...)
			b = appendInspect(b, e.Value)
		}
		return append(b, '}')
	case *pcore.Sensitive:
		return append(append(append(b, "#<"...), pcore.RedactedText...), '>')
	default:
		if _, text, ok := scalarText(v); ok && v.Kind() != pcore.KindRegexp {
			return append(b, text...)
		}
		return append(b, v.String()...)
	}
}

// appendRubyString appends s in double quotes with Ruby's escapes.
func appendRubyString(b []byte, s string) []byte {
	b = append(b, '"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '#':
			if i+1 < len(s) && strings.IndexByte("{$@", s[i+1]) >= 0 {
				b = append(b, '\\')
			}
			b = append(b, '#')
		case '\a' <= r && r <= '\r':
			b = append(b, '\\', "abtnvfr"[r-'\a'])
		case r == 0x1b:
			b = append(b, `\e`...)
		case r == 0x7f:
			b = append(b, `\x7F`...)
		case unicode.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r <= 0xffff:
			b = fmt.Appendf(b, `\u%04X`, r)
		default:
			b = fmt.Appendf(b, `\u{%X}`, r)
		}
	}
	return append(b, '"')
}
