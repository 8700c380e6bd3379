package detect

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/internal/unescape"
)

// masked has the parts of a text that are markers, in order, without overlaps.
type masked []secret.Span

// isMasked reports whether S[start:end] consists of markers, or of a part of one.
func (t *Text) isMasked(start, end int) bool {
	if t.masked == nil {
		t.masked = t.scanner.markersIn(t.S)
	}
	return t.masked.cover(t.S, start, end)
}

// isMaskedBinary reports whether S[start:end] is the base64 of markers: some formats have the
// text of a Binary.
func (t *Text) isMaskedBinary(start, end int) bool {
	digits := strings.TrimRight(t.S[start:end], "=\r\n")
	form := base64.RawStdEncoding
	if strings.ContainsAny(digits, "-_") {
		form = base64.RawURLEncoding
	}
	b, err := form.DecodeString(digits)
	return err == nil && t.scanner.markersIn(string(b)).cover(string(b), 0, len(b))
}

// cover reports whether text[start:end] has a marker, and no letter or digit outside of
// markers.
func (m *masked) cover(text string, start, end int) (found bool) {
	all := *m
	i, _ := slices.BinarySearchFunc(all, start, func(s secret.Span, start int) int { return s.End - start - 1 })
	for ; i < len(all) && all[i].Start < end; i++ {
		if hasAlphanumeric(text[start:max(start, all[i].Start)]) {
			return false
		}
		start, found = min(all[i].End, end), true
	}
	return found && !hasAlphanumeric(text[start:end])
}

// hasAlphanumeric reports whether text has a letter or a digit that does not belong to an
// escape such as `\n`.
func hasAlphanumeric(text string) bool {
	if strings.IndexByte(text, '\\') >= 0 {
		text = string(unescape.Lenient(nil, []byte(text)))
	}
	return strings.IndexFunc(text, alphabet.IsLetterOrDigit) >= 0
}

// markersIn returns the markers in a text.
func (s *Scanner) markersIn(text string) *masked {
	find := s.Markers
	if find == nil {
		find = secret.FindMarkers
	}
	var all masked
	for start, end := range find(text) {
		all = append(all, secret.Span{Start: start, End: end, Pattern: -1})
	}
	all = secret.Merge(all)
	return &all
}
