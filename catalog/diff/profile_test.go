package diff_test

import (
	"testing"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/redact"
)

// A misspelled kind would select nothing.
func TestUnknownKind(t *testing.T) {
	s := side(t, "")
	for _, k := range append(diff.Kinds(), "", "contet") {
		rule := diff.Rule{Kinds: []diff.Kind{k}}
		for _, o := range []diff.Options{{Only: []diff.Rule{rule}}, {Ignore: []diff.Rule{rule}}, {Ranks: []diff.RankRule{{Rule: rule}}}} {
			_, err := diff.Compare(t.Context(), s, s, redact.NewFinder(nil), o)
			if unknown := k == "" || k == "contet"; unknown != (err != nil) {
				t.Errorf("%q: %v", k, err)
			}
		}
	}
}

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
