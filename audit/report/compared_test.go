package report_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
)

// compared returns a report of four findings, of which the first and the last are known.
func compared(t testing.TB) *audit.Report {
	t.Helper()
	r := fleet(t)
	r.Compared, r.Gone, r.Filtered = true, 6, 12
	for i := range r.Findings {
		r.Findings[i].State = audit.Fresh
	}
	r.Findings[0].State, r.Findings[3].State = audit.Known, audit.Known
	return r
}

// Reports that are kept contain all findings, with their states. The others contain the new ones.
func TestCompared(t *testing.T) {
	for form, want := range map[string]struct {
		count int
		text  string
	}{
		"text":   {1, "compared with the earlier run: 2 new, 2 known, 6 gone\n12 findings are hidden by the filters\n"},
		"jsonl":  {2, `"state":"known"`},
		"json":   {2, `"state": "known"`},
		"sarif":  {2, `"baselineState": "unchanged"`},
		"csv":    {2, ",known\n"},
		"junit":  {2, "<failure "},
		"html":   {1, "on 1 node, new since the earlier run</h1>"},
		"github": {2, "::error "},
	} {
		if got := write(t, form, compared(t)); strings.Count(got, want.text) != want.count {
			t.Errorf("%s: %q is not there %d times:\n%s", form, want.text, want.count, got)
		}
	}
	if got := write(t, "json", compared(t)); !strings.Contains(got, `"filtered": 12,`) || !strings.Contains(got, `"gone": 6,`) {
		t.Errorf("got %s", got)
	}
	if got := write(t, "csv", fleet(t)); strings.Contains(got, "state") {
		t.Errorf("a state without a comparison: %s", got)
	}
}

// A known finding is neither new nor limited.
func TestLimitOfNew(t *testing.T) {
	r := compared(t)
	r.Limit(1)
	if got := report.Counts(r)[0]; len(r.Findings) != 3 || r.Omitted != 1 || got != "compared with the earlier run: 2 new, 2 known, 6 gone" {
		t.Errorf("%d findings, %d omitted, %q", len(r.Findings), r.Omitted, got)
	}
	for i := range r.Findings {
		r.Findings[i].State = audit.Known
	}
	if _, found := r.Worst(); found {
		t.Error("a known finding counts")
	}
}
