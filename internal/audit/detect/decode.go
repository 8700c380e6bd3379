package detect

import (
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/unescape"
)

// Limits for decoding: the depth of nested encodings, the number of bytes that one leaf or
// one part may decode to, and the compression ratio.
const (
	maxDepth   = 4
	maxDecoded = 4 << 20
	maxOne     = 1 << 20
	maxRatio   = 100
	// minCompressed is the minimum length to which the ratio is applied.
	minCompressed = 512
	// maxWindow is the maximum window of a Zstandard frame. RFC 8878 recommends to support
	// it.
	maxWindow = 8 << 20
	// maxRunLength is the maximum number of digits of a run that are decoded.
	maxRunLength = 2 * maxOne
)

// decoder visits the texts that are encoded in a text.
type decoder struct{ *Text }

// decode visits the parts of the text that are encoded.
func (t decoder) decode() {
	if len(t.Encodings) >= maxDepth+1 || t.scanner.budget <= 0 {
		return
	}
	t.base64Runs()
	if t.has.Has('%') {
		t.percent()
	}
	if t.has.Has('&') {
		t.escaped("&quot;", "html", unescapeXML)
	}
	if t.has.Has('\\') {
		t.escaped(`\u0022`, "json", func(s string) string { return unquoted(s, '"', false) })
	}
}

// escaped visits, line by line, the text between quotes that are spelled as quote: JSON in
// an XML attribute, or in a JSON string.
func (t decoder) escaped(quote, encoding string, decode func(string) string) {
	for at := 0; ; {
		i := strings.Index(t.S[at:], quote)
		if i < 0 {
			return
		}
		start := at + i
		at = lineEnd(t.S, start)
		if line := t.S[start:at]; strings.Count(line, quote) >= 4 {
			end := start + strings.LastIndex(line, quote) + len(quote)
			t.deeper(start, end, decode(t.S[start:end]), encoding)
		}
	}
}

// deeper visits a decoded part.
func (t decoder) deeper(start, end int, s, encoding string) {
	if p := t.open(start, end, s, encoding); p != nil {
		decoder{p}.inside()
	}
}

// open returns a decoded part, or nil if it exceeds the limits.
func (t decoder) open(start, end int, s, encoding string) *Text {
	if len(t.Encodings) >= maxDepth || !t.afford(len(s)) {
		t.scanner.cut = true
		return nil
	}
	p := t.part(start, end, s, encoding)
	if p.kind == source && encoding != "percent" {
		p.kind = settings // whatever contains it
	}
	return p
}

// inside visits decoded bytes by their form: archive, text or binary.
func (t decoder) inside() {
	switch {
	case isArchive(t.S):
		t.archive()
	case isText(t.S):
		t.visit()
	default:
		t.binary()
	}
}

// binary visits bytes that are not text: the text in them, or keys.
func (t decoder) binary() {
	if t.compressed() {
		return
	}
	if s := t.S; isUTF16(s) && !strings.HasPrefix(s, keytab) {
		t.deeper(0, len(s), fromUTF16(s), "utf16")
		return
	}
	if _, t.isKey = isKeyMaterial(t.S); t.isKey {
		t.visit()
	}
}

// isText reports whether s is text: UTF-8 with few control characters.
func isText(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	control := 0
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != 0x1b || c == 0x7f {
			control++
		}
	}
	return control*50 <= len(s)
}

// percent decodes a text with several percent-encoded characters.
func (t decoder) percent() {
	if strings.Count(t.S[:min(len(t.S), 1<<16)], "%") < 3 {
		return
	}
	for start, end := range wordsOf(t.S) {
		w := t.S[start:end]
		if strings.Count(w, "%") < 3 {
			continue
		}
		if plain, changed := unescape.Query(w); changed && isText(plain) {
			t.deeper(start, end, plain, "percent")
		}
	}
}

// wordsOf returns an iterator over the positions of the words of s, which are separated by
// blanks and quotes.
func wordsOf(s string) func(func(int, int) bool) {
	return func(yield func(int, int) bool) {
		for i := 0; i < len(s); {
			j := i
			for j < len(s) && s[j] > ' ' && s[j] != '"' && s[j] != '\'' {
				j++
			}
			if j > i && !yield(i, j) {
				return
			}
			i = j + 1
		}
	}
}
