package sensitive_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"html"
	"io"
	"maps"
	"math/rand/v2"
	"mime/quotedprintable"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

var (
	catalogs = flag.Int("catalogs", 400, "number of catalogs of TestEncodings")
	first    = flag.Int("first", 0, "first catalog of TestEncodings")
)

// encoding writes a text in another language. decode is its inverse, from a library that
// the redactor does not use; it also decodes what is left after a part was replaced.
type encoding struct {
	name   string
	encode func(r *rand.Rand, text string) string
	decode func(text string) ([]string, error)
}

// one returns a decoder with a single result.
func one(decode func(string) (string, error)) func(string) ([]string, error) {
	return func(text string) ([]string, error) {
		plain, err := decode(text)
		return []string{plain}, err
	}
}

func unquoteJSON(text string) (plain string, err error) {
	err = json.Unmarshal([]byte(`"`+text+`"`), &plain)
	return plain, err
}

// escapedBy returns text with the characters for which must is true escaped, and others
// at random.
func escapedBy(r *rand.Rand, text string, share float64, must func(rune) bool, escape func(rune) string) string {
	var b strings.Builder
	for _, c := range text {
		if must(c) || r.Float64() < share {
			b.WriteString(escape(c))
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func share(r *rand.Rand) float64 { return []float64{0, 0.1, 0.5, 1}[r.IntN(4)] }

func unitsOf(format string) func(rune) string {
	return func(c rune) (s string) {
		for _, u := range utf16.Encode([]rune{c}) {
			s += fmt.Sprintf(format, u)
		}
		return s
	}
}

func mustJSON(c rune) bool { return c < ' ' || c == '"' || c == '\\' }

// escapes are encodings of a text with all that is in it.
var escapes = []encoding{
	{"JSON of Go", func(_ *rand.Rand, text string) string { q := quoted(text); return q[1 : len(q)-1] }, one(unquoteJSON)},
	{"JSON of PHP", func(r *rand.Rand, text string) string {
		return escapedBy(r, strings.NewReplacer(`\`, `\\`, `"`, `\"`, "/", `\/`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text), 0, func(c rune) bool { return c < ' ' || c > '~' }, unitsOf(`\u%04x`))
	}, one(unquoteJSON)},
	{"JSON of .NET", func(r *rand.Rand, text string) string {
		return escapedBy(r, text, 0, func(c rune) bool { return mustJSON(c) || strings.ContainsRune("'<>&+=`", c) || c > '~' }, unitsOf(`\u%04X`))
	}, one(unquoteJSON)},
	{"mixed JSON", func(r *rand.Rand, text string) string {
		return escapedBy(r, text, share(r), mustJSON, unitsOf([]string{`\u%04x`, `\u%04X`}[r.IntN(2)]))
	}, one(unquoteJSON)},
	{"query", func(_ *rand.Rand, text string) string { return url.QueryEscape(text) }, one(url.QueryUnescape)},
	{"path", func(_ *rand.Rand, text string) string { return url.PathEscape(text) }, one(url.PathUnescape)},
	{"mixed percent", func(r *rand.Rand, text string) string {
		format, share := []string{"%%%02x", "%%%02X"}[r.IntN(2)], share(r)
		var b strings.Builder
		for _, c := range []byte(text) {
			if c <= ' ' || c == '%' || c > '~' || r.Float64() < share {
				fmt.Fprintf(&b, format, c)
			} else {
				b.WriteByte(c)
			}
		}
		return b.String()
	}, one(url.PathUnescape)},
	{"XML", func(_ *rand.Rand, text string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(text))
		return b.String()
	}, one(unescapeHTML)},
	{"HTML", func(_ *rand.Rand, text string) string { return html.EscapeString(text) }, one(unescapeHTML)},
	{"mixed XML", func(r *rand.Rand, text string) string {
		format := []string{"&#%d;", "&#x%x;", "&#x%X;", "&#%05d;", "&#x%06x;"}[r.IntN(5)]
		return escapedBy(r, text, share(r), func(c rune) bool { return c == '&' || c == '<' || c == '"' || c == '\r' }, func(c rune) string { return fmt.Sprintf(format, c) })
	}, one(unescapeHTML)},
	{"quoted-printable", func(_ *rand.Rand, text string) string {
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		w.Binary = true
		_, _ = io.WriteString(w, text)
		_ = w.Close()
		return b.String()
	}, one(func(text string) (string, error) {
		plain, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(text)))
		return string(plain), err
	})},
}

func unescapeHTML(text string) (string, error) { return html.UnescapeString(text), nil }

// digits are encodings in digits, broken into lines.
var digits = []encoding{
	{"base64", func(r *rand.Rand, text string) string {
		e := []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding}[r.IntN(3)]
		return wrapped(r, e.EncodeToString([]byte(text)))
	}, fromDigits(fromBase64)},
	{"base64 of UTF-16", func(r *rand.Rand, text string) string {
		return wrapped(r, base64.StdEncoding.EncodeToString(toUTF16(text)))
	}, fromDigits(func(text string) (all []string) {
		for _, s := range fromBase64(text) {
			all = append(all, fromUTF16(s), fromUTF16(s[min(1, len(s)):]))
		}
		return all
	})},
	{"hex", func(r *rand.Rand, text string) string {
		return wrapped(r, inCase(r, hex.EncodeToString([]byte(text))))
	}, fromDigits(fromHex)},
	{"hex with colons", func(r *rand.Rand, text string) string {
		return inCase(r, strings.TrimSuffix(regexp.MustCompile("..").ReplaceAllString(hex.EncodeToString([]byte(text)), "$0:"), ":"))
	}, func(text string) ([]string, error) {
		return fromDigits(fromHex)(strings.ReplaceAll(text, ":", ""))
	}},
}

func inCase(r *rand.Rand, text string) string {
	if r.IntN(2) == 0 {
		return strings.ToUpper(text)
	}
	return text
}

// wrapped breaks text into lines.
func wrapped(r *rand.Rand, text string) string {
	width := []int{60, 64, 72, 76, 12 + r.IntN(80), len(text) + 1}[r.IntN(6)]
	end := []string{"\n", "\r\n"}[r.IntN(2)] + strings.Repeat(" ", []int{0, 2, 8, 40}[r.IntN(4)])
	var lines []string
	for len(text) > width {
		lines, text = append(lines, text[:width]), text[width:]
	}
	return strings.Join(append(lines, text), end)
}

var mark = regexp.MustCompile(`/?redacted-\d+-by-pcat`)

// fromDigits decodes the digits between markers.
func fromDigits(decode func(string) []string) func(string) ([]string, error) {
	return func(text string) (all []string, err error) {
		for _, part := range mark.Split(text, -1) {
			all = append(all, decode(strings.Join(strings.Fields(part), ""))...)
		}
		return all, nil
	}
}

func fromBase64(text string) (all []string) {
	text = strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(text)
	for i := range min(4, len(text)) {
		part := text[i:]
		plain, _ := base64.RawStdEncoding.DecodeString(part[:len(part)-len(part)%4])
		rest, _ := base64.RawStdEncoding.DecodeString(part)
		all = append(all, string(plain), string(rest))
	}
	return all
}

func fromHex(text string) (all []string) {
	for i := range min(2, len(text)) {
		plain, _ := hex.DecodeString(text[i:])
		all = append(all, string(plain))
	}
	return all
}

func toUTF16(text string) (b []byte) {
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

func fromUTF16(b string) string {
	var units []uint16
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])|uint16(b[i+1])<<8)
	}
	return string(utf16.Decode(units))
}

