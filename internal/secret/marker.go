package secret

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"iter"
	"strconv"
	"strings"
)

// A marker replaces a secret. Its varying part is enclosed in two fixed parts, so texts
// with different markers are never confused.
const (
	markPrefix   = "redacted-"
	digestPrefix = "digest-"
	markerSuffix = "-by-pcat"
	digestDigits = 32

	pseudonymPrefix = "pseudonym-"
	pseudonymWords  = 4

	longestMarker = 64 // more than any
)

// The letters of a proquint, a pronounceable 16-bit identifier (Wilkerson, 2009):
// consonants encode 4 bits, vowels 2.
const (
	consonants = "bdfghjklmnprstvz"
	vowels     = "aiou"
)

func proquint(n uint16) string {
	return string([]byte{
		consonants[n>>12], vowels[n>>10&3], consonants[n>>6&15], vowels[n>>4&3], consonants[n&15],
	})
}

// NumberMarker returns the marker `redacted-N-by-pcat` that replaces text. Like every
// marker, it begins with a slash if text does, so an absolute path stays one.
func NumberMarker(number int, text string) string {
	mark := strconv.AppendInt(append(make([]byte, 0, 32), markPrefix...), int64(number), 10)
	return rooted(string(append(mark, markerSuffix...)), text)
}

// DigestMarker returns the marker `digest-H-by-pcat` that replaces text, where H is the
// first half of the 32-byte digest in hexadecimal.
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

// isProquints reports whether text consists of n proquints.
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

// IsMarker reports whether text is a marker.
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

// FindMarkers returns an iterator over the positions of the markers in text, without a leading
// slash.
func FindMarkers(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for from := 0; ; {
			i := strings.Index(text[from:], markerSuffix)
			if i < 0 {
				return
			}
			before := text[from : from+i]
			start := from + max(strings.LastIndex(before, markPrefix), strings.LastIndex(before, digestPrefix), strings.LastIndex(before, pseudonymPrefix))
			end := from + i + len(markerSuffix)
			if start >= from && IsMarker(text[start:end]) && !yield(start, end) {
				return
			}
			from = end
		}
	}
}

// CutMarkers returns text without its markers, and whether it has any.
func CutMarkers(text string) (rest string, found bool) {
	end := 0
	for start, next := range FindMarkers(text) {
		rest, end, found = rest+text[end:start], next, true
	}
	return rest + text[end:], found
}

// Markers returns an iterator over the markers in text, without leading slashes.
func Markers(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			end := bytes.Index(text, []byte(markerSuffix))
			if end < 0 {
				return
			}
			first := max(0, end-longestMarker)
			head := text[first:end]
			start := max(bytes.LastIndex(head, []byte(markPrefix)), bytes.LastIndex(head, []byte(digestPrefix)), bytes.LastIndex(head, []byte(pseudonymPrefix)))
			end += len(markerSuffix)
			if start >= 0 && IsMarker(string(text[first+start:end])) && !yield(text[first+start:end]) {
				return
			}
			text = text[end:]
		}
	}
}

// rooted returns marker with the leading slash of text, if any.
func rooted(marker, text string) string {
	if strings.HasPrefix(text, "/") {
		return "/" + marker
	}
	return marker
}

// LastMarker returns the largest number of a NumberMarker in text, or 0 if there is none.
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
