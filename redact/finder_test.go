package redact_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func opener(text string) catalog.Opener {
	return func(context.Context) (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes([]byte(text), formats.RichJSON(), serialization.DecodeOptions{}), nil, nil
	}
}

// counting is an Auditor that counts the resources that it reads.
type counting struct {
	redact.Auditor
	mu   sync.Mutex
	read []string
}

func (c *counting) Run(ctx context.Context, inputs []audit.Input) (*audit.Report, error) {
	for _, in := range inputs {
		src, _, err := in.Open()
		if err != nil {
			continue
		}
		for r, err := range src.Resources() {
			if err == nil {
				c.mu.Lock()
				c.read = append(c.read, r.Ref().String())
				c.mu.Unlock()
			}
		}
	}
	return c.Auditor.Run(ctx, inputs)
}

func counter(t *testing.T) (*counting, *redact.Finder) {
	t.Helper()
	a, err := redact.NewAuditor(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{Auditor: a}
	return c, redact.NewFinder(func() (redact.Auditor, error) { return c, nil })
}

func learn(t *testing.T, f *redact.Finder, documents ...catalog.Opener) {
	t.Helper()
	failures, err := f.Learn(t.Context(), nil, documents...)
	if err = errors.Join(append(failures, err)...); err != nil {
		t.Fatal(err)
	}
}

const (
	first  = `{"type":"Class","title":"Db","parameters":{"db_password":"Otter-9944-reed"}}`
	second = `{"type":"Class","title":"Own","parameters":{"x":"Plover-5561-ling"},"sensitive_parameters":["x"]}`
	third  = `{"type":"File","title":"/x","parameters":{"content":"a, [b] {c}"}}`
)

func catalogOf(name string, resources ...string) string {
	return fmt.Sprintf(`{"name":%q,"resources":[%s],"edges":[{"source":"Class[Db]","target":"Class[Own]"}]}`, name, strings.Join(resources, ","))
}

// TestFinderAuditsOnce checks that equal resources are audited once, wherever they are.
func TestFinderAuditsOnce(t *testing.T) {
	all := []string{first, second, third}
	for n := range 1 << 6 { // which resources the two documents have
		var a, b []string
		for i, r := range all {
			if n>>i&1 > 0 {
				a = append(a, r)
			}
			if n>>(3+i)&1 > 0 {
				b = append(b, r)
			}
		}
		c, f := counter(t)
		learn(t, f, opener(catalogOf("a", a...)), opener(catalogOf("b", b...)))
		learn(t, f, opener(catalogOf("b", b...)), opener(catalogOf("c", a...)))
		seen := map[string]bool{}
		for _, ref := range c.read {
			if seen[ref] {
				t.Errorf("%06b: %s was audited again: %v", n, ref, c.read)
			}
			seen[ref] = true
		}
		mask := f.Secrets().Redactor(nil)
		has := func(r string) bool { return strings.Contains(strings.Join(append(a, b...), ""), r) }
		for secret, from := range map[string]string{"Otter-9944-reed": first, "Plover-5561-ling": second} {
			if masked := !strings.Contains(mask.Text("x "+secret), secret); masked != has(from) {
				t.Errorf("%06b: %s is masked: %t", n, secret, masked)
			}
		}
	}
}

// TestFinderOfBrokenDocuments checks that the secrets before the fault of a document are
// found, and those of the others.
func TestFinderOfBrokenDocuments(t *testing.T) {
	const sensitive = `{"type":"File","title":"/y","parameters":{"x":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Timestamp","__pvalue":"x"}}}}`
	for name, broken := range map[string]string{
		"cut":        catalogOf("a", first, second, third)[:200],
		"bad value":  catalogOf("a", first, second, sensitive),
		"no catalog": `{"a":1}`,
	} {
		_, f := counter(t)
		failures, err := f.Learn(t.Context(), nil, opener(broken), opener(catalogOf("b", third, `{"type":"Class","title":"B","parameters":{"db_password":"Heron-8813-fjord"}}`)))
		if err != nil || failures[0] == nil || failures[1] != nil {
			t.Errorf("%s: %v, %v", name, err, failures)
		}
		text := f.Secrets().Redactor(nil).Text("Otter-9944-reed Heron-8813-fjord")
		if strings.Contains(text, "Heron") || name != "no catalog" && strings.Contains(text, "Otter") {
			t.Errorf("%s: %s", name, text)
		}
	}
	_, f := counter(t)
	missing := func(context.Context) (*catalog.Reader, io.Closer, error) { return nil, nil, io.ErrUnexpectedEOF }
	if failures, err := f.Learn(t.Context(), nil, missing, opener(catalogOf("b", first))); err != nil || !errors.Is(failures[0], io.ErrUnexpectedEOF) || failures[1] != nil {
		t.Error(err, failures)
	}
	if text := f.Secrets().Redactor(nil).Text("Otter-9944-reed"); strings.Contains(text, "Otter") {
		t.Error(text)
	}
}

// TestFinderInPlace checks values and texts with a weak password, which is masked only where
// it is found.
// The position of a fault is that in the whole document, also if another one has the resources
// before it.
func TestFinderLocatesFaults(t *testing.T) {
	const shared = `{"type":"Stage","title":"main"},{"type":"Class","title":"main"},`
	broken := `{"name":"a","resources":[` + shared + `{"type":"File","title":"/b","__ptype":"X"}],"edges":[]}`
	want := int64(strings.Index(broken, `{"type":"File"`))
	whole := `{"name":"b","resources":[` + shared + `{"type":"File","title":"/c"}],"edges":[]}`
	for i := range 20 {
		documents := []catalog.Opener{opener(broken), opener(whole)}
		at := i % 2
		if at == 1 {
			slices.Reverse(documents)
		}
		failures, err := redact.NewFinder(nil).Learn(t.Context(), nil, documents...)
		if err != nil || failures[1-at] != nil {
			t.Fatal(err, failures)
		}
		var fault *catalog.Error
		if !errors.As(failures[at], &fault) || fault.Offset != want {
			t.Fatalf("%v, want a fault at %d", failures[at], want)
		}
	}
}

func TestFinderInPlace(t *testing.T) {
	_, f := counter(t)
	learn(t, f, opener(catalogOf("a", `{"type":"File","title":"/app.ini","parameters":{"content":"[db]\nuser = dummypassword1\npassword = dummypassword\n","owner":"dummypassword"}}`)))
	mask := f.Secrets().Redactor(nil)
	at := catalog.Ref{Type: "File", Title: "/app.ini"}.Parameter("content")
	value := func(text string, at catalog.Location) string {
		v, err := mask.Value(pcore.String(text), at)
		if err != nil {
			t.Fatal(err)
		}
		s, _ := v.(pcore.String)
		return string(s)
	}
	const content = "[db]\nuser = dummypassword1\npassword = dummypassword\n"
	if got := value(content, at); got != strings.Replace(content, "dummypassword\n", "redacted-1-by-pcat\n", 1) {
		t.Errorf("the value: %q", got)
	}
	if got := value("other "+content, at); strings.Contains(got, "dummypassword") {
		t.Errorf("another value at the place: %q", got)
	}
	if got := value("x dummypassword", at.Join(pcore.Path{}.Index(3))); strings.Contains(got, "dummypassword") {
		t.Errorf("a part of the parameter: %q", got)
	}
	if got := value("dummypassword", at.Ref.Parameter("owner")); got != "dummypassword" {
		t.Errorf("another parameter: %q", got)
	}
	if got := mask.TextAt("expects an Integer, got 'dummypassword'", at); strings.Contains(got, "dummypassword") {
		t.Error(got)
	}
	if got := mask.TextAt("expects an Integer, got 'dummypassword'", at.Ref.Parameter("owner")); !strings.Contains(got, "dummypassword") {
		t.Error(got)
	}
}

// TestShowsFound checks that a Guard notices the markers of undeclared secrets, and no others.
func TestShowsFound(t *testing.T) {
	_, f := counter(t)
	learn(t, f, opener(catalogOf("a", first, second)), opener(catalogOf("b", `{"type":"Class","title":"Both","parameters":{"password":"Plover-5561-ling"}}`)))
	for text, want := range map[string]bool{"x Otter-9944-reed y": true, "x Plover-5561-ling y": false, "x redacted-7-by-pcat y": false, "none": false} {
		for _, split := range []int{0, 5, 9} {
			mask := f.Secrets().Redactor(nil)
			_ = mask.Text("Plover-5561-ling")
			text := mask.Text(text)
			var out bytes.Buffer
			g := mask.Guard(&out, "")
			large := strings.Repeat(" ", 1<<20-split)
			for _, part := range []string{large, text[:min(split, len(text))], text[min(split, len(text)):], large} {
				if _, err := io.WriteString(g, part); err != nil {
					t.Fatal(err)
				}
			}
			if err := g.Close(); err != nil || mask.ShowsFound() != want || !strings.Contains(out.String(), text) {
				t.Errorf("%s, %d: %t, %v", text, split, mask.ShowsFound(), err)
			}
		}
	}
}
