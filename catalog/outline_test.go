package catalog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func outlined(t *testing.T, data []byte, form string) *catalog.Outline {
	t.Helper()
	return readerOf(t, data, form).Outline(nil)
}

func readerOf(t *testing.T, data []byte, form string) *catalog.Reader {
	t.Helper()
	f, err := formats.Default().ByName(form)
	if err != nil {
		t.Fatal(err)
	}
	return catalog.NewReaderBytes(data, f, serialization.DecodeOptions{})
}

// An Outline has the same parts as a Reader.
func TestOutlineHasThePartsOfTheReader(t *testing.T) {
	data, err := os.ReadFile("../testdata/catalogs/webstack/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "", "\t"); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"on one line": data, "indented": indented.Bytes()} {
		t.Run(name, func(t *testing.T) { comparePartsOfOutline(t, data) })
	}
}

func comparePartsOfOutline(t *testing.T, data []byte) {
	o := outlined(t, data, "rich-json")
	if o == nil {
		t.Fatal("no outline")
	}
	i := 0
	src := readerOf(t, data, "rich-json")
	for want, err := range src.Parts() {
		if err != nil {
			t.Fatal(err)
		}
		var raw []byte
		switch want.Kind {
		case catalog.PartResource:
			raw = want.Resource.Bytes()
		case catalog.PartEdge:
			raw = want.Edge.Bytes()
		case catalog.PartMember:
			raw = want.Member.Bytes()
		default:
			continue
		}
		got := o.Part(i)
		p := o.Parts[i]
		if got.Kind != want.Kind || got.Key != want.Key || !bytes.Equal(data[p.Start:p.End], raw) {
			t.Fatalf("part %d is %v %q, not %v %q", i, got.Kind, data[p.Start:p.End], want.Kind, raw)
		}
		if got.Kind == catalog.PartResource && (got.Resource.Ref() != want.Resource.Ref() || got.Resource.Offset() != want.Resource.Offset()) {
			t.Fatalf("part %d is %v", i, got.Resource.Ref())
		}
		written, err := o.AppendPart([]byte("x"), i, got)
		if err != nil || string(written) != "x"+string(raw) {
			t.Fatalf("part %d is written as %s (%v)", i, written, err)
		}
		i++
	}
	if i != len(o.Parts) {
		t.Errorf("%d parts instead of %d", len(o.Parts), i)
	}
	if got, want := fmt.Sprint(o.Header().Classes(), o.Header().Name()), fmt.Sprint(src.Header().Classes(), src.Header().Name()); got != want {
		t.Errorf("the header has %s, not %s", got, want)
	}
}

