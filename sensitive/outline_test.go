package sensitive_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// A catalog in memory, or in a file, is redacted by its bytes. Its output, errors and report
// equal those of decoding the values, as for a document that is a stream.
func TestBytesAreRedactedAsParts(t *testing.T) {
	rich := format(t, "rich-json")
	inMemory := func(data string) *catalog.Reader {
		return catalog.NewReaderBytes([]byte(data), rich, serialization.DecodeOptions{})
	}
	inPieces := func(data string) *catalog.Reader {
		return catalog.NewReader(strings.NewReader(data), rich, serialization.DecodeOptions{})
	}
	inParts := func(data string) *catalog.Reader {
		return catalog.NewReader(io.MultiReader(strings.NewReader(data)), rich, serialization.DecodeOptions{})
	}
	all, short := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		all++
		docs := []string{document(t)}
		if rapid.IntRange(0, 3).Draw(t, "documents") == 0 {
			docs = append(docs, document(t))
		}
		if inMemory(docs[0]).Outline(nil) != nil {
			short++
		}
		got, gotReport, gotErr := redactAll(t, docs, inMemory)
		for _, read := range []func(string) *catalog.Reader{inPieces, inParts} {
			want, wantReport, wantErr := redactAll(t, docs, read)
			if (gotErr == nil) != (wantErr == nil) {
				t.Fatalf("%q\nby bytes: %v\nby values: %v", docs, gotErr, wantErr)
			}
			if gotErr != nil {
				continue
			}
			for i := range got {
				if normal(t, got[i]) != normal(t, want[i]) {
					t.Fatalf("%q\nby bytes: %q\nby values: %q", docs, got, want)
				}
			}
			if normalReport(gotReport) != normalReport(wantReport) {
				t.Fatalf("%q\nby bytes: %+v\nby values: %+v", docs, gotReport, wantReport)
			}
		}
	})
	if short < all*3/10 {
		t.Errorf("only %d of %d documents were redacted by their bytes", short, all)
	}
}

// normal returns the tokens of a document, with markers that are numbered in order: the members
// of a resource are replaced in another one, and spelled anew.
func normal(t *rapid.T, doc string) string {
	var b strings.Builder
	for d := json.NewDecoder(strings.NewReader(doc)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%T %v\n", token, token)
	}
	numbers := map[string]int{}
	text := strings.ReplaceAll(b.String(), "string __pvalue\n<nil> <nil>\n", "") // as without it
	text = inBinary.ReplaceAllString(text, "marker")
	return markers.ReplaceAllStringFunc(text, func(marker string) string {
		if numbers[marker] == 0 {
			numbers[marker] = len(numbers) + 1
		}
		return fmt.Sprint("marker ", numbers[marker])
	})
}

var (
	markers  = regexp.MustCompile(`redacted-\d+-by-pcat`)
	inBinary = regexp.MustCompile(base64.StdEncoding.EncodeToString([]byte("redacted-")) + `[\w+/=]*`) // at its beginning
)

// normalReport returns a report without the numbers of markers.
func normalReport(r sensitive.Report) string {
	return markers.ReplaceAllString(fmt.Sprint(r), "marker")
}

func redactAll(t *rapid.T, docs []string, read func(string) *catalog.Reader) (all []string, report sensitive.Report, err error) {
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	for _, doc := range docs {
		if err := c.Collect(read(doc)); err != nil {
			return nil, report, err
		}
	}
	r := c.Secrets().Redactor(nil)
	for _, doc := range docs {
		var out bytes.Buffer
		if err := r.Redact(t.Context(), &out, format(t, "rich-json"), read(doc)); err != nil {
			return nil, report, err
		}
		all = append(all, out.String())
	}
	return all, r.Report(), nil
}

// The secrets of documents; some contain others.
var canaries = []string{
	"copper-lantern-44", "lantern", "S3cret", "pa\"ss/w'rd & <x>", "password = harbour-lights-7\n", "line one\nline two is long",
	"é-ünder-the-ströet", "0123456789012345", "redacted-2-by-pcat", "ab", "password", "",
}

