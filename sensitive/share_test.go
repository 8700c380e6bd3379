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

// own is a Masker of which the package knows nothing.
type own struct{ sensitive.Masker }

// Value implements sensitive.Masker.
func (m own) Value(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	return m.Masker.Value(secret, at)
}

// What several write at the same time is what one writes, one document after the other, and so
// is what is told of it.
func TestShare(t *testing.T) {
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

// drawnDocument makes a catalog in which a few secrets stand in their own places, in copies, and overlap.
func drawnDocument(t *rapid.T) string {
	secret := rapid.SampledFrom([]string{"Xk29vLq07TzW", "q07TzWmN3b5yR", "tr0ub4dor&3", "short", "/run/Kq83hzPPw2"})
	var resources []string
	for i := range rapid.IntRange(1, 4).Draw(t, "resources") {
		resources = append(resources, fmt.Sprintf(
			`{"type":"File","title":"/f%d","tags":[],"parameters":{"a":"x %s%s","content":{"__ptype":"Sensitive","__pvalue":%q},"b":{"%s":1}}}`,
			i, secret.Draw(t, "copy"), secret.Draw(t, "more"), secret.Draw(t, "secret"), secret.Draw(t, "key")))
	}
	blank := rapid.SampledFrom([]string{"", " "}).Draw(t, "blank") // that has no outline
	return fmt.Sprintf(`{"tags":[],"name":"n",%s"version":1,"code_id":null,"catalog_uuid":"u","catalog_format":2,"environment":"production","resources":[%s],"edges":[],"classes":[]}`,
		blank, strings.Join(resources, ","))
}

func readerOf(document string) (*catalog.Reader, serialization.Format) {
	f, _ := formats.Default().ByName("rich-json")
	return catalog.NewReaderBytes([]byte(document), f, serialization.DecodeOptions{}), f
}

func oneByOne(t *rapid.T, m sensitive.Masker, documents []string) (out []string, report sensitive.Report) {
	r := sensitive.New(sensitive.Options{Masker: m})
	for _, d := range documents {
		src, _ := readerOf(d)
		if err := r.Collect(src); err != nil {
			t.Fatal(err)
		}
	}
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
	r := sensitive.New(sensitive.Options{Masker: m})
	inTurns(documents, func(i int, turn func()) {
		fork := r.Fork()
		src, _ := readerOf(documents[i])
		err := fork.Collect(src)
		turn()
		if err := r.Join(fork, err); err != nil {
			t.Error(err)
		}
	})
	out = make([]string, len(documents))
	shared := make([]*sensitive.Redactor, len(documents))
	turns := newTurns(documents)
	for i := range documents {
		shared[i] = r.Share(func() { <-turns[i] })
	}
	run(turns, func(i int, turn func()) {
		var b bytes.Buffer
		src, f := readerOf(documents[i])
		if err := shared[i].Redact(t.Context(), &b, f, src); err != nil {
			t.Error(err)
		}
		out[i] = b.String()
		turn()
		r.Count(shared[i])
	})
	return out, r.Report()
}

// Several redact at the same time what one collected itself, whose candidates are not
// settled then.
func TestShareOfWhatOneCollected(t *testing.T) {
	const document = `{"resources":[{"type":"File","title":"a","parameters":{"b":"x Xk29vLq07TzW","c":[{"__ptype":"Sensitive","__pvalue":"Xk29vLq07TzW"},{"__ptype":"Sensitive","__pvalue":"q07T"}]}}],"edges":[]}`
	const want = `{"resources":[{"type":"File","title":"a","parameters":{"b":"x redacted-1-by-pcat","c":[{"__ptype":"Sensitive","__pvalue":"redacted-1-by-pcat"},{"__ptype":"Sensitive","__pvalue":"redacted-2-by-pcat"}]}}],"edges":[]}`
	r := sensitive.New(sensitive.Options{})
	src, _ := readerOf(document)
	if err := r.Collect(src); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		shared := r.Share(func() {})
		all.Go(func() {
			for range 20 {
				var b bytes.Buffer
				src, f := readerOf(document)
				if err := shared.Redact(t.Context(), &b, f, src); err != nil || b.String() != want {
					t.Errorf("%s, %v", &b, err)
				}
			}
		})
	}
	all.Wait()
	if left := r.Report().NotFollowed; len(left) != 1 || left[0].Place != "File[a]/c/1" {
		t.Errorf("%+v", left)
	}
}

// newTurns returns channels of which the one of each document is closed when those before are done.
func newTurns(documents []string) []chan struct{} {
	turns := make([]chan struct{}, len(documents)+1)
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	return turns
}

func inTurns(documents []string, work func(i int, turn func())) { run(newTurns(documents), work) }

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

// An error tells no secret that only documents before declare.
func TestJoinCleansErrors(t *testing.T) {
	first := `{"resources":[{"type":"File","title":"a","parameters":{"x":{"__ptype":"Sensitive","__pvalue":"Xk29vLq07TzW"}}}],"edges":[]}`
	broken := `{"resources":[{"type":"File","title":"Xk29vLq07TzW","parameters":{"x":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Timestamp","__pvalue":"no"}}}}],"edges":[]}`
	r := sensitive.New(sensitive.Options{})
	forks := []*sensitive.Redactor{r.Fork(), r.Fork()}
	var failures []error
	for i, d := range []string{first, broken} {
		src, _ := readerOf(d)
		failures = append(failures, forks[i].Collect(src))
	}
	for i, err := range failures {
		failures[i] = r.Join(forks[i], err)
	}
	if failures[0] != nil || failures[1] == nil || strings.Contains(failures[1].Error(), "Xk29") {
		t.Errorf("%v", failures)
	}
}
