package bill_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/bill"
)

func TestTotals(t *testing.T) {
	const (
		manifest = `"file":"/m/db.pp","line":7,`
		other    = `"file":"/m/db.pp","line":9,`
	)
	resource := func(title, manifest, value string) string {
		return fmt.Sprintf(`{"type":"File","title":%q,%s"parameters":{"content":%s}}`, title, manifest, value)
	}
	type added struct {
		node  string
		entry *bill.Entry
	}
	policy := bill.Policy{MustBeSensitive: []string{"vault*"}}
	var all []added
	for i := range 5 {
		node := fmt.Sprintf("n%d", i)
		resources := []string{
			resource("/db", "", sprintf),                          // two calls at one location
			resource("/home/"+node, manifest, upcase),             // one line of a manifest, other titles
			resource("/x", manifest, facts),                       // another call
			resource("/y", []string{manifest, other}[i%2], facts), // two lines
		}
		if i == 3 {
			resources = resources[:1]
		}
		for _, e := range read(t, `{"name":"n","resources":[`+strings.Join(resources, ",")+`],"edges":[]}`, bill.Options{}) {
			all = append(all, added{node, e})
		}
	}
	want := `7 4 [n0 n1 n2] $facts(String) File[…]/content 2 /m/db.pp:7 []
5 5 [n0 n1 n2] sprintf(String, vault_lookup::lookup(…)) File[/db]/content 1  []
5 5 [n0 n1 n2] vault_lookup::lookup(String) File[/db]/content/arguments/1 1  [the result of vault_lookup::lookup is not Sensitive]
4 4 [n0 n1 n2] upcase(String) File[…]/content 4 /m/db.pp:7 []
1 1 [n1] $facts(String) File[/y]/content 1 /m/db.pp:9 []
`
	for range 2 {
		var totals bill.Totals
		for _, a := range all {
			totals.Add(a.node, a.entry, a.entry.At, policy.Violations(a.entry))
		}
		var b strings.Builder
		for _, c := range totals.All() {
			at := ""
			if c.File != "" {
				at = fmt.Sprintf("%s:%d", c.File, c.Line)
			}
			fmt.Fprintln(&b, c.Count, c.Nodes, c.Examples, c.String(), c.Location, c.Titles, at, c.Violations)
		}
		if b.String() != want || totals.Count() != 22 || totals.Nodes() != 5 {
			t.Errorf("%d calls on %d nodes\n%swant\n%s", totals.Count(), totals.Nodes(), b.String(), want)
		}
		slices.Reverse(all)
	}
}
