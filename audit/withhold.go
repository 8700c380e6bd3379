package audit

import "slices"

// Withhold returns the report with less of what the catalogs say in it. Each text
// in it is masked, but two side by side can read like a secret: refused tells
// whether some output of a report does. Only the findings that are refused lose
// texts, and those that people miss least before the others; where very many are
// refused, those beside them do, too. Failures and notes lose their places when
// that is not enough.
func (r *Report) Withhold(refused func(*Report) bool) *Report {
	w := *r
	w.Findings = slices.Clone(r.Findings)
	part := withholder{report: w, refuses: refused}
	part.report.Failures, part.report.Notes = nil, nil
	part.withhold(w.Findings)
	if refused(&w) {
		w.Failures, w.Notes = slices.Clone(r.Failures), slices.Clone(r.Notes)
		for i := range w.Failures {
			w.Failures[i].Name = hidden
		}
		for i := range w.Notes {
			w.Notes[i].Catalog, w.Notes[i].Pointer = hidden, hidden
		}
	}
	return &w
}

// maxAsked is how often it is asked which of the findings are refused: each time,
// a report is written and read.
const maxAsked = 1000

// withholder withholds texts of findings.
type withholder struct {
	report  Report // in which those stand that are asked about
	refuses func(*Report) bool
	asked   int
}

func (w *withholder) refused(list []Finding) bool {
	w.asked++
	w.report.Findings = list
	return w.refuses(&w.report)
}

// withhold does so for a list of findings, for each half of it by itself first.
func (w *withholder) withhold(list []Finding) {
	if len(list) == 0 || !w.refused(list) {
		return
	}
	if half := len(list) / 2; half > 0 && w.asked < maxAsked {
		w.withhold(list[:half])
		w.withhold(list[half:])
	}
	for field := range list[0].said() {
		if !w.refused(list) {
			return
		}
		for i := range list {
			*list[i].said()[field] = hidden
			list[i].Hidden = true
		}
	}
	for i := range list {
		list[i].rename(func(string) string { return hidden })
	}
}
