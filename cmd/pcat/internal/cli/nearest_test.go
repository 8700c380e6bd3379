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
