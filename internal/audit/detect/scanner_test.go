package detect

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/verdict"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

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

// The search of a short text without secrets allocates nothing: catalogs have many.
func TestShortTextsAllocateNothing(t *testing.T) {
	document := []byte(`{"name":"n","resources":[{"type":"File","title":"/x","parameters":{"mode":"0644 or so"}}]}`)
	in := New(verdict.Names{}).Scanner()
	checked := false
	err := leaf.Walk(catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{}), "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		if l.Parameter() != "mode" {
			return
		}
		checked = true
		allocs := testing.AllocsPerRun(100, func() {
			for text := range in.Texts(l) {
				for range text.Hits() {
					t.Error("there is a hit")
				}
			}
		})
		if allocs > 0 {
			t.Errorf("%v allocations", allocs)
		}
	}})
	if err != nil || !checked {
		t.Fatal(err, checked)
	}
}
