package decode

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// The minimum lengths of a run to decode. A shorter run cannot contain a name and a secret.
const (
	minBase64 = MinEncoded
	minHex    = 32
)

// MinEncoded is the minimum length in bytes of an encoded part without a mark of its encoding.
const MinEncoded = 16

// wrapping removes the line breaks and the indentation of a wrapped run.
var wrapping = strings.NewReplacer("\n", "", "\r", "", " ", "", "\t", "")

// base64Runs decodes the runs of base64 and hexadecimal digits. The lines of a wrapped run
// are joined.
func (t part) base64Runs() {
	s, padded := t.S, t.digits
	for i := 0; i+minBase64 <= len(s); {
		// A run that begins here and is long enough has a digit at its minimum length.
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
		if end-start < minBase64 || t.budget <= 0 || inArmour(s, start) {
			continue
		}
		run := s[start:end]
		if wrapped {
			run = wrapping.Replace(run)
		}
		if len(run) > maxRunLength {
			run, t.cut = run[:maxRunLength], true
		}
		if decoded, encoding := decodeRun(run, &t.decompressors); decoded != "" {
			t.deeper(start, end, decoded, encoding)
		}
	}
}

// base64Run returns the end of the run that begins at start. A line break belongs to the
// run if the lines have the length of wrapped lines. The table padded contains the digits
// and the padding.
func base64Run(s string, start int, padded *alphabet.Table) (end int, wrapped bool) {
	width := digits64(s, start, padded) // of all lines except the last
	for i, n := start, width; ; {
		if i += n; i < len(s) && s[i] == '=' {
			for i < len(s) && s[i] == '=' {
				i++
			}
			return i, wrapped
		}
		if i == len(s) || s[i] != '\n' && s[i] != '\r' || n != width || n < 36 || n%4 != 0 || n > 128 {
			return i, wrapped
		}
		next := i
		for next < len(s) && (s[next] == ' ' || s[next] == '\t' || s[next] == '\n' || s[next] == '\r') {
			next++
		}
		if n = digits64(s, next, padded); n == 0 || n > width || n < width && !endsRun(s, next+n) {
			return i, wrapped
		}
		i, wrapped = next, true
	}
}

// digits64 returns the number of base64 digits at i.
func digits64(s string, i int, padded *alphabet.Table) int {
	n := 0
	for i+n < len(s) && padded[s[i+n]] && s[i+n] != '=' {
		n++
	}
	return n
}

// endsRun reports whether a shorter line that ends at i is the last line of a run: it is
// followed by padding, the end of the line, or the end of a string.
func endsRun(s string, i int) bool {
	return i == len(s) || strings.IndexByte("=\n\r\"'", s[i]) >= 0
}

// inArmour reports whether a run is the body of a PEM block, which is searched as a whole.
func inArmour(s string, start int) bool {
	before := strings.TrimRight(s[max(0, start-4):start], " \t\r\n")
	return strings.HasSuffix(before, "--")
}

// decodeRun returns the decoded run if it is text or can be decoded further.
func decodeRun(run string, d *decompressors) (decoded, encoding string) {
	digits := len(run) >= minHex && alphabet.IsHex(run)
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
	// The beginning decides whether to decode the rest.
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

// Base64Text returns the text that s encodes in base64, if it is printable.
func Base64Text(s string) (string, bool) {
	trimmed := strings.TrimRight(s, "=")
	if len(trimmed) < 8 || len(s) > verdict.MaxValue || !verdict.IsBase64(s) || len(s)-len(trimmed) > 0 && len(s)%4 != 0 {
		return "", false
	}
	e := base64.RawStdEncoding
	if strings.ContainsAny(trimmed, "-_") {
		e = base64.RawURLEncoding
	}
	b, err := e.DecodeString(trimmed)
	if err != nil {
		return "", false
	}
	for _, c := range b {
		if (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return "", false
		}
	}
	return strings.TrimRight(string(b), "\n"), true
}

// IsFolded reports whether s is base64 with blanks and line breaks.
func IsFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < utf8.RuneSelf && !verdict.IsBase64Byte(c) && c != '=' {
			return false
		}
	}
	return verdict.IsBase64(strings.Join(strings.Fields(s), ""))
}
