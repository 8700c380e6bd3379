package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// apply returns both texts of a difference.
func apply(all []line) (old, new string) {
	var a, b strings.Builder
	for _, l := range all {
		if l.op != '+' {
			a.WriteString(l.text)
		}
		if l.op != '-' {
			b.WriteString(l.text)
		}
	}
	return a.String(), b.String()
}

func TestLineDiffKeepsBothTexts(t *testing.T) {
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
		if a, b := apply(lineDiff(old, new)); a != old || b != new {
			t.Fatalf("%q and %q became %q and %q", old, new, a, b)
		}
	}
}

func TestHunks(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("%d\n", i+1))
	}
	old := strings.Join(lines, "")
	lines[4], lines[9], lines[25] = "five\n", "ten\n", "26a\n26b\n"
	got := ""
	for _, h := range hunks(lineDiff(old, strings.Join(lines, "")), 2) {
		got += fmt.Sprintf("@@ %d,%d %d,%d ", h.old, h.oldLines, h.new, h.newLines)
		for _, l := range h.lines {
			got += string(l.op) + strings.TrimSpace(l.text) + " "
		}
	}
	want := "@@ 3,10 3,10  3  4 -5 +five  6  7  8  9 -10 +ten  11  12 @@ 24,5 24,6  24  25 -26 +26a +26b  27  28 "
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLineDiffIsBounded(t *testing.T) {
	var a, b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&a, "x%d\n", i%2)
		fmt.Fprintf(&b, "y%d\n", i%2)
	}
	if n := len(lineDiff(a.String(), b.String())); n != 40000 {
		t.Errorf("%d lines", n)
	}
}
