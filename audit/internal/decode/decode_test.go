package decode_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pcatdev/pcat/audit/internal/decode"
)

// binary is the bytes of a Binary, which counts as an encoding.
type binary string

// scan returns the texts in a string or a Binary, and whether all were decoded.
func scan(value any) (texts []decode.Part, whole bool) {
	d := decode.New()
	visit := func(around []string) func(decode.Part) {
		return func(p decode.Part) {
			p.Encodings = slices.Concat(around, p.Encodings)
			if p.Archives > 0 {
				p.Archives += len(around)
			}
			texts = append(texts, p)
		}
	}
	if b, ok := value.(binary); ok {
		d.Inside(string(b), 1, visit([]string{"binary"}))
	} else {
		texts = append(texts, decode.Part{S: value.(string)})
	}
	for done := 0; done < len(texts); {
		p := texts[done]
		if done++; p.Content == decode.Text {
			d.Parts(p.S, len(p.Encodings), visit(p.Encodings))
		}
	}
	return texts, d.Complete()
}

func gzipped(s string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.Bytes()
}

func zlibbed(s string) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.Bytes()
}

func inUTF16(s string) []byte {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

func b64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// wrapped breaks lines as base64(1) does.
func wrapped(s string) string {
	var b strings.Builder
	for len(s) > 76 {
		b.WriteString(s[:76] + "\n")
		s = s[76:]
	}
	return b.String() + s + "\n"
}

func TestEncodings(t *testing.T) {
	const text = "[client]\nuser = root\nhost = db1\npassword = k7Xq9-zzW\n"
	tests := []struct {
		name      string
		value     any
		encodings string
	}{
		{"none", text, ""},
		{"base64", b64([]byte(text)), "base64"},
		{"base64 for URLs, without padding", base64.RawURLEncoding.EncodeToString([]byte(text + "ÿÿÿ>>>")), "base64"},
		{"base64 in lines", wrapped(b64([]byte(strings.Repeat("# comment\n", 30) + text))), "base64"},
		{"base64 amid other text", "data: " + b64([]byte(text)) + "\nnext: line\n", "base64"},
		{"base64 twice", b64([]byte(b64([]byte(text)))), "base64 base64"},
		{"base64 four times", b64([]byte(b64([]byte(b64([]byte(b64([]byte(text)))))))), "base64 base64 base64 base64"},
		{"hexadecimal digits", hex.EncodeToString([]byte(text)), "hex"},
		{"hexadecimal digits in capitals", strings.ToUpper(hex.EncodeToString([]byte(text))), "hex"},
		{"gzip", b64(gzipped(text)), "base64 gzip"},
		{"zlib", b64(zlibbed(text)), "base64 zlib"},
		{"percent", url.QueryEscape(text), "percent"},
		{"Binary", binary(text), "binary"},
		{"Binary of gzip", binary(gzipped(text)), "binary gzip"},
		{"Binary of UTF-16", binary(inUTF16(text)), "binary utf16"},
		{"base64 of UTF-16, as PowerShell takes it", b64(inUTF16(text)), "base64 utf16"},
		{"Binary of base64 of gzip", binary(b64(gzipped(text))), "binary base64 gzip"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if texts, _ := scan(tt.value); !slices.ContainsFunc(texts, func(p decode.Part) bool {
				return strings.Contains(p.S, text) && strings.Join(p.Encodings, " ") == tt.encodings
			}) {
				t.Errorf("not found behind %q", tt.encodings)
			}
		})
	}
}

// TestDepth checks the maximum depth. Deeper encodings do not occur by accident.
func TestDepth(t *testing.T) {
	s := "password = k7Xq9-zzW\n"
	for range 6 {
		s = b64([]byte(s))
	}
	texts, _ := scan(s)
	for _, p := range texts {
		if strings.Contains(p.S, "password") {
			t.Errorf("found behind %q", p.Encodings)
		}
	}
}

// TestBombs checks that compressed texts are decoded within the limits, and that an
// incomplete search is reported.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	zeros := strings.Repeat("\x00", 8<<20)
	lines := strings.Repeat("password = k7Xq9-zzW\n", 1<<18)
	for name, tt := range map[string]struct {
		value any
		whole bool
	}{
		"zeros":          {binary(gzipped(zeros)), false},
		"lines":          {binary(gzipped(lines)), false},
		"lines in zlib":  {b64(zlibbed(lines)), false},
		"zip in zip":     {binary(gzipped(string(gzipped(zeros)))), false},
		"many small":     {strings.Repeat(b64(gzipped(strings.Repeat("a", 1<<16)))+" ", 2000), false},
		"cut in half":    {binary(gzipped(lines)[:200]), false},
		"a broken block": {binary(append([]byte("\x1f\x8b\x08"), 1, 2, 3, 4, 5, 6, 7)), true},
	} {
		t.Run(name, func(t *testing.T) {
			if _, whole := scan(tt.value); whole != tt.whole {
				t.Errorf("all was looked at: %v, want %v", whole, tt.whole)
			}
		})
	}
}
