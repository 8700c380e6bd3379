package audit

import "slices"

// Withhold returns the report with some texts of the catalogs removed. Each
// text is masked, but adjacent texts can form a secret: refused reports whether
// the output of a report contains one. Only refused findings lose texts, the
// least important ones first; if very many are refused, adjacent findings lose
// texts, too. If this is not enough, failures and notes lose their locations.
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

// maxAsked is the maximum number of calls of refused while halving the
// findings, because each call writes and searches a report.
const maxAsked = 1000

// withholder removes texts from findings.
type withholder struct {
	report  Report // contains the findings to be tested
	refuses func(*Report) bool
	asked   int
}

func (w *withholder) refused(list []Finding) bool {
	w.asked++
	w.report.Findings = list
	return w.refuses(&w.report)
}

// withhold removes texts from a list of findings, after processing each half
// separately.
func (w *withholder) withhold(list []Finding) {
	if len(list) == 0 || !w.refused(list) {
		return
	}
	if half := len(list) / 2; half > 0 && w.asked < maxAsked {
		w.withhold(list[:half])
		w.withhold(list[half:])
	}
	for i := range list {
		list[i].Source = nil // the message names it, too
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
