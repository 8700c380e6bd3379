package detect

import (
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/unescape"
)

// The bounds of decoding: how deep encodings may stand in each other, how many
// bytes one leaf may decode to in all, and how much larger than its input a
// compressed text may be.
const (
	maxDepth   = 4
	maxDecoded = 4 << 20
	maxOne     = 1 << 20
	maxRatio   = 100
	// minCompressed is the length that the ratio is taken of at the least.
	minCompressed = 512
	// maxWindow is the largest window that a frame of Zstandard may ask for:
	// what RFC 8878 recommends to support.
	maxWindow = 8 << 20
	// maxRunLength is how many digits of a run are decoded.
	maxRunLength = 2 * maxOne
)

// decode visits what is encoded in the text, which was looked at, and what is
// encoded in that.
func (t *Text) decode() {
	if len(t.Encodings) >= maxDepth+1 || t.scanner.left <= 0 {
		return
	}
	t.base64Runs()
	if t.has.byte('%') {
		t.percent()
	}
	if t.has.byte('&') {
		t.escaped("&quot;", "html", unescapeXML)
	}
	if t.has.byte('\\') {
		t.escaped(`\u0022`, "json", func(s string) string { return unquoted(s, '"', false) })
	}
}

// escaped visits, line by line, what stands between the quotes that are spelled
// in that way: JSON in an attribute of XML, or in a string of JSON.
func (t *Text) escaped(quote, encoding string, decode func(string) string) {
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

// deeper visits a part that was decoded, and decodes on.
func (t *Text) deeper(start, end int, s, encoding string) {
	if p := t.open(start, end, s, encoding); p != nil {
		p.inside()
	}
}

// open returns a part that was decoded, nil when it is too deep or too much.
func (t *Text) open(start, end int, s, encoding string) *Text {
	if len(t.Encodings) >= maxDepth || !t.afford(len(s)) {
		t.scanner.cut = true
		return nil
	}
	p := t.part(start, end, s, encoding)
	if p.kind == source && encoding != "percent" {
		p.kind = settings // whatever it stands in
	}
	return p
}

// inside visits what bytes are, or hold.
func (t *Text) inside() {
	switch {
	case isArchive(t.S):
		t.archive()
	case isText(t.S):
		t.look()
		t.decode()
	default:
		t.binary()
	}
}

// binary visits what bytes that are no text hold.
func (t *Text) binary() {
	if t.compressed() {
		return
	}
	if s := t.S; isUTF16(s) && !strings.HasPrefix(s, keytab) {
		t.deeper(0, len(s), fromUTF16(s), "utf16")
		return
	}
	t.keyMaterial()
}

// isText reports whether s is text that people or programs write: UTF-8 with
// hardly any control characters.
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

// percent decodes a text in which several characters are escaped as in a URL.
func (t *Text) percent() {
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

// wordsOf yields the positions of the words of s: what blanks and quotes stand
// between.
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
