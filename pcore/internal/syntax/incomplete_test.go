package syntax_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

func TestIncomplete(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"1", false},
		{"", false},
		{"1 +", true},
		{"[1,", true},
		{"foo(", true},
		{"$x =\n", true},
		{"[1].map |$x| {", true},
		{"if true {", true},
		{"type X =", true},
		{"'abc", true},
		{`"abc ${[1,`, true},
		{"@(X)", true},
		{"@(X)\nabc\n", true},
		{"/* abc", true},
		{"}", false},
		{"1 2 3", false},
		{"{a => ]", false},
		{"1 + ] 'abc", false},
	} {
		if _, err := (syntax.Config{}).ParseProgram("", tt.text); syntax.Incomplete(err) != tt.want {
			t.Errorf("%q: want %v for %v", tt.text, tt.want, err)
		}
	}
}
