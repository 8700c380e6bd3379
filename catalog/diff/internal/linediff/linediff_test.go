package linediff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/diff/internal/linediff"
)

func compare(old, new string) []linediff.Line {
	all, _ := linediff.Compare(slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(new)))
	return all
}

// apply returns both texts of a difference.
func apply(all []linediff.Line) (old, new string) {
	var a, b strings.Builder
	for _, l := range all {
		if l.Op != '+' {
			a.WriteString(l.Text)
		}
		if l.Op != '-' {
			b.WriteString(l.Text)
		}
	}
	return a.String(), b.String()
}

func TestKeepsBothTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		text := func() string {
			var b strings.Builder
			for range random.IntN(12) {
				fmt.Fprintf(&b, "line %d\n", random.IntN(8))
			}
			return b.String() + strings.Repeat("end", random.IntN(2))
		}
		old, new := text(), text()
		if a, b := apply(compare(old, new)); a != old || b != new {
			t.Fatalf("%q and %q became %q and %q", old, new, a, b)
		}
	}
}

func TestIsBounded(t *testing.T) {
	var a, b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&a, "x%d\n", i%2)
		fmt.Fprintf(&b, "y%d\n", i%2)
	}
	if n := len(compare(a.String(), b.String())); n != 40000 {
		t.Errorf("%d lines", n)
	}
}

// What the budget is not enough for is rewritten, and both texts are kept.
func TestSpentBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	random := rand.New(rand.NewPCG(3, 4))
	var a, b []string
	for range 200000 {
		a = append(a, fmt.Sprint("x", random.IntN(300)))
		b = append(b, fmt.Sprint("x", random.IntN(300)))
	}
	all, complete := linediff.Compare(a, b)
	old, new := apply(all)
	if complete || old != strings.Join(a, "") || new != strings.Join(b, "") {
		t.Errorf("complete: %v; the texts are kept: %v, %v", complete, old == strings.Join(a, ""), new == strings.Join(b, ""))
	}
}