// document generates a catalog with secrets in all locations and spellings.
func document(t *rapid.T) string {
	d := drawer{t}
	var b strings.Builder
	b.WriteString(`{"name":` + d.text() + `,"classes":["app","` + rapid.SampledFrom([]string{"lantern", "base"}).Draw(t, "class") + `"],`)
	if d.one(8) {
		b.WriteString(`"extra":` + d.value(2) + `,`)
	}
	b.WriteString(`"resources":[`)
	for i := range rapid.IntRange(0, 5).Draw(t, "resources") {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(d.resource(i))
	}
	b.WriteString(`],"edges":[`)
	for i := range rapid.IntRange(0, 2).Draw(t, "edges") {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"source":"Class[Main]","target":` + d.spell("File["+d.canary()+"]") + `}`)
	}
	b.WriteString(`]`)
	if d.one(6) {
		b.WriteString(`,"metadata":{"/a":` + d.value(1) + `}`)
	}
	b.WriteString(`}` + rapid.SampledFrom([]string{"", "\n", " \n"}).Draw(t, "end"))
	doc := b.String()
	if d.one(3) {
		var indented bytes.Buffer
		if json.Indent(&indented, []byte(doc), rapid.SampledFrom([]string{"", " "}).Draw(t, "prefix"), rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent")) == nil {
			doc = indented.String()
		}
	}
	if d.one(10) { // malformed
		at := rapid.IntRange(0, len(doc)-1).Draw(t, "at")
		doc = doc[:at] + rapid.SampledFrom([]string{"", `"`, "\\", "\xff", ",", " ", "}"}).Draw(t, "fault") + doc[at+1:]
	}
	return doc
}

type drawer struct{ t *rapid.T }

func (d drawer) one(of int) bool { return rapid.IntRange(1, of).Draw(d.t, "one") == 1 }

func (d drawer) canary() string { return rapid.SampledFrom(canaries).Draw(d.t, "canary") }

// spell returns one of the equivalent JSON spellings of a text.
func (d drawer) spell(text string) string {
	plain, _ := json.Marshal(text)
	if !d.one(4) {
		return string(plain)
	}
	var b strings.Builder
	for _, r := range text {
		if r < 0x10000 && d.one(3) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			quoted, _ := json.Marshal(string(r))
			b.WriteString(strings.Trim(string(quoted), `"`))
		}
	}
	if strings.ContainsAny(text, `"`) {
		return string(plain)
	}
	return `"` + b.String() + `"`
}

// text returns the JSON of a text with or without a secret in some encoding.
func (d drawer) text() string {
	s := d.canary()
	switch rapid.IntRange(0, 8).Draw(d.t, "dress") {
	case 0:
		return d.spell(s)
	case 1:
		return d.spell("x " + s + " y")
	case 2:
		return d.spell(base64.StdEncoding.EncodeToString([]byte("user:" + s)))
	case 3:
		return d.spell(hex.EncodeToString([]byte(s)))
	case 4:
		quoted, _ := json.Marshal(s)
		return d.spell("{" + string(quoted) + "}")
	default:
		return d.spell(rapid.SampledFrom([]string{"plain", "with \"quotes\"\n", "tab\there", "été"}).Draw(d.t, "harmless"))
	}
}

func (d drawer) resource(i int) string {
	var parameters, listed []string
	for k := range rapid.IntRange(0, 4).Draw(d.t, "parameters") {
		name := fmt.Sprintf("p%d", k)
		if d.one(12) {
			name = d.canary() + name
		}
		parameters = append(parameters, d.spell(name)+":"+d.value(3))
		if d.one(4) {
			listed = append(listed, d.spell(name))
		}
	}
	if d.one(12) {
		listed = append(listed, `"path"`)
	}
	title := d.spell(fmt.Sprintf("title %d", i))
	if d.one(8) {
		title = d.spell(fmt.Sprintf("/%s/%d", d.canary(), i))
	}
	r := `{"type":"File","title":` + title + `,"tags":["file",` + d.text() + `],"parameters":{` + strings.Join(parameters, ",") + `}`
	if d.one(10) {
		r = `{"tags":[],` + strings.TrimPrefix(r, `{`)
		r = strings.Replace(r, `,"tags":["file"`, `,"tags2":["file"`, 1)
	}
	if len(listed) > 0 {
		r += `,"sensitive_parameters":[` + strings.Join(listed, ",") + `]`
	}
	if d.one(10) {
		r += `,"other":` + d.value(2)
	}
	return r + `}`
}

