package detect

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
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

// The shortest runs that are decoded: what is shorter holds no text with a
// name in it.
const (
	minBase64 = 16
	minHex    = 32
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
		t.escaped(`\u0022`, "json", func(s string) string { return unescape(s, '"', false) })
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

// isUTF16 tells a byte order mark, or a zero in every other byte.
func isUTF16(s string) bool {
	if len(s) < 8 || len(s)%2 != 0 {
		return false
	}
	if strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff") {
		return true
	}
	var zeros [2]int
	n := min(len(s), 256)
	for i := range n {
		if s[i] == 0 {
			zeros[i%2]++
		}
	}
	return zeros[0]*3 >= n || zeros[1]*3 >= n
}

func fromUTF16(s string) string {
	big := strings.HasPrefix(s, "\xfe\xff") || !strings.HasPrefix(s, "\xff\xfe") && s[0] == 0
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		u := uint16(s[i]) | uint16(s[i+1])<<8
		if big {
			u = u>>8 | u<<8
		}
		if u != 0xfeff {
			units = append(units, u)
		}
	}
	return string(utf16.Decode(units))
}

// base64Runs decodes the runs of base64 and hexadecimal digits. Lines of a
// wrapped run are joined.
func (t *Text) base64Runs() {
	s, padded := t.S, t.scanner.detector.base64
	for i := 0; i+minBase64 <= len(s); {
		// A run from here that is long enough has a digit at its least length.
		if !padded[s[i+minBase64-1]] {
			i += minBase64
			continue
		}
		if !padded[s[i]] || s[i] == '=' {
			i++
			continue
		}
		start := i
		end, wrapped := base64Run(s, i, padded)
		i = end
		if end-start < minBase64 || t.scanner.left <= 0 || inArmour(s, start) {
			continue
		}
		run := s[start:end]
		if wrapped {
			run = strings.NewReplacer("\n", "", "\r", "", " ", "", "\t", "").Replace(run)
		}
		if len(run) > maxRunLength {
			run, t.scanner.cut = run[:maxRunLength], true
		}
		if decoded, encoding := decodeRun(run, &t.scanner.decompressors); decoded != "" {
			t.deeper(start, end, decoded, encoding)
		}
	}
}

func isBase64Byte(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '-' || c == '_' }

// base64Run returns where the run that begins at i ends. A line break is part
// of it when the lines are as long as wrapping makes them. Padded has the digits,
// and what pads them.
func base64Run(s string, i int, padded *table) (end int, wrapped bool) {
	start, line := i, i
	for i < len(s) {
		if padded[s[i]] && s[i] != '=' {
			i++
			continue
		}
		if s[i] == '=' {
			for i < len(s) && s[i] == '=' {
				i++
			}
			return i, wrapped
		}
		n := i - line
		if s[i] != '\n' && s[i] != '\r' || n < 36 || n%4 != 0 || n > 128 || wrapped && n != lineLength(s, start) {
			return i, wrapped
		}
		next := i
		for next < len(s) && (s[next] == '\n' || s[next] == '\r' || s[next] == ' ' || s[next] == '\t') {
			next++
		}
		if next >= len(s) || !isBase64Byte(s[next]) {
			return i, wrapped
		}
		if n = 0; true {
			for next+n < len(s) && isBase64Byte(s[next+n]) {
				n++
			}
			// The next line is part of it when it is full, or the last.
			after := next + n
			full := n == lineLength(s, start)
			last := after == len(s) || s[after] == '=' || s[after] == '\n' || s[after] == '\r' || s[after] == '"' || s[after] == '\''
			if !full && (!last || n > lineLength(s, start)) {
				return i, wrapped
			}
		}
		i, line, wrapped = next, next, true
	}
	return i, wrapped
}

// lineLength returns the length of the first line of a run.
func lineLength(s string, start int) int {
	n := 0
	for start+n < len(s) && isBase64Byte(s[start+n]) {
		n++
	}
	return n
}

// inArmour reports whether a run is the body of a PEM block, which is looked at
// as a whole.
func inArmour(s string, start int) bool {
	before := strings.TrimRight(s[max(0, start-4):start], " \t\r\n")
	return strings.HasSuffix(before, pemDash[:2])
}

// decodeRun returns what a run stands for, when that is text or something that
// can be decoded further.
func decodeRun(run string, d *decompressors) (decoded, encoding string) {
	digits := len(run) >= minHex && isHex(run)
	if digits && len(run)%2 == 0 {
		if b, err := hex.DecodeString(run); err == nil && worth(b) {
			return string(b), "hex"
		}
	}
	text := strings.TrimRight(run, "=")
	e := base64.RawStdEncoding
	if strings.ContainsAny(text, "-_") {
		if strings.ContainsAny(text, "+/") {
			return "", ""
		}
		e = base64.RawURLEncoding
	}
	if len(text)%4 == 1 {
		return "", ""
	}
	// The beginning tells whether the rest is worth it.
	var some [64]byte
	var head [48]byte
	n, err := e.Decode(head[:], some[:copy(some[:], text)&^3])
	if err != nil {
		return "", ""
	}
	if !worth(head[:n]) {
		if digits || len(text) < minDeflated/3*4 {
			return "", ""
		}
		b, err := e.DecodeString(text[:min(len(text), 2*deflateProbe)&^3])
		if err != nil || !isTar(string(b)) && !d.isDeflated(string(b)) {
			return "", ""
		}
	}
	b, err := e.DecodeString(text)
	if err != nil || !worth(b) && !d.isDeflated(string(b[:min(len(b), deflateProbe)])) {
		return "", ""
	}
	return string(b), "base64"
}

// worth reports whether bytes are text, or of a form that can be looked into.
func worth(b []byte) bool {
	if begins(b) {
		return true
	}
	s := string(b)
	for len(s) > 0 && len(b)-len(s) < utf8.UTFMax && !utf8.ValidString(s) {
		s = s[:len(s)-1] // a cut may split the last character
	}
	return len(s) >= 8 && isText(s)
}

func begins(b []byte) bool {
	s := string(b[:min(len(b), 16)])
	switch {
	case strings.HasPrefix(s, "\x1f\x8b\x08"), strings.HasPrefix(s, "BZh"), strings.HasPrefix(s, "\x28\xb5\x2f\xfd"),
		strings.HasPrefix(s, "\xfd7zXZ\x00"), strings.HasPrefix(s, zipMagic), strings.HasPrefix(s, "openssh-key-v1"),
		strings.HasPrefix(s, "\xff\xfe"), strings.HasPrefix(s, "\x30\x82"), strings.HasPrefix(s, "\x30\x81"), strings.HasPrefix(s, "\x30\x77\x02\x01"),
		strings.HasPrefix(s, "\x30\x2e\x02\x01"), strings.HasPrefix(s, keytab), strings.HasPrefix(s, "\xfe\xed\xfe\xed\x00\x00\x00"),
		strings.HasPrefix(s, "\xce\xce\xce\xce\x00\x00\x00"):
		return true
	case len(b) > 16 && b[0] == 0x78 && (b[1] == 0x01 || b[1] == 0x5e || b[1] == 0x9c || b[1] == 0xda):
		return true
	}
	return len(b) >= 8 && isUTF16(string(b[:len(b)&^1])) || len(b) >= 512 && isTar(string(b[:512]))
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
		if plain, err := url.QueryUnescape(w); err == nil && plain != w && isText(plain) {
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
