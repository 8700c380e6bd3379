package auditconfig

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// ErrEarlier reports that a file has no findings of an earlier run.
var ErrEarlier = errors.New("not findings of pcat audit: use a report in the format jsonl or json, or a baseline")

// Earlier are the findings of an earlier run, for a comparison. Use [ReadEarlier] to
// create it.
type Earlier struct {
	fingerprints map[string]bool
	findings     map[earlierFinding]int // how often each occurred
	missing      int
}

// Missing returns the number of findings that the report in the form json states to be
// omitted or filtered. Such a finding is new in a comparison. Other forms do not
// have the number.
func (e *Earlier) Missing() int { return e.missing }

// earlierFinding has the members of a finding that are compared or shown. Only the
// fingerprint is never empty.
type earlierFinding struct {
	Catalog     string `json:"file"`
	Node        string `json:"node"`
	Rule        string `json:"rule"`
	Severity    string `json:"severity"`
	Type        string `json:"type"`
	Title       string `json:"title"`
	Parameter   string `json:"parameter"`
	Fingerprint string `json:"fingerprint"`
	Owner       string `json:"owner"`

	location string // of an entry of a baseline, in place of Type, Title and Parameter
}

// earlierDocument is a finding on a line, or a whole report.
type earlierDocument struct {
	earlierFinding

	Omitted  int               `json:"omitted"`
	Filtered int               `json:"filtered"`
	Findings *[]earlierFinding `json:"findings"`
}

// ReadEarlier reads a report in the form jsonl or json, or a baseline. An empty file has no
// findings. The error matches [ErrEarlier] or, if the run was made with another key or
// only one of the runs has a key, [ErrKey], [ErrNoKey] or [ErrUnkeyed].
func ReadEarlier(r io.Reader, key []byte) (*Earlier, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	e := &Earlier{fingerprints: map[string]bool{}, findings: map[earlierFinding]int{}}
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	head := baselineHead{}
	if decodeLine(first, 1, &head) == nil && head.Baseline > 0 {
		return e, e.addBaseline(data, key)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for n := 1; ; n++ {
		var doc earlierDocument
		switch err := d.Decode(&doc); {
		case errors.Is(err, io.EOF):
			return e, nil
		case err != nil:
			return nil, fmt.Errorf("%w: finding %d: %v", ErrEarlier, n, err) //nolint:errorlint // the text is enough
		}
		list := []earlierFinding{doc.earlierFinding}
		if doc.Findings != nil {
			list = *doc.Findings
			e.missing += max(0, doc.Omitted) + max(0, doc.Filtered)
		}
		for i, f := range list {
			switch err := e.add(f, len(key) > 0); {
			case errors.Is(err, ErrEarlier):
				return nil, fmt.Errorf("%w: finding %d has no rule or no fingerprint", err, n+i)
			case err != nil:
				return nil, err
			}
		}
	}
}

func (e *Earlier) addBaseline(data, key []byte) error {
	b, err := ReadBaseline(bytes.NewReader(data), key)
	if err != nil {
		return err
	}
	for fingerprint, one := range b.entries {
		e.fingerprints[fingerprint] = true
		e.findings[earlierFinding{Rule: one.Rule, Severity: one.Severity, Node: one.Node, location: one.Location, Fingerprint: fingerprint}]++
	}
	return nil
}

// add adds a finding of a report.
func (e *Earlier) add(f earlierFinding, keyed bool) error {
	made, valid := audit.KeyedFingerprint(f.Fingerprint)
	switch {
	case !valid || f.Rule == "":
		return ErrEarlier
	case made && !keyed:
		return reportKey{ErrNoKey, "missing key: the report was made with a key"}
	case !made && keyed:
		return reportKey{ErrUnkeyed, "unexpected key: the report was made without a key"}
	}
	e.fingerprints[f.Fingerprint] = true
	e.findings[f]++
	return nil
}

// reportKey is an error about the key of a report, which matches the one about that of a
// baseline.
type reportKey struct {
	error

	text string
}

// Error implements error.
func (e reportKey) Error() string { return e.text }

// Unwrap returns the error about baselines.
func (e reportKey) Unwrap() error { return e.error }

// Compare sets the State of each finding, and Gone. It returns the earlier findings that
// the filter selects and that no longer occur, sorted, with their location. A finding of a
// node that r did not audit is not gone; one without a node, as in a baseline, is. Compare
// r before findings are removed from it, because an accepted or filtered finding is not
// gone, either.
//
// It also reports whether both runs have a finding of the same rule at the same location, but
// no fingerprint in common. Their keys may differ then.
func (e *Earlier) Compare(r *audit.Report, only *Filter) (gone []audit.Finding, otherKey bool) {
	now, locations := make(map[string]bool, len(r.Findings)), map[earlierFinding]bool{}
	common := false
	for i := range r.Findings {
		f := &r.Findings[i]
		now[f.Fingerprint] = true
		locations[earlierFinding{Node: f.NodeName(), Rule: f.Rule, Type: f.Type, Title: f.Title, Parameter: f.Parameter}] = true
		f.State = audit.Fresh
		if e.fingerprints[f.Fingerprint] {
			f.State, common = audit.Known, true
		}
	}
	nodes := make(map[string]bool, len(r.Nodes))
	for _, node := range r.Nodes {
		nodes[node] = true
	}
	r.Compared = true
	for f, n := range e.findings {
		node := cmp.Or(f.Node, f.Catalog)
		location := earlierFinding{Node: node, Rule: f.Rule, Type: f.Type, Title: f.Title, Parameter: f.Parameter}
		otherKey = otherKey || f.Type != "" && locations[location]
		if !now[f.Fingerprint] && (node == "" || nodes[node]) && f.selectedBy(only) {
			gone = append(gone, slices.Repeat([]audit.Finding{f.finding()}, n)...)
		}
	}
	slices.SortFunc(gone, func(a, b audit.Finding) int {
		return cmp.Or(cmp.Compare(a.Catalog, b.Catalog), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Location(), b.Location()), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	r.Gone = len(gone)
	return gone, otherKey && !common
}

// finding returns the finding as far as it is known.
func (f *earlierFinding) finding() audit.Finding {
	return audit.Finding{
		Catalog: f.Catalog, Node: f.Node, Rule: f.Rule, Type: f.Type, Title: f.Title, Parameter: f.Parameter, Pointer: f.location, Fingerprint: f.Fingerprint,
	}
}

// selectedBy reports whether a filter selects the finding. An entry of a baseline has no
// type, and only a filter without types and nodes can select it.
func (f *earlierFinding) selectedBy(only *Filter) bool {
	severity, err := rule.ParseSeverity(f.Severity)
	if err != nil {
		severity = rule.Info
	}
	return only == nil || only.selects(f.Rule, severity, f.Type, cmp.Or(f.Node, f.Catalog), f.Owner)
}
