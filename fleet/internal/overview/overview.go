// Package overview shows readers the findings of a fleet, as a page and as JSON.
//
//	Document  what readers see
//	Gather    makes it of the storage and of the answers of the coordinator
//	Handler   serves it over HTTP
//
// The folder page contains the parts of the page that it does not share with other pages.
package overview

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/fleet/internal/alert"
	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/listing"
	"github.com/pcatdev/pcat/internal/envelope"
)

// FormatVersion is the version of a Document as JSON: a new member changes its second number, another meaning
// the first.
const FormatVersion = "1.1"

// Document is a fleet as its readers see it. It contains no secrets.
type Document struct {
	envelope.Envelope

	// Time is when the document was made.
	Time time.Time `json:"time"`
	// Settled is set if all newest catalogs are audited. Stale is the number of nodes whose newest
	// catalog is not, and Dead that of the nodes whose audit was given up.
	Settled bool `json:"settled"`
	Stale   int  `json:"stale"`
	Dead    int  `json:"dead"`
	// Problems are the reasons why the fleet, or the process that made the document, is degraded.
	Problems []health.Problem `json:"problems"`
	// Repairs are the repairs of open findings: what to repair first is the first.
	Repairs []Repair `json:"repairs"`
	// Findings are the findings that are not gone, also accepted ones: the most severe first.
	Findings []listing.Row `json:"findings"`
	// Decisions are the decisions that accept findings.
	Decisions []decisions.State `json:"decisions"`
	// Days are the numbers of findings of the last 90 days.
	Days history.Days `json:"days"`
	// Nodes are the nodes with an audited catalog, by name.
	Nodes []Node `json:"nodes"`

	sourceURL string
}

// Repair is a group of open findings that one change removes.
type Repair struct {
	ID       string    `json:"repair"`
	Owner    string    `json:"owner,omitempty"`
	Severity string    `json:"severity"` // the highest of the findings
	Rule     string    `json:"rule"`
	Message  string    `json:"message"`
	Location string    `json:"location"`
	Manifest string    `json:"manifest,omitempty"`
	Line     int64     `json:"line,omitempty"`
	Link     string    `json:"link,omitempty"` // to the line on the web
	Nodes    int       `json:"nodes"`
	Findings int       `json:"findings"`
	Since    time.Time `json:"since"`
}

// Node is a node in a feed.
type Node struct {
	Feed string `json:"feed"`
	Name string `json:"node"`
	// Seen is the time at which the last audited catalog arrived, and Findings the number of open findings.
	Seen     time.Time `json:"seen"`
	Findings int       `json:"findings"`
}

// Fleet is the source of a Document, such as a storage.
type Fleet interface {
	alert.Records
	// Units, Days and Ask are those of a storage.
	Units(ctx context.Context) (map[string]bool, error)
	Days(ctx context.Context, v any) error
	Ask(ctx context.Context, subject string, args ...string) ([]byte, error)
}

// Options are the options of [Gather] and [NewHandler].
type Options struct {
	Fleet Fleet
	// SourceURL is the address of manifests, or empty; see [manifest.Locator].
	SourceURL string
	// Version is that of pcatd, empty if it was not released.
	Version string
	// Problems returns the problems of this process, such as those of its feeds. Nil means none.
	Problems func() []health.Problem
	// Now is the clock of the document. Nil means [time.Now].
	Now func() time.Time
	// Fresh is the least time for which a document is served again. 0 means a second.
	Fresh time.Duration
}

