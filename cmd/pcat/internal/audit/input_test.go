package audit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
)

// A run over many catalogs would hold them all if their documents stayed.
func TestInputLetsGo(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rich.json")
	if err := os.WriteFile(name, []byte(`{"resources":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	sources, err := (&cli.InputFlags{}).Sources(t.Context(), cli.Streams(nil, nil, nil), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	flags := document.ReadFlags{From: "auto"}
	for _, keep := range []bool{false, true} {
		in := &input{keep: keep, read: func() (*document.Document, error) {
			return flags.Open(t.Context(), sources[0])
		}}
		for range 2 {
			_, open, err := in.open()
			if err != nil {
				t.Fatal(err)
			}
			if err := open.Close(); err != nil || (in.doc != nil) != keep {
				t.Errorf("keep %v: %v, %v", keep, err, in.doc)
			}
		}
	}
}
