package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff/internal/linediff"
)

// line is a line of a difference: removed, added, or in both texts.
type line struct {
	op   byte // '-', '+' or ' '
	text string
}

// lineDiff returns the lines of two texts in the order of a difference. Lines keep
// their line break. complete is false if the texts are too large to compare all lines.
func lineDiff(old, new string) (lines []line, complete bool) {
	all, complete := linediff.Compare(slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(new)))
	lines = make([]line, len(all))
	for i, l := range all {
		lines[i] = line{l.Op, l.Text}
	}
	return lines, complete
}

// hunk is a part of a difference with the lines around it.
type hunk struct {
	old, new           int // the first line, from 1
	oldLines, newLines int
	lines              []line
}

// hunks returns the changed parts of a difference with context lines around each.
func hunks(all []line, context int) []hunk {
	var found []hunk
	old, new := 1, 1
	last := -1 // the position behind the last line of the last hunk
	for i, l := range all {
		if l.op != ' ' {
			begin := max(i-context, last, 0)
			if len(found) == 0 || begin > last || last < 0 {
				found = append(found, hunk{old: old - (i - begin), new: new - (i - begin)})
				last = begin
			}
			h := &found[len(found)-1]
			end := min(i+1+context, len(all))
			for k := last; k < end; k++ {
				if k > i && all[k].op != ' ' {
					end = k
					break
				}
				h.add(all[k])
			}
			last = max(last, end)
		}
		if l.op != '+' {
			old++
		}
		if l.op != '-' {
			new++
		}
	}
	return found
}

// head returns the line above the lines of a hunk.
func (h *hunk) head() string {
	span := func(first, lines int) string {
		if lines == 1 {
			return strconv.Itoa(first)
		}
		return fmt.Sprintf("%d,%d", first, lines)
	}
	return "@@ -" + span(h.old, h.oldLines) + " +" + span(h.new, h.newLines) + " @@"
}

func (h *hunk) add(l line) {
	h.lines = append(h.lines, l)
	if l.op != '+' {
		h.oldLines++
	}
	if l.op != '-' {
		h.newLines++
	}
}
