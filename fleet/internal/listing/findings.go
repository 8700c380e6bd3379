// Package listing writes findings with their times, and events.
//
//	Findings  the findings of a fleet, as text, JSON or CSV
//	Events    events, as text or JSON lines
package listing

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/envelope"
	"github.com/pcatdev/pcat/internal/terminal"
)

// FormatVersion is the version of the JSON of [Findings.Write]: a new member changes its
// second number, another meaning the first.
const FormatVersion = "1.3"

// Envelope returns the members with which a document of pcatd begins. version is that of pcatd,
// empty if it was not released.
func Envelope(version, format string) envelope.Envelope {
	e := envelope.New(version, format)
	e.Tool = "pcatd"
	return e
}

// Row is a finding on a node.
type Row struct {
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Rule        string `json:"rule"`
	// Repair identifies the change that removes the finding, and Owner are the owners of its
	// manifest, separated by spaces; see [audit.Finding].
	Repair string `json:"repair,omitempty"`
	Owner  string `json:"owner,omitempty"`
	Feed   string `json:"feed"`
	Node   string `json:"node"`
	// Location is the resource and its parameter: File[/etc/motd]/content.
	Location string    `json:"location"`
	Count    int       `json:"count"` // of locations with the fingerprint
	First    time.Time `json:"first_seen"`
	Last     time.Time `json:"last_seen"`
	Gone     time.Time `json:"gone,omitzero"`
	Accepted time.Time `json:"accepted,omitzero"`
	Reason   string    `json:"reason,omitempty"` // why it is accepted
	// Finding is the finding as in the JSON of a report.
	Finding json.RawMessage `json:"finding"`

	// Description is that of the finding.
	Description *history.Description `json:"-"`
}

// Filter selects findings. The zero value selects all findings that are neither gone nor
// accepted.
type Filter struct {
	// Since selects findings that appeared since this time or, with Gone or Accepted,
	// disappeared or were accepted since.
	Since time.Time
	// Gone selects findings that are gone, and Accepted those that are accepted.
	Gone, Accepted bool
	// Nodes are patterns, such as web*, of the names of nodes, or of FEED/NODE. Empty means all.
	Nodes []string
	// Severity is the lowest severity.
	Severity rule.Severity
	// Rules and Owners are patterns, as for pcat audit. Empty means all.
	Rules, Owners []string
	// Before selects findings that appeared before this time. The zero value selects all.
	Before time.Time
}

// Check returns an error if a pattern is not valid.
func (f *Filter) Check() error {
	for _, p := range f.Nodes {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("%q is not a pattern: [ needs a ]", p)
		}
	}
	return nil
}

func (f *Filter) selectsNode(feed, node string) bool {
	return len(f.Nodes) == 0 || slices.ContainsFunc(f.Nodes, func(p string) bool {
		one, _ := path.Match(p, node) // checked before
		// A slash in the name of a feed needs no slash in the pattern.
		both, _ := path.Match(strings.ReplaceAll(p, "/", "\x00"), strings.ReplaceAll(feed+"/"+node, "/", "\x00"))
		return one || both
	})
}

func (f *Filter) selects(v *history.Finding) bool {
	selected, when := v.Open(), v.First
	switch {
	case f.Gone:
		selected, when = !v.Gone.IsZero(), v.Gone
	case f.Accepted:
		selected, when = !v.Accepted.IsZero(), v.Accepted
	}
	s, err := rule.ParseSeverity(v.Severity)
	old := f.Before.IsZero() || v.First.Before(f.Before)
	return selected && old && !when.Before(f.Since) && (err != nil || s >= f.Severity)
}

func (f *Filter) selectsDescribed(d *history.Description) bool {
	of := auditconfig.Filter{Rules: f.Rules, Owners: f.Owners}
	return of.Selects(&audit.Finding{Rule: d.Rule, Owner: d.Owner})
}

// Findings gathers findings. The zero value has none.
type Findings struct {
	Rows    []Row
	Version string // of pcatd, empty if it was not released
}

// Add adds the findings of a record that a filter selects.
func (l *Findings) Add(r *history.Record, f *Filter) {
	if !f.selectsNode(r.Feed, r.Node) {
		return
	}
	for i := range r.Findings {
		v := &r.Findings[i]
		if !f.selects(v) {
			continue
		}
		d := v.Describe()
		if !f.selectsDescribed(d) {
			continue
		}
		l.Rows = append(l.Rows, Row{
			Fingerprint: v.Fingerprint, Severity: v.Severity, Rule: d.Rule, Repair: d.Repair, Owner: d.Owner, Feed: r.ShownFeed(), Node: r.ShownNode(), Location: d.Location(), Count: v.Count,
			First: v.First, Last: latest(v.First, v.Last), Gone: v.Gone, Accepted: v.Accepted, Reason: v.Reason, Finding: v.Finding, Description: d,
		})
	}
}

