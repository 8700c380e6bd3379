// Package linediff compares texts line by line.
package linediff

import "slices"

// The largest product of the numbers of lines for which the longest common
// subsequence is computed. Larger parts without a common unique line are rewritten.
const maxTable = 1 << 20

// Line is a line of a difference.
type Line struct {
	Op   byte // '-' for a removed line, '+' for an added one, ' ' for one of both texts
	Text string
}

// Compare returns the lines of two texts in the order of a difference: each line of old
// and of new is in it, and common ones are once.
func Compare(old, new []string) []Line {
	d := &differ{}
	d.compare(old, new)
	return d.out
}

type differ struct{ out []Line }

func (d *differ) put(op byte, lines []string) {
	for _, l := range lines {
		d.out = append(d.out, Line{op, l})
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
