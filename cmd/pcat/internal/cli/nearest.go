package cli

import (
	"iter"
	"strings"

	"github.com/pcatdev/pcat/internal/nearest"
)

// DidYouMean returns the end of a message about an unknown word: "; did you mean NAME?" with the most similar
// name of known, or nothing. A word is similar if it is a prefix of the name, if it is the part after a slash, or
// if at most a third of its letters, and at most two, must be changed or swapped.
func DidYouMean(word string, known iter.Seq[string]) string {
	closest, fewest := "", min(2, (len(word)+1)/3)+1
	for name := range known {
		edits := nearest.Distance(word, name)
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
