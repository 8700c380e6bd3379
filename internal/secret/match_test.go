package secret_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/secret"
)

func compile(t testing.TB, patterns ...string) *secret.Set {
	t.Helper()
	list := make([][]byte, len(patterns))
	for i, p := range patterns {
		list[i] = []byte(p)
	}
	s, err := secret.Compile(list)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		text     string
		want     string // the text, with matches in brackets
	}{
		{nil, "nothing to find", "nothing to find"},
		{[]string{"hunter2"}, "", ""},
		{[]string{"hunter2"}, "hunter2", "[hunter2:0]"},
		{[]string{"hunter2"}, "a hunter2 and hunter2hunter2", "a [hunter2:0] and [hunter2:0][hunter2:0]"},
		{[]string{"hunter2"}, "hunter", "hunter"},
		{[]string{"abcd", "correct horse battery"}, "xabcdx correct horse battery.", "x[abcd:0]x [correct horse battery:1]."},
		{[]string{"hunter2", "hunter2-extended"}, "hunter2-extended hunter2", "[hunter2-extended:1] [hunter2:0]"},
		{[]string{"abcdef", "defghi"}, "abcdefghi", "[abcdefghi:-1]"},
		{[]string{"abcdefgh", "ijklmnop"}, "abcdefghijklmnop", "[abcdefgh:0][ijklmnop:1]"},
		{[]string{"same text", "same text"}, "same text", "[same text:0]"},
		{[]string{"aaaa"}, "aaaaaaaaaa", "[aaaa:0][aaaa:0]aa"},
		{[]string{strings.Repeat("prefix ", 40) + "1", strings.Repeat("prefix ", 40) + "2"},
			strings.Repeat("prefix ", 42) + "2", "prefix prefix [" + strings.Repeat("prefix ", 40) + "2:1]"},
	} {
		s := compile(t, c.patterns...)
		var b strings.Builder
		end := 0
		for _, span := range s.Spans([]byte(c.text)) {
			fmt.Fprintf(&b, "%s[%s:%d]", c.text[end:span.Start], c.text[span.Start:span.End], span.Pattern)
			end = span.End
		}
		b.WriteString(c.text[end:])
		if b.String() != c.want {
			t.Errorf("%q in %q: got %s, want %s", c.patterns, c.text, b.String(), c.want)
		}
		if got, want := s.Contains([]byte(c.text)), strings.Contains(c.want, "["); got != want {
			t.Errorf("%q contains %q: %v", c.text, c.patterns, got)
		}
	}
}

func TestShortPattern(t *testing.T) {
	if _, err := secret.Compile([][]byte{[]byte("long enough"), []byte("abc")}); !errors.Is(err, secret.ErrShort) {
		t.Error(err)
	}
}

func TestZeroSet(t *testing.T) {
	var s *secret.Set
	if s.Contains([]byte("anything")) || s.Len() != 0 || s.Longest() != 0 || (&secret.Set{}).Spans([]byte("anything")) != nil {
		t.Error("the zero value finds something")
	}
}

// TestFindsWhatBytesFinds compares the set with bytes.Index in texts where patterns
// repeat, overlap and share prefixes.
func TestFindsWhatBytesFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 4, 24, -1)
		patterns := rapid.SliceOfN(word, 1, 8).Draw(t, "patterns")
		text := []byte(strings.Join(rapid.SliceOfN(rapid.OneOf(word, rapid.SampledFrom(patterns)), 0, 12).Draw(t, "text"), ""))
		list := make([][]byte, len(patterns))
		for i, p := range patterns {
			list[i] = []byte(p)
		}
		s, err := secret.Compile(list)
		if err != nil {
			t.Fatal(err)
		}
		covered := make([]bool, len(text))
		for _, span := range s.Spans(text) {
			for i := span.Start; i < span.End; i++ {
				covered[i] = true
			}
		}
		want := make([]bool, len(text))
		for _, p := range list {
			for from := 0; ; {
				i := bytes.Index(text[from:], p)
				if i < 0 {
					break
				}
				for j := range p {
					want[from+i+j] = true
				}
				from += i + len(p)
			}
		}
		if !slices.Equal(covered, want) {
			t.Fatalf("%q in %q: covers %v, want %v", patterns, text, covered, want)
		}
	})
}

