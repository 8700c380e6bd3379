package report

import (
	"slices"
	"strings"
)

// The largest product of the numbers of lines for which the longest common
// subsequence is computed. Larger parts without a common unique line are rewritten.
const maxTable = 1 << 20

// line is a line of a difference: removed, added, or in both texts.
type line struct {
	op   byte // '-', '+' or ' '
	text string
}

// lineDiff returns the lines of two texts in the order of a difference. Lines keep
// their line break.
func lineDiff(old, new string) []line {
	d := &differ{}
	d.compare(slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(new)))
	return d.out
}

type differ struct{ out []line }

func (d *differ) put(op byte, lines []string) {
	for _, l := range lines {
		d.out = append(d.out, line{op, l})
	}
}

// compare appends the difference between a and b.
func (d *differ) compare(a, b []string) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	d.put(' ', a[:n])
	a, b = a[n:], b[n:]
	n = 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	tail := a[len(a)-n:]
	a, b = a[:len(a)-n], b[:len(b)-n]
	defer func() { d.put(' ', tail) }()
	if len(a) == 0 || len(b) == 0 {
		d.put('-', a)
		d.put('+', b)
		return
	}
	anchors := unique(a, b)
	if len(anchors) == 0 {
		d.table(a, b)
		return
	}
	i, j := 0, 0
	for _, at := range anchors {
		d.compare(a[i:at[0]], b[j:at[1]])
		d.put(' ', a[at[0]:at[0]+1])
		i, j = at[0]+1, at[1]+1
	}
	d.compare(a[i:], b[j:])
}

// unique returns the positions of lines that occur once in both texts, as many as have
// the same order in both.
func unique(a, b []string) [][2]int {
	type count struct{ a, b, at, in int }
	counts := make(map[string]*count, len(a))
	for i, l := range a {
		if counts[l] == nil {
			counts[l] = &count{}
		}
		counts[l].a++
		counts[l].at = i
	}
	for j, l := range b {
		if c := counts[l]; c != nil {
			c.b++
			c.in = j
		}
	}
	var pairs [][2]int
	for i, l := range a {
		if c := counts[l]; c.a == 1 && c.b == 1 {
			pairs = append(pairs, [2]int{i, c.in})
		}
	}
	return increasing(pairs)
}

// increasing returns the longest part of pairs in which the second numbers increase.
func increasing(pairs [][2]int) [][2]int {
	var ends []int // positions of the smallest last pair of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearchFunc(ends, p[1], func(e, v int) int { return pairs[e][1] - v })
		before[i] = -1
		if at > 0 {
			before[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var found [][2]int
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		found = append(found, pairs[i])
	}
	slices.Reverse(found)
	return found
}

// table appends the difference by the longest common subsequence.
func (d *differ) table(a, b []string) {
	if len(a)*len(b) > maxTable {
		d.put('-', a)
		d.put('+', b)
		return
	}
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			d.put(' ', a[i:i+1])
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			d.put('-', a[i:i+1])
			i++
		default:
			d.put('+', b[j:j+1])
			j++
		}
	}
	d.put('-', a[i:])
	d.put('+', b[j:])
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

func (h *hunk) add(l line) {
	h.lines = append(h.lines, l)
	if l.op != '+' {
		h.oldLines++
	}
	if l.op != '-' {
		h.newLines++
	}
}
