package detect

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// TestCommandsInsideEachOther checks that the words of nested command lines do not
// overwrite each other.
func TestCommandsInsideEachOther(t *testing.T) {
	for _, line := range []string{
		`mysql -u root -p"$(echo one two three)" --password=Kx7mP2qR9v -e 'sh -c "a b c d"'`,
		`(echo 'Kx7mP2qR9v'; echo 'Kx7mP2qR9v') | passwd --stdin root`,
		`sh -c 'mysql --password=Kx7mP2qR9v -e "x y z"' a b c | cat`,
	} {
		found := false
		in := New(verdict.Names{}).Scanner()
		for _, h := range hitsIn(in, &leaf.Leaf{Kind: leaf.Title, Text: line, Resource: &leaf.Resource{Ref: catalog.Ref{Type: "Exec", Title: line}}}) {
			found = found || h.Secret == "Kx7mP2qR9v" && strings.Contains(line[h.Start:h.End], h.Secret)
		}
		if !found {
			t.Errorf("nothing is found in %s", line)
		}
		if len(in.arguments) != 0 {
			t.Errorf("%d words are left of %s", len(in.arguments), line)
		}
	}
}

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
