package leak

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
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// TestRedactingWhatIsOpen checks that secrets found by an audit appear neither
// in the redacted output nor in the messages of a Redactor.
func TestRedactingWhatIsOpen(t *testing.T) {
	format := rich(t)
	src := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(open), format, serialization.DecodeOptions{})
	}
	for name, m := range map[string]sensitive.Masker{"mask": sensitive.NewMask(), "drop": sensitive.NewDrop()} {
		c := sensitive.NewCollector(sensitive.CollectOptions{})
		if err := c.Collect(src()); err != nil {
			t.Fatal(err)
		}
		found := audited(t, audit.Options{KeepSecrets: true}, open).Findings
		kept := 0
		for _, f := range found {
			if f.Secret == nil {
				continue
			}
			kept++
			secret := sensitive.Found{Secret: f.Secret, Spelled: f.Spelled, At: f.At, Start: f.Start}
			if err := c.Add(secret); err != nil {
				t.Fatal(err)
			}
			secret.At = catalog.Location{} // a Location is not masked, as documented
			printed(t, name+": what was found", secret)
		}
		if kept < 8 {
			t.Fatalf("%d secrets, which tests nothing", kept)
		}
		for _, s := range []*sensitive.Secrets{c.Secrets(), c.Secrets().Then(c.Secrets())} {
			r := s.Redactor(m)
			var out bytes.Buffer
			if err := r.Redact(t.Context(), &out, format, src()); err != nil {
				t.Fatal(err)
			}
			noLeak(t, name+": a catalog", out.String())
			machinery(t, name+": a redactor", r)
			machinery(t, name+": secrets", s)
			printed(t, name+": a report", r.Report())
		}
	}
}

