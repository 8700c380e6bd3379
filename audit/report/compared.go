package report

import (
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/audit"
)

// fresh returns a function that writes a report without its known findings.
func fresh(write func(b output, r *audit.Report, o Options) error) func(b output, r *audit.Report, o Options) error {
	return func(b output, r *audit.Report, o Options) error {
		if !r.Compared {
			return write(b, r, o)
		}
		left := *r
		left.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f audit.Finding) bool { return f.State == audit.Known })
		return write(b, &left, o)
	}
}

// writeTextAndCounts writes the report for people, with the counts.
func writeTextAndCounts(b output, r *audit.Report, o Options) error {
	counts := Counts(r)
	return fresh(func(b output, r *audit.Report, o Options) error { return writeText(b, r, o, counts) })(b, r, o)
}

// Counts returns sentences about the findings that a report for people does not list: the
// result of a comparison with an earlier run, and the number of filtered findings. It
// returns nil if there is neither.
func Counts(r *audit.Report) []string {
	var lines []string
	if r.Compared {
		known := 0
		for i := range r.Findings {
			if r.Findings[i].State == audit.Known {
				known++
			}
		}
		lines = append(lines, fmt.Sprintf("compared with the earlier run: %d new, %d known, %d gone", len(r.Findings)-known+r.Omitted, known, r.Gone))
	}
	switch {
	case r.Filtered == 1:
		lines = append(lines, "1 finding is hidden by the filters")
	case r.Filtered > 1:
		lines = append(lines, fmt.Sprintf("%d findings are hidden by the filters", r.Filtered))
	}
	return lines
}
