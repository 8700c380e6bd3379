package deferred_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// TestAgentSpelling compares, byte by byte, with the catalog that an agent wrote after
// reading each catalog, and after resolving it.
func TestAgentSpelling(t *testing.T) {
	files, err := filepath.Glob("../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			document := bytesOf(t, file)
			if got, want := stored(t, document), bytesOf(t, filepath.Join(dir, "roundtrip.json")); !bytes.Equal(got, want) {
				t.Errorf("read and written again it is\n%s\nwant\n%s", got, want)
			}
			r := resolver(t)
			r.Faithful = true
			r.Facts = decode(t, string(bytesOf(t, filepath.Join(dir, "facts.json")))).(*pcore.Hash)
			run := r.Run()
			if got, want := stored(t, document, run), bytesOf(t, filepath.Join(dir, "resolved.json")); !bytes.Equal(got, want) {
				t.Errorf("resolved it is\n%s\nwant\n%s", got, want)
			}
			if run.Err() != nil {
				t.Error(run.Err())
			}
		})
	}
}

// stored returns a document as stored by an agent, after the transforms ts.
func stored(t *testing.T, document []byte, ts ...catalog.Transform) []byte {
	t.Helper()
	var b bytes.Buffer
	r := reader(t, string(document))
	w := catalog.NewWriter(&b, r.Format(), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
	if err := catalog.Copy(t.Context(), w, r, append(ts, deferred.AgentSpelling{})...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func bytesOf(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSpelling(t *testing.T) {
	for document, want := range map[string]string{
		`{"type":"class","title":"my::deep::class"}`:                                     `{"type":"Class","title":"My::Deep::Class"}`,
		`{"type":"Class","title":"My::deep"}`:                                            `{"type":"Class","title":"My::deep"}`,
		`{"type":"my::thing","title":"main"}`:                                            `{"type":"My::Thing","title":"main"}`,
		`{"type":"Class","title":"élan"}`:                                                `{"type":"Class","title":"Élan"}`,
		`{"type":"Stage","title":"main","parameters":{"name":"main"}}`:                   `{"type":"Stage","title":"main"}`,
		`{"type":"Stage","title":"x","parameters":{"name":"main"}}`:                      `{"type":"Stage","title":"x","parameters":{"name":"main"}}`,
		`{"type":"User","title":"x","parameters":{"uid":5,"name":"x","shell":"/bin/x"}}`: `{"type":"User","title":"x","parameters":{"uid":5,"shell":"/bin/x"}}`,
	} {
		const head, tail = `{"name":"web01","resources":[`, `],"edges":[]}`
		if got := string(stored(t, []byte(head+document+tail))); got != head+want+tail {
			t.Errorf("%s is stored as %s, want %s", document, got, want)
		}
	}
}
