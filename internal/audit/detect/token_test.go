package detect

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// TestTokensHaveTheLengthOfTheShortest checks that no token is shorter than minToken or
// contains bytes outside of the table of all tokens.
func TestTokensHaveTheLengthOfTheShortest(t *testing.T) {
	k := knownTokens()
	for _, f := range append(slices.Concat(k.prefixed...), k.marked...) {
		head := strings.IndexByte(f.mark, ' ') + 1
		if n := f.least - head; n < minToken {
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
			if end-start >= minToken {
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

// TestCommandsInsideEachOther checks that the words of nested command lines do not
// overwrite each other.
func TestCommandsInsideEachOther(t *testing.T) {
	for _, line := range []string{
		`mysql -u root -p"$(echo one two three)" --password=Kx7mP2qR9v -e 'sh -c "a b c d"'`,
		`(echo 'Kx7mP2qR9v'; echo 'Kx7mP2qR9v') | passwd --stdin root`,
		`sh -c 'mysql --password=Kx7mP2qR9v -e "x y z"' a b c | cat`,
	} {
		found := false
		in := New(verdict.Names{}).Scanner()
		for _, h := range hitsIn(in, &leaf.Leaf{Kind: leaf.Title, Text: line, Resource: &leaf.Resource{Ref: catalog.Ref{Type: "Exec", Title: line}}}) {
			found = found || h.Secret == "Kx7mP2qR9v" && strings.Contains(line[h.Start:h.End], h.Secret)
		}
		if !found {
			t.Errorf("nothing is found in %s", line)
		}
		if len(in.arguments) != 0 {
			t.Errorf("%d words are left of %s", len(in.arguments), line)
		}
	}
}

// The hits of a grammar are limited, and then the search is not complete.
func TestVeryManyHits(t *testing.T) {
	line := "password = Kx7mP2qR9v\n"
	in := New(verdict.Names{}).Scanner()
	in.most = 10
	hits := hitsIn(in, &leaf.Leaf{Kind: leaf.Title, Text: strings.Repeat(line, 100), Resource: &leaf.Resource{Ref: catalog.Ref{Type: "Exec", Title: line}}})
	if len(hits) != in.most || in.Complete() {
		t.Errorf("got %d hits, complete: %t", len(hits), in.Complete())
	}
}