// randomText returns a text of some of the letters.
func randomText(r *rand.Rand, letters string, least, most int) string {
	all := []rune(letters)
	text := make([]rune, least+r.IntN(most-least+1))
	for i := range text {
		text[i] = all[r.IntN(len(all))]
	}
	return string(text)
}

const (
	alnum   = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
	symbols = alnum + alnum + "!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\" äüß€😀"
)

// randomSecret returns a secret of one of several kinds.
func randomSecret(r *rand.Rand) string {
	for {
		var text string
		switch r.IntN(6) {
		case 0:
			text = randomText(r, "0123456789abcdef", 12, 64)
		case 1:
			text = randomText(r, alnum, 8, 40)
		case 2:
			text = randomText(r, alnum+"+/", 30, 120) + "=="
		case 3:
			text = randomText(r, alnum+alnum+alnum+"\n", 60, 200)
		default:
			text = randomText(r, symbols, 8, 40)
		}
		if text == strings.TrimSpace(text) && secret.Judge(text, nil) == "" && len(secret.Inside(text)) == 0 {
			return text
		}
	}
}

// randomFile returns the text of a file, whose lines are words or any characters, indented or
// not. Some parts of it have no character that any encoding escapes.
func randomFile(r *rand.Rand) string {
	var b strings.Builder
	for range 10 + r.IntN(100) {
		letters := []string{alnum, alnum + " ", symbols}[r.IntN(3)]
		most := 80
		if r.IntN(20) == 0 {
			most = 4000
		}
		b.WriteString(strings.Repeat(" ", r.IntN(3)*r.IntN(5)) + randomText(r, letters, 0, most))
		if r.IntN(5) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String() + randomText(r, alnum, 8, 8)
}

// plant returns a text with a copy of the secret, encoded in up to three layers, and the
// layers.
func plant(r *rand.Rand, hidden string) (text string, layers []encoding) {
	around := func() string {
		return []string{"", "key: ", "user = app\n", `{"a":"b","c":[`, "=", "x", "~ü~", "a/b/c "}[r.IntN(8)]
	}
	text = around() + hidden + around()
	n := 1 + r.IntN(3)
	if r.IntN(2) == 0 {
		layers = append(layers, digits[r.IntN(len(digits))])
	}
	for len(layers) < n {
		layers = append(layers, escapes[r.IntN(len(escapes))])
	}
	for _, l := range layers {
		text = l.encode(r, text)
	}
	return text, layers
}

// decodeAll decodes all layers of a text.
func decodeAll(text string, layers []encoding) ([]string, error) {
	all := []string{text}
	for _, l := range slices.Backward(layers) {
		var next []string
		for _, text := range all {
			plain, err := l.decode(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w in %q", l.name, err, text)
			}
			next = append(next, plain...)
		}
		all = next
	}
	return all, nil
}

func containsAny(all []string, hidden string) bool {
	return slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, hidden) })
}

