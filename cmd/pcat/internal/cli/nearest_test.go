package cli

import (
	"slices"
	"testing"
)

func TestDidYouMean(t *testing.T) {
	known := []string{"own/token", "audit", "type", "formats", "validate", "verify", "version"}
	for word, want := range map[string]string{
		"audti":    "audit",
		"formts":   "formats",
		"form":     "formats", // it begins so
		"valdiate": "validate",
		"verfy":    "verify", // and not version
		"tpye":     "type",
		"audit":    "audit",
		"token":    "own/token",
		"nope":     "", // half of type is another word
		"ty":       "", // too short
		"":         "",
		"differ":   "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		if got := DidYouMean(word, slices.Values(known)); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1},
		{"abc", "abd", 1}, {"abc", "ab", 1}, {"abc", "xabc", 1}, {"abcd", "badc", 2}, {"kitten", "sitting", 3},
	} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := distance(tt.b, tt.a); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
