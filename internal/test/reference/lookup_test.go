package reference

import (
	"os"
	"testing"

	"github.com/pcatdev/pcat/internal/test/hierarchies"
	"github.com/pcatdev/pcat/pcore"
)

// TestLookup compares lookups in random hierarchies with those of the installed Puppet. With
// PCAT_RECORD=NAME, it asks about all of them, with PCAT_LIKE for another reference in RUBYLIB,
// and writes the answers for package conformance.
func TestLookup(t *testing.T) {
	requirePuppet(t)
	like, n := pcore.Puppet7, 40
	record := os.Getenv("PCAT_RECORD")
	if record != "" {
		n = hierarchies.Recorded
	}
	if name := os.Getenv("PCAT_LIKE"); name != "" {
		var err error
		if like, err = pcore.ParseReference(name); err != nil {
			t.Fatal(err)
		}
	}
	puppet := serve(t, "testdata/lookup.rb", t.TempDir())
	answers := make([][]hierarchies.Answer, n)
	cases := hierarchies.All(n)
	for i, c := range cases {
		if err := puppet.ask(c, &answers[i]); err != nil {
			t.Fatal(err)
		}
	}
	if record != "" {
		if err := hierarchies.WriteAnswers(record, answers); err != nil {
			t.Fatal(err)
		}
	}
	hierarchies.Compare(t, cases, answers, like)
}