// TestEncodings hides copies of secrets in up to three layers of encodings in catalogs of
// all forms and modes, and decodes the output with other decoders: no copy is left, and the text is
// still valid in each language. Flag -catalogs sets the number of catalogs.
func TestEncodings(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches for random secrets")
	}
	forms := []string{"rich-json", "json", "rich-msgpack", "msgpack", "yaml", "stringified-json"}
	modes := maskers(t)
	modes["encrypt"] = func() sensitive.Masker { return sensitive.NewEncrypt("open", &unlucky{}) }
	names := slices.Sorted(maps.Keys(modes))
	failures := 0
	for seed := *first; seed < *first+*catalogs; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		hidden := randomSecret(r)
		if r.IntN(8) == 0 {
			hidden = randomFile(r)
		}
		text, layers := plant(r, hidden)
		encodings := make([]string, len(layers))
		for i, l := range layers {
			encodings[i] = l.name
		}
		if all, err := decodeAll(text, layers); err != nil || !containsAny(all, hidden) {
			t.Fatalf("seed %d, %q: the decoders do not find %q in %q: %v", seed, encodings, hidden, text, err)
		}
		doc := in(`{"type":"Class","title":"App","parameters":{"password":`+quoted(hidden)+`},"sensitive_parameters":["password"]}`,
			`{"type":"File","title":"/f","parameters":{"ensure":"file","content":`+quoted(text)+`}}`)
		from, to := forms[r.IntN(len(forms))], forms[r.IntN(len(forms))]
		if r.IntN(2) == 0 {
			to = from
		}
		mode := names[r.IntN(len(names))]
		out, _, err := redact(t, convert(t, []byte(doc), "rich-json", from), from, to, modes[mode]())
		left := ""
		if err == nil {
			left, err = leftIn(t, out, to, layers, hidden)
		}
		if err != nil || left != "" {
			t.Errorf("seed %d, %q, %s to %s, %s: secret %q in %q: left in %q, %v", seed, encodings, from, to, mode, hidden, text, left, err)
			if failures++; failures > 20 {
				t.FailNow()
			}
		}
	}
}

