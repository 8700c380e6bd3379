package detect_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/audit/detect"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/verdict"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// find returns the hits in a parameter of a resource.
func find(t testing.TB, resource, parameter string, value any) []detect.Hit {
	t.Helper()
	hits, _ := scan(t, resource, parameter, value)
	return hits
}

// in returns the hits in a leaf.
func in(s *detect.Scanner, l *leaf.Leaf) (hits []detect.Hit) {
	for t := range s.Texts(l) {
		hits = slices.AppendSeq(hits, t.Hits())
	}
	return hits
}

// scan returns the hits in a parameter, and whether it was searched completely.
func scan(t testing.TB, resource, parameter string, value any) (hits []detect.Hit, whole bool) {
	t.Helper()
	document, err := json.Marshal(map[string]any{"name": "n", "resources": []any{
		map[string]any{"type": resource, "title": "x", "parameters": map[string]any{parameter: value}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	form := formats.RichJSON()
	whole = true
	scanner := detect.New(verdict.Names{}).Scanner()
	r := catalog.NewReaderBytes(document, form, serialization.DecodeOptions{})
	if err := leaf.Walk(r, "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		hits = append(hits, in(scanner, l)...)
		whole = whole && scanner.Complete()
	}}); err != nil {
		t.Fatal(err)
	}
	return hits, whole
}

func binary(b []byte) any {
	return map[string]any{"__ptype": "Binary", "__pvalue": base64.StdEncoding.EncodeToString(b)}
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
	const text, secret = "[client]\nuser = root\nhost = db1\npassword = k7Xq9-zzW\n", "k7Xq9-zzW"
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
		{"Binary", binary([]byte(text)), "binary"},
		{"Binary of gzip", binary(gzipped(text)), "binary gzip"},
		{"Binary of UTF-16", binary(inUTF16(text)), "binary utf16"},
		{"base64 of UTF-16, as PowerShell takes it", b64(inUTF16(text)), "base64 utf16"},
		{"Binary of base64 of gzip", binary([]byte(b64(gzipped(text)))), "binary base64 gzip"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found := false
			for _, h := range find(t, "File", "content", tt.value) {
				if h.Secret == secret && strings.Join(h.Encodings, " ") == tt.encodings {
					found = true
				}
			}
			if !found {
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
	if hits := find(t, "File", "content", s); len(hits) > 0 {
		t.Errorf("found %d", len(hits))
	}
}

// TestBombs checks that compressed texts are decoded within the limits, and that an
// incomplete search is reported.
func TestBombs(t *testing.T) {
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
			if _, whole := scan(t, "File", "content", tt.value); whole != tt.whole {
				t.Errorf("all was looked at: %v, want %v", whole, tt.whole)
			}
		})
	}
}

func TestKeysInBinary(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sec1, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		bytes []byte
		found bool
	}{
		{"SEC 1", sec1, true},
		{"PKCS #8", pkcs8, true},
		{"OpenSSH", []byte("openssh-key-v1\x00\x00\x00\x00\x04none\x00\x00\x00\x04none\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x20aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), true},
		{"a keytab", append([]byte("\x05\x02\x00\x00\x00\x40"), bytes.Repeat([]byte{0x91, 0x7f}, 40)...), true},
		{"a key store of Java", append([]byte("\xfe\xed\xfe\xed\x00\x00\x00\x02"), bytes.Repeat([]byte{0x91, 0x7f}, 40)...), true},
		{"a key store of Java without keys", javaStore(2), false},
		{"a key store of Java with keys", javaStore(2, 2, 1), true},
		{"a key of Dropbear", sshFields("ssh-ed25519", 64), true},
		{"a key of Dropbear for RSA", sshFields("ssh-rsa", 3, 257, 256, 128, 128), true},
		{"a public key of SSH", sshFields("ssh-ed25519", 32), false},
		{"a public key of SSH for RSA", sshFields("ssh-rsa", 3, 257), false},
		{"a public key", public, false},
		{"an image", append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{0x91, 0x7f, 0}, 40)...), false},
		{"a truncated key", sec1[:len(sec1)-8], false},
		{"other DER", []byte("\x30\x82\x00\x04\x02\x02\x01\x01"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for how, value := range map[string]any{"Binary": binary(tt.bytes), "base64": b64(tt.bytes)} {
				found := false
				for _, h := range find(t, "File", "content", value) {
					found = found || h.Rule == "private-key"
				}
				if found != tt.found && !(how == "base64" && tt.found && !begins(tt.bytes)) {
					t.Errorf("%s: found is %v, want %v", how, found, tt.found)
				}
			}
		})
	}
}

// javaStore returns a Java key store with entries of the given kinds: 1 for a private key,
// 2 for a certificate.
func javaStore(kinds ...byte) []byte {
	b := []byte{0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, byte(len(kinds))}
	for _, k := range kinds {
		b = append(b, 0, 0, 0, k, 0, 1, 'a', 0, 0, 1, 0x8f, 0, 0, 0, 0, 0, 5)
		b = append(b, "X.509\x00\x00\x00\x20"...)
		b = append(b, bytes.Repeat([]byte{0x91}, 32)...)
	}
	return append(b, bytes.Repeat([]byte{0x7f}, 20)...)
}

// sshFields returns fields of the given sizes after the name of a kind of key.
func sshFields(kind string, sizes ...int) []byte {
	b := append([]byte{0, 0, 0, byte(len(kind))}, kind...)
	for _, n := range sizes {
		b = append(b, 0, 0, byte(n>>8), byte(n))
		b = append(b, bytes.Repeat([]byte{0x91}, n)...)
	}
	return b
}

// begins reports whether base64 of b is decoded because of its first bytes. Only forms that
// do not occur by chance are.
func begins(b []byte) bool { return b[0] == 0x30 || b[0] == 'o' }

// TestTable checks that each column with the name of a secret is searched.
func TestTable(t *testing.T) {
	var got []string
	document := `{"resources":[{"type":"File","title":"/etc/users.csv","parameters":{"content":"name;password;mail;api_token\nana;Xk9-vLm2!q;a@x;Zq8wK2mP5vT7nR1s\nbo;short\r\ncy;Rt7#pLq9!z;c@x;Vb3nM8kQ1xW6tY2h\r\n"}}]}`
	scanner := detect.New(verdict.Names{}).Scanner()
	form := formats.RichJSON()
	r := catalog.NewReaderBytes([]byte(document), form, serialization.DecodeOptions{})
	if err := leaf.Walk(r, "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		for _, h := range in(scanner, l) {
			got = append(got, h.Name+"="+h.Secret)
		}
	}}); err != nil {
		t.Fatal(err)
	}
	want := "password=Xk9-vLm2!q api_token=Zq8wK2mP5vT7nR1s password=short password=Rt7#pLq9!z api_token=Vb3nM8kQ1xW6tY2h"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
