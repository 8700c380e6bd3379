package sensitive_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// own is a Masker that is unknown to the package.
type own struct{ sensitive.Masker }

// Value implements sensitive.Masker.
func (m own) Value(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	return m.Masker.Value(secret, at)
}

// Concurrent Redactors write and report the same as a single one, document by document.
func TestInTurn(t *testing.T) {
	maskers := map[string]func() sensitive.Masker{
		"mask": sensitive.NewMask,
		"drop": sensitive.NewDrop,
		"own":  func() sensitive.Masker { return own{sensitive.NewMask()} },
		"digest": func() sensitive.Masker {
			m, err := sensitive.NewDigest(bytes.Repeat([]byte("k"), sensitive.MinKey))
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
	}
	for name, masker := range maskers {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				documents := rapid.SliceOfN(rapid.Custom(drawnDocument), 1, 5).Draw(t, "documents")
				want, report := oneByOne(t, masker(), documents)
				got, same := atOnce(t, masker(), documents)
				for i := range want {
					if got[i] != want[i] {
						t.Errorf("document %d: %s, want %s", i, got[i], want[i])
					}
				}
				if fmt.Sprintf("%+v", same) != fmt.Sprintf("%+v", report) {
					t.Errorf("report: %+v, want %+v", same, report)
				}
			})
		})
	}
}

// drawnDocument generates a catalog with secrets in their own locations, copies, and
// overlaps.
func drawnDocument(t *rapid.T) string {
	secret := rapid.SampledFrom([]string{"Xk29vLq07TzW", "q07TzWmN3b5yR", "tr0ub4dor&3", "short", "/run/Kq83hzPPw2"})
	var resources []string
	for i := range rapid.IntRange(1, 4).Draw(t, "resources") {
		resources = append(resources, fmt.Sprintf(
			`{"type":"File","title":"/f%d","tags":[],"parameters":{"a":"x %s%s","content":{"__ptype":"Sensitive","__pvalue":%q},"b":{"%s":1}}}`,
			i, secret.Draw(t, "copy"), secret.Draw(t, "more"), secret.Draw(t, "secret"), secret.Draw(t, "key")))
	}
	blank := rapid.SampledFrom([]string{"", " "}).Draw(t, "blank") // a document with blanks has no outline
	return fmt.Sprintf(`{"tags":[],"name":"n",%s"version":1,"code_id":null,"catalog_uuid":"u","catalog_format":2,"environment":"production","resources":[%s],"edges":[],"classes":[]}`,
		blank, strings.Join(resources, ","))
}

func readerOf(document string) (*catalog.Reader, serialization.Format) {
	f := formats.RichJSON()
	return catalog.NewReaderBytes([]byte(document), f, serialization.DecodeOptions{}), f
}

func oneByOne(t *rapid.T, m sensitive.Masker, documents []string) (out []string, report sensitive.Report) {
	c := new(sensitive.Collector)
	for _, d := range documents {
		src, _ := readerOf(d)
		if err := c.Collect(src); err != nil {
			t.Fatal(err)
		}
	}
	r := c.Secrets().Redactor(m)
	for _, d := range documents {
		var b bytes.Buffer
		src, f := readerOf(d)
		if err := r.Redact(t.Context(), &b, f, src); err != nil {
			t.Fatal(err)
		}
		out = append(out, b.String())
	}
	return out, r.Report()
}

func atOnce(t *rapid.T, m sensitive.Masker, documents []string) (out []string, report sensitive.Report) {
	all := new(sensitive.Collector)
	run(newTurns(documents), func(i int, turn func()) {
		c := new(sensitive.Collector)
		src, _ := readerOf(documents[i])
		if err := c.Collect(src); err != nil {
			t.Error(err)
		}
		turn()
		all.Include(c.Secrets())
	})
	secrets := all.Secrets()
	out = make([]string, len(documents))
	var counts sensitive.Counts
	run(newTurns(documents), func(i int, turn func()) {
		r := secrets.Redactor(sensitive.InTurn(m, turn))
		var b bytes.Buffer
		src, f := readerOf(documents[i])
		if err := r.Redact(t.Context(), &b, f, src); err != nil {
			t.Error(err)
		}
		out[i] = b.String()
		turn()
		counts.Add(r.Counts())
	})
	report = secrets.Redactor(m).Report()
	report.Add(counts)
	return out, report
}

// newTurns returns channels; the channel of a document is closed when all earlier
// documents are done.
func newTurns(documents []string) []chan struct{} {
	turns := make([]chan struct{}, len(documents)+1)
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	return turns
}

func run(turns []chan struct{}, work func(i int, turn func())) {
	var all sync.WaitGroup
	for i := range len(turns) - 1 {
		all.Go(func() {
			turn := func() { <-turns[i] }
			work(i, turn)
			turn()
			close(turns[i+1])
		})
	}
	all.Wait()
}
