package cli

import (
	"iter"

	"github.com/pcatdev/pcat/internal/nearest"
)

// DidYouMean returns the end of a message about an unknown word: "; did you mean NAME?"
// with the most similar name of known, or nothing.
func DidYouMean(word string, known iter.Seq[string]) string { return nearest.DidYouMean(word, known) }
