package decode

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/privatekey"
	"github.com/pcatdev/pcat/internal/unescape"
)

// MaxDepth is the maximum number of nested encodings.
const MaxDepth = 4

// Limits for decoding: the number of bytes that all texts or one part may decode to, and the
// compression ratio.
const (
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

// Decoder decodes the encoded parts of texts, within limits. It is not safe for concurrent
// use. Create one with [New].
type Decoder struct {
	budget        int  // number of bytes that may still be decoded
	cut           bool // a part was not decoded completely
	decompressors decompressors
	digits        *alphabet.Table // of base64, and its padding
}

// New returns a Decoder.
func New() *Decoder {
	d := &Decoder{digits: alphabet.Base64.Table()}
	d.Reset()
	return d
}

// Reset restores the limits.
func (d *Decoder) Reset() { d.budget, d.cut = maxDecoded, false }

// Complete reports whether all parts were decoded since the last reset. Otherwise a part is
// too large or too deep, and at most a part of it was decoded.
func (d *Decoder) Complete() bool { return !d.cut }

// afford takes n bytes from the budget and reports whether it is not exceeded.
func (d *Decoder) afford(n int) bool {
	d.budget -= n
	return d.budget >= 0
}

// Part is a text, or bytes, that is decoded from a part of a text.
type Part struct {
	// S is the decoded text.
	S string
	// Start and End are the position of the encoded part.
	Start, End int
	// Encodings are the encodings of the part, the outermost first.
	Encodings []string
	// Archives is the number of encodings up to the innermost archive that contains the
	// part, and Path the path of the member in it. It is 0 if there is no archive.
	Archives int
	Path     string
	// Content is what S is.
	Content Content
	// Origin maps the positions in S to those in the bytes that S was read from.
	Origin Origin
}

// Content is what a [Part] consists of.
type Content uint8

const (
	// Text is text, in any language.
	Text Content = iota
	// Strings are the texts in bytes of another format, such as an executable. Only the form
	// of a secret is evidence in them.
	Strings
	// Bytes are bytes of an unknown format.
	Bytes
	// Key are the bytes of a private key.
	Key
)

// part is a Part to decode.
type part struct {
	Part
	*Decoder
	depth int // number of encodings around the text that contains the part
	yield func(Part)
}

// Parts calls yield for the decoded texts of the encoded parts of s, which is inside of the
// given number of encodings. The parts of a decoded text are not decoded.
func (d *Decoder) Parts(s string, depth int, yield func(Part)) {
	if depth <= MaxDepth && d.budget > 0 {
		part{Part: Part{S: s}, Decoder: d, depth: depth, yield: yield}.decode()
	}
}

// Inside calls yield for the texts in s, which are the bytes inside of the given number of
// encodings: s itself if it is text or a key, or the members of an archive, for example. Bytes
// that are not UTF-8 are yielded as they are, and as the text in them.
func (d *Decoder) Inside(s string, depth int, yield func(Part)) {
	part{Part: Part{S: s, End: len(s)}, Decoder: d, depth: depth, yield: yield}.inside()
}

// decode visits the parts of the text that are encoded.
func (t part) decode() {
	t.base64Runs()
	t.percent()
	t.escaped("&quot;", "html", XML)
	t.escaped(`\u0022`, "json", func(s string) string { return Quoted(s, '"', false) })
}

// escaped visits, line by line, the text between quotes that are spelled as quote: JSON in
// an XML attribute, or in a JSON string.
func (t part) escaped(quote, encoding string, decode func(string) string) {
	for at := 0; ; {
		i := strings.Index(t.S[at:], quote)
		if i < 0 {
			return
		}
		start := at + i
		line, _, _ := strings.Cut(t.S[start:], "\n")
		at = start + len(line)
		if strings.Count(line, quote) >= 4 {
			end := start + strings.LastIndex(line, quote) + len(quote)
			t.deeper(start, end, decode(t.S[start:end]), encoding)
		}
	}
}

// deeper visits a decoded part.
func (t part) deeper(start, end int, s, encoding string) {
	if p, ok := t.open(start, end, s, encoding); ok {
		p.inside()
	}
}

// open returns a decoded part, and false if it exceeds the limits.
func (t part) open(start, end int, s, encoding string) (part, bool) {
	if t.depth+len(t.Encodings) >= MaxDepth || !t.afford(len(s)) {
		t.cut = true
		return part{}, false
	}
	if len(t.Encodings) == 0 {
		t.Start, t.End = start, end
	}
	t.S, t.Encodings = s, append(slices.Clip(t.Encodings), encoding)
	return t, true
}

// inside visits decoded bytes by their form: archive, text or binary.
func (t part) inside() {
	switch {
	case isArchive(t.S):
		t.archive()
	case utf8.ValidString(t.S) && controls(t.S) == 0:
		t.yield(t.Part)
	default:
		t.binary()
	}
}

// binary visits bytes that are not text: the text in them, or keys.
func (t part) binary() {
	s := t.S
	isText := isMostlyText(s)
	if t.compressed() && !isText {
		return
	}
	if even := s[:len(s)&^1]; isUTF16(even) && !strings.HasPrefix(s, privatekey.Keytab) {
		if decoded := fromUTF16(even); IsText(decoded) || hasByteOrderMark(s) {
			t.deeper(0, len(s), decoded, "utf16")
			return
		}
	}
	if _, isKey := privatekey.Recognize(s); isKey {
		t.Content = Key
		t.yield(t.Part)
		return
	}
	t.Content = Bytes
	t.yield(t.Part)
	if isText {
		t.reading(s, Text, text)
		return
	}
	t.reading(s[:textPrefix(s)], Text, text)
	t.reading(s, Strings, stringsIn)
}

// reading visits the text that a function reads in bytes.
func (t part) reading(s string, as Content, read func(string) (string, Origin)) {
	t.Content = as
	if t.S, t.Origin = read(s); t.S != "" {
		t.yield(t.Part)
	}
}

// IsText reports whether s is text: UTF-8 with few control characters.
func IsText(s string) bool {
	return utf8.ValidString(s) && controls(s)*50 <= len(s)
}

// controls returns the number of control characters.
func controls(s string) (n int) {
	for i := range len(s) {
		if isControl(s[i]) {
			n++
		}
	}
	return n
}

// percent decodes a text with several percent-encoded characters.
func (t part) percent() {
	if strings.Count(t.S[:min(len(t.S), 1<<16)], "%") < 3 {
		return
	}
	for start, end := range wordsOf(t.S) {
		w := t.S[start:end]
		if strings.Count(w, "%") < 3 {
			continue
		}
		if plain, changed := unescape.Query(w); changed && IsText(plain) {
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
