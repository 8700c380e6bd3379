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
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// document is an input in memory and its output.
type document struct {
	text string
	out  bytes.Buffer
}

func inputs(t testing.TB, documents []*document) (all []redact.Input) {
	t.Helper()
	format := formats.RichJSON()
	for i, d := range documents {
		all = append(all, redact.Input{
			Name: fmt.Sprint("document ", i),
			Open: func(context.Context) (*catalog.Reader, io.Closer, error) {
				return catalog.NewReaderBytes([]byte(d.text), format, serialization.DecodeOptions{}), nil, nil
			},
			Write: func(_ context.Context, write func(io.Writer) error) error { return write(&d.out) },
		})
	}
	return all
}

func auditor(t testing.TB) redact.Auditor {
	t.Helper()
	a, err := redact.NewAuditor(audit.Options{Jobs: 4})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func in(resources string) string { return `{"name":"n","resources":[` + resources + `],"edges":[]}` }

const (
	declared = `{"type":"User","title":"app","parameters":{"password":"hunter2-horse"},"sensitive_parameters":["password"]}`
	open     = `{"type":"File","title":"/etc/app.conf","parameters":{"content":"user = app\npassword = Zx9-qKw4vTz\n"}}`
	broken   = `{"type":"File","title":"/hunter2-horse","parameters":{"x":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Timestamp","__pvalue":"no"}}}}`
	marked   = `{"type":"File","title":"/m","parameters":{"content":"redacted-%d-by-pcat"}}`
	copies   = `{"type":"Notify","title":"x","parameters":{"message":"hunter2-horse Zx9-qKw4vTz"}}`
)

func TestRun(t *testing.T) {
	const userOut = `{"type":"User","title":"app","parameters":{"password":"redacted-1-by-pcat"},"sensitive_parameters":["password"]}`
	for _, c := range []struct {
		name     string
		audit    bool
		text     []string
		want     []string
		failures []string // prefix of each
	}{
		{"declared", false, []string{declared, open, copies},
			[]string{userOut, open, `{"type":"Notify","title":"x","parameters":{"message":"redacted-1-by-pcat Zx9-qKw4vTz"}}`}, []string{"", "", ""}},
		{"found", true, []string{declared, open, copies}, []string{
			userOut, `{"type":"File","title":"/etc/app.conf","parameters":{"content":"user = app\npassword = redacted-2-by-pcat\n"}}`,
			`{"type":"Notify","title":"x","parameters":{"message":"redacted-1-by-pcat redacted-2-by-pcat"}}`,
		}, []string{"", "", ""}},
		{"broken", true, []string{broken, declared}, []string{"", userOut}, []string{"File[/redacted-1-by-pcat]", ""}},
		{"nothing", true, nil, nil, nil},
	} {
		for _, jobs := range []int{0, 1, 2} {
			t.Run(fmt.Sprint(c.name, " ", jobs), func(t *testing.T) {
				var all []*document
				for _, text := range c.text {
					all = append(all, &document{text: in(text)})
				}
				o := redact.Options{Jobs: jobs, WriteOthers: true}
				if c.audit {
					o.Audit = auditor(t)
				}
				result, err := redact.Run(t.Context(), inputs(t, all), o)
				if err != nil {
					t.Fatal(err)
				}
				for i, d := range all {
					want := ""
					if c.want[i] != "" {
						want = in(c.want[i])
					}
					if d.out.String() != want {
						t.Errorf("document %d: %s\nwant %s", i, &d.out, want)
					}
					if err := result.Failures[i]; (err == nil) != (c.failures[i] == "") || err != nil && !strings.HasPrefix(err.Error(), c.failures[i]) {
						t.Errorf("document %d: %v", i, err)
					}
				}
			})
		}
	}
}

// The output, the errors and the report do not depend on the number of concurrent inputs,
// even if some inputs are broken or already contain markers.
func TestRunIsDeterministic(t *testing.T) {
	run := func(jobs int) string {
		var all []*document
		for i := range 24 {
			text := fmt.Sprintf(marked, i*2+1)
			secret := fmt.Sprintf("S3cret-%d-Value", i%7)
			switch i % 6 {
			case 0:
				text += "," + strings.ReplaceAll(broken, "hunter2-horse", secret)
			case 1, 2:
				text += "," + strings.ReplaceAll(declared, "hunter2-horse", secret)
			case 3:
				text += "," + open + strings.Repeat(","+strings.ReplaceAll(copies, "hunter2-horse", secret), 200)
			case 4:
				text += strings.Repeat(","+strings.ReplaceAll(declared, "hunter2-horse", secret), 50) + "}"
			}
			all = append(all, &document{text: in(text)})
		}
		result, err := redact.Run(t.Context(), inputs(t, all), redact.Options{Jobs: jobs, Audit: auditor(t), WriteOthers: true})
		got := fmt.Sprintln(result.Report, result.Failures, err)
		for _, d := range all {
			got += d.out.String() + "\n"
		}
		return got
	}
	want, times := run(1), 5
	if testing.Short() {
		times = 1
	}
	for range times {
		if got := run(8); got != want {
			t.Fatalf("%s\nwant %s", got, want)
		}
	}
}

// auditFunc implements redact.Auditor.
type auditFunc func(n int, r *catalog.Catalog) *audit.Report

// RunRedacted implements redact.Auditor.
func (f auditFunc) RunRedacted(ctx context.Context, inputs []audit.Input) (*audit.Report, error) {
	return f.Run(ctx, inputs)
}

// Run implements redact.Auditor.
func (f auditFunc) Run(_ context.Context, inputs []audit.Input) (*audit.Report, error) {
	all := &audit.Report{}
	for i, in := range inputs {
		src, done, err := in.Open()
		if err != nil {
			return nil, err
		}
		for c, err := range src.Catalogs() {
			if err != nil {
				return nil, err
			}
			r := f(i, c)
			for _, f := range r.Findings {
				f.Input = i
				all.Findings = append(all.Findings, f)
			}
			for _, f := range r.Failures {
				f.Input = i
				all.Failures = append(all.Failures, f)
			}
			all.Notes = append(all.Notes, r.Notes...)
		}
		if err := done.Close(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// An input whose output is not clean, or not searched completely, is not written, and the
// others are.
func TestAuditsThatFail(t *testing.T) {
	calls := 0
	more := func(i int, at catalog.Location) *audit.Report {
		if i == 0 {
			return &audit.Report{}
		}
		calls++
		return &audit.Report{Findings: []audit.Finding{{Rule: "some-rule", Class: rule.Leak, Secret: pcore.NewSensitive(pcore.String(fmt.Sprint("more-", calls))), At: at}}}
	}
	password := catalog.Ref{Type: "User", Title: "app"}.Parameter("x")
	for _, c := range []struct {
		name     string
		audit    auditFunc
		want     error
		failures [2]string
	}{
		{"always more", func(i int, _ *catalog.Catalog) *audit.Report { return more(i, password) }, nil,
			[2]string{"", "User[app]/x: some-rule: still finding secrets after 8 passes; it was not written"}},
		{"a secret in the location", func(i int, _ *catalog.Catalog) *audit.Report {
			return more(i, catalog.Ref{Type: "User", Title: fmt.Sprint("hunter2-horse more-", calls+1)}.Parameter("x"))
		}, nil, [2]string{"", "User[redacted-1-by-pcat redacted-2-by-pcat]/x: some-rule: still finding secrets after 8 passes; it was not written"}},
		{"broken output", func(i int, _ *catalog.Catalog) *audit.Report {
			if i == 0 {
				return &audit.Report{}
			}
			return &audit.Report{Failures: []audit.Failure{{Err: errors.New("broken: hunter2-horse")}}}
		}, nil, [2]string{"", "the output cannot be audited; it was not written: broken: redacted-1-by-pcat"}},
		{"cut", func(i int, _ *catalog.Catalog) *audit.Report {
			return &audit.Report{Notes: []audit.Note{{Catalog: fmt.Sprint("document ", i), Pointer: "/x", Cut: i == 1}}}
		}, nil, [2]string{"", "document 1: : the encoded value is too large to be searched for secrets"}},
		{"policies only", func(int, *catalog.Catalog) *audit.Report {
			return &audit.Report{Findings: []audit.Finding{{Class: rule.Policy, Secret: pcore.NewSensitive(pcore.String("app")), At: password}}}
		}, nil, [2]string{"", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := []*document{{text: in(declared)}, {text: in(declared)}}
			result, err := redact.Run(t.Context(), inputs(t, all), redact.Options{Audit: c.audit, WriteOthers: c.name == "cut" || c.name == "broken output"})
			if !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
			for i, d := range all {
				got := ""
				if err := result.Failures[i]; err != nil {
					got = err.Error()
				}
				if got != c.failures[i] {
					t.Errorf("document %d: %s, want %s", i, got, c.failures[i])
				}
				if written := d.out.Len() > 0; written != (got == "") {
					t.Errorf("document %d: %s", i, &d.out)
				}
			}
		})
	}
}

// If writing one input fails, the others are still written.
func TestWriteFails(t *testing.T) {
	for _, jobs := range []int{1, 2} {
		all := []*document{{text: in(declared)}, {text: in(copies)}, {text: in(open)}}
		full := errors.New("no space left")
		ins := inputs(t, all)
		ins[0].Write = func(context.Context, func(io.Writer) error) error { return full }
		ins[2].Write = nil
		result, err := redact.Run(t.Context(), ins, redact.Options{Jobs: jobs, WriteOthers: true})
		if err != nil || !errors.Is(result.Failures[0], full) || result.Failures[1] != nil || !strings.Contains(all[1].out.String(), "redacted-1-by-pcat") {
			t.Errorf("%v, %v, %s", result.Failures, err, &all[1].out)
		}
	}
}

func TestRunEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range []redact.Options{{Jobs: 1}, {Jobs: 2}, {Audit: auditor(t)}} {
		all := []*document{{text: in(declared)}, {text: in(copies)}}
		if _, err := redact.Run(ctx, inputs(t, all), o); !errors.Is(err, context.Canceled) || all[0].out.Len() > 0 {
			t.Errorf("%v, %s", err, &all[0].out)
		}
	}
}

// Each starts the work in its own way.
func TestEach(t *testing.T) {
	all := []*document{{text: in(declared)}, {text: in(copies)}}
	var mu sync.Mutex
	var order []int
	_, err := redact.Run(t.Context(), inputs(t, all), redact.Options{Each: func(ctx context.Context, n int, work func(context.Context, int)) error {
		for i := range n {
			work(ctx, i)
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
		}
		return nil
	}, Masker: sensitive.NewMask()})
	if err != nil || !slices.Equal(order, []int{0, 1, 0, 1}) {
		t.Errorf("%v, %v", order, err)
	}
}

// If an input cannot be read, nothing is written: its secrets may be in the others.
func TestIncomplete(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		for _, others := range []bool{false, true} {
			documents := []*document{{text: in(open)}, {text: in(broken)}, {text: in(declared)}}
			result, err := redact.Run(t.Context(), inputs(t, documents), redact.Options{Jobs: jobs, WriteOthers: others})
			if errors.Is(err, redact.ErrIncomplete) == others || result.Failures[1] == nil {
				t.Errorf("got %v, %v", err, result.Failures)
			}
			for i, want := range []bool{others, false, others} {
				if written := documents[i].out.Len() > 0; written != want {
					t.Errorf("document %d: written is %v", i, written)
				}
			}
		}
		result, err := redact.Run(t.Context(), inputs(t, []*document{{text: in(broken)}}), redact.Options{Jobs: jobs})
		if err != nil || result.Failures[0] == nil {
			t.Errorf("the only input: %v, %v", err, result.Failures)
		}
	}
}

// Begin gets a mask with all secrets, and its error prevents writing.
func TestBegin(t *testing.T) {
	refused := errors.New("refused")
	for _, want := range []error{nil, refused} {
		for _, jobs := range []int{1, 4} {
			documents := []*document{{text: in(open)}, {text: in(broken)}, {text: in(declared)}}
			begun := 0
			result, err := redact.Run(t.Context(), inputs(t, documents), redact.Options{Audit: auditor(t), Jobs: jobs, WriteOthers: true, Begin: func(mask func(string) string) error {
				begun++
				if got := mask("hunter2-horse/Zx9-qKw4vTz.json"); got != "redacted-1-by-pcat/redacted-2-by-pcat.json" {
					t.Errorf("the mask returns %s", got)
				}
				return want
			}})
			if !errors.Is(err, want) || begun != 1 || result.Failures[1] == nil {
				t.Errorf("got %v, %v, and %d calls", err, result.Failures, begun)
			}
			if written := documents[0].out.Len() > 0; written != (want == nil) {
				t.Errorf("%v: written is %v", want, written)
			}
		}
	}
}
