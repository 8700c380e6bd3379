package auditconfig_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	reports "github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// earlier returns the findings of a run in a format of report.
func earlier(t *testing.T, form string, r *audit.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := reports.Write(&b, form, r, reports.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// at returns a report with a finding for each text "node fingerprint", for which "n1 a" gives the
// fingerprint "aaa…".
func at(locations ...string) *audit.Report {
	r := &audit.Report{}
	for _, location := range locations {
		node, digit, _ := strings.Cut(location, " ")
		r.Findings = append(r.Findings, audit.Finding{
			Catalog: node + ".json", Node: node, Rule: "weak-secret", Severity: rule.High, Type: "Class", Title: digit, Parameter: "password", Fingerprint: fingerprint(digit, false),
		})
		r.Nodes = append(r.Nodes, node)
	}
	return r
}

func TestCompare(t *testing.T) {
	before := at("n1 a", "n1 b", "n2 b", "n3 c", "n1 d", "n1 e")
	var baseline strings.Builder
	if err := auditconfig.NewBaseline(before).Write(&baseline, nil); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, file string
		filter     *auditconfig.Filter
		want       string
		gone       int
	}{
		{"JSON Lines", earlier(t, "jsonl", before), nil, "a known, f new, b known", 2},
		{"JSON", earlier(t, "json", before), nil, "a known, f new, b known", 2},
		{"a baseline", baseline.String(), nil, "a known, f new, b known", 2},
		{"nothing", "", nil, "a new, f new, b new", 0},
		{"a filter of rules", earlier(t, "jsonl", before), &auditconfig.Filter{Rules: []string{"!weak-secret"}}, "a known, f new, b known", 0},
		{"a filter of nodes", earlier(t, "jsonl", before), &auditconfig.Filter{Nodes: []string{"n2"}}, "a known, f new, b known", 0},
		{"a filter of severities", earlier(t, "jsonl", before), &auditconfig.Filter{Severity: rule.High}, "a known, f new, b known", 2},
	} {
		e, err := auditconfig.ReadEarlier(strings.NewReader(tt.file), nil)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		r := at("n1 a", "n1 f", "n2 b")
		if gone, _ := e.Compare(r, tt.filter); len(gone) != r.Gone || r.Gone == 2 && (gone[0].Fingerprint != fingerprint("d", false) || gone[0].Rule != "weak-secret") {
			t.Errorf("%s: gone are %+v", tt.name, gone)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, f.Title+" "+f.State.String())
		}
		if strings.Join(got, ", ") != tt.want || r.Gone != tt.gone || !r.Compared {
			t.Errorf("%s: got %q, %d gone", tt.name, got, r.Gone)
		}
	}
}

func TestEarlierOfOtherKey(t *testing.T) {
	keyed := at("n1 a", "n1 b")
	for i := range keyed.Findings {
		keyed.Findings[i].Fingerprint = fingerprint(keyed.Findings[i].Title, true)
	}
	e, err := auditconfig.ReadEarlier(strings.NewReader(earlier(t, "jsonl", keyed)), baselineKey)
	if err != nil {
		t.Fatal(err)
	}
	if _, other := e.Compare(keyed, nil); other {
		t.Error("the same run has another key")
	}
	for i := range keyed.Findings {
		keyed.Findings[i].Fingerprint = fingerprint("f", true)
	}
	if _, other := e.Compare(keyed, nil); !other {
		t.Error("another key is not seen")
	}
	if _, other := e.Compare(at("n1 d"), nil); other {
		t.Error("no common place, but another key")
	}
}

func TestEarlierErrors(t *testing.T) {
	unkeyed := earlier(t, "jsonl", at("n1 a"))
	keyed := strings.Replace(unkeyed, fingerprint("a", false), fingerprint("a", true), 1)
	for name, tt := range map[string]struct {
		text string
		key  []byte
		want error
		says string
	}{
		"no key":         {keyed, nil, auditconfig.ErrNoKey, "missing key: the report was made with a key"},
		"a key for none": {unkeyed, baselineKey, auditconfig.ErrUnkeyed, "unexpected key: the report was made without a key"},
		"a baseline":     {`{"baseline":1,"key":"none"}`, baselineKey, auditconfig.ErrUnkeyed, "the baseline was made without a key"},
		"another form":   {earlier(t, "sarif", at("n1 a")), nil, auditconfig.ErrEarlier, "use a report in the format jsonl or json, or a baseline"},
		"text":           {"no findings", nil, auditconfig.ErrEarlier, "finding 1"},
		"a cut line":     {unkeyed + unkeyed[:40], nil, auditconfig.ErrEarlier, "finding 2"},
		"a catalog":      {`{"name":"n1","resources":[],"edges":[]}`, nil, auditconfig.ErrEarlier, "finding 1"},
	} {
		if _, err := auditconfig.ReadEarlier(strings.NewReader(tt.text), tt.key); !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}
