package diff_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/redact"
)

// TestPairs compares the pairs of catalogs that real Puppet compiled. The comments of
// their manifests are the truth; see testdata/PROVENANCE.md.
func TestPairs(t *testing.T) {
	manifests, err := filepath.Glob(filepath.Join("..", "..", "testdata", "diff", "*.pp"))
	if err != nil || len(manifests) < 15 {
		t.Fatalf("%d pairs: %v", len(manifests), err)
	}
	for _, manifest := range manifests {
		name := strings.TrimSuffix(manifest, ".pp")
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(manifest)
			if err != nil {
				t.Fatal(err)
			}
			profile, want, refreshed := diff.Profile("default"), []string{}, []string{}
			for line := range strings.Lines(string(text)) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
				switch key {
				case "# profile":
					profile = diff.Profile(value)
				case "# change":
					want = append(want, value)
				case "# refresh":
					refreshed = append(refreshed, value)
				}
			}
			r, err := diff.Compare(t.Context(), file(t, name+".old.json"), file(t, name+".new.json"), redact.NewFinder(nil), diff.Options{Profiles: []diff.Profile{profile}})
			if err != nil {
				t.Fatal(err)
			}
			got, refreshes := strings.Split(changes(r), "\n"), []string{}
			if len(r.Changes) == 0 {
				got = []string{}
			}
			for _, c := range r.Changes {
				for _, e := range c.Effects {
					if e.Effect == "refresh" {
						refreshes = append(refreshes, e.Ref)
					}
				}
			}
			for _, list := range [][]string{got, want, refreshes, refreshed} {
				slices.Sort(list)
			}
			refreshes = slices.Compact(refreshes)
			if !slices.Equal(got, want) || !slices.Equal(refreshes, refreshed) {
				t.Errorf("got\n%s\nwant\n%s\nrefreshes %q, want %q", strings.Join(got, "\n"), strings.Join(want, "\n"), refreshes, refreshed)
			}
		})
	}
}

// file returns the catalog in a file.
func file(t *testing.T, name string) diff.Side {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return catalogtest.Side(t, catalogtest.JSON(string(data)))
}
