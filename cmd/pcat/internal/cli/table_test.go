package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	var table Table
	table.Head("NAME", "SIZE", "ABOUT")
	table.Add("first", "1", "a text of several words that is somewhat long")
	table.Add("", "", "another text")
	table.Add("a\nü", "", "")
	for columns, want := range map[int]string{
		0: `NAME   SIZE  ABOUT
first  1     a text of several words that is somewhat long
             another text
a·ü          
`,
		44: `NAME   SIZE  ABOUT
first  1     a text of several words that is
             somewhat long
             another text
a·ü          
`,
		30: `NAME   SIZE
first  1
    a text of several words
    that is somewhat long
    another text
a·ü
`,
	} {
		if d := cmp.Diff(want, table.text(columns)); d != "" {
			t.Errorf("%d columns:\n%s", columns, d)
		}
	}
	if got := new(Table).text(80); got != "" {
		t.Errorf("an empty table: %q", got)
	}
}