// leftIn returns the text of the content in a document if a copy of the secret is left.
func leftIn(t *testing.T, out []byte, form string, layers []encoding, hidden string) (string, error) {
	for _, res := range whole(t, out, form).Resources() {
		v, _, err := res.Parameter("content")
		if err != nil {
			return "", err
		}
		text, ok := v.(pcore.String)
		if !ok {
			continue
		}
		all, err := decodeAll(string(text), layers)
		if err != nil || containsAny(all, hidden) {
			return string(text), err
		}
	}
	if bytes.Contains(out, []byte(hidden)) {
		return string(out), nil
	}
	return "", nil
}

// Encoded copies in a document of several pieces are replaced like those in memory.
func TestEncodingsStreamed(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches for 300 random secrets")
	}
	var resources []string
	for seed := range 300 {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		hidden := randomSecret(r)
		text, _ := plant(r, hidden)
		resources = append(resources,
			fmt.Sprintf(`{"type":"User","title":"u%d","parameters":{"password":%s},"sensitive_parameters":["password"]}`, seed, quoted(hidden)),
			fmt.Sprintf(`{"type":"File","title":"/f%d","parameters":{"content":%s,"source":%s}}`, seed, quoted(text), quoted(randomText(r, "ab \n\"", 9000, 30000))))
	}
	data := []byte(in(resources...))
	pieces := 0
	for _, err := range streamed(t, data).Pieces() {
		if err != nil {
			t.Fatal(err)
		}
		pieces++
	}
	if pieces < 2 {
		t.Fatal("the document is one piece")
	}
	want, wantReport := redactOf(t, func() *catalog.Reader { return reader(t, data, "rich-json") })
	got, gotReport := redactOf(t, func() *catalog.Reader { return streamed(t, data) })
	parted, _ := redactOf(t, func() *catalog.Reader {
		return catalog.NewReader(io.MultiReader(bytes.NewReader(data)), format(t, "rich-json"), serialization.DecodeOptions{})
	})
	if got != want || parted != want {
		t.Errorf("%d bytes in memory, %d in pieces, %d in parts", len(want), len(got), len(parted))
	}
	if gotReport.Counts != wantReport.Counts || gotReport.Copies < 300 {
		t.Errorf("%+v in pieces, %+v in memory", gotReport.Counts, wantReport.Counts)
	}
}

// TestEncodedFiles checks that a set finds the same copies of a file whether it looks for a
// piece of it first or not, in texts with up to three layers of encodings.
func TestEncodedFiles(t *testing.T) {
	without := []byte(strings.Repeat("ß & ", 200)) // no piece of this one is the same in all forms
	found := 0
	for seed := *first; seed < *first+*catalogs/16; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		hidden := randomFile(r)
		if len(hidden) < 1000 {
			continue
		}
		text, layers := plant(r, hidden)
		if r.IntN(2) == 0 {
			other, _ := plant(r, randomSecret(r))
			text = other + text + other
		}
		got := secret.CompileWritten([]string{hidden}).Spans([]byte(text))
		want := secret.CompileWritten([]string{hidden, string(without)}).Spans([]byte(text))
		if !slices.Equal(got, want) {
			t.Errorf("seed %d, %d layers: found at %v, want %v", seed, len(layers), got, want)
		}
		found += len(got)
	}
	if found == 0 {
		t.Error("no copy was found")
	}
}
