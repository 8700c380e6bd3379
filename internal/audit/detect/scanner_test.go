package detect

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/verdict"
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
