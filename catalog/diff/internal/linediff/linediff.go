// Package linediff compares texts line by line, or word by word.
//
//	Compare    returns the difference of two lists of lines
//	differ     one comparison: unique common lines first, then the parts between them
//	table      compares small parts by their longest common subsequence
//	split      divides large parts where a shortest difference passes
//
// A comparison takes time in proportion to its input, whatever the input is: see budget.
package linediff

import "slices"

// maxTable is the largest product of the numbers of lines for which the longest common
// subsequence is computed in a table. Larger parts without a common unique line are split.
const maxTable = 1 << 18

// budget returns the number of steps that a comparison of n lines can take: enough for
// each pair of lines of small texts, and for many changes of large ones. What is left when
// it is spent is rewritten.
func budget(n int) int {
	const least, each = 1 << 21, 96
	return least + each*n
}

// Line is a line of a difference.
type Line struct {
	Op   byte // '-' for a removed line, '+' for an added one, ' ' for one of both texts
	Text string
}

// Compare returns the lines of two texts in the order of a difference: each line of old
// and of new is in it, and common ones are once. complete is false if the texts are too
// large and have too little in common to compare all of their lines: then some common ones
// are removed and added.
func Compare(old, new []string) (difference []Line, complete bool) {
	a, b, kinds := numbered(old, new)
	d := &differ{old: old, new: new, budget: budget(len(old) + len(new)), complete: true}
	d.counts = make([]count, kinds)
	d.out = make([]Line, 0, max(len(old), len(new)))
	d.compare(span{a, 0}, span{b, 0})
	return d.out, d.complete
}

// numbered replaces each text by a number, which equal texts have in common.
func numbered(old, new []string) (a, b []int32, kinds int) {
	numbers := make(map[string]int32)
	replace := func(list []string) []int32 {
		all := make([]int32, len(list))
		for i, s := range list {
			n, ok := numbers[s]
			if !ok {
				n = int32(len(numbers))
				numbers[s] = n
			}
			all[i] = n
		}
		return all
	}
	return replace(old), replace(new), len(numbers)
}

// span is a part of one of the texts.
type span struct {
	lines []int32
	at    int // the position of the first line in the text
}

func (s span) to(i int) span   { return span{s.lines[:i], s.at} }
func (s span) from(i int) span { return span{s.lines[i:], s.at + i} }

type differ struct {
	old, new []string
	out      []Line
	budget   int
	complete bool
	counts   []count // by the number of a line; zero between uses
	begin    frontier
	end      frontier
}

// same, removed and added append lines to the difference.
func (d *differ) same(a span)    { d.put(' ', d.old[a.at:a.at+len(a.lines)]) }
func (d *differ) removed(a span) { d.put('-', d.old[a.at:a.at+len(a.lines)]) }
func (d *differ) added(b span)   { d.put('+', d.new[b.at:b.at+len(b.lines)]) }

func (d *differ) put(op byte, lines []string) {
	for _, l := range lines {
		d.out = append(d.out, Line{op, l})
	}
}

// rewrite appends a as removed and b as added.
func (d *differ) rewrite(a, b span) {
	d.removed(a)
	d.added(b)
}

// spend takes steps from the budget, unless there are too few.
func (d *differ) spend(steps int) bool {
	if d.budget < steps {
		d.complete = false
		return false
	}
	d.budget -= steps
	return true
}

// compare appends the difference between a and b.
func (d *differ) compare(a, b span) {
	n := 0
	for n < len(a.lines) && n < len(b.lines) && a.lines[n] == b.lines[n] {
		n++
	}
	d.same(a.to(n))
	a, b = a.from(n), b.from(n)
	n = 0
	for n < len(a.lines) && n < len(b.lines) && a.lines[len(a.lines)-1-n] == b.lines[len(b.lines)-1-n] {
		n++
	}
	tail := a.from(len(a.lines) - n)
	a, b = a.to(len(a.lines)-n), b.to(len(b.lines)-n)
	d.middle(a, b)
	d.same(tail)
}

// middle appends the difference between a and b, which neither begin nor end with a
// common line.
func (d *differ) middle(a, b span) {
	if len(a.lines) == 0 || len(b.lines) == 0 || !d.spend(len(a.lines)+len(b.lines)) {
		d.rewrite(a, b)
		return
	}
	if anchors := d.unique(a.lines, b.lines); len(anchors) > 0 {
		i, j := 0, 0
		for _, at := range anchors {
			d.compare(a.to(at[0]).from(i), b.to(at[1]).from(j))
			d.same(a.to(at[0] + 1).from(at[0]))
			i, j = at[0]+1, at[1]+1
		}
		d.compare(a.from(i), b.from(j))
		return
	}
	if size := len(a.lines) * len(b.lines); size <= maxTable && d.spend(size) {
		d.table(a, b)
		return
	}
	i, j, ok := d.split(a.lines, b.lines)
	if !ok {
		d.rewrite(a, b)
		return
	}
	d.compare(a.to(i), b.to(j))
	d.compare(a.from(i), b.from(j))
}

// count is how often a line occurs in two texts, and the last position in b.
type count struct{ a, b, in int32 }

// unique returns the positions of lines that occur once in both texts, as many as have
// the same order in both.
func (d *differ) unique(a, b []int32) [][2]int {
	for _, l := range a {
		d.counts[l].a++
	}
	for j, l := range b {
		d.counts[l].b++
		d.counts[l].in = int32(j)
	}
	var pairs [][2]int
	for i, l := range a {
		if c := d.counts[l]; c.a == 1 && c.b == 1 {
			pairs = append(pairs, [2]int{i, int(c.in)})
		}
	}
	for _, l := range a {
		d.counts[l] = count{}
	}
	for _, l := range b {
		d.counts[l] = count{}
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
func (d *differ) table(x, y span) {
	a, b := x.lines, y.lines
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		row, below := longest[i*width:][:width], longest[(i+1)*width:][:width]
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				row[j] = below[j+1] + 1
			} else {
				row[j] = max(below[j], row[j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			d.same(x.to(i + 1).from(i))
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			d.removed(x.to(i + 1).from(i))
			i++
		default:
			d.added(y.to(j + 1).from(j))
			j++
		}
	}
	d.rewrite(x.from(i), y.from(j))
}
