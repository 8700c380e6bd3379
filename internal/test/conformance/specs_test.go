package conformance

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// TestSpecs evaluates expressions of the specifications of Puppet 8, which are not
// among the vectors. Puppet 7.23 and 8.11, OpenVox 8.28.1 and 9.0.0-beta2 gave the
// same answers.
func TestSpecs(t *testing.T) {
	cases, err := Folder("testdata").Cases("specs")
	if err != nil {
		t.Fatal(err)
	}
	known := knownFailures(t)
	for _, reference := range pcore.References() {
		t.Run(reference.String(), func(t *testing.T) {
			l, err := newLanguage("", reference)
			if err != nil {
				t.Fatal(err)
			}
			runFamily(t, "specs", cases, l.eval, known)
		})
	}
}
