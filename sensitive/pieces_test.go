package sensitive_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// streamed returns a reader of data that can seek.
func streamed(t *testing.T, data []byte) *catalog.Reader {
	t.Helper()
	return catalog.NewReader(bytes.NewReader(data), format(t, "rich-json"), serialization.DecodeOptions{})
}

// large returns a catalog of several pieces, with secrets and copies of them in
// different pieces.
func large(secrets ...string) []byte {
	var b strings.Builder
	b.WriteString(`{"name":"web01","classes":["production"],"resources":[`)
	for i := range 9000 {
		if i > 0 {
			b.WriteByte(',')
		}
		text := fmt.Sprintf("line %d %s", i, strings.Repeat("x", i%700))
		listed := ""
		switch {
		case i < len(secrets):
			text, listed = secrets[i], `,"sensitive_parameters":["content"]`
		case i%300 == 7:
			text = "before " + secrets[i%len(secrets)] + " behind"
		}
		fmt.Fprintf(&b, `{"type":"File","title":"/f%d","parameters":{"content":%s}%s}`, i, quoted(text), listed)
		if i%500 == 9 {
			fmt.Fprintf(&b, `,{"type":"User","title":"u%d","parameters":{"password":{"__ptype":"Sensitive","__pvalue":%s}}}`, i, quoted(fmt.Sprintf("S3cret-%d-of-user", i)))
		}
	}
	b.WriteString(`],"edges":[{"source":"File[/f1]","target":"File[/f2]"}],"version":` + quoted("at "+secrets[0]) + `}`)
	return []byte(b.String())
}

func redactOf(t *testing.T, src func() *catalog.Reader) (string, sensitive.Report) {
	t.Helper()
	var c sensitive.Collector
	if err := c.Collect(src()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := c.Secrets().Redactor(nil)
	if err := r.Redact(t.Context(), &out, format(t, "rich-json"), src()); err != nil {
		t.Fatal(err)
	}
	return out.String(), r.Report()
}

// A document that is streamed gives the same bytes as one in memory, in pieces or
// part by part.
func TestPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts large documents")
	}
	plain := large("Xk29vLq07TzW", "tr0ub4dor-and-3")
	var indented bytes.Buffer
	if err := json.Indent(&indented, plain, "", "\t"); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"plain":           plain,
		"escapes":         large("Xk29\"vLq\\07T\nzW", "tr0ub\u00e9dor-and-3"),
		"a line break":    append(bytes.Clone(plain), '\n'),
		"indented":        indented.Bytes(),
		"late type":       bytes.Replace(bytes.Clone(plain), []byte(`{"type":"File","title":"/f8000",`), []byte(`{"x":{"a":1,"__ptype":"Sensitive","__pvalue":"tr0ub4dor-and-3"},"type":"File","title":"/f8000",`), 1),
		"between parts":   large(`"},{"type"`, "tr0ub4dor-and-3"),
		"no listed parts": bytes.Replace(bytes.Clone(plain), []byte(`"edges"`), []byte(`"other"`), 1),
	} {
		t.Run(name, func(t *testing.T) {
			want, wantReport := redactOf(t, func() *catalog.Reader { return reader(t, data, "rich-json") })
			got, gotReport := redactOf(t, func() *catalog.Reader { return streamed(t, data) })
			parted, _ := redactOf(t, func() *catalog.Reader {
				return catalog.NewReader(io.MultiReader(bytes.NewReader(data)), format(t, "rich-json"), serialization.DecodeOptions{})
			})
			if got != want || parted != want {
				t.Errorf("%d bytes in memory, %d in pieces, %d in parts", len(want), len(got), len(parted))
			}
			if fmt.Sprint(gotReport) != fmt.Sprint(wantReport) {
				t.Errorf("reports %+v, want %+v", gotReport.Counts, wantReport.Counts)
			}
			if strings.Contains(got, "tr0ub4dor") {
				t.Error("a secret is left")
			}
		})
	}
}

// A document that ends early, or changes, is not redacted.
func TestPiecesFail(t *testing.T) {
	data := large("Xk29vLq07TzW", "tr0ub4dor-and-3")
	var c sensitive.Collector
	if err := c.Collect(streamed(t, data[:len(data)-9])); err == nil {
		t.Error("half a document was collected")
	}
	c = sensitive.Collector{}
	if err := c.Collect(streamed(t, data)); err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(data)
	changed[len(changed)*3/4] = 0
	if err := c.Secrets().Redactor(nil).Redact(t.Context(), io.Discard, format(t, "rich-json"), streamed(t, changed)); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("got %v", err)
	}
}

// A large document is redacted in pieces even if other documents cannot be, such as ones in
// MessagePack. Reading its parts instead takes many more allocations.
func TestPiecesBesideOtherDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts large documents")
	}
	data := large("Xk29vLq07TzW", "tr0ub4dor-and-3")
	allocated := func(others ...func() *catalog.Reader) (allocs float64, out string) {
		var c sensitive.Collector
		for _, src := range append(others, func() *catalog.Reader { return streamed(t, data) }) {
			if err := c.Collect(src()); err != nil {
				t.Fatal(err)
			}
		}
		r := c.Secrets().Redactor(nil)
		allocs = testing.AllocsPerRun(1, func() {
			var b bytes.Buffer
			if err := r.Redact(t.Context(), &b, format(t, "rich-json"), streamed(t, data)); err != nil {
				t.Fatal(err)
			}
			out = b.String()
		})
		return allocs, out
	}
	packed := func() *catalog.Reader {
		return catalog.NewReader(bytes.NewReader([]byte("\x81\xa9resources\x90")), format(t, "rich-msgpack"), serialization.DecodeOptions{})
	}
	late := func() *catalog.Reader { return streamed(t, append(bytes.Clone(data[:len(data)-1]), `,"\u0061":1}`...)) }
	alone, want := allocated()
	beside, got := allocated(packed)
	parts, parted := allocated(late)
	if got != want || parted != want {
		t.Errorf("the output differs: %t beside others, %t part by part", got != want, parted != want)
	}
	if beside > 1.5*alone {
		t.Errorf("%.0f allocations beside other documents, %.0f alone", beside, alone)
	}
	if parts < 3*alone {
		t.Errorf("%.0f allocations after pieces that ended early, %.0f in pieces: the test distinguishes nothing", parts, alone)
	}
}

// A secret that reaches from one piece into the next is found.
func TestSeamOfPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts large documents")
	}
	data := large("Xk29vLq07TzW", "tr0ub4dor-and-3")
	seam := 0
	for o, err := range streamed(t, data).Pieces() {
		if err != nil {
			t.Fatal(err)
		}
		seam = len(o.Data)
		break
	}
	if seam == len(data) {
		t.Fatal("the document is one piece")
	}
	var c sensitive.Collector
	declared := fmt.Sprintf(`{"resources":[{"type":"A","title":"a","parameters":{"p":{"__ptype":"Sensitive","__pvalue":%s}}}],"edges":[]}`,
		quoted(string(data[seam-10:seam+45])))
	for _, doc := range [][]byte{[]byte(declared), data} {
		if err := c.Collect(streamed(t, doc)); err != nil {
			t.Fatal(err)
		}
	}
	for name, src := range map[string]*catalog.Reader{"in memory": reader(t, data, "rich-json"), "streamed": streamed(t, data)} {
		var out bytes.Buffer
		if err := c.Secrets().Redactor(nil).Redact(t.Context(), &out, format(t, "rich-json"), src); !errors.Is(err, sensitive.ErrLeak) {
			t.Errorf("%s: got %v, %d bytes", name, err, out.Len())
		}
	}
}
