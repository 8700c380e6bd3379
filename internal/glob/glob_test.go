package glob_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/glob"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"a*c", "abbc", true},
		{"a*c", "abcd", false},
		{"*a*b", "xaxbxb", true},
		{"?", "", false},
		{"?", "é", true}, // a character, not a byte
		{"??", "é", false},
		{"*?é", "éé", true},
		{"*??é", "éé", false},
		{"*??bc", "€bc", false}, // a star ends between characters
		{"*??bc", "x€bc", true},
		{"?b", "\xffb", true},
		{"[a]", "a", false},
		{strings.Repeat("*a", 1000) + "b", strings.Repeat("a", 1000), false},
	} {
		if got := glob.Match(tt.pattern, tt.text); got != tt.want {
			t.Errorf("%.20q, %.20q: got %v", tt.pattern, tt.text, got)
		}
	}
}