// TestEveryLocation checks that patterns of all lengths are found at every position of texts
// of all lengths.
func TestEveryLocation(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for n := secret.MinLen; n <= 24; n++ {
		s := compile(t, letters[:n], letters[len(letters)-n:]+"!")
		for before := range 19 {
			for after := range 13 {
				text := strings.Repeat(".", before) + letters[:n] + strings.Repeat(".", after)
				if got := s.Spans([]byte(text)); len(got) != 1 || got[0] != (secret.Span{Start: before, End: before + n}) {
					t.Fatalf("%d bytes in %q: %v", n, text, got)
				}
			}
		}
	}
}

// TestLateFailures searches a text in which comparisons of long patterns fail late
// everywhere: without a bound it would take minutes.
func TestLateFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	const long = 1 << 17
	s := compile(t, strings.Repeat("a", long), "needle in it")
	text := []byte(strings.Repeat(strings.Repeat("a", long-1)+"b", 8))
	if s.Contains(text) {
		t.Error("what is not there was found")
	}
	text = append(text, strings.Repeat("a", long)...)
	if got := s.Spans(append(text, "needle in it"...)); len(got) != 2 || got[0].End-got[0].Start != long {
		t.Errorf("got %v", got)
	}
}

func TestManyPatternsWithOneBeginning(t *testing.T) {
	var patterns []string
	for i := range 2000 {
		patterns = append(patterns, fmt.Sprintf("-----BEGIN RSA PRIVATE KEY-----\n%08d", i))
	}
	s := compile(t, patterns...)
	text := []byte(strings.Join(patterns, "\n"))
	if got := s.Spans(text); len(got) != len(patterns) || got[1234].Pattern != 1234 {
		t.Errorf("%d of %d were found", len(got), len(patterns))
	}
}

func TestSetsPrintNothing(t *testing.T) {
	s := compile(t, "canary-in-a-set")
	for _, text := range []string{fmt.Sprintf("%v %+v %#v", s, s, s), fmt.Sprintf("%+v", struct{ s secret.Set }{*s})} {
		if strings.Contains(text, "canary") || strings.Contains(text, "99 97 110 97 114 121") {
			t.Errorf("printed as %s", text)
		}
	}
}

func TestForms(t *testing.T) {
	hidden := `Pa"ss/w'rd <&\$> é` + "\n" + `2nd`
	set := secret.CompileForms([][]byte{[]byte(hidden)})
	found := func(text string) bool { return set.Contains([]byte(text)) }
	inJSON := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	utf16le := func(s string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return string(b)
	}
	for name, text := range map[string]string{
		"raw":                  "x" + hidden + "y",
		"lower":                "tag-" + strings.ToLower(hidden),
		"json of Go":           inJSON("x" + hidden),
		"json of Ruby":         strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(hidden),
		"json in json":         inJSON(strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(hidden)),
		"slashes":              strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "/", `\/`).Replace(hidden),
		"ascii":                strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "é", `\u00e9`).Replace(hidden),
		"double quotes":        strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "$", `\$`).Replace(hidden),
		"shell":                "'" + strings.ReplaceAll(hidden, "'", `'\''`) + "'",
		"YAML":                 "'" + strings.ReplaceAll(hidden, "'", `''`) + "'",
		"XML":                  strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(hidden),
		"XML attribute":        strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(hidden),
		"hex":                  hex.EncodeToString([]byte("ab" + hidden)),
		"HEX":                  strings.ToUpper(hex.EncodeToString([]byte(hidden))),
		"query":                url.QueryEscape(hidden),
		"path":                 url.PathEscape(hidden),
		"UTF-16":               utf16le("x" + hidden),
		"UTF-16 in base64":     base64.StdEncoding.EncodeToString([]byte(utf16le("xy" + hidden))),
		"base64":               base64.StdEncoding.EncodeToString([]byte(hidden)),
		"base64 behind one":    base64.StdEncoding.EncodeToString([]byte("x" + hidden + "yz")),
		"base64 behind two":    base64.RawStdEncoding.EncodeToString([]byte("xy" + hidden + "z")),
		"base64 for URLs":      base64.URLEncoding.EncodeToString([]byte(hidden + "??>>")),
		"base64 behind a name": base64.URLEncoding.EncodeToString([]byte("user:" + hidden)),
	} {
		if !found(text) {
			t.Errorf("%s: not found in %q", name, text)
		}
	}
	if found("Pa\"ss/w'rd") || found(base64.StdEncoding.EncodeToString([]byte("another secret of that length"))) {
		t.Error("found in something else")
	}
}

func TestFormsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hidden := rapid.SliceOfN(rapid.Byte(), 6, 40).Draw(t, "secret")
		before := rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "before")
		after := rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "after")
		text := slices.Concat(before, hidden, after)
		for form, spelling := range secret.Forms(hidden) {
			if len(spelling) < secret.MinLen {
				t.Fatalf("%s is too short", form)
			}
		}
		s := secret.CompileForms([][]byte{hidden})
		for name, in := range map[string][]byte{
			"raw":       text,
			"base64":    base64.StdEncoding.AppendEncode(nil, text),
			"base64url": base64.RawURLEncoding.AppendEncode(nil, text),
			"hex":       hex.AppendEncode(nil, text),
			"query":     []byte(url.QueryEscape(string(text))),
			"path":      []byte(url.PathEscape(string(text))),
			"lower":     slices.Concat(before, bytes.ToLower(hidden)),
		} {
			if !s.Contains(in) {
				t.Fatalf("%q is not found in %s of %q", hidden, name, text)
			}
		}
	})
}

// A short secret is also found by line breaks and bytes that are no characters.
func TestFormsOfShortLines(t *testing.T) {
	for _, hidden := range []string{"\r\xbdU\xff0\n", "\nab\n", "\n\n\n.", "ab\r\ncd", "a\r\nb", "\n\n\n ", "\n \n ", "\n\n \n\n", "\n\n\n ab", "\n\xbd\n\xbd\n"} {
		s := secret.CompileForms([][]byte{[]byte(hidden)})
		for name, in := range map[string]string{
			"raw":   hidden,
			"query": url.QueryEscape(hidden),
			"JSON":  strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(hidden),
		} {
			for _, around := range []string{in, "x" + in, in + "x", "%85%F8" + in + "%00"} {
				if !s.Contains([]byte(around)) {
					t.Errorf("%s: %q is not found in %q", name, hidden, around)
				}
			}
		}
	}
}

func FuzzSpans(f *testing.F) {
	f.Add("hunter2\nhunter2-extended\nabcdef", "hunter2-extended abcdef")
	f.Fuzz(func(t *testing.T, patterns, text string) {
		var list [][]byte
		for p := range strings.SplitSeq(patterns, "\n") {
			if len(p) >= secret.MinLen {
				list = append(list, []byte(p))
			}
		}
		s, err := secret.Compile(list)
		if err != nil {
			t.Fatal(err)
		}
		spans := s.Spans([]byte(text))
		rest := []byte(text)
		for _, span := range slices.Backward(spans) {
			for i := span.Start; i < span.End; i++ {
				rest[i] = '\n' // in no pattern
			}
		}
		for _, p := range list {
			if bytes.Contains(rest, p) {
				t.Errorf("%q is left in %q", p, rest)
			}
			if bytes.Contains([]byte(text), p) && len(spans) == 0 {
				t.Errorf("%q is not found in %q", p, text)
			}
		}
	})
}

func ExampleSet_Spans() {
	var patterns [][]byte
	for _, spelling := range secret.Forms([]byte("s3cret-token")) {
		patterns = append(patterns, spelling)
	}
	set, err := secret.Compile(patterns)
	if err != nil {
		panic(err)
	}
	text := []byte("Authorization: Basic dXNlcjpzM2NyZXQtdG9rZW4=")
	for _, span := range set.Spans(text) {
		fmt.Printf("%s\n", text[span.Start:span.End])
	}
	// Output:
	// zM2NyZXQtdG9rZW
}

// Very many patterns with a common prefix are found.
func TestPatternsThatBeginAlike(t *testing.T) {
	const many = 20_000
	patterns := make([][]byte, many)
	for i := range patterns {
		patterns[i] = fmt.Appendf(nil, "the same beginning %d", i+many)
	}
	set, err := secret.Compile(patterns)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range patterns {
		text := append([]byte("x"[:i%2]), p...)
		if hits := slices.Collect(set.Find(text)); len(hits) != 1 || hits[0].Pattern != i || hits[0].End != len(text) {
			t.Fatal(i, hits)
		}
	}
}
