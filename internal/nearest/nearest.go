// Package nearest measures how similar two names are, for suggestions after a
// typing error.
//
// The similarity of names belongs here; the sentence around a suggestion belongs to its
// message.
package nearest

import (
	"iter"
	"strings"
)

// DidYouMean returns the end of a message about an unknown word: "; did you mean NAME?"
// with the most similar name of known, or nothing. A word is similar if it is a prefix of
// the name, if it is the part after a slash, or if at most a third of its letters, and at
// most two, must be changed or swapped.
func DidYouMean(word string, known iter.Seq[string]) string {
	closest, fewest := "", min(2, (len(word)+1)/3)+1
	for name := range known {
		edits := Distance(word, name)
		if len(word) > 2 && len(name) > len(word) && name[:len(word)] == word {
			edits = 1
		}
		if strings.HasSuffix(name, "/"+word) {
			edits = 0
		}
		if edits < fewest {
			closest, fewest = name, edits
		}
	}
	if closest == "" {
		return ""
	}
	return "; did you mean " + closest + "?"
}

// Distance returns the number of edits that turn a into b: inserted, deleted or
// replaced bytes, and swaps of neighbours.
func Distance(a, b string) int {
	var before []int
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			replace := above[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, row[j]+1, above[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}

// Within returns the distance of two names and true if it is at most limit. It is
// fast for long names, of which most differ too much in length.
func Within(a, b string, limit int) (int, bool) {
	if d := len(a) - len(b); d > limit || -d > limit {
		return 0, false
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	const longest = 256 // of different parts: the work grows with the square
	if max(len(a), len(b)) > longest {
		return 0, false
	}
	d := Distance(a, b)
	return d, d <= limit
}
