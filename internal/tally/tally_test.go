package tally_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/tally"
)

func TestGroups(t *testing.T) {
	type add struct {
		node, key string
		n         int
	}
	adds := []add{{"b", "x", 2}, {"a", "x", 3}, {"a", "y", 5}, {"c", "z", 1}, {"a", "z", 1}, {"c", "x", 1}}
	for i := range 100 {
		adds = append(adds, add{fmt.Sprintf("n%03d", i), "many", 1})
	}
	var want string
	for _, reversed := range []bool{false, true} {
		if reversed {
			slices.Reverse(adds)
		}
		var counts tally.Tally[string]
		for _, a := range adds {
			counts.Add(a.node, a.key, a.n)
		}
		var b strings.Builder
		for _, g := range counts.Groups(2, strings.Compare) {
			fmt.Fprintln(&b, g.Key, g.Count, g.Nodes, g.Examples, g.Adds, g.Min, g.Max)
		}
		if counts.Nodes() != 103 || counts.Count() != 113 {
			t.Errorf("%d nodes, %d in total", counts.Nodes(), counts.Count())
		}
		if want == "" {
			want = `many 100 100 [n000 n001] 100 1 1
x 6 3 [a b] 3 1 3
y 5 1 [a] 1 5 5
z 2 2 [a c] 2 1 1
`
		}
		if b.String() != want {
			t.Errorf("reversed %t: got\n%swant\n%s", reversed, b.String(), want)
		}
	}
}

func TestZero(t *testing.T) {
	var counts tally.Tally[int]
	if counts.Nodes() != 0 || counts.Count() != 0 || len(counts.Groups(1, func(a, b int) int { return a - b })) != 0 {
		t.Error("the zero value is not empty")
	}
}

func TestDistinct(t *testing.T) {
	text := strings.TrimSpace
	if got := tally.Distinct([]string{"b", "", "a", " b"}, text); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("got %q", got)
	}
	if got := tally.Distinct(nil, text); got == nil {
		t.Error("nil is null in JSON")
	}
}
