package secret

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

// A marker replaces a secret. Its varying part is between two fixed ones, so that
// a text with one marker is never mistaken for a text with another.
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

// NumberMarker returns the marker `redacted-N-by-pcat` that replaces text. As all
// markers, it begins with a slash when text does: a marker for an absolute path
// is an absolute path.
func NumberMarker(number int, text string) string {
	mark := strconv.AppendInt(append(make([]byte, 0, 32), markPrefix...), int64(number), 10)
	return rooted(string(append(mark, markerSuffix...)), text)
}

// DigestMarker returns the marker `digest-H-by-pcat` that replaces text, where H
// is the first half of a digest of 32 bytes in hexadecimal.
func DigestMarker(digest *[32]byte, text string) string {
	return rooted(digestPrefix+hex.EncodeToString(digest[:])[:digestDigits]+markerSuffix, text)
}

// PseudonymMarker returns the marker that replaces text and spells the first 64
// bits of a digest as four proquints: `pseudonym-lusab-babad-gutih-tugad-by-pcat`.
func PseudonymMarker(digest *[32]byte, text string) string {
	words := make([]string, pseudonymWords)
	for i := range words {
		words[i] = proquint(binary.BigEndian.Uint16(digest[2*i:]))
	}
	return rooted(pseudonymPrefix+strings.Join(words, "-")+markerSuffix, text)
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

// IsMarker reports whether text is a marker, which replaced a secret.
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

// rooted returns the marker that replaces text.
func rooted(marker, text string) string {
	if strings.HasPrefix(text, "/") {
		return "/" + marker
	}
	return marker
}

// LastMarker returns the greatest number of a marker in text, 0 when there is
// none.
func LastMarker(text []byte) (last int) {
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
