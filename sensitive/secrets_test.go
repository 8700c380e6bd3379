package sensitive_test

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// redactWith redacts a document with a new Redactor.
func redactWith(t *testing.T, s *sensitive.Secrets, document string) (string, sensitive.Report) {
	t.Helper()
	r := s.Redactor(nil)
	var b bytes.Buffer
	src, f := readerOf(document)
	if err := r.Redact(t.Context(), &b, f, src); err != nil {
		t.Error(err)
	}
	return b.String(), r.Report()
}

const (
	declares = `{"resources":[{"type":"File","title":"a","parameters":{"b":"x Xk29vLq07TzW","c":[{"__ptype":"Sensitive","__pvalue":"Xk29vLq07TzW"},{"__ptype":"Sensitive","__pvalue":"q07T"}]}}],"edges":[]}`
	clean    = `{"resources":[{"type":"File","title":"a","parameters":{"b":"x redacted-1-by-pcat","c":[{"__ptype":"Sensitive","__pvalue":"redacted-1-by-pcat"},{"__ptype":"Sensitive","__pvalue":"redacted-2-by-pcat"}]}}],"edges":[]}`
)

// Redactors of the same Secrets work concurrently, while the Collector continues with the
// same document and others.
func TestSecretsAreSafeForConcurrentUse(t *testing.T) {
	c := new(sensitive.Collector)
	src, _ := readerOf(declares)
	if err := c.Collect(src); err != nil {
		t.Fatal(err)
	}
	s := c.Secrets()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				got, report := redactWith(t, s, declares)
				if got != clean || len(report.NotFollowed) != 1 || report.NotFollowed[0].Location != "File[a]/c/1" {
					t.Errorf("%s, %+v", got, report)
				}
			}
		})
		all.Go(func() {
			if got, _ := redactWith(t, s.Then(s), declares); got != clean {
				t.Error(got)
			}
			other := new(sensitive.Collector)
			other.Include(s)
			if got, _ := redactWith(t, other.Secrets(), declares); got != clean {
				t.Error(got)
			}
		})
	}
	for _, d := range []string{declares, strings.ReplaceAll(declares, "q07T", "another-S3cret")} {
		src, _ := readerOf(d)
		if err := c.Collect(src); err != nil {
			t.Error(err)
		}
		c.Secrets()
	}
	all.Wait()
}

// Secrets do not change if their Collector collects more.
func TestSecretsAreFrozen(t *testing.T) {
	const document = `{"resources":[{"type":"File","title":"a","parameters":{"b":"Xk29vLq07TzW, another-S3cret, found-S3cret, abc"}}],"edges":[]}`
	c := new(sensitive.Collector)
	add := func(text, parameter string) {
		t.Helper()
		err := c.Add(sensitive.Found{Secret: pcore.NewSensitive(pcore.String(text)), At: catalog.Ref{Type: "File", Title: "a"}.Parameter(parameter)})
		if err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		learn func()
		want  string
	}{
		{func() {}, "Xk29vLq07TzW, another-S3cret, found-S3cret, abc"},
		{func() {
			src, _ := readerOf(declares)
			if err := c.Collect(src); err != nil {
				t.Fatal(err)
			}
		}, "redacted-1-by-pcat, another-S3cret, found-S3cret, abc"},
		{func() {
			other := new(sensitive.Collector)
			src, _ := readerOf(strings.ReplaceAll(declares, "Xk29vLq07TzW", "another-S3cret"))
			if err := other.Collect(src); err != nil {
				t.Fatal(err)
			}
			c.Include(other.Secrets())
		}, "redacted-1-by-pcat, redacted-2-by-pcat, found-S3cret, abc"},
		{func() { add("found-S3cret", "c") }, "redacted-1-by-pcat, redacted-2-by-pcat, redacted-3-by-pcat, abc"},
		{func() { add("abc", "b") }, "redacted-1-by-pcat, redacted-2-by-pcat, redacted-3-by-pcat, redacted-4-by-pcat"},
	}
	var all []*sensitive.Secrets
	for _, s := range steps {
		s.learn()
		all = append(all, c.Secrets())
	}
	for i, s := range steps {
		if got, _ := redactWith(t, all[i], document); !strings.Contains(got, `"`+s.want+`"`) {
			t.Errorf("step %d: %s, want %s", i, got, s.want)
		}
	}
	whole := new(sensitive.Collector)
	whole.Include(c.Secrets())
	if got, _ := redactWith(t, whole.Secrets(), document); !strings.Contains(got, steps[4].want) {
		t.Errorf("included: %s", got)
	}
}

