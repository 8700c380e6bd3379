package function

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/rubytext"
)

// Text returns what v becomes in an interpolated string: nothing for undef, a
// Regexp with its slashes, and in an array or hash the same for each part. A
// Sensitive is its redaction.
func Text(v pcore.Value) string { return string(appendText(nil, v)) }

func appendText(b []byte, v pcore.Value) []byte {
	switch v := v.(type) {
	case *pcore.Regexp:
		return append(b, v.String()...)
	case *pcore.Array:
		b = append(b, '[')
		for i, e := range v.All() {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendText(b, e)
		}
		return append(b, ']')
	case *pcore.Hash:
		b = append(b, '{')
		first := true
		for k, e := range v.All() {
			if !first {
				b = append(b, ", "...)
			}
			first = false
			b = append(appendText(b, k), " => "...)
			b = appendText(b, e)
		}
		return append(b, '}')
	default:
		return append(b, rubytext.Text(v)...)
	}
}
