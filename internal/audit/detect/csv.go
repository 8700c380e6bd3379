package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// table searches the columns of a CSV file whose heading is the name of a secret.
func (t files) table() {
	header := lineEnd(t.S, 0)
	separator := ","
	if strings.Contains(t.S[:header], ";") {
		separator = ";"
	}
	headings := fieldsIn(t.S, 0, header, separator)
	sorts := make([]verdict.Sort, len(headings))
	for i := range headings {
		headings[i].text = strings.Trim(headings[i].text, "\" \r")
		sorts[i] = t.sortOf(headings[i].text)
	}
	if !slices.ContainsFunc(sorts, verdict.Sort.Secret) {
		return
	}
	for start, end := range linesOf(t.S) {
		if start == 0 {
			continue
		}
		for i, f := range fieldsIn(t.S, start, end, separator) {
			if i < len(sorts) && sorts[i].Secret() {
				t.given(headings[i].text, f.start, f.end, sorts[i])
			}
		}
	}
}