// value returns the JSON of a plain or rich value.
func (d drawer) value(depth int) string {
	kinds := 20
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds).Draw(d.t, "kind") {
	case 4:
		return `[` + d.value(depth-1) + `,` + d.value(depth-1) + `]`
	case 5:
		return `{"k":` + d.value(depth-1) + `,` + d.text() + `:1}`
	case 6, 7, 8, 9:
		return `{"__ptype":"Sensitive","__pvalue":` + d.value(depth-1) + `}`
	case 10:
		return `{"__pvalue":` + d.text() + `,"__ptype":"Sensitive"}`
	case 11:
		return `{"\u005f_ptype":"Sensitive","__pvalue":` + d.text() + `}`
	case 12:
		return `{"__ptype":"Sensitive", "__pvalue":` + d.text() + ` }`
	case 13:
		return `{"__ptype":"Binary","__pvalue":"` + base64.StdEncoding.EncodeToString([]byte(d.canary()+"tail")) + `"}`
	case 14:
		return `{"__ptype":"Deferred","name":"f","arguments":[` + d.value(depth-1) + `]}`
	case 15:
		return `{"__ptype":"My::Thing","a":` + d.value(depth-1) + `}`
	case 16:
		return `{"__ptype":"Hash","__pvalue":["k",` + d.value(depth-1) + `]}`
	case 17:
		return `{"__ptype":"Timestamp","__pvalue":"2020-01-01T00:00:00.000000000 UTC"}`
	case 18:
		return `{"__ptype":"URI","__pvalue":"http://` + rapid.SampledFrom([]string{"lantern", "host"}).Draw(d.t, "host") + `/x"}`
	case 19:
		return rapid.SampledFrom([]string{
			`0123456789012345`, `123456789012345.0`, `1.5e3`, `true`, `null`, `"__ptype"`, `{}`, `[]`, `{"__ptype":"Default"}`, `"\ud83d"`,
			`{"__ptype":"Sensitive"}`, `{"__ptype":"Sensitive","__pvalue":1,"x":2}`, `{"__ptype":["x"]}`, `{"__ptype":"Regexp","__pvalue":"lantern.*"}`,
			`{"__ptype":"Sensitive","__pvalue":false}`, `{"__ptype":"Sensitive","__pvalue":{"__ptype":"Sensitive","__pvalue":"deep-secret-1"}}`,
		}).Draw(d.t, "odd")
	default:
		return d.text()
	}
}

// A secret that a replacement creates together with its neighbors is not written.
func TestSeamsAreSearched(t *testing.T) {
	// Between two parts is a secret of the second one.
	data := `{"resources":[{"type":"A","title":"a","parameters":{"p":{"__ptype":"Sensitive","__pvalue":"first-secret"},"q":"x"}},` +
		`{"type":"B","title":"b","parameters":{"p":{"__ptype":"Sensitive","__pvalue":"\"x\"}},{\"type\":\"B\""}}}]}`
	var out bytes.Buffer
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t, []byte(data), "rich-json")); err != nil {
		t.Fatal(err)
	}
	r := c.Secrets().Redactor(nil)
	err := r.Redact(t.Context(), &out, format(t, "rich-json"), reader(t, []byte(data), "rich-json"))
	if err == nil || out.Len() > 0 {
		t.Errorf("%v: %s", err, &out)
	}
}

// Large documents are written in large pieces.
func TestPiecesAreWritten(t *testing.T) {
	filler := strings.Repeat("a", 3<<20)
	data := `{"resources":[{"type":"A","title":"` + filler + `","parameters":{"p":{"__ptype":"Sensitive","__pvalue":"first-secret"}}}],"b":"` + filler + `"}`
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t, []byte(data), "rich-json")); err != nil {
		t.Fatal(err)
	}
	r := c.Secrets().Redactor(nil)
	var out writes
	if err := r.Redact(t.Context(), &out, format(t, "rich-json"), reader(t, []byte(data), "rich-json")); err != nil {
		t.Fatal(err)
	}
	if got := string(bytes.Join(out, nil)); len(out) > 4 || got != strings.Replace(data, "first-secret", "redacted-1-by-pcat", 1) {
		t.Errorf("%d writes, %d bytes", len(out), len(got))
	}
}

