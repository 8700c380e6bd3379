package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"testing"

	"github.com/pcatdev/pcat/internal/secret"
)

// webstack returns some megabytes of catalogs.
func webstack(b *testing.B) []byte {
	data, err := os.ReadFile("../../testdata/catalogs/webstack/rich.json")
	if err != nil {
		b.Fatal(err)
	}
	return bytes.Repeat(data, 50)
}

// tokens returns n secrets of the given number of hexadecimal digits.
func tokens(n, digits int) [][]byte {
	secrets := make([][]byte, n)
	for i := range secrets {
		secrets[i] = fmt.Appendf(nil, "%016x%016x", uint64(i+1)*0x9e3779b97f4a7c15, uint64(i+1)*0xbf58476d1ce4e5b9)[:digits]
	}
	return secrets
}

func BenchmarkContains(b *testing.B) {
	text := webstack(b)
	for _, n := range []int{1, 100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var patterns [][]byte
			for i := range n {
				for _, p := range secret.Forms([]byte(fmt.Sprintf("s3cret-%d-%x", i, i*7919))) {
					patterns = append(patterns, p)
				}
			}
			s, err := secret.Compile(patterns)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if s.Contains(text) {
					b.Fatal("found")
				}
			}
		})
	}
}

func BenchmarkCompileForms(b *testing.B) {
	for _, n := range []int{1, 5, 668, 5000, 44000} {
		for _, digits := range []int{12, 24} {
			secrets := tokens(n, digits)
			b.Run(fmt.Sprintf("%dx%d", n, digits), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					secret.CompileForms(secrets)
				}
			})
		}
	}
}

// Most texts of a catalog are short and contain no secret.
func BenchmarkContainsForms(b *testing.B) {
	long := webstack(b)
	for _, n := range []int{5, 668, 5000, 44000} {
		for _, digits := range []int{12, 24} {
			s := secret.CompileForms(tokens(n, digits))
			for _, text := range [][]byte{long[:20], long[:200], long} {
				b.Run(fmt.Sprintf("%dx%d/%d", n, digits, len(text)), func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					for b.Loop() {
						if s.Contains(text) {
							b.Fatal("found")
						}
					}
				})
			}
		}
	}
}

// A short secret, or one that is mostly escaped, is searched for in each form.
func BenchmarkShortSecret(b *testing.B) {
	text := webstack(b)
	for _, hidden := range []string{"s3cr", "hunter", "hunter2", "hunter2!", "p@ssw0rd-9!", "abc!defghij!klmnop"} {
		s := secret.CompileForms([][]byte{[]byte(hidden)})
		b.Run(hidden, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Contains(text)
			}
		})
	}
}

// Text with many escapes or lines is searched several times.
func BenchmarkContainsEscaped(b *testing.B) {
	var lines, mixed bytes.Buffer
	for i := 0; lines.Len() < 1<<20; i++ {
		fmt.Fprintf(&lines, "  listen_%d = \"port %d & host\" # of <site%d>\n", i, i%9000, i)
		fmt.Fprintf(&mixed, "  a%%20%d\\\"%d&quot;b=3D%%2525&amp;lt;\n", i, i%9000)
	}
	inJSON, _ := json.Marshal(lines.String())
	twice, _ := json.Marshal(string(inJSON))
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"lines", lines.Bytes()}, {"json", inJSON}, {"twice", twice}, {"xml", []byte(html.EscapeString(lines.String()))},
		{"percent", []byte(url.QueryEscape(lines.String()))}, {"mixed", mixed.Bytes()}, {"catalog", webstack(b)},
	} {
		for name, secrets := range map[string][][]byte{"tokens": tokens(100, 24), "key": {bytes.Join(tokens(60, 32), []byte("/"))}} {
			s := secret.CompileForms(secrets)
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(c.text)))
				for b.Loop() {
					if s.Contains(c.text) {
						b.Fatal("found")
					}
				}
			})
		}
	}
}
