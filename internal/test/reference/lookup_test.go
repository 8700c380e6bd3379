package reference

import (
	"flag"
	"os"
	"testing"

	"github.com/pcatdev/pcat/internal/test/hierarchies"
	"github.com/pcatdev/pcat/pcore"
)

// TestLookup compares lookups in random hierarchies with those of the installed Puppet.
func TestLookup(t *testing.T) {
	requirePuppet(t)
	like := pcore.Puppet7
	if os.Getenv("PCAT_LIKE") != "" {
		like = pcore.OpenVox8
	}
	n := 60
	seed := uint64(1)
	puppet := serve(t, "testdata/lookup.rb", t.TempDir())
	asked, unequal, shown := 0, 0, 0
	bad := map[int]bool{}
	for i, c := range hierarchies.All(seed, n) {
		var want []hierarchies.Answer
		if err := puppet.ask(c, &want); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := c.Write(dir); err != nil {
			t.Fatal(err)
		}
		for j, q := range c.Questions {
			got, err := c.Ask(t.Context(), dir, q, like)
			if err != nil {
				t.Fatal(err)
			}
			asked++
			if diff := hierarchies.Diff(got, want[j]); diff != "" {
				unequal++
				bad[i] = true
				if shown++; shown < 60 {
					t.Errorf("case %d, question %d %+v: %s", i, j, q, diff)
				}
			}
		}
	}
	t.Logf("%d questions, %d unequal, in %d of %d hierarchies", asked, unequal, len(bad), n)
}

var _ = flag.Bool
