package catalog_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

const small = `{"name":"web01","resources":[{"type":"File","title":"/etc/motd","parameters":{"content":"hello"}}],"edges":[]}`

// fileOf writes a document, compressed, and returns the path of the file.
func fileOf(t *testing.T, name string, m compress.Method, doc []byte) string {
	t.Helper()
	var b bytes.Buffer
	z, err := compress.NewWriter(m, &b)
	if err == nil {
		_, err = z.Write(doc)
	}
	if err == nil {
		err = z.Close()
	}
	path := filepath.Join(t.TempDir(), name)
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOpen opens a catalog in every format and compression.
func TestOpen(t *testing.T) {
	v, err := formats.JSON().Decode([]byte(small), serialization.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range formats.Default().Formats() {
		doc, err := form.Append(nil, v, serialization.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range compress.Methods() {
			t.Run(form.Name+"/"+m.String(), func(t *testing.T) {
				name := "web01" + form.Extensions[0]
				switch m {
				case compress.Gzip:
					name += ".gz"
				case compress.Zstd:
					name += ".zst"
				}
				f, err := catalog.Open(fileOf(t, name, m, doc))
				if err != nil {
					t.Fatal(err)
				}
				var c *catalog.Catalog
				for c, err = range f.Catalogs() {
					if err != nil {
						t.Fatal(err)
					}
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
				r, ok := c.Resource(catalog.Ref{Type: "File", Title: "/etc/motd"})
				if !ok {
					t.Fatal("the resource is missing")
				}
				if got, _, err := r.Parameter("content"); err != nil || got != pcore.Value(pcore.String("hello")) {
					t.Errorf("got %v, %v", got, err)
				}
			})
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		is            error
		text          string
	}{
		{"empty.json", "", catalog.ErrEmpty, "empty.json: the file is empty"},
		{"unknown", "what is this", serialization.ErrFormat, "unknown: "},
		{"cut.json.gz", "\x1f\x8b\x08", nil, "cut.json.gz: truncated compressed data"},
	} {
		path := fileOf(t, tt.name, compress.None, []byte(tt.content))
		f, err := catalog.Open(path)
		if f != nil || err == nil || !strings.Contains(err.Error(), tt.text) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
	if _, err := catalog.Open(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestCatalogResource(t *testing.T) {
	ref := func(title string) catalog.Ref { return catalog.Ref{Type: "Notify", Title: title} }
	made := func(title, message string) *catalog.Resource {
		r, err := catalog.NewResource(pcore.NewHash(
			pcore.Entry{Key: pcore.String("type"), Value: pcore.String("Notify")},
			pcore.Entry{Key: pcore.String("title"), Value: pcore.String(title)},
			pcore.Entry{Key: pcore.String("parameters"), Value: pcore.NewHash(pcore.Entry{Key: pcore.String("message"), Value: pcore.String(message)})},
		))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b, again := made("a", "1"), made("b", "2"), made("a", "3")
	c := catalog.New(catalog.NewHeader(), []*catalog.Resource{a, b, again}, nil)
	for _, tt := range []struct {
		title string
		want  *catalog.Resource
	}{{"a", a}, {"b", b}, {"A", nil}, {"c", nil}} {
		if got, ok := c.Resource(ref(tt.title)); got != tt.want || ok != (tt.want != nil) {
			t.Errorf("%s: got %v, %t", tt.title, got, ok)
		}
	}
}

// A document in memory is read as a file of its name is, compressed or not.
func TestOpenBytes(t *testing.T) {
	const name = "web01.json.gz"
	plain, err := os.ReadFile(filepath.FromSlash("../testdata/catalogs/webstack/rich.json"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(plain)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	count := func(data []byte) (n int) {
		f, err := catalog.OpenBytes(name, data)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for p, err := range f.Parts() {
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind == catalog.PartResource {
				n++
			}
		}
		return n
	}
	if a, b := count(plain), count(packed.Bytes()); a != b || a == 0 {
		t.Errorf("%d resources, compressed %d", a, b)
	}
	for _, data := range [][]byte{nil, packed.Bytes()[:20]} {
		if _, err := catalog.OpenBytes(name, data); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestFileCatalog(t *testing.T) {
	for _, c := range []struct {
		document, name string
		err            error
	}{
		{`{"name":"a","resources":[]}`, "a", nil},
		{`[{"name":"a","resources":[]},{"name":"b","resources":[]}]`, "", catalog.ErrSeveral},
		{`[]`, "", catalog.ErrNotCatalog},
		{`{"name":"a"}`, "", catalog.ErrNotCatalog},
	} {
		f, err := catalog.OpenBytes("a.json", []byte(c.document))
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Catalog()
		if !errors.Is(err, c.err) || (got == nil) != (c.err != nil) || got != nil && got.Name() != c.name {
			t.Errorf("%s: %v, %v", c.document, got, err)
		}
		f.Close()
	}
}

// TestOpenReport opens documents that are no catalogs, by files and in memory, also compressed.
func TestOpenReport(t *testing.T) {
	for name, want := range map[string]string{
		"changed.yaml":  "report",
		"changed.json":  "report",
		"events.json":   "events",
		"factsets.json": "facts",
	} {
		file := filepath.Join("..", "internal", "rundata", "testdata", name)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for how, open := range map[string]func() (*catalog.File, error){
			"file":   func() (*catalog.File, error) { return catalog.Open(file) },
			"bytes":  func() (*catalog.File, error) { return catalog.OpenBytes(name, data) },
			"packed": func() (*catalog.File, error) { return catalog.Open(fileOf(t, name, compress.Zstd, data)) },
		} {
			f, err := open()
			if err != nil || f.Kind() != want {
				t.Fatalf("%s, %s: %v", name, how, err)
			}
			var catalogs bytes.Buffer
			if err := catalog.Copy(t.Context(), catalog.NewWriter(&catalogs, f.Format(), catalog.WriteOptions{}), f.Reader); err != nil {
				t.Fatal(err)
			}
			var same bytes.Buffer
			if err := f.Restore(&same, &catalogs); err != nil || !bytes.Equal(same.Bytes(), data) {
				t.Errorf("%s, %s: %v, it changed", name, how, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
