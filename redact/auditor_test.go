package redact_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// closerFunc implements io.Closer.
type closerFunc func()

func (c closerFunc) Close() error { c(); return nil }

// Run has as many inputs open as there are jobs, and RunRedacted has one. Both have the
// findings in the order of the inputs.
func TestAuditorJobs(t *testing.T) {
	const jobs = 3
	a, err := redact.NewAuditor(audit.Options{Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	nowOpen, most := 0, 0
	opened := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		nowOpen += n
		most = max(most, nowOpen)
	}
	var first sync.WaitGroup // for the first inputs of the first pass, which wait for each other
	first.Add(jobs)
	var concurrent, sequential []audit.Input
	for i := range 4 * jobs {
		waited := i >= jobs
		open := func() (*catalog.Reader, io.Closer, error) {
			opened(1)
			src := catalog.NewReader(strings.NewReader(in(open)), formats.RichJSON(), serialization.DecodeOptions{})
			return src, closerFunc(func() { opened(-1) }), nil
		}
		sequential = append(sequential, audit.Input{Name: fmt.Sprint(i), Open: open})
		concurrent = append(concurrent, audit.Input{Name: fmt.Sprint(i), Open: func() (*catalog.Reader, io.Closer, error) {
			src, done, err := open()
			if !waited {
				waited = true
				first.Done()
				first.Wait()
			}
			return src, done, err
		}})
	}
	findings := func(report *audit.Report, err error) (list []string) {
		if err != nil || len(report.Failures) > 0 {
			t.Fatal(report, err)
		}
		for _, f := range report.Findings {
			list = append(list, f.Catalog+" "+f.Rule+" "+f.Pointer)
		}
		return list
	}
	want := findings(a.RunRedacted(t.Context(), sequential))
	if most != 1 || len(want) != len(sequential) {
		t.Errorf("RunRedacted has %d inputs open, and finds %q", most, want)
	}
	if got := findings(a.Run(t.Context(), concurrent)); most != jobs || !slices.Equal(got, want) {
		t.Errorf("Run has %d inputs open, and finds %q, want %q", most, got, want)
	}
}
