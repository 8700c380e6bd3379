package intern_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/internal/intern"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/pcore"
)

// Values are shared if and only if their bytes determine them.
func TestTable(t *testing.T) {
	parameters := []string{
		`{"a":"1","b":"2"}`, `{"a":"1","b":"2"}`, `{"a":"12","b":""}`, `{"a":"1"}`,
		`{"a":{"__ptype":"Sensitive","__pvalue":"1"}}`, `{"a":{"__ptype":"Sensitive","__pvalue":"1"}}`,
	}
	var table intern.Table[int]
	var got []int
	for i, text := range parameters {
		c := catalogtest.Only(t, catalogtest.JSON(`{"name":"n","resources":[{"type":"File","title":"/x","parameters":`+text+`}],"edges":[]}`)())
		r := c.Resources()[0]
		members, err := r.RawParameters()
		if err != nil {
			t.Fatal(err)
		}
		table.Reset(r.Wire())
		for k := range members {
			table.Member(&members[k])
		}
		first, ok := table.Get()
		if !ok {
			table.Set(i)
			first = i
		}
		got = append(got, first)
	}
	if want := "[0 0 2 3 4 5]"; fmt.Sprint(got) != want {
		t.Errorf("%v; want %s", got, want)
	}
}

// A value that a program made has no bytes, and different values do not fill the table.
func TestBounds(t *testing.T) {
	var table intern.Table[string]
	m := catalog.NewMember("a", pcore.String("x"))
	table.Reset("")
	table.Member(&m)
	table.Set("x")
	if _, ok := table.Get(); ok {
		t.Error("made by a program")
	}
	known := 0
	for i := range 10_000 {
		table.Reset("json")
		table.Text(fmt.Sprint(i))
		if i == 0 {
			table.Text(strings.Repeat("x", 1<<20))
		}
		table.Set("y")
		if _, ok := table.Get(); ok {
			known++
		}
	}
	if known == 0 || known > 5000 {
		t.Errorf("%d values", known)
	}
}
