package psych_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/internal/test/rubytest"
	"github.com/pcatdev/pcat/pcore"
)

// TestDumpIsThatOfPsych writes random texts, also with characters that YAML has to escape or
// that end a line, as values and as keys.
func TestDumpIsThatOfPsych(t *testing.T) {
	rubytest.NeedPsych(t)
	pieces := []string{
		"a", "b c", " ", "\n", "\t", "\r", "\u2028", "\u2029", "  ", "'", `"`, `\`, ":", "#", "-", "1", "yes", "~", "é", "\u00a0", "\u0085", "\ue000", "\ufeff", "\ufffd",
		"\U0001f600", "\U00010000", "\U0010ffff", "\x00", "\x1b", "%", "@", "!", "&", "*", "{", "[", ",", "|", ">", "?", "=", "word word word word",
	}
	random := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, 3000)
	for i := range texts {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		texts[i] = b.String()
	}
	for i, want := range rubytest.Ask[[4]string](t, "testdata/dump.rb", texts) {
		s := pcore.String(texts[i])
		for k, v := range []pcore.Value{
			s, pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: s}), pcore.NewArray(s, pcore.NewArray(s)),
			pcore.NewHash(pcore.Entry{Key: s, Value: pcore.Integer(1)}),
		} {
			var got strings.Builder
			if err := psych.Write(&got, v, psych.Options{}); err != nil || got.String() != want[k] {
				t.Errorf("%q: got %q, %v, want %q", texts[i], &got, err, want[k])
			}
		}
	}
}
