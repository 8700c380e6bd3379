package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text returns a table in lines of at most columns characters.
func text(t *Table, columns int) string {
	var b strings.Builder
	_ = t.write(&b, columns, false)
	return b.String()
}

func TestTable(t *testing.T) {
	var table Table
	table.Head("NAME", "SIZE", "ABOUT")
	table.Add("first", "1", "a text of several words that is somewhat long")
	table.Add("", "", "another text")
	table.Add("a\nü", "", "")
	for columns, want := range map[int]string{
		0: `NAME   SIZE  ABOUT
first     1  a text of several words that is somewhat long
             another text
a·ü
`,
		44: `NAME   SIZE  ABOUT
first     1  a text of several words that is
             somewhat long
             another text
a·ü
`,
		30: `NAME   SIZE
first     1
    a text of several words
    that is somewhat long
    another text
a·ü
`,
	} {
		if d := cmp.Diff(want, text(&table, columns)); d != "" {
			t.Errorf("%d columns:\n%s", columns, d)
		}
	}
	if got := text(new(Table), 80); got != "" {
		t.Errorf("an empty table: %q", got)
	}
}