// latest returns the later one of two times: a finding is seen when a catalog is audited, a
// moment after it arrived.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// ErrFormat reports an unknown format.
var ErrFormat = errors.New("unknown format: use text, json or csv")

// Sort sorts the findings: the most severe first, then by rule, node and feed.
func (l *Findings) Sort() {
	rows, order := l.Rows, make([]ranked, len(l.Rows))
	for i := range rows {
		severity, _ := rule.ParseSeverity(rows[i].Severity)
		order[i] = ranked{severity, i}
	}
	slices.SortFunc(order, func(x, y ranked) int {
		if c := cmp.Compare(y.severity, x.severity); c != 0 {
			return c
		}
		a, b := &rows[x.row], &rows[y.row]
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Feed, b.Feed),
			cmp.Compare(a.Location, b.Location), cmp.Compare(a.Fingerprint, b.Fingerprint), cmp.Compare(x.row, y.row))
	})
	l.Rows = make([]Row, len(rows))
	for i := range order {
		l.Rows[i] = rows[order[i].row]
	}
}

// ranked is a row with its severity. Rows are large: they are moved only once.
type ranked struct {
	severity rule.Severity
	row      int
}

// Write writes the findings, sorted. Times of text are in the given zone.
func (l *Findings) Write(w io.Writer, format string, zone *time.Location) error {
	l.Sort()
	switch format {
	case "text":
		return l.text(w, zone)
	case "json":
		return l.json(w)
	case "csv":
		return l.csv(w)
	}
	return ErrFormat
}

func (l *Findings) text(to io.Writer, zone *time.Location) error {
	if len(l.Rows) == 0 {
		_, err := fmt.Fprintln(to, "no findings")
		return err
	}
	gone := slices.ContainsFunc(l.Rows, func(r Row) bool { return !r.Gone.IsZero() })
	accepted := slices.ContainsFunc(l.Rows, func(r Row) bool { return !r.Accepted.IsZero() })
	owned := slices.ContainsFunc(l.Rows, func(r Row) bool { return r.Owner != "" })
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	day := func(t time.Time) string {
		if t.IsZero() {
			return "-"
		}
		return t.In(zone).Format("2006-01-02 15:04")
	}
	head := []string{"SEVERITY", "NODE", "RULE", "LOCATION", "FIRST SEEN", "LAST SEEN"}
	if gone {
		head = append(head, "GONE")
	}
	if accepted {
		head = append(head, "ACCEPTED")
	}
	if owned {
		head = append(head, "OWNER")
	}
	_, _ = fmt.Fprintln(w, strings.Join(append(head, "FINGERPRINT"), "\t")) // Flush returns the error
	nodes := map[string]bool{}
	for _, r := range l.Rows {
		nodes[r.Feed+"/"+r.Node] = true
		row := []string{r.Severity, terminal.Line(r.Feed + "/" + r.Node), terminal.Line(r.Rule), terminal.Line(r.Location), day(r.First), day(r.Last)}
		if gone {
			row = append(row, day(r.Gone))
		}
		if accepted {
			row = append(row, day(r.Accepted))
		}
		if owned {
			row = append(row, terminal.Line(cmp.Or(r.Owner, "-")))
		}
		_, _ = fmt.Fprintln(w, strings.Join(append(row, r.Fingerprint), "\t")) // as above
	}
	_, _ = fmt.Fprintf(w, "\n%s on %s\n", count(len(l.Rows), "finding"), count(len(nodes), "node")) // as above
	return w.Flush()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (l *Findings) json(w io.Writer) error {
	rows := l.Rows
	if rows == nil {
		rows = []Row{}
	}
	text, err := json.Marshal(struct {
		envelope.Envelope

		Findings []Row `json:"findings"`
	}{Envelope(l.Version, FormatVersion), rows})
	if err != nil {
		return err
	}
	_, err = w.Write(append(terminal.JSON(text), '\n'))
	return err
}

func (l *Findings) csv(to io.Writer) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"severity", "feed", "node", "rule", "location", "count", "first_seen", "last_seen", "gone", "fingerprint", "accepted", "repair", "owner"}) // errors persist until Flush
	stamp := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339)
	}
	for _, r := range l.Rows {
		row := []string{r.Severity, r.Feed, r.Node, r.Rule, r.Location, strconv.Itoa(r.Count), stamp(r.First), stamp(r.Last), stamp(r.Gone), r.Fingerprint, stamp(r.Accepted), r.Repair, r.Owner}
		for i := range row {
			row[i] = terminal.Cell(row[i])
		}
		_ = w.Write(row) // as above
	}
	w.Flush()
	return w.Error()
}
