package audit_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/audit"
)

// refusing returns a report of n findings, of which each of every so many has a
// title that is refused, and what refuses it, which counts how often it is asked.
func refusing(n, every int) (r *audit.Report, refused func(*audit.Report) bool, asked *int) {
	const title = "refused"
	r = &audit.Report{Findings: make([]audit.Finding, n)}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Pointer, f.Title, f.Type = fmt.Sprintf("/resources/%d", i), "fine", "File"
		if i%every == 0 {
			f.Title = title
		}
	}
	asked = new(int)
	return r, func(r *audit.Report) bool {
		*asked++
		return slices.ContainsFunc(r.Findings, func(f audit.Finding) bool { return f.Title == title })
	}, asked
}

// Only the findings that are refused lose texts.
func TestWithholdOfFew(t *testing.T) {
	r, refused, _ := refusing(200, 40)
	for i, f := range r.Withhold(refused).Findings {
		if want := i%40 == 0; f.Hidden != want || (f.Title == "fine") == want || f.Type != "File" {
			t.Errorf("finding %d: %+v", i, f)
		}
		if r.Findings[i].Hidden {
			t.Errorf("finding %d of the report itself was changed", i)
		}
	}
}

// However many findings are refused, it is not asked about each of them.
func TestWithholdOfVeryMany(t *testing.T) {
	r, refused, asked := refusing(20000, 1)
	if refused(r.Withhold(refused)) {
		t.Error("what is left is refused")
	}
	if *asked > 1200 {
		t.Errorf("it is asked %d times", *asked)
	}
}
