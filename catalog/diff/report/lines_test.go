package report

import (
	"fmt"
	"strings"
	"testing"
)

func TestHunks(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("%d\n", i+1))
	}
	old := strings.Join(lines, "")
	lines[4], lines[9], lines[25] = "five\n", "ten\n", "26a\n26b\n"
	got := ""
	all, _ := lineDiff(old, strings.Join(lines, ""))
	for _, h := range hunks(all, 2) {
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
