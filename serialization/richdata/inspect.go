package richdata

import (
	"fmt"

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
	}
	if _, text, ok := scalarText(v); ok && v.Kind() != pcore.KindRegexp {
		return append(b, text...)
	}
	return append(b, v.String()...)
}

// appendRubyString appends s in double quotes with Ruby's escapes.
func appendRubyString(b []byte, s string) []byte {
	b = append(b, '"')
	for i, r := range s {
		switch r {
		case '"', '\\':
			b = append(b, '\\', byte(r))
		case '#':
			if i+1 < len(s) && (s[i+1] == '{' || s[i+1] == '$' || s[i+1] == '@') {
				b = append(b, '\\')
			}
			b = append(b, '#')
		case '\a', '\b', '\t', '\n', '\v', '\f', '\r':
			b = append(b, '\\', "abtnvfr"[r-'\a'])
		case 0x1b:
			b = append(b, `\e`...)
		default:
			if r < ' ' || r == 0x7f {
				b = fmt.Appendf(b, `\x%02X`, r)
				continue
			}
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
