package rubyorder_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/internal/ruby/rubyorder"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// TestSort compares results and errors with Ruby's Array#sort.
func TestSort(t *testing.T) {
	list := func(values ...pcore.Value) pcore.Value { return pcore.NewArray(values...) }
	hash := func(k, v pcore.Value) pcore.Value {
		b := pcore.NewHashBuilder(1)
		b.Set(k, v)
		return b.Hash()
	}
	for _, c := range []struct {
		values []pcore.Value
		want   string
	}{
		{nil, `[]`},
		{[]pcore.Value{pcore.Integer(3), pcore.Float(1.5), pcore.Integer(2)}, `[1.5, 2, 3]`},
		{[]pcore.Value{pcore.String("b"), pcore.String("B"), pcore.String("a")}, `["B", "a", "b"]`},
		{[]pcore.Value{list(pcore.Integer(2)), list(pcore.Integer(1), pcore.Integer(5)), list(pcore.Integer(1))}, `[[1], [1, 5], [2]]`},
		{[]pcore.Value{pcore.Boolean(true), pcore.Boolean(true)}, `[true, true]`},
		{[]pcore.Value{pcore.String("b"), pcore.String("a"), pcore.Boolean(true)}, `comparison of String with true failed`},
		{[]pcore.Value{pcore.Boolean(true), pcore.String("a")}, `comparison of TrueClass with String failed`},
		{[]pcore.Value{pcore.Integer(1), pcore.String("a")}, `comparison of Integer with String failed`},
		{[]pcore.Value{pcore.String("x"), pcore.Float(1.5)}, `comparison of String with 1.5 failed`},
		{[]pcore.Value{pcore.String("b"), pcore.Undef{}}, `comparison of String with nil failed`},
		{[]pcore.Value{pcore.Undef{}, pcore.Integer(1)}, `comparison of NilClass with 1 failed`},
		{[]pcore.Value{hash(pcore.Integer(1), pcore.Integer(2)), hash(pcore.Integer(3), pcore.Integer(4))}, `comparison of Hash with Hash failed`},
	} {
		err := rubyorder.Sort(c.values, func(a, b pcore.Value) (int, error) {
			n, ok := rubyorder.Compare(a, b)
			if !ok {
				return 0, rubyorder.Error(a, b)
			}
			return n, nil
		})
		got := rubytext.Inspect(list(c.values...))
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestSortPairs compares the pairs that are compared with those of Ruby 3.1 on Linux.
func TestSortPairs(t *testing.T) {
	var pairs [][2]int
	if err := rubyorder.Sort([]int{5, 1, 4, 2, 3, 6, 7}, func(a, b int) (int, error) {
		pairs = append(pairs, [2]int{a, b})
		return cmp.Compare(a, b), nil
	}); err != nil {
		t.Fatal(err)
	}
	want := [][2]int{{1, 4}, {5, 1}, {5, 4}, {2, 3}, {6, 7}, {2, 6}, {3, 6}, {1, 2}, {4, 2}, {4, 3}, {4, 6}, {5, 6}}
	if !slices.Equal(pairs, want) {
		t.Errorf("got %v, want %v", pairs, want)
	}
}
