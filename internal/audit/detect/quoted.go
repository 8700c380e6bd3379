package detect

import (
	"github.com/pcatdev/pcat/internal/audit/decode"
	"github.com/pcatdev/pcat/internal/audit/verdict"
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
			a.value = decode.Quoted(s[a.start:a.end], quote, len(escapes) > 0)
			return a, true
		}
	}
	return assignment{}, false
}
