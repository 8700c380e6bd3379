package cli

import (
	"iter"
	"strings"
)

// DidYouMean returns the end of a message about an unknown word: "; did you mean NAME?" with the most similar
// name of known, or nothing. A word is similar if it is a prefix of the name, if it is the part after a slash, or
// if at most a third of its letters, and at most two, must be changed or swapped.
func DidYouMean(word string, known iter.Seq[string]) string {
	nearest, fewest := "", min(2, (len(word)+1)/3)+1
	for name := range known {
		edits := distance(word, name)
		if len(word) > 2 && len(name) > len(word) && name[:len(word)] == word {
			edits = 1
		}
		if strings.HasSuffix(name, "/"+word) {
			edits = 0
		}
		if edits < fewest {
			nearest, fewest = name, edits
		}
	}
	if nearest == "" {
		return ""
	}
	return "; did you mean " + nearest + "?"
}

// distance returns the number of edits that turn a into b: inserted, deleted or replaced bytes, and swaps of
// neighbours.
func distance(a, b string) int {
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
