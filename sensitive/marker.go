package sensitive

import (
	"bytes"
	"strconv"
	"strings"
)

// Markers are what a secret is replaced with. They are made so that no text
// that holds one can be mistaken for a text that holds another: the part that
// differs stands between two that do not.
const (
	markPrefix   = "redacted-"
	digestPrefix = "digest-"
	markerSuffix = "-by-pcat"
	digestDigits = 32

	pseudonymPrefix = "pseudonym-"
	pseudonymWords  = 4
)

// The letters of a proquint, an identifier of 16 bits that can be spoken
// (Wilkerson, 2009): consonants stand for 4 bits, vowels for 2.
const (
	consonants = "bdfghjklmnprstvz"
	vowels     = "aiou"
)

func proquint(n uint16) string {
	return string([]byte{
		consonants[n>>12], vowels[n>>10&3], consonants[n>>6&15], vowels[n>>4&3], consonants[n&15],
	})
}

// isProquints reports whether text spells n proquints.
func isProquints(text string, n int) bool {
	words := strings.Split(text, "-")
	for _, word := range words {
		if len(word) != 5 {
			return false
		}
		for i := range len(word) {
			letters := consonants
			if i%2 == 1 {
				letters = vowels
			}
			if strings.IndexByte(letters, word[i]) < 0 {
				return false
			}
		}
	}
	return len(words) == n
}

// IsMarker reports whether text is what a secret was replaced with.
func IsMarker(text string) bool {
	text, ok := strings.CutSuffix(strings.TrimPrefix(text, "/"), markerSuffix)
	if !ok {
		return false
	}
	if n, ok := strings.CutPrefix(text, markPrefix); ok {
		return n != "" && strings.Trim(n, "0123456789") == ""
	}
	if words, ok := strings.CutPrefix(text, pseudonymPrefix); ok {
		return isProquints(words, pseudonymWords)
	}
	d, ok := strings.CutPrefix(text, digestPrefix)
	return ok && len(d) == digestDigits && strings.Trim(d, "0123456789abcdef") == ""
}

// rooted returns the marker that stands in place of text: one for an absolute
// path is an absolute path.
func rooted(marker, text string) string {
	if strings.HasPrefix(text, "/") {
		return "/" + marker
	}
	return marker
}

// lastMark returns the greatest number of a marker in text, 0 when there is
// none.
func lastMark(text []byte) (last int) {
	for {
		i := bytes.Index(text, []byte(markerSuffix))
		if i < 0 {
			return last
		}
		prefix := bytes.TrimRight(text[:i], "0123456789")
		if bytes.HasSuffix(prefix, []byte(markPrefix)) {
			if n, err := strconv.Atoi(string(text[len(prefix):i])); err == nil {
				last = max(last, n)
			}
		}
		text = text[i+len(markerSuffix):]
	}
}
