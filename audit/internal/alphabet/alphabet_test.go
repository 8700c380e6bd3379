package alphabet_test

import (
	"testing"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// TestRun checks the length of the run of bytes of an alphabet, also of one without a table.
func TestRun(t *testing.T) {
	for _, tt := range []struct {
		in   alphabet.Alphabet
		text string
		want int
	}{
		{alphabet.Base64URL, "aB9-_+", 5}, {alphabet.Dotted, "a.b c", 3}, {"ab", "abc", 2}, {alphabet.Base64, "", 0},
	} {
		if got := tt.in.Run(tt.text); got != tt.want {
			t.Errorf("%q: got %d, want %d", tt.text, got, tt.want)
		}
	}
}
