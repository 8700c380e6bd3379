package sensitive

import (
	"strings"
	"testing"
)

// Each word that is written around values is known as one, the longest as well.
func TestWrittenWords(t *testing.T) {
	for word := range strings.SplitSeq(strings.Trim(writtenWords, "\n"), "\n") {
		if !isWritten(word) {
			t.Errorf("%q is not known", word)
		}
	}
	for _, text := range []string{"resources\nsensitive", writtenWords, strings.Repeat("a", longestWritten+1)} {
		if isWritten(text) {
			t.Errorf("%q is taken for a word", text)
		}
	}
}