// writes records the argument of each Write.
type writes [][]byte

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, bytes.Clone(p))
	return len(p), nil
}

// Nothing of a document is written if the context ends.
func TestBytesEndWithContext(t *testing.T) {
	data := []byte(in(declared))
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t, data, "rich-json")); err != nil {
		t.Fatal(err)
	}
	r := c.Secrets().Redactor(nil)
	if err := r.Redact(canceled(t), io.Discard, format(t, "rich-json"), reader(t, data, "rich-json")); err == nil {
		t.Error("no error")
	}
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// A secret of several lines is followed into an indented block.
func TestIndentedCopies(t *testing.T) {
	secret := `account: backup-of-all\nkeys:\n  - first-key-4711\n\n  - "second"`
	copied := `data:\n  config: |\n    account: backup-of-all\n    keys:\n      - first-key-4711\n\n      - \"second\"\n  more: 1\n`
	for _, indent := range []string{"", "\n"} {
		data := `{"resources":[` + indent + `{"type":"A","title":"a","parameters":{"p":{"__ptype":"Sensitive","__pvalue":"` + strings.ReplaceAll(secret, `"`, `\"`) +
			`"},"c":"` + copied + `"}}]}`
		out := string(mustRedact(t, []byte(data), "rich-json", nil))
		if !strings.Contains(out, `"c":"data:\n  config: |\n    redacted-2-by-pcat\n  more: 1\n"`) {
			t.Errorf("%s", out)
		}
	}
}

// Very many deeply nested secrets are replaced without a path for each, which would take
// quadratic memory.
func TestVeryManyVeryDeep(t *testing.T) {
	const many, depth = 300, 300
	secrets := strings.Repeat(`{"__ptype":"Sensitive","__pvalue":"S3cret-Value"},`, many) + "1"
	out := mustRedact(t, []byte(in(`{"type":"T","title":"t","parameters":{"a":`+strings.Repeat("[", depth)+secrets+strings.Repeat("]", depth)+`}}`)), "rich-json", nil)
	if n := strings.Count(string(out), `"redacted-1-by-pcat"`); n != many || strings.Contains(string(out), "S3cret") {
		t.Errorf("%d of %d were replaced: %.200s", n, many, out)
	}
}

// An error about a value has its location, however the document is read.
func TestErrorsTellTheLocationOfValues(t *testing.T) {
	rich := format(t, "rich-json")
	for _, bad := range []string{`{"__ptype":"URI","__pvalue":"http://%zz/"}`, `{"__ptype":"SemVerRange","__pvalue":"zz<1"}`, `{"__ptype":"Timestamp","__pvalue":"\u006eever"}`} {
		for where, doc := range map[string]string{
			"File[a]/u/1/x": `"parameters":{"s":{"__ptype":"Sensitive","__pvalue":"Xk29vLq07TzW"},"u":[1,{"x":%s}],"v":"Xk29vLq07TzW"}`,
			"File[a]/u":     `"parameters":{"u":%s}`,
			"File[a]/extra": `"extra":%s`,
		} {
			doc = `{"resources":[{"type":"File","title":"a",` + fmt.Sprintf(doc, bad) + `}],"edges":[]}`
			for _, src := range []func() *catalog.Reader{
				func() *catalog.Reader {
					return catalog.NewReaderBytes([]byte(doc), rich, serialization.DecodeOptions{})
				},
				func() *catalog.Reader {
					return catalog.NewReader(strings.NewReader(doc), rich, serialization.DecodeOptions{})
				},
			} {
				c := sensitive.NewCollector(sensitive.CollectOptions{})
				if err := c.Collect(src()); err != nil {
					t.Fatal(err)
				}
				r := c.Secrets().Redactor(nil)
				err := r.Redact(t.Context(), io.Discard, rich, src())
				var e *catalog.Error
				if !errors.As(err, &e) || e.At.String() != where {
					t.Errorf("%s: %v is not at %s", doc, err, where)
				}
			}
		}
	}
}
