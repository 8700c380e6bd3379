package leaf_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func reader(t testing.TB, data []byte) *catalog.Reader {
	t.Helper()
	format, ok := formats.Default().ByContent(data)
	if !ok {
		t.Fatal("no format fits")
	}
	return catalog.NewReaderBytes(data, format, serialization.DecodeOptions{})
}

func walk(t testing.TB, data []byte, visit func(*leaf.Leaf)) {
	t.Helper()
	if err := new(leaf.Walker).Walk(reader(t, data), "x", leaf.Visitor{Leaf: visit}); err != nil {
		t.Fatal(err)
	}
}

func TestWalk(t *testing.T) {
	document := `{"name":"web01","tags":["a"],"resources":[
		{"type":"File","title":"/x","file":"/m.pp","line":7,"tags":["t"],"exported":true,
		 "parameters":{"content":"c","list":["l0",{"k/1":"v"}],"n":42,
		  "bin":{"__ptype":"Binary","__pvalue":"YWI="},
		  "nested":{"__ptype":"Sensitive","__pvalue":{"p":"s"}},
		  "call":{"__ptype":"Deferred","name":"f","arguments":["a0",{"x":"a1"}]},
		  "odd":{"__ptype":"Hash","__pvalue":[1,"one"]}},
		 "sensitive_parameters":["content","list"]}],
		"edges":[{"source":"Class[A]","target":"File[/x]"}],
		"metadata":{"/x":{"checksum":"{sha256}ab"}}}`
	var got []string
	walk(t, []byte(document), func(l *leaf.Leaf) {
		got = append(got, fmt.Sprintf("%s %d %d %q", l.Pointer(), l.Kind, l.State, l.Text))
	})
	want := []string{
		`/name 6 0 "web01"`,
		`/tags/0 3 0 "a"`,
		`/resources/0/title 2 0 "/x"`,
		`/resources/0/tags/0 3 0 "t"`,
		`/resources/0/parameters/content 0 1 "c"`,
		`/resources/0/parameters/list/0 0 2 "l0"`,
		`/resources/0/parameters/list/1/k~11 1 2 "k/1"`,
		`/resources/0/parameters/list/1/k~11 0 2 "v"`,
		`/resources/0/parameters/n 0 0 "42"`,
		`/resources/0/parameters/bin 0 0 "ab"`,
		`/resources/0/parameters/nested/__pvalue/p 1 3 "p"`,
		`/resources/0/parameters/nested/__pvalue/p 0 3 "s"`,
		`/resources/0/parameters/call/arguments/0 0 0 "a0"`,
		`/resources/0/parameters/call/arguments/1/x 1 0 "x"`,
		`/resources/0/parameters/call/arguments/1/x 0 0 "a1"`,
		`/resources/0/parameters/odd/__pvalue/0 1 0 "1"`,
		`/resources/0/parameters/odd/__pvalue/1 0 0 "one"`,
		`/edges/0/source 4 0 "Class[A]"`,
		`/edges/0/target 4 0 "File[/x]"`,
		`/metadata/~1x 5 0 "/x"`,
		`/metadata/~1x/checksum 5 0 "checksum"`,
		`/metadata/~1x/checksum 5 0 "{sha256}ab"`,
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

func TestContext(t *testing.T) {
	document := `{"name":"web01","resources":[{"type":"T","title":"x","parameters":{
		"a":{"b":["v0",{"c":"v1"}]},"d":{"__ptype":"Deferred","name":"f","arguments":["v2",{"k":"v3"}]}}}]}`
	type context struct {
		name, parameter, names string
		hash, element, call    bool
	}
	want := map[string]context{
		"v0": {"b", "a", "b a", false, true, false},
		"v1": {"c", "a", "c b a", true, false, false},
		"v2": {"", "d", "d", false, false, true},
		"v3": {"k", "d", "k d", true, false, true},
	}
	walk(t, []byte(document), func(l *leaf.Leaf) {
		w, ok := want[l.Text]
		if !ok {
			return
		}
		var names []string
		for n := range l.Names {
			names = append(names, n)
		}
		list, _ := l.Element()
		call, _ := l.Deferred()
		got := context{l.Name(), l.Parameter(), strings.Join(names, " "), l.Hash() != nil, list != nil, call != nil}
		if got != w {
			t.Errorf("%s: got %+v, want %+v", l.Text, got, w)
		}
		if !l.InParameter() {
			t.Errorf("%s: not in a parameter", l.Text)
		}
	})
}

func TestForms(t *testing.T) {
	const one = `{"type":"T","title":"x","parameters":{"p":"v"}}`
	tests := []struct {
		document, pointer, node string
		form                    leaf.Form
	}{
		{`{"name":"n","resources":[` + one + `]}`, "/resources/0/parameters/p", "n", leaf.Plain},
		{`{"resources":[` + one + `],"name":"n"}`, "/resources/0/parameters/p", "n", leaf.Plain},
		{`{"catalog":{"name":"n","resources":[` + one + `]}}`, "/catalog/resources/0/parameters/p", "n", leaf.Enveloped},
		{`{"document_type":"Catalog","data":{"name":"n","resources":[` + one + `]},"metadata":{}}`, "/data/resources/0/parameters/p", "n", leaf.Enveloped},
		{`[{"name":"m","resources":[]},{"name":"n","resources":[` + one + `]}]`, "/1/resources/0/parameters/p", "n", leaf.Plain},
		{`{"certname":"n","resources":{"href":"/h","data":[` + one + `]},"edges":{"data":[]}}`, "/resources/data/0/parameters/p", "n", leaf.PuppetDB},
		{`{"certname":"n","resources":[` + one + `],"edges":[]}`, "/resources/0/parameters/p", "n", leaf.PuppetDB},
	}
	for _, tt := range tests {
		var pointer string
		var ended *leaf.Catalog
		err := new(leaf.Walker).Walk(reader(t, []byte(tt.document)), "x", leaf.Visitor{
			Leaf: func(l *leaf.Leaf) {
				if l.Text == "v" {
					pointer = l.Pointer()
				}
			},
			End: func(c *leaf.Catalog) { ended = c },
		})
		if err != nil {
			t.Errorf("%s: %v", tt.document, err)
			continue
		}
		if pointer != tt.pointer || ended.Node != tt.node || ended.Form != tt.form || ended.Name != "x" {
			t.Errorf("%s: got %s, %+v; want %s, %s, %d", tt.document, pointer, ended, tt.pointer, tt.node, tt.form)
		}
	}
}

// The offset of each leaf is the start of its text, in JSON and in MessagePack.
func TestOffset(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/catalogs/*/rich.*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		walk(t, data, func(l *leaf.Leaf) {
			if n++; n%7 > 0 || l.Binary || len(l.Text) > 24 || strings.ContainsAny(l.Text, "\\\"\n\r\t\x1b/") {
				return
			}
			at := l.Offset()
			if at < 0 || at >= int64(len(data)) {
				t.Errorf("%s: %s has the offset %d", file, l.Pointer(), at)
				return
			}
			rest := data[at:min(int64(len(data)), at+int64(len(l.Text))+3)]
			if !l.Number && !bytes.Contains(rest, []byte(l.Text)) {
				t.Errorf("%s: %q stands at offset %d of %s, want %q", file, rest, at, l.Pointer(), l.Text)
			}
		})
		if n == 0 {
			t.Errorf("%s has no leaves", file)
		}
	}
}

func TestWant(t *testing.T) {
	document := []byte(`{"resources":[{"type":"A","title":"a"},{"type":"B","title":"b"}],"edges":[{"source":"A[a]","target":"B[b]"}]}`)
	var refs, texts []string
	err := new(leaf.Walker).Walk(reader(t, document), "x", leaf.Visitor{
		Want:     func(raw []byte) bool { return bytes.Contains(raw, []byte(`"B"`)) },
		Edge:     func([]byte) bool { return false },
		Resource: func(r *leaf.Resource) { refs = append(refs, r.String()) },
		Leaf:     func(l *leaf.Leaf) { texts = append(texts, l.Text) },
	})
	if err != nil || fmt.Sprint(refs, texts) != "[B[b]] [b]" {
		t.Errorf("got %v %v, error %v", refs, texts, err)
	}
}

// A document has the same leaves when it is in memory, walked again, or read in pieces.
func TestOutline(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	format := formats.RichJSON()
	var documents [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, bytes.TrimSpace(data))
	}
	for _, text := range []string{
		`{"resources":[]}`, `{"edges":[{"source":"A[a]","target":"B[b]"}],"version":1,"resources":[{"type":"A","title":"a"}],"certname":"n"}`,
		`{"resources":[{"type":"A","title":"a","parameters":{"p":{"__ptype":"Timestamp","__pvalue":"never"}}}],"name":"n"}`,
		`{"resources":[{"type":"A","title":"a"},{"type":"B"`, `{"resources":[1]}`, `{"name":"n","edges":[]}`, `{"resources":[],"resources":[]}`,
	} {
		documents = append(documents, []byte(text))
	}
	for _, data := range documents {
		var w leaf.Walker
		told := func(r *catalog.Reader) string {
			var b strings.Builder
			err := w.Walk(r, "x", leaf.Visitor{
				Want:     func(raw []byte) bool { fmt.Fprintf(&b, "want %d\n", len(raw)); return len(raw)%5 > 0 },
				Edge:     func(raw []byte) bool { fmt.Fprintf(&b, "edge %d\n", len(raw)); return len(raw)%3 > 0 },
				Resource: func(r *leaf.Resource) { fmt.Fprintln(&b, r.Pointer, r.Ref) },
				Leaf:     func(l *leaf.Leaf) { fmt.Fprintln(&b, l.Pointer(), l.Kind, l.State, l.Offset(), l.Text) },
				End:      func(c *leaf.Catalog) { fmt.Fprintln(&b, *c) },
			})
			fmt.Fprintln(&b, err)
			return b.String()
		}
		want := told(catalog.NewReader(bytes.NewReader(data), format, serialization.DecodeOptions{}))
		if w.Outline != nil {
			t.Fatal("a document in pieces has an outline")
		}
		for pass := range 2 {
			known := w.Outline
			if got := told(catalog.NewReaderBytes(data, format, serialization.DecodeOptions{})); got != want {
				t.Errorf("%.200s: pass %d tells\n%.2000s\nwant\n%.2000s", data, pass, got, want)
			}
			if pass > 0 && w.Outline != known {
				t.Errorf("%.200s: the outline is made again", data)
			}
		}
	}
}

// Parts that declare a secret are visited even if Want rejects everything.
func TestDeclared(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	documents := [][]byte{[]byte(`{"resources":[` +
		`{"type":"A","title":"a","parameters":{"p":"x"},"sensitive_parameters":["p"]},` +
		`{"type":"A","title":"b","parameters":{"p":{"__ptype":"Sensitive","__pvalue":"y"},"q":1}},` +
		`{"type":"A","title":"c","parameters":{"p":[{"__pvalue":"z","__ptype":"Sensitive"}]}},` +
		`{"type":"A","title":"d","parameters":{"p":{"__pt\u0079pe":"Sensitive","__pvalue":"u"}}},` +
		`{"type":"A","title":"e","parameters":{"p":"Sensitive"}}]}`)}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, bytes.TrimSpace(data))
	}
	for i, data := range documents {
		var all, declared []string
		resources := 0
		for _, only := range []bool{false, true} {
			err := new(leaf.Walker).Walk(reader(t, data), "x", leaf.Visitor{Declared: only, Resource: func(*leaf.Resource) {
				if only {
					resources++
				}
			}, Leaf: func(l *leaf.Leaf) {
				if at := fmt.Sprintln(l.Pointer(), l.State, l.Text); l.State != leaf.Open && only {
					declared = append(declared, at)
				} else if l.State != leaf.Open {
					all = append(all, at)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(all, declared) {
			t.Errorf("document %d: of\n%s there is\n%s", i, all, declared)
		}
		if i == 0 && (resources != 4 || len(all) != 4) {
			t.Errorf("%d resources are visited, %d secrets found, want 4", resources, len(all))
		}
	}
}
