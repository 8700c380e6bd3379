package losses_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/convert/losses"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// copied writes a catalog in a format with a ledger, like a command.
func copied(t *testing.T, doc, to string, w io.Writer) *losses.Ledger {
	t.Helper()
	target, err := formats.Default().ByName(to)
	if err != nil {
		t.Fatal(err)
	}
	l := losses.New(w)
	l.Begin("c.json", to)
	out := catalog.NewWriter(io.Discard, target, catalog.WriteOptions{Secrets: serialization.PlainSecrets, OnLoss: l.Lost})
	if err := catalog.Copy(context.Background(), out, catalog.NewReaderBytes([]byte(doc), formats.RichJSON(), serialization.DecodeOptions{}), l); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLocations checks the locations of losses in every envelope and in every part
// of a resource.
func TestLocations(t *testing.T) {
	const (
		resources = `[{"type":"A","title":"x","parameters":{}},{"type":"File","title":"/b","ext":{"__ptype":"Default"},"parameters":{"p":[{"__ptype":"Default"}],"s":{"k":{"__ptype":"Default"}}},"sensitive_parameters":["s"]}]`
		locations = `File[/b]/ext File[/b]/parameters/p/0 File[/b]/parameters/s*`
	)
	for doc, want := range map[string]string{
		`{"name":"n","resources":` + resources + `}`:                                                 locations,
		`{"catalog":{"resources":` + resources + `}}`:                                                locations,
		`[{"resources":{"href":"/x","data":` + resources + `}}]`:                                     locations,
		`{"resources":[],"other":{"resources":{"__ptype":"Default"}}}`:                               "/other/resources",
		`{"resources":[],"metadata":{"f":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Default"}}}}`: "/metadata/f*",
	} {
		var lines bytes.Buffer
		l := copied(t, doc, "json", &lines)
		var got []string
		for line := range strings.Lines(lines.String()) {
			var e losses.Entry
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			at := e.Ref + e.Path
			if e.Secret {
				at += "*"
			}
			got = append(got, at)
		}
		if strings.Join(got, " ") != want || l.Count() != len(got) || l.Err() != nil {
			t.Errorf("%s:\nwant %s\n got %s, %d, %v", doc, want, got, l.Count(), l.Err())
		}
	}
}

// TestCatalogs checks that formats that support all values report no loss.
func TestCatalogs(t *testing.T) {
	files, err := filepath.Glob("../../../../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formats.Default().Formats() {
			if l := copied(t, string(data), f.Name, nil); f.Rich && l.Count() > 0 {
				t.Errorf("%s to %s: %s", file, f.Name, l.Summary())
			}
		}
	}
}

func TestSummary(t *testing.T) {
	l := copied(t, `{"resources":[{"type":"A","title":"x","parameters":{"a":{"__ptype":"Default"},"b":{"__ptype":"Hash","__pvalue":[1,2,"1",3]}}}]}`, "json", nil)
	if got, want := l.Summary(), "json: lossy: 1 rich value becomes plain text, 1 key is replaced, 1 hash entry is dropped, first at A[x]/a"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	l.Begin("other", "yaml")
	if l.Summary() != "" || l.Count() != 0 {
		t.Error("the losses of one file are counted with another")
	}
	l.Lost(serialization.Loss{Kind: serialization.LostMeaning, Before: pcore.NewHash(), After: pcore.NewHash()})
	if got, want := l.Summary(), "yaml: lossy: 1 hash will be read as rich data, first at the top level"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestErr(t *testing.T) {
	l := copied(t, `{"resources":[],"x":{"__ptype":"Default"}}`, "json", full{})
	if !errors.Is(l.Err(), io.ErrShortWrite) || l.Count() != 1 {
		t.Errorf("%v, %d", l.Err(), l.Count())
	}
}

// TestLongValues checks that values are truncated at a character boundary.
func TestLongValues(t *testing.T) {
	var lines bytes.Buffer
	copied(t, `{"resources":[],"x":{"__ptype":"Regexp","__pvalue":"`+strings.Repeat("é", 1<<16)+`"}}`, "json", &lines)
	if lines.Len() > 3<<10 || !strings.Contains(lines.String(), "éé…") {
		t.Errorf("%d bytes: %.100s", lines.Len(), &lines)
	}
}
