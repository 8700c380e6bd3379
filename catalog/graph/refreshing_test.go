package graph_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
)

// Refreshing leaves out only what does not matter to refreshes.
func TestRefreshing(t *testing.T) {
	var files []string
	for _, pattern := range []string{"graphs/*.json", "diff/*.json", "catalogs/*/rich.*", "catalogs/*/puppetdb.json", "catalogs/*/agent.*"} {
		found, err := filepath.Glob(filepath.Join("../../testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	refreshes := 0
	for _, file := range files {
		f, err := catalog.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		c := catalogtest.Only(t, f.Reader)
		whole, err := graph.New(c)
		if err != nil {
			t.Fatal(err)
		}
		part, err := graph.Refreshing(c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole.Len() {
			want, got := whole.Refreshes(i), part.Refreshes(i)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: refreshes of %s (-whole +part)\n%s", file, whole.Node(i).Ref, diff)
			}
			refreshes += len(got)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 100 || refreshes < 50 {
		t.Errorf("%d files, %d refreshes", len(files), refreshes)
	}
}
