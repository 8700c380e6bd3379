package audit_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/audit"
)

// refusing returns a report of n findings, every so many of which have a
// refused title, a function that refuses them, and the number of its calls.
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

// Only refused findings lose texts.
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

// If many findings are refused, they are not tested individually.
func TestWithholdOfVeryMany(t *testing.T) {
	r, refused, asked := refusing(20000, 1)
	if refused(r.Withhold(refused)) {
		t.Error("what is left is refused")
	}
	if *asked > 1200 {
		t.Errorf("it is asked %d times", *asked)
	}
}
