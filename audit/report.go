package audit

import (
	"slices"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/rundata"
)

// Report is the result of a run.
type Report struct {
	// Findings are in the order of the inputs and of each document; the copies of
	// secrets that were found elsewhere follow the others of their input.
	Findings []Finding
	// Catalogs is the number of catalogs in the inputs; an input contains any
	// number of them. Failures are the inputs that could not be audited
	// completely, each of which counts as one catalog.
	Catalogs int
	Failures []Failure
	// Documents are the numbers of the inputs' documents that are no catalogs, by kind:
	// "report", "events", "facts", or "resources". It is nil if there are none.
	Documents map[string]int
	// Unfollowed is the number of Sensitive values that are too short or too
	// common to search for.
	Unfollowed int
	// Omitted is the number of findings that [Report.Limit] removed.
	Omitted int
	// Accepted is the number of findings removed by decisions of users.
	Accepted int
	// Filtered is the number of findings that a filter of the user removed.
	Filtered int
	// Compared indicates that the findings were compared with an earlier run and have a
	// State. Gone is then the number of findings of the earlier run that no longer occur
	// on the Nodes of this one.
	Compared bool
	Gone     int
	// Nodes are the names of the nodes that were audited completely, sorted, with secrets
	// masked. For a catalog without a node, it contains the name of the input. It is nil
	// after [Auditor.RunRedacted].
	Nodes []string

	// Keyed indicates that the fingerprints were made with a key; see
	// [Finding.Fingerprint].
	Keyed bool
	// Rules are the rules of the findings.
	Rules *rule.Registry
	// Notes are the locations that were not searched completely.
	Notes []Note
	// Judgements are the judgements of values by their names that
	// [Options.ReportRejected] and [Options.Explain] ask for.
	Judgements []Judgement

	masker *masker
}

// Note is a remark about a location, usually because it was not searched
// completely: encoded data was too large, or a rule could not be evaluated.
type Note struct {
	Catalog string
	// Pointer is the RFC 6901 pointer, with secrets masked.
	Pointer string
	// At is the location, not masked, for programs that change the catalog.
	At      catalog.Location
	Message string
	// Cut indicates that there may be undetected secrets.
	Cut bool
}

// count sets the numbers of catalogs and of other documents.
func (r *Report) count(numbers rundata.Numbers) {
	r.Catalogs = numbers[""]
	for kind, n := range numbers {
		if kind == "" {
			continue
		}
		if r.Documents == nil {
			r.Documents = map[string]int{}
		}
		r.Documents[string(kind)] = n
	}
}

// audited sets the nodes of the inputs that were audited.
func (r *Report) audited(nodes [][]string, failures []error) {
	for i, list := range nodes {
		if failures[i] != nil {
			continue
		}
		for _, node := range list {
			r.Nodes = append(r.Nodes, r.masker.name(node))
		}
	}
	slices.Sort(r.Nodes)
	r.Nodes = slices.Compact(r.Nodes)
}

// note adds the notes of each input.
func (r *Report) note(notes [][]note) {
	for _, list := range notes {
		for _, n := range list {
			pointer, _ := pointer(n.at.base, n.at.path, r.masker.mask)
			note := Note{Catalog: r.masker.name(n.at.catalog.Name), Pointer: pointer, At: n.at.at(), Message: r.masker.mask(n.text), Cut: n.cut}
			r.Notes = append(r.Notes, note)
		}
	}
}

// Worst returns the highest severity of the findings that are not [Known], or
// false if there are none.
func (r *Report) Worst() (worst rule.Severity, found bool) {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.State != Known {
			worst, found = max(worst, f.Severity), true
		}
	}
	return worst, found
}

// Limit removes all but n findings: it keeps the most severe ones and, among
// equal severities, the first ones. It does not count and remove the ones that
// are [Known]. 0 means no limit.
func (r *Report) Limit(n int) {
	var counts [rule.Critical + 1]int
	total := 0
	for i := range r.Findings {
		if r.Findings[i].State != Known {
			counts[r.Findings[i].Severity]++
			total++
		}
	}
	if n <= 0 || total <= n {
		return
	}
	for s, left := rule.Critical, n; ; s-- {
		counts[s] = min(counts[s], left)
		left -= counts[s]
		if s == rule.Info {
			break
		}
	}
	r.Omitted += total - n
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		if f.State == Known {
			return false
		}
		counts[f.Severity]--
		return counts[f.Severity] < 0
	})
}
