package token

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTokensHaveTheLengthOfTheShortest checks that no token is shorter than MinLen or
// contains bytes outside of the table of all tokens.
func TestTokensHaveTheLengthOfTheShortest(t *testing.T) {
	k := knownTokens()
	for _, f := range append(slices.Concat(k.prefixed...), k.marked...) {
		head := strings.IndexByte(f.mark, ' ') + 1
		if n := f.least - head; n < MinLen {
			t.Errorf("a token of %s may have %d bytes", f.id, n)
		}
		all := f.union()
		for c := range all {
			if c != ' ' && all[c] && !k.in[c] {
				t.Errorf("%q stands in tokens of %s", rune(c), f.id)
			}
		}
		if k.head < head {
			t.Errorf("the head is shorter than that of %q", f.mark)
		}
	}
}

// TestStretchesHoldAllThatMayBeAToken checks that each sufficiently long run of token bytes
// is in one stretch, with the head of a prefix before it.
func TestStretchesHoldAllThatMayBeAToken(t *testing.T) {
	k := knownTokens()
	word := rapid.StringMatching(`[a-z0-9._/=-]{0,30}`)
	gap := rapid.StringMatching(`[ \n"]{1,3}|[ \n]{60,80}`)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "words") {
			b.WriteString(gap.Draw(t, "gap") + word.Draw(t, "word"))
		}
		s, at := b.String(), 0
		held := make([]bool, len(s))
		for from, to := range k.stretches(s) {
			if from < at || from >= to || to > len(s) {
				t.Fatalf("%d to %d follows what ends at %d", from, to, at)
			}
			at = to
			for i := from; i < to; i++ {
				held[i] = true
			}
		}
		for start := 0; start < len(s); {
			end := start
			for end < len(s) && k.in[s[end]] {
				end++
			}
			if end-start >= MinLen {
				for i := max(0, start-k.head); i < end; i++ {
					if !held[i] {
						t.Fatalf("%q: byte %d of the run from %d to %d is left out", s, i, start, end)
					}
				}
			}
			start = end + 1
		}
	})
}

func TestShapesThatAreNone(t *testing.T) {
	for _, text := range []string{"a{hex:8", "a{hex}", "a{greek:8}", "a{hex:x}", "a{hex:1-x}"} {
		if s, err := parseShape(text, tables{}); err == nil {
			t.Errorf("%s: no error, but %v", text, s)
		}
	}
}

func TestUnknownCheck(t *testing.T) {
	if f, err := newIssued([]string{"walrus", "walrus_{hex:32}", "random+tusks"}, tables{}); err == nil {
		t.Errorf("no error, but the form %v", f)
	}
}

// TestChecks checks each check that a row of the table can name.
func TestChecks(t *testing.T) {
	for _, tt := range []struct {
		check, body string
		want        bool
	}{
		{"crc62", "walrus7", false},
		{"crc62", "walrus", false},
		{"random", "q8ZkPw2LmN4rT6vX", true},
		{"random", "walrus-granite-bramble", false},
		{"mixed", "walrusOtter", true},
		{"mixed", "walrusotter", false},
		{"mixed", "WALRUSOTTER", false},
		{"varied", "WALRusot7", true},
		{"varied", "Walrus7", false},
		{"varied", "WALRusotter", false},
		{"grafana", "d2FscnVz", false},
		{"tunnel", "d2FscnVz", false},
	} {
		if got := tokenChecks[tt.check](tt.body, tt.body); got != tt.want {
			t.Errorf("%s: %q: got %t", tt.check, tt.body, got)
		}
	}
}
