package document

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// TestTranscode checks small and large catalogs, which are transcoded in memory and through
// a file: the output is that of writing the parts, and nothing is written of a catalog that
// is given up at its end.
func TestTranscode(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	resource := `{"type":"File","title":"/x","parameters":{"content":"` + strings.Repeat("x", 1<<16) + `"}},`
	for _, c := range []struct {
		name, last string
		done       bool
	}{
		{"rich", `{"type":"File","title":"/y","parameters":{"s":{"__ptype":"Sensitive","__pvalue":"s"}}}`, true},
		{"local reference", `{"type":"File","title":"/y","parameters":{"a":{"__ptype":"LocalRef","__pvalue":"$['name']"}}}`, false},
		{"late type", `{"type":"File","title":"/y","parameters":{"a":{"__pvalue":["a",1],"__ptype":"Hash"}}}`, false},
	} {
		for _, n := range []int{1, 300} {
			file := filepath.Join(t.TempDir(), "catalog.json")
			if err := os.WriteFile(file, []byte(`{"name":"n","resources":[`+strings.Repeat(resource, n)+c.last+`],"edges":[]}`), 0o600); err != nil {
				t.Fatal(err)
			}
			var got, want bytes.Buffer
			done, err := transcoded(t, file, &got, (*WriteFlags).Transcode)
			if done != c.done || err != nil || !done && got.Len() > 0 {
				t.Errorf("%s, %d resources: %v, %v, and %d bytes are written", c.name, n, done, err, got.Len())
				continue
			}
			_, err = transcoded(t, file, &want, func(f *WriteFlags, ctx context.Context, s *cli.IOStreams, d *Document) (bool, error) {
				return true, f.WriteCatalog(ctx, s, d)
			})
			if err != nil || done && !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s, %d resources: %v, or the output differs", c.name, n, err)
			}
		}
	}
}

func transcoded(t *testing.T, file string, out *bytes.Buffer, write func(*WriteFlags, context.Context, *cli.IOStreams, *Document) (bool, error)) (bool, error) {
	t.Helper()
	streams := cli.Streams(nil, out, nil)
	var read ReadFlags
	sources, err := read.Files.Sources(t.Context(), streams, []string{file})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := read.Open(t.Context(), sources[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := doc.Close(); err != nil {
			t.Error(err)
		}
	}()
	flags := WriteFlags{To: "rich-msgpack", Indent: KeepIndent}
	return write(&flags, t.Context(), streams, doc)
}