// Redacting until an audit finds nothing reports no secret, and neither do its errors.
func TestRedactingUntilClean(t *testing.T) {
	format := rich(t)
	auditor, err := redact.NewAuditor(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken := `{"resources":[{"type":"File","title":"/` + canary + `","parameters":{"x":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Timestamp","__pvalue":"` + canary + `"}}}}],"edges":[]}`
	for _, jobs := range []int{1, 2} {
		var out bytes.Buffer
		var mu sync.Mutex // inputs are written at the same time
		var inputs []redact.Input
		for i, text := range []string{broken, open, strings.Replace(open, "n.example.com", "other.example.com", 1)} {
			inputs = append(inputs, redact.Input{
				Name: strings.Repeat("x", i+1),
				Open: func(context.Context) (*catalog.Reader, io.Closer, error) {
					return catalog.NewReaderBytes([]byte(text), format, serialization.DecodeOptions{}), nil, nil
				},
				Write: func(_ context.Context, write func(io.Writer) error) error {
					mu.Lock()
					defer mu.Unlock()
					return errors.Join(write(&out), errors.New("a failure to write "+text[:20]))
				},
			})
		}
		o := redact.Options{Audit: auditor, Jobs: jobs, WriteOthers: true}
		result, err := redact.Run(t.Context(), inputs, o)
		printed(t, "an error", err)
		printed(t, "a result", *result)
		machinery(t, "a result", result)
		machinery(t, "options", o)
		for _, err := range result.Failures {
			if err == nil {
				t.Error("no failure, which tests nothing")
			}
			printed(t, "a failure", err)
		}
		if out.Len() == 0 {
			t.Error("nothing was written, which tests nothing")
		}
		noLeak(t, "the output", out.String())
		o.Explain = true
		locations, err := redact.Check(t.Context(), inputs, o)
		printed(t, "an error", err)
		printed(t, "explained places", *locations)
		if !slices.ContainsFunc(slices.Concat(locations.Replacements...), func(p redact.Replacement) bool { return len(p.Copies) > 0 }) {
			t.Error("no copy is explained, which tests nothing")
		}
	}
}

// TestReportingWhatIsOpen checks that no report reveals a secret that only an audit finds,
// nor its copies.
func TestReportingWhatIsOpen(t *testing.T) {
	// The same secret is not declared, is elsewhere, and there is another one.
	undeclared := strings.Replace(open, `,"sensitive_parameters":["password"]`, "", 1)
	documents := []string{undeclared, strings.ReplaceAll(undeclared, `"x"`, `"y"`), strings.ReplaceAll(undeclared, "/a/", "/b/"), strings.ReplaceAll(exposed, `"mode":`, `"password":`), `{"name":"n.example.com","resources":[]}`}
	changes := 0
	for i, a := range documents {
		for k, b := range documents {
			where := fmt.Sprintf("%d and %d", i, k)
			finder := redact.NewFinder(func() (redact.Auditor, error) { return redact.NewAuditor(audit.Options{}) })
			f := diff.NewFleet(finder, diff.Options{})
			p, err := f.Compare(t.Context(), catalogtest.Side(t, catalogtest.JSON(a)), catalogtest.Side(t, catalogtest.JSON(b)))
			if err != nil {
				t.Fatal(err)
			}
			f.Add(p)
			if !p.Equal() {
				f.OnlyOld(canary)
			}
			r := f.Report()
			changes += len(r.Changes)
			machinery(t, where+": a finder", finder)
			printed(t, where+": a report", *r)
			for _, format := range report.Formats() {
				var out bytes.Buffer
				if err := report.Write(&out, format.Name, r, report.Options{MaxLines: -1, Explain: true}); err != nil {
					t.Errorf("%s: %s: %v", where, format.Name, err)
				}
				noLeak(t, where+": "+format.Name, out.String())
				if r.ShowsFound() != strings.Contains(out.String(), "-by-pcat") && format.Name == "text" {
					t.Errorf("%s: says that undeclared secrets are masked: %t", where, r.ShowsFound())
				}
			}
		}
	}
	if changes < 30 {
		t.Errorf("%d changes, which tests nothing", changes)
	}
	finder := redact.NewFinder(func() (redact.Auditor, error) { return redact.NewAuditor(audit.Options{}) })
	opener := func(context.Context) (*catalog.Reader, io.Closer, error) {
		return catalogtest.JSON(undeclared)(), nil, nil
	}
	if failures, err := finder.Learn(t.Context(), nil, opener); err != nil || failures[0] != nil {
		t.Fatal(err, failures)
	}
	mask := finder.Secrets().Redactor(nil)
	printed(t, "findings", faultsOf(t, catalogtest.JSON(undeclared)(), mask, faults.Options{AllHints: true}))
	g := catalogtest.Graph(t, catalogtest.JSON(undeclared)())
	for _, form := range draw.Names() {
		var out bytes.Buffer
		if err := draw.Write(&out, form, draw.Select(g, mask, draw.Options{What: draw.Both})); err != nil {
			t.Error(err)
		}
		noLeak(t, "a graph as "+form, out.String())
	}
}

// TestComparingNeedsSecrets checks that a report without a mask cannot be made.
func TestComparingNeedsSecrets(t *testing.T) {
	side := catalogtest.Side(t, catalogtest.JSON(exposed))
	if _, err := diff.Compare(t.Context(), side, side, nil, diff.Options{}); err == nil {
		t.Error("catalogs were compared without their secrets")
	}
	refused := false
	for _, err := range faults.Catalogs(catalogtest.JSON(exposed)(), nil, faults.Options{}) {
		refused = err != nil
	}
	if !refused {
		t.Error("a catalog was checked without a mask")
	}
}

// faultsOf returns the findings of a document with one catalog.
func faultsOf(t *testing.T, r *catalog.Reader, mask catalog.Mask, o faults.Options) []faults.Finding {
	t.Helper()
	var all []faults.Finding
	for result, err := range faults.Catalogs(r, mask, o) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, result.Findings...)
	}
	return all
}