func TestOutlineOfWhat(t *testing.T) {
	plain := `{"resources":[],"edges":[]}`
	for data, form := range map[string]string{
		`{"edges":[]}`: "rich-json", `{"__ptype":"Sensitive","resources":[]}`: "rich-json", `{"catalog":{"resources":[]},"resources":[]}`: "rich-json", `{"resources":{"data":[]}}`: "rich-json",
		`[` + plain + `]`: "rich-json", plain: "json", "\x81\xa9resources\x90": "rich-msgpack",
	} {
		if outlined(t, []byte(data), form) != nil {
			t.Errorf("%q as %s has an outline", data, form)
		}
	}
	data := []byte(plain)
	o := outlined(t, data, "rich-json")
	if o == nil || readerOf(t, data, "rich-json").Outline(o) != o {
		t.Error("the outline of the same bytes is another one")
	}
	if other := readerOf(t, bytes.Clone(data), "rich-json").Outline(o); other == nil || other == o {
		t.Error("the outline of other bytes is the same")
	}
	r := readerOf(t, data, "rich-json")
	for _, err := range r.Parts() {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if r.Outline(nil) != nil {
		t.Error("a document that was read has an outline")
	}
	f := formats.RichJSON()
	if catalog.NewReader(strings.NewReader(plain), f, serialization.DecodeOptions{}).Outline(nil) != nil {
		t.Error("a document that is not in memory has an outline")
	}
	if text, err := o.AppendValue(nil, 0, pcore.NewSensitive(pcore.String("x"))); err != nil || string(text) != `{"__ptype":"Sensitive","__pvalue":"x"}` {
		t.Errorf("%s (%v)", text, err)
	}
}

// Catalogs reads a document in memory by its Outline, and a stream part by part.
func TestCatalogsOfAnOutline(t *testing.T) {
	webstack, err := os.ReadFile("../testdata/catalogs/webstack/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	const resource = `{"type":"Notify","title":"a","parameters":{"message":"\u00e4"}}`
	for _, document := range []string{
		string(webstack),
		`{"name":"n","resources":[` + resource + `,` + resource + `],"edges":[{"source":"Class[Main]","target":"Notify[a]"}],"classes":[]}` + "\n",
		`{"edges":[{"source":"Class[Main]","target":"Notify[a]"}],"name":"n","resources":[` + resource + `]}`,
		`{"resources":[` + resource + `],"name":"n"}`,
		`{"resources":[],"edges":[],"name":"n"}`,
		`{"name":"n","resources":[` + resource + `],"edges":[]}`,
		`{"edges":{"data":[{"source":"Class[Main]","target":"Notify[a]"}]},"resources":[` + resource + `]}`,
		`{"catalog":{"name":"n","resources":[` + resource + `],"edges":[]}}`,
		`{ "name": "n", "resources": [ ] }`,
	} {
		read := func(r *catalog.Reader) (out, node string, l catalog.Layout) {
			var b strings.Builder
			for c, err := range r.Catalogs() {
				if err != nil {
					t.Fatalf("%s: %v", document, err)
				}
				w := catalog.NewWriter(&b, formats.RichJSON(), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
				if err := errors.Join(w.WriteCatalog(c), w.Close()); err != nil {
					t.Fatalf("%s: %v", document, err)
				}
				node += c.Name()
			}
			for _, err := range r.Parts() {
				if err == nil {
					t.Errorf("%s was read twice", document)
				}
			}
			return b.String(), node + r.Header().Name(), r.Layout()
		}
		got, node, layout := read(readerOf(t, []byte(document), "rich-json"))
		want, wantNode, wantLayout := read(catalog.NewReader(strings.NewReader(document), formats.RichJSON(), serialization.DecodeOptions{}))
		if got != want || node != wantNode || layout != wantLayout {
			t.Errorf("%.200s\nis read as\n%.200s (%s, %v)\nwant\n%.200s (%s, %v)", document, got, node, layout, want, wantNode, wantLayout)
		}
	}
}

// A value that replaces another one has the layout of the document.
func TestAppendValue(t *testing.T) {
	v := pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.NewArray(pcore.Integer(1))})
	for doc, want := range map[string]string{
		`{"resources":[],"x":1}`:                 `{"a":[1]}`,
		"{\n\t\"resources\": [],\n\t\"x\": 1\n}": "{\n\t\t\"a\": [\n\t\t\t1\n\t\t]\n\t}",
	} {
		o := outlined(t, []byte(doc), "rich-json")
		if got, err := o.AppendValue([]byte("\n"), strings.LastIndexByte(doc, '1'), v); err != nil || string(got) != "\n"+want {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// The outline of a resource is that of a document with it alone, with offsets in the input.
func TestOutlineOfAResource(t *testing.T) {
	const resource = `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"__ptype":"URI","__pvalue":"http://s%zz"}}}}`
	doc := `{"resources":[ {"type":"A","title":"a"} , ` + resource + ` ]}`
	for r, err := range readerOf(t, []byte(doc), "rich-json").Resources() {
		if err != nil {
			t.Fatal(err)
		}
		o := r.Outline()
		if o == nil {
			t.Fatalf("%v has no outline", r.Ref())
		}
		if r.Type() == "A" {
			if o.Declares(0) {
				t.Error("a resource without secrets declares one")
			}
			continue
		}
		at := o.Rich(0)[0].Value
		var e *catalog.Error
		if _, err := o.RevealAt(0, at.Start, at.End); !errors.As(err, &e) || e.Offset != int64(strings.Index(doc, `{"__ptype":"URI"`)) || e.At.String() != "T[t]" {
			t.Errorf("%v", err)
		}
		for _, span := range [][3]int{{0, 0, at.End + 1000}, {0, at.End, at.Start}, {0, -1, 3}, {1, at.Start, at.End}, {-1, 0, 1}} {
			if _, err := o.RevealAt(span[0], span[1], span[2]); !errors.Is(err, catalog.ErrShape) {
				t.Errorf("positions %v: %v", span, err)
			}
		}
		changed := r.WithBytes([]byte(`{"type":"T","title":"u"}`))
		if changed.Title() != "u" || changed.Offset() != r.Offset() || r.Title() != "t" || r.WithTitle("v").Outline() != nil {
			t.Errorf("%v, %v", changed.Ref(), r.Ref())
		}
	}
	for r, err := range readerOf(t, []byte(`{"resources":[{"type":"A","title":"a"}]}`), "json").Resources() {
		if err != nil || r.Outline() != nil {
			t.Errorf("a form without rich data: %v", err)
		}
	}
}
