// Package catalogtest reads the catalogs of tests.
//
//	JSON   opens a document in rich JSON
//	Only   the catalog in a document
//	Graph  its relationship graph
//	Side   the catalog as one side of a comparison
//
// Shortcuts for reading catalogs in tests belong here; assertions do not.
package catalogtest

import (
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// JSON returns a function that opens a document in rich JSON.
func JSON(document string) func() *catalog.Reader {
	return func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(document), formats.RichJSON(), serialization.DecodeOptions{})
	}
}

// Only returns the only catalog of a document.
func Only(t testing.TB, r *catalog.Reader) *catalog.Catalog {
	t.Helper()
	var only *catalog.Catalog
	for c, err := range r.Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		if only != nil {
			t.Fatal("several catalogs")
		}
		only = c
	}
	if only == nil {
		t.Fatal("no catalog")
	}
	return only
}

// Graph returns the graph of the only catalog of a document.
func Graph(t testing.TB, r *catalog.Reader) *graph.Graph {
	t.Helper()
	g, err := graph.New(Only(t, r))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Side returns the only catalog of a document, to be compared.
func Side(t testing.TB, open func() *catalog.Reader) diff.Side {
	t.Helper()
	return diff.Side{Catalog: Only(t, open()), Document: open}
}
