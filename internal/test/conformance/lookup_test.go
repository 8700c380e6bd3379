package conformance

import (
	"testing"

	"github.com/pcatdev/pcat/internal/test/hierarchies"
	"github.com/pcatdev/pcat/pcore"
)

// TestLookup compares lookups in random hierarchies with the recorded ones of real Puppet: values,
// messages and explanations. package reference records them.
func TestLookup(t *testing.T) {
	// The cases are those of package hierarchies.
	for _, r := range []struct {
		file string
		like pcore.Reference
	}{{"testdata/lookup-puppet7.jsonl.gz", pcore.Puppet7}, {"testdata/lookup-openvox8.jsonl.gz", pcore.OpenVox8}} {
		t.Run(r.like.String(), func(t *testing.T) {
			answers, err := hierarchies.ReadAnswers(r.file)
			if err != nil {
				t.Fatal(err)
			}
			if len(answers) != hierarchies.Recorded {
				t.Fatalf("%d answers are recorded, want %d", len(answers), hierarchies.Recorded)
			}
			if testing.Short() {
				answers = answers[:min(len(answers), 30)]
			}
			hierarchies.Compare(t, hierarchies.All(len(answers)), answers, r.like)
		})
	}
}
