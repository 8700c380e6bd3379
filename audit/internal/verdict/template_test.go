package verdict

import (
	"strings"
	"testing"
)

// TestTemplateSyntaxes checks the samples of each syntax. The first syntax that applies to a
// sample is the one beside it, and the similar values are not templates.
func TestTemplateSyntaxes(t *testing.T) {
	for _, list := range [][]templateSyntax{enclosedSyntaxes, markedSyntaxes} {
		for i, syntax := range list {
			t.Run(syntax.name, func(t *testing.T) {
				if len(syntax.yes) == 0 || len(syntax.no) == 0 {
					t.Error("samples are missing")
				}
				for _, s := range syntax.yes {
					if !isTemplate(s) {
						t.Errorf("%q is not a template", s)
					}
					trimmed := strings.Trim(s, templateCutset)
					if is, _ := findSyntax(list[i:i+1], trimmed); !is {
						t.Errorf("%q is not of this syntax", s)
					}
					if _, known := findSyntax(list[:i], trimmed); known {
						t.Errorf("%q is of another syntax, too", s)
					}
				}
				for _, s := range syntax.no {
					if isTemplate(s) {
						t.Errorf("%q is a template", s)
					}
				}
			})
		}
	}
}
