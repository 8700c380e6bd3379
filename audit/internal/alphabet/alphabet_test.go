package alphabet_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

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

// TestContainedIn checks the set of the bytes of short and of long texts.
func TestContainedIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "text"))
		set := alphabet.ContainedIn(text)
		for c := range 256 {
			if has := strings.IndexByte(text, byte(c)) >= 0; set.Has(byte(c)) != has {
				t.Fatalf("byte %d in %q: %t", c, text, !has)
			}
		}
	})
}
