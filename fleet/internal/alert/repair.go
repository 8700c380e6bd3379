// Package alert sends the repairs that a fleet needs to Alertmanager.
//
//	Repair  findings that one change removes
//	Gather  groups the findings of a fleet; Repairs groups those of some nodes
//	Sender  sends an alert for each repair while it is needed
//
// Routes, silences, mails and chats are the work of Alertmanager.
package alert

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/fleet/internal/history"
)

// Repair is the group of all open findings with one identifier of a repair and one owner.
type Repair struct {
	ID, Owner string
	Rule      string
	Severity  rule.Severity // the highest of the findings
	// Manifest and Line are the location of the change, and Location is the resource and the
	// parameter. Each may be unknown.
	Manifest, Location string
	Line               int64
	Message            string
	// Node is one node with the findings, or "" if its name must not be shown; Nodes is the
	// number of nodes, and Findings that of the findings.
	Node     string
	Nodes    int
	Findings int
	// Since is the time at which the first of the findings appeared.
	Since time.Time

	last string // the node that was counted last
}

// Records are the findings of all nodes of a fleet, such as a store.
type Records interface {
	// EachFindings visits the record of each node. decode may also be called after visit has returned, and by other
	// goroutines.
	EachFindings(ctx context.Context, visit func(decode func(v any) bool) error) error
}

// Gather returns the repairs of the open findings of at least a severity, by identifier.
func Gather(ctx context.Context, from Records, least rule.Severity) ([]*Repair, error) {
	all := Repairs{}
	err := from.EachFindings(ctx, func(decode func(any) bool) error {
		var r history.Record
		if decode(&r) {
			all.Add(&r, least)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *Repair) int { return strings.Compare(a.ID+"\x00"+a.Owner, b.ID+"\x00"+b.Owner) }), nil
}

// Repairs are repairs by identifier and owner.
type Repairs map[[2]string]*Repair

// Add adds the open findings of a node that have at least a severity.
func (all Repairs) Add(r *history.Record, least rule.Severity) {
	for i := range r.Findings {
		v := &r.Findings[i]
		severity, err := rule.ParseSeverity(v.Severity)
		if err != nil || severity < least || !v.Open() {
			continue
		}
		f := v.Describe()
		if f.Repair == "" {
			continue // a finding without a repair has no text that may be shown
		}
		key := [2]string{f.Repair, f.Owner}
		one := all[key]
		if one == nil {
			one = &Repair{ID: f.Repair, Owner: f.Owner, Rule: f.Rule, Manifest: f.Manifest, Line: f.Line, Location: f.Location(), Message: f.Message, Since: v.First}
			all[key] = one
		}
		one.Findings++
		one.Severity = max(one.Severity, severity)
		if v.First.Before(one.Since) {
			one.Since = v.First
		}
		if name := r.Feed + "/" + r.Node; name != one.last {
			one.last = name
			one.Nodes++
			if one.Node == "" && !r.Hidden {
				one.Node = r.Node
			}
		}
	}
}
