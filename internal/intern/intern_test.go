package intern_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/intern"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/pcore"
)

// Values are shared if and only if their bytes determine them.
func TestTable(t *testing.T) {
	parameters := []string{
		`{"a":"1","b":"2"}`, `{"a":"1","b":"2"}`, `{"a":"12","b":""}`, `{"a":"1"}`,
		`{"a":{"__ptype":"Sensitive","__pvalue":"1"}}`, `{"a":{"__ptype":"Sensitive","__pvalue":"1"}}`,
	}
	var table intern.Table
	var got []int32
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
		number, ok := table.Find()
		if !ok {
			number = table.Add([]byte{byte(i)})
		}
		got = append(got, number)
	}
	if want := "[1 1 2 3 4 5]"; fmt.Sprint(got) != want {
		t.Errorf("%v; want %s", got, want)
	}
}

// A value that a program made has no bytes, and different values do not fill the table.
func TestBounds(t *testing.T) {
	var table intern.Table
	m := catalog.NewMember("a", pcore.String("x"))
	table.Reset("")
	table.Member(&m)
	table.Add([]byte("x"))
	if _, ok := table.Find(); ok {
		t.Error("made by a program")
	}
	known := 0
	for i := range 10_000 {
		table.Reset("json")
		table.Text(fmt.Sprint(i))
		if i == 0 {
			table.Text(strings.Repeat("x", 1<<20))
		}
		table.Add([]byte("y"))
		if _, ok := table.Find(); ok {
			known++
		}
	}
	if known == 0 || known > 5000 {
		t.Errorf("%d values", known)
	}
}

func TestFacts(t *testing.T) {
	long := strings.Repeat("x", 300)
	var text []byte
	text = intern.AppendFact(text, "none", 3)
	text = intern.AppendFact(text, "two", 1, "a", long)
	text = intern.AppendFact(text, "", 2, "")
	var table intern.Table
	if n := table.Add(nil); n != 0 || table.At(n) != "" {
		t.Errorf("no facts have number %d", n)
	}
	f := table.At(table.Add(text))
	for _, tt := range []struct{ name, want string }{
		{"none", "3 true [] "}, {"two", "1 true [a " + long + "] a"}, {"", "2 true [] "}, {"other", "0 false [] "},
	} {
		form, ok := f.Form(tt.name)
		if got := fmt.Sprint(form, ok, f.Texts(tt.name), " ", f.First(tt.name)); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(tt.want), " ") {
			t.Errorf("%q: %s", tt.name, got)
		}
	}
}