// Gather makes a document.
func Gather(ctx context.Context, o *Options) (*Document, error) {
	now := time.Now
	if o.Now != nil {
		now = o.Now
	}
	d := &Document{Envelope: listing.Envelope(o.Version, FormatVersion), Time: now().UTC().Truncate(time.Second), sourceURL: o.SourceURL}
	var status coordinate.Summary
	var accepted coordinate.Accepted
	for subject, v := range map[string]any{coordinate.AskStatus: &status, coordinate.AskAccepted: &accepted} {
		text, err := o.Fleet.Ask(ctx, subject)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, v); err != nil {
			return nil, fmt.Errorf("%s: %w", subject, err)
		}
	}
	d.Settled, d.Stale, d.Dead, d.Problems, d.Decisions = status.Settled, status.Stale, status.Dead, status.Problems, accepted.States
	if o.Problems != nil {
		for _, p := range o.Problems() {
			if !slices.Contains(d.Problems, p) {
				d.Problems = append(d.Problems, p)
			}
		}
	}
	if err := o.Fleet.Days(ctx, &d.Days); err != nil {
		return nil, err
	}
	d.Days = d.Days.Until(d.Time)
	units, err := o.Fleet.Units(ctx)
	if err != nil {
		return nil, err
	}
	repairs, list := alert.Repairs{}, listing.Findings{}
	add := func(r *history.Record, name string) {
		repairs.Add(r, rule.Info)
		first := len(list.Rows)
		list.Add(r, &listing.Filter{})
		list.Add(r, &listing.Filter{Accepted: true})
		for i := range list.Rows[first:] {
			list.Rows[first+i].Node = name
		}
		if units[r.Feed+"/"+r.Node] {
			d.Nodes = append(d.Nodes, Node{Feed: r.ShownFeed(), Name: name, Seen: r.Seen, Findings: r.Open()})
		}
	}
	records, err := openRecords(ctx, o.Fleet)
	if err != nil {
		return nil, err
	}
	var hidden []*history.Record
	for _, r := range records {
		if r.Hidden {
			hidden = append(hidden, r)
		} else {
			add(r, r.Node)
		}
	}
	// Numbers keep them apart, and stay the same while no other node is hidden.
	slices.SortFunc(hidden, func(a, b *history.Record) int {
		return cmp.Or(cmp.Compare(a.Feed, b.Feed), cmp.Compare(a.Node, b.Node))
	})
	for i, r := range hidden {
		add(r, fmt.Sprintf("(hidden %d)", i+1))
	}
	list.Sort()
	d.Findings, d.Repairs = list.Rows, repairsOf(repairs, o.SourceURL)
	if d.Settled {
		d.today()
	}
	slices.SortFunc(d.Nodes, func(a, b Node) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Feed, b.Feed)) })
	d.fill()
	return d, nil
}

// openRecords returns the records of a fleet without the findings that are gone, with descriptions. This is most of the
// work for a Document, so all processors share it. The record of a damaged value is empty.
func openRecords(ctx context.Context, from Fleet) ([]*history.Record, error) {
	var list []*history.Record
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	err := from.EachFindings(ctx, func(decode func(any) bool) error {
		r := &history.Record{}
		list = append(list, r)
		work.Go(func() error {
			if !decode(r) {
				*r = history.Record{}
			}
			r.Findings = slices.DeleteFunc(r.Findings, func(f history.Finding) bool { return !f.Gone.IsZero() })
			for i := range r.Findings {
				r.Findings[i].Describe()
			}
			return nil
		})
		return nil
	})
	return list, errors.Join(err, work.Wait())
}

// today replaces the numbers of today, which are stored once a minute.
func (d *Document) today() {
	numbers, accepted := map[string]int{}, 0
	for i := range d.Findings {
		if f := &d.Findings[i]; f.Accepted.IsZero() {
			numbers[f.Severity]++
		} else {
			accepted++
		}
	}
	d.Days.Record(numbers, accepted, d.Time)
}

// fill makes empty lists of those that are nil.
func (d *Document) fill() {
	d.Problems, d.Repairs, d.Findings = orEmpty(d.Problems), orEmpty(d.Repairs), orEmpty(d.Findings)
	d.Decisions, d.Days, d.Nodes = orEmpty(d.Decisions), orEmpty(d.Days), orEmpty(d.Nodes)
}

func orEmpty[S ~[]E, E any](list S) S {
	if list == nil {
		return S{}
	}
	return list
}

// repairsOf returns repairs in the order in which they are urgent: by severity, nodes and age.
func repairsOf(all alert.Repairs, sourceURL string) []Repair {
	l := manifest.Locator{SourceURL: sourceURL}
	list := make([]*alert.Repair, 0, len(all))
	for _, one := range all {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b *alert.Repair) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Nodes, a.Nodes), a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Owner, b.Owner))
	})
	repairs := make([]Repair, len(list))
	for i, r := range list {
		repairs[i] = Repair{
			ID: r.ID, Owner: r.Owner, Severity: r.Severity.String(), Rule: r.Rule, Message: r.Message, Location: r.Location,
			Manifest: r.Manifest, Line: r.Line, Link: l.URL(r.Manifest, r.Line), Nodes: r.Nodes, Findings: r.Findings, Since: r.Since,
		}
	}
	return repairs
}