// The zero values have no secrets, and replace declared ones in their own locations.
func TestZeroValues(t *testing.T) {
	const want = `"b":"x Xk29vLq07TzW","c":[{"__ptype":"Sensitive","__pvalue":"redacted-1-by-pcat"}`
	for name, r := range map[string]*sensitive.Redactor{
		"Collector": new(sensitive.Collector).Secrets().Redactor(nil), "Secrets": new(sensitive.Secrets).Redactor(nil), "Redactor": {},
	} {
		var b bytes.Buffer
		src, f := readerOf(declares)
		if err := r.Redact(t.Context(), &b, f, src); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %s, %v", name, &b, err)
		}
		if got := r.Text("Xk29vLq07TzW"); got != "Xk29vLq07TzW" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A marker in any document is not used again, regardless of the order of collection, for
// either an error or a secret.
func TestMarkersOfDocumentsAreReserved(t *testing.T) {
	const (
		broken = `{"resources":[{"type":"File","title":"b Xk29vLq07TzW","parameters":{"x":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Timestamp","__pvalue":"no"}}}}],"edges":[]}`
		marked = `{"resources":[{"type":"File","title":"c redacted-7-by-pcat","parameters":{}}],"edges":[]}`
	)
	for _, order := range [][]string{{declares, broken, marked}, {marked, broken, declares}, {broken, declares, marked}} {
		c := new(sensitive.Collector)
		var failure error
		for _, d := range order {
			src, _ := readerOf(d)
			err := c.Collect(src)
			if (err != nil) != (d == broken) {
				t.Fatal(err)
			}
			if err != nil {
				failure = err
			}
		}
		// Only all documents together show that the title contains a secret.
		r := c.Secrets().Redactor(nil)
		if got := r.Err(failure).Error(); !strings.HasPrefix(got, "File[b redacted-8-by-pcat]") {
			t.Errorf("%s", got)
		}
		var b bytes.Buffer
		src, f := readerOf(declares)
		if err := r.Redact(t.Context(), &b, f, src); err != nil || !strings.Contains(b.String(), `"x redacted-8-by-pcat"`) {
			t.Errorf("%s, %v", &b, err)
		}
	}
}

// An error of Collect contains no secret known so far.
func TestErrorsOfCollecting(t *testing.T) {
	broken := `{"resources":[{"type":"File","title":"Xk29vLq07TzW","parameters":{"x":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Timestamp","__pvalue":"no"}}}}],"edges":[]}`
	c := new(sensitive.Collector)
	src, _ := readerOf(declares)
	if err := c.Collect(src); err != nil {
		t.Fatal(err)
	}
	src, _ = readerOf(broken)
	err := c.Collect(src)
	if err == nil || !strings.HasPrefix(err.Error(), "File[redacted-1-by-pcat]") {
		t.Errorf("%v", err)
	}
}

// A replacement that contains the secret is not written.
func TestTextMaskerThatKeepsSecrets(t *testing.T) {
	c := new(sensitive.Collector)
	src, _ := readerOf(declares)
	if err := c.Collect(src); err != nil {
		t.Fatal(err)
	}
	src, f := readerOf(declares)
	r := c.Secrets().Redactor(sensitive.TextMasker(func(text string) string { return "<" + text + ">" }))
	if err := r.Redact(t.Context(), io.Discard, f, src); err == nil {
		t.Error("no error")
	}
}

// A replacement may need escapes.
func TestTextMasker(t *testing.T) {
	c := new(sensitive.Collector)
	src, _ := readerOf(declares)
	if err := c.Collect(src); err != nil {
		t.Fatal(err)
	}
	n := 0
	masker := sensitive.TextMasker(func(string) string { n++; return "\"" + strings.Repeat("!", n) })
	var b bytes.Buffer
	src, f := readerOf(declares)
	if err := c.Secrets().Redactor(masker).Redact(t.Context(), &b, f, src); err != nil || !strings.Contains(b.String(), `"__pvalue":"\"!`) || strings.Contains(b.String(), "Xk29") {
		t.Errorf("%s, %v", &b, err)
	}
}
