package catalog_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

func reader(t testing.TB, text string) *catalog.Reader {
	t.Helper()
	return catalog.NewReaderBytes([]byte(text), format(t, "rich-json"), serialization.DecodeOptions{})
}

// one returns a catalog with its keys in the given order.
func one(keys ...string) string {
	values := map[string]string{
		"name":      `"web01"`,
		"version":   `17`,
		"resources": `[{"type":"File","title":"/a"},{"type":"User","title":"b"}]`,
		"edges":     `[{"source":"File[/a]","target":"User[b]"}]`,
		"x-unknown": `{"k":[1.50,1e2,"\u00e9\/"]}`,
	}
	var members []string
	for _, k := range keys {
		members = append(members, fmt.Sprintf("%q:%s", k, values[k]))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func TestEnvelopesAndOrder(t *testing.T) {
	inOrder := one("name", "version", "resources", "edges", "x-unknown")
	for name, doc := range map[string]string{
		"catalog":              inOrder,
		"resources first":      one("resources", "x-unknown", "name", "edges", "version"),
		"name last":            one("edges", "x-unknown", "version", "resources", "name"),
		"v4":                   `{"catalog":` + inOrder + `,"more":1}`,
		"pson":                 `{"document_type":"Catalog","data":` + inOrder + `,"metadata":{"api_version":1}}`,
		"both":                 `{"data":{"catalog":` + inOrder + `}}`,
		"array":                `[` + inOrder + `]`,
		"array of enveloped":   `[{"catalog":` + inOrder + `}]`,
		"rows of PuppetDB":     `[{"certname":"web01","version":"17","resources":{"href":"/r","data":[{"type":"File","title":"/a"},{"type":"User","title":"b"}]},"edges":{"data":[{"source_type":"File","source_title":"/a","target_type":"User","target_title":"b","relationship":"contains"}],"href":"/e"},"hash":"x"}]`,
		"sent to PuppetDB":     `{"certname":"web01","version":"17","edges":[{"source":{"type":"File","title":"/a"},"target":{"type":"User","title":"b"},"relationship":"contains"}],"resources":[{"type":"File","title":"/a"},{"type":"User","title":"b"}]}`,
		"two, the second read": `[{"name":"other","resources":[]},` + inOrder + `]`,
	} {
		t.Run(name, func(t *testing.T) {
			var last *catalog.Catalog
			for c, err := range reader(t, doc).Catalogs() {
				if err != nil {
					t.Fatal(err)
				}
				last = c
			}
			if last == nil {
				t.Fatal("there is no catalog")
			}
			var refs []string
			for _, r := range last.Resources() {
				refs = append(refs, r.Ref().String())
			}
			for _, e := range last.Edges() {
				refs = append(refs, e.Source().String()+" -> "+e.Target().String())
			}
			want := []string{"File[/a]", "User[b]", "File[/a] -> User[b]"}
			if diff := cmp.Diff(want, refs); diff != "" || last.Name() != "web01" || last.Version() != "17" {
				t.Errorf("%s %s: %s", last.Name(), last.Version(), diff)
			}
			if got := string(convert(t, []byte(doc), "rich-json", "rich-json")); got != doc {
				t.Errorf("is written as %s", got)
			}
			there := convert(t, []byte(doc), "rich-json", "rich-msgpack")
			back := convert(t, there, "rich-msgpack", "rich-json")
			if twice := convert(t, back, "rich-json", "rich-msgpack"); !bytes.Equal(there, twice) {
				t.Errorf("MessagePack of it does not stay the same")
			}
		})
	}
}

// TestLayouts checks the promise of the package about bytes: nothing changes in
// a compact document or in a consistently indented one.
func TestLayouts(t *testing.T) {
	for name, doc := range map[string]string{
		"compact":      `{"name":"a","version":1.50,"resources":[{"title":"\u0074","type":"T","n":1e2}],"edges":[],"z":"\/"}`,
		"newline":      `{"resources":[]}` + "\n",
		"indented":     "{\n  \"name\": \"a\",\n  \"resources\": [\n    {\n      \"type\": \"T\",\n      \"title\": \"x\",\n      \"n\": 1.50\n    }\n  ],\n  \"edges\": []\n}\n",
		"tabs":         "[\n\t{\n\t\t\"resources\": [\n\t\t\t{\n\t\t\t\t\"type\": \"T\"\n\t\t\t}\n\t\t]\n\t}\n]",
		"odd key":      `{"resources":[{"\u0074ype":"T","title":"x","parameters":{"\u0061":1}}]}`,
		"inner blanks": `{"resources":[{"type" : "T", "title":"x" }]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(convert(t, []byte(doc), "rich-json", "rich-json")); got != doc {
				t.Errorf("got  %s\nwant %s", got, doc)
			}
		})
	}
}

func TestReformat(t *testing.T) {
	var out strings.Builder
	w := catalog.NewWriter(&out, format(t, "rich-json"), catalog.WriteOptions{
		Secrets: serialization.PlainSecrets, Indent: " ", Reformat: true,
	})
	if err := catalog.Copy(t.Context(), w, reader(t, `{"resources":[{"type":"T","title":"x"}]}`)); err != nil {
		t.Fatal(err)
	}
	want := "{\n \"resources\": [\n  {\n   \"type\": \"T\",\n   \"title\": \"x\"\n  }\n ]\n}"
	if out.String() != want {
		t.Errorf("got %s", out.String())
	}
}

func TestErrorsNameTheLocation(t *testing.T) {
	resource := func(parameters string) string {
		return `{"name":"n","resources":[{"type":"User","title":"u"},{"type":"File","title":"/x","parameters":` + parameters + `}],"edges":[]}`
	}
	for _, c := range []struct {
		name, doc string
		is        error
		at        string
	}{
		{"bad text", resource(`{"mode":"0600","content":{"a":["ok","` + "\xff" + `"]}}`), serialization.ErrUTF8, "File[/x]/content"},
		{"bad text in a key", resource(`{"a` + "\xff" + `":1}`), serialization.ErrUTF8, "File[/x]/parameters"},
		{"twice", resource(`{"content":{"a":1,"a":2}}`), serialization.ErrDuplicateKey, "File[/x]/content"},
		{"cut", strings.SplitAfter(resource(`{"content":{"a":1`), `"a":1`)[0], serialization.ErrTruncated, "File[/x]/content"},
		{"title behind", `{"resources":[{"parameters":{"content":"` + "\xff" + `"},"type":"T","title":"t"}]}`, serialization.ErrUTF8, "resources/0/parameters/content"},
		{"member", `{"resources":[],"classes":["` + "\xff" + `"]}`, serialization.ErrUTF8, "classes/0"},
		{"edge", `{"resources":[],"edges":[{"source":"A[a]","target":"` + "\xff" + `"}]}`, serialization.ErrUTF8, "edges/0/target"},
		{"no resource", `{"resources":[1]}`, catalog.ErrShape, "resources/0"},
		{"no edge", `{"resources":[],"edges":["x"]}`, catalog.ErrShape, "edges/0"},
		{"no catalog", `{"a":1}`, catalog.ErrNotCatalog, ""},
		{"no list of catalogs", `[{"a":1}]`, catalog.ErrNotCatalog, ""},
		{"list of others", `[1]`, catalog.ErrShape, "0"},
		{"scalar", `17`, catalog.ErrShape, ""},
		{"nothing", ``, serialization.ErrTruncated, ""},
		{"more", `{"resources":[]} {}`, serialization.ErrTrailing, ""},
		{"catalog that is a value", `{"name":"n","__ptype":"Sensitive","__pvalue":1,"resources":[]}`, catalog.ErrShape, "__ptype"},
		{"list that is a value", `{"resources":[],"edges":{"__ptype":"Sensitive","__pvalue":[]}}`, catalog.ErrShape, "edges/__ptype"},
		{"no list of resources", `{"resources":{}}`, catalog.ErrShape, "resources"},
		{"resources by title", `{"resources":{"a":{"type":"T","title":"a"}}}`, catalog.ErrShape, "resources"},
		{"resources elsewhere", `{"resources":{"href":"/r","data":null}}`, catalog.ErrShape, "resources"},
		{"resources of another kind", `{"resources":1}`, catalog.ErrNotCatalog, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			for _, err = range reader(t, c.doc).Parts() {
			}
			var placed *catalog.Error
			if !errors.Is(err, c.is) || !errors.As(err, &placed) {
				t.Fatalf("got %v, want %v", err, c.is)
			}
			if placed.At.String() != c.at {
				t.Errorf("the place is %q, want %q: %v", placed.At, c.at, err)
			}
		})
	}
}

func TestErrorOffset(t *testing.T) {
	doc := `{"resources":[{"type":"File","title":"/x","parameters":{"content":"abc` + "\xfe" + `"}}]}`
	for name, r := range map[string]*catalog.Reader{
		"bytes":  reader(t, doc),
		"stream": catalog.NewReader(iotest.OneByteReader(strings.NewReader(doc)), format(t, "rich-json"), serialization.DecodeOptions{}),
	} {
		var err error
		for _, err = range r.Resources() {
		}
		var placed *catalog.Error
		if !errors.As(err, &placed) {
			t.Fatal(name, err)
		}
		if want := int64(strings.IndexByte(doc, '\xfe')); placed.Offset != want {
			t.Errorf("%s: offset %d, want %d", name, placed.Offset, want)
		}
		const text = "File[/x]/content: JSON at line 1, column 71: text is not valid UTF-8"
		if err.Error() != text {
			t.Errorf("%s: got  %s\nwant %s", name, err, text)
		}
	}
}

// TestDecodeErrorsNameTheLocation covers well-formed data that does not represent
// a value.
func TestDecodeErrorsNameTheLocation(t *testing.T) {
	doc := `{"resources":[{"type":"File","title":"/x","parameters":{"content":{"a":{"__ptype":"Binary","__pvalue":"?"}}}}]}`
	for r, err := range reader(t, doc).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = r.Parameter("content")
		var placed *catalog.Error
		if !errors.As(err, &placed) || !strings.HasPrefix(placed.At.String(), "File[/x]/content/a") || placed.Offset < int64(strings.Index(doc, "{\"a")) {
			t.Errorf("got %v", err)
		}
		if _, err2 := r.Value(); err2 == nil || err2.Error() != err.Error() {
			t.Errorf("as a whole: %v", err2)
		}
	}
}

func TestStreamingIsTheSame(t *testing.T) {
	for _, name := range names {
		data := read(t, name+"/rich.json")
		for _, split := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
			var out bytes.Buffer
			src := catalog.NewReader(split(bytes.NewReader(data)), format(t, "rich-json"), serialization.DecodeOptions{})
			w := catalog.NewWriter(&out, format(t, "rich-json"), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
			if err := catalog.Copy(t.Context(), w, src); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), data) {
				t.Errorf("%s differs", name)
			}
		}
	}
}

func TestStoppingEarly(t *testing.T) {
	n := 0
	for _, err := range reader(t, one("resources", "name")).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d resources", n)
	}
}

func TestReadOnce(t *testing.T) {
	r := reader(t, one("resources"))
	for range 2 {
		var last error
		n := 0
		for _, err := range r.Parts() {
			last = err
			n++
		}
		if again := n == 1; again != (last != nil) {
			t.Errorf("%d parts, then %v", n, last)
		}
	}
}

func TestEqualAcrossForms(t *testing.T) {
	first := func(data []byte, form string) *catalog.Catalog {
		for c, err := range catalog.NewReaderBytes(data, format(t, form), serialization.DecodeOptions{}).Catalogs() {
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		return nil
	}
	for _, name := range names {
		rich := read(t, name+"/rich.json")
		want := first(rich, "rich-json")
		for form, data := range map[string][]byte{
			"rich-msgpack": read(t, name+"/rich.msgpack"),
			"yaml":         convert(t, rich, "rich-json", "yaml"),
			"rich-json":    []byte(`{"data":` + string(rich) + `}`),
		} {
			if same, err := catalog.Equal(want, first(data, form)); err != nil || !same {
				t.Errorf("%s as %s: %v %v", name, form, same, err)
			}
		}
		if back := convert(t, convert(t, rich, "rich-json", "yaml"), "yaml", "rich-json"); !bytes.Equal(back, rich) {
			t.Errorf("%s through YAML: %s", name, firstDifference(back, rich))
		}
		changed := first(bytes.Replace(rich, []byte(`"production"`), []byte(`"other"`), 1), "rich-json")
		if same, err := catalog.Equal(want, changed); err != nil || same {
			t.Errorf("%s: another environment is the same: %v", name, err)
		}
	}
}

func TestHeader(t *testing.T) {
	r := reader(t, string(read(t, "webstack/rich.json")))
	if r.Header().Name() != "" {
		t.Error("the name is known before it was read")
	}
	seen := false
	for _, err := range r.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		seen = seen || r.Header().Name() == "web01.example.com"
	}
	h := r.Header()
	if !seen || h.Environment() != "production" || h.Version() != "1700000000" || h.CodeID() != "" ||
		h.CatalogUUID() == "" || !slices.Contains(h.Tags(), "settings") || !slices.Contains(h.Classes(), "settings") {
		t.Errorf("%s %s %s %v", h.Name(), h.Environment(), h.Version(), h.Classes())
	}
	m, ok := h.Member("catalog_format")
	if v, err := m.Value(); !ok || err != nil || v != pcore.Integer(2) {
		t.Errorf("catalog_format is %v %v", v, err)
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"tiny/rich.json", "secrets/rich.json"} {
		data, err := os.ReadFile("../testdata/catalogs/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(one("name", "resources", "edges")))
	f.Add([]byte(`{"data":{"resources":{"data":[{}]}}}`))
	form := format(f, "rich-json")
	// Every catalog is written, and read back as the same catalog.
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		w := catalog.NewWriter(&out, form, catalog.WriteOptions{Secrets: serialization.PlainSecrets})
		if err := catalog.Copy(t.Context(), w, catalog.NewReaderBytes(data, form, serialization.DecodeOptions{})); err != nil {
			return
		}
		again := convert(t, out.Bytes(), "rich-json", "rich-json")
		if !bytes.Equal(again, out.Bytes()) {
			t.Errorf("written %q, then %q", out.Bytes(), again)
		}
	})
}
