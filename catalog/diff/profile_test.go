package diff_test

import (
	"testing"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/redact"
)

// A misspelled profile would silently ignore nothing.
func TestUnknownProfile(t *testing.T) {
	s := side(t, "")
	for _, p := range append(diff.Profiles(), "", "Upgrade", "puppet-db") {
		_, err := diff.Compare(t.Context(), s, s, redact.NewFinder(nil), diff.Options{Profiles: []diff.Profile{p}})
		if unknown := p == "" || p == "Upgrade" || p == "puppet-db"; unknown != (err != nil) {
			t.Errorf("%q: %v", p, err)
		}
	}
}
