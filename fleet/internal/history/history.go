// Package history keeps when findings appeared in a fleet, and when they disappeared.
//
//	Record   the findings of one node in one feed, with their times
//	Finding  one of them, with its Description
//	Event    a finding that appeared or disappeared
//	Days     the number of findings on each day
//
// It holds only texts that a report may show.
package history

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/audit"
)

// Kept is the time for which a Record keeps a finding that is gone.
const Kept = 90 * 24 * time.Hour

// Record is the history of the findings of one node in one feed. The zero value has none.
// A Record is not safe for concurrent use.
type Record struct {
	Feed string `json:"feed"`
	Node string `json:"node"`
	// Hidden is set if the name of the node is a secret elsewhere and must not be shown.
	Hidden bool `json:"hidden,omitempty"`
	// FeedHidden is set if the name of the feed, such as that of an environment, is a secret elsewhere.
	FeedHidden bool `json:"feed_hidden,omitempty"`
	// Seen is the time at which the last catalog of the node arrived.
	Seen time.Time `json:"seen"`
	// Failed identifies the last catalog of which an event reported that it cannot be audited.
	Failed   string    `json:"failed,omitempty"`
	Findings []Finding `json:"findings"` // by fingerprint
}

// HiddenName replaces the name of a node or a feed that is a secret elsewhere.
const HiddenName = "(hidden)"

// Known returns a function that reports whether a text contains a secret of the knowledge.
func Known(k *audit.Knowledge) func(text []byte) bool {
	return func(text []byte) bool {
		for range k.Find(text) {
			return true
		}
		return false
	}
}

// Hide marks the names that contain a secret: that of the feed, that of the node, or both if only
// FEED/NODE contains it.
func (r *Record) Hide(secret func(text []byte) bool) {
	r.FeedHidden, r.Hidden = false, false
	if !secret([]byte(r.Feed + "/" + r.Node)) {
		return
	}
	r.FeedHidden, r.Hidden = secret([]byte(r.Feed)), secret([]byte(r.Node))
	if !r.FeedHidden && !r.Hidden {
		r.FeedHidden, r.Hidden = true, true
	}
}

// ShownFeed returns the name of the feed as it may be shown.
func (r *Record) ShownFeed() string {
	if r.FeedHidden {
		return HiddenName
	}
	return r.Feed
}

// ShownNode returns the name of the node as it may be shown.
func (r *Record) ShownNode() string {
	if r.Hidden {
		return HiddenName
	}
	return r.Node
}

// Finding is a finding with its times.
type Finding struct {
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	// First is the time at which the finding appeared first.
	First time.Time `json:"first_seen"`
	// Last is the time of the last catalog with the finding.
	Last time.Time `json:"last_seen"`
	// Gone is the time from which the finding no longer occurs. It is zero if it does.
	Gone time.Time `json:"gone,omitzero"`
	// Accepted is the time from which the finding is accepted. It is zero if it is not.
	Accepted time.Time `json:"accepted,omitzero"`
	// Reason is why the finding is accepted, if that is known.
	Reason string `json:"reason,omitempty"`
	// Count is the number of locations with the fingerprint.
	Count int `json:"count"`
	// Finding is the finding in the JSON of a report: one of the locations.
	Finding json.RawMessage `json:"finding"`

	described *Description
}

// Describe returns the description of the finding, which is made once.
func (f *Finding) Describe() *Description {
	if f.described == nil {
		d := Describe(f.Finding)
		f.described = &d
	}
	return f.described
}

// Description are the members of a finding in the JSON of a report that name, describe and locate it.
type Description struct {
	Rule, Class, Confidence, Repair, Owner, Type, Title, Parameter, Manifest, Message string
	// Tag is equal for equal secrets, and Masked describes the secret.
	Tag, Masked string
	// Source is the first location of the secret that the finding copies. It is empty if it copies none.
	Source Source

	Line int64
}

// Describe returns the description of a finding in the JSON of a report. It is empty if the JSON
// is damaged.
func Describe(finding json.RawMessage) Description {
	var d Description
	if json.Unmarshal(finding, &d) != nil {
		return Description{}
	}
	return d
}

// Source is the location of a secret whose copy is a finding; see [audit.Source].
type Source struct {
	Declared                     bool
	Ref, Path, Pointer, Manifest string // Pointer is set without a Ref
	Line                         int64
	Others                       int
}

// Location returns the resource and the parameter: Class[App]/password. Without a resource, it returns the pointer.
func (s *Source) Location() string {
	if s.Ref == "" {
		return s.Pointer
	}
	return s.Ref + strings.NewReplacer("~1", "/", "~0", "~").Replace(strings.TrimPrefix(s.Path, "/parameters"))
}

// Location returns the resource and the parameter: File[/etc/motd]/content.
func (d *Description) Location() string {
	if d.Type == "" {
		return d.Parameter
	}
	place := d.Type + "[" + d.Title + "]"
	if d.Parameter != "" {
		place += "/" + d.Parameter
	}
	return place
}

// Kind is the kind of an [Event].
type Kind string

// The kinds of events.
const (
	New    Kind = "new"    // a finding appeared for the first time
	Again  Kind = "again"  // a finding that was gone is back, or is no longer accepted
	Gone   Kind = "gone"   // a finding no longer occurs
	Failed Kind = "failed" // a catalog cannot be audited
	// Accepted is a finding that was accepted after there was an event for it.
	Accepted Kind = "accepted"
)

// Event is a change in a fleet.
type Event struct {
	Kind Kind      `json:"kind"`
	Time time.Time `json:"time"`
	Feed string    `json:"feed"`
	Node string    `json:"node"`
	// First is the time at which the finding appeared first. It is zero for [Failed].
	First       time.Time       `json:"first_seen,omitzero"`
	Fingerprint string          `json:"fingerprint,omitempty"`
	Severity    string          `json:"severity,omitempty"`
	Finding     json.RawMessage `json:"finding,omitempty"`
	Error       string          `json:"error,omitempty"` // for Failed
}

// ShownEvent returns an event in JSON as it may be shown: without names and texts of catalogs if it
// contains a secret.
func ShownEvent(body []byte, secret func(text []byte) bool) ([]byte, error) {
	if !secret(body) {
		return body, nil
	}
	var e Event
	if json.Unmarshal(body, &e) != nil {
		return body, nil //nolint:nilerr // it is none of pcatd: it is not listed
	}
	return json.Marshal(&Event{Kind: e.Kind, Time: e.Time, First: e.First, Fingerprint: e.Fingerprint, Severity: e.Severity})
}

// Sighting is a finding in a report.
type Sighting struct {
	Fingerprint, Severity string
	Finding               json.RawMessage // in the JSON of the report
	Accepted              bool            // it is not reported
	Reason                string          // why it is accepted
}

// Observe updates the record with the locations that a report has for the last catalog of the
// node, which arrived at the time seen. It returns the events, and whether the record
// changed. A finding is accepted if all of its locations are; there are no events about it
// while it is. If the clock was set back, times do not advance until it has caught up.
func (r *Record) Observe(places []Sighting, seen, now time.Time) (events []Event, changed bool) {
	now = later(now, r.Seen)
	seen = later(seen, r.Seen)
	changed = !seen.Equal(r.Seen)
	r.Seen = seen
	present := make(map[string]*Finding, len(places))
	for _, p := range places {
		f := present[p.Fingerprint]
		if f == nil || !f.Accepted.IsZero() && !p.Accepted {
			f = &Finding{Fingerprint: p.Fingerprint, Severity: p.Severity, First: now, Last: seen, Finding: p.Finding}
			if p.Accepted {
				f.Accepted, f.Reason = now, p.Reason
			}
			present[p.Fingerprint] = f
		}
		if p.Accepted == !f.Accepted.IsZero() {
			f.Count++
		}
	}
	event := func(kind Kind, f *Finding) {
		events = append(events, Event{
			Kind: kind, Time: now, Feed: r.Feed, Node: r.Node, First: f.First, Fingerprint: f.Fingerprint, Severity: f.Severity, Finding: f.Finding,
		})
	}
	var list []Finding
	for _, old := range r.Findings {
		f := present[old.Fingerprint]
		delete(present, old.Fingerprint)
		switch {
		case f != nil:
			f.First, f.Last = old.First, later(seen, old.Last)
			switch {
			case f.Accepted.IsZero() && !old.Open():
				event(Again, f)
			case !f.Accepted.IsZero() && old.Open():
				event(Accepted, f)
			case !f.Accepted.IsZero() && old.Gone.IsZero():
				f.Accepted = old.Accepted
			}
			changed = changed || !old.Gone.IsZero() || !f.Accepted.Equal(old.Accepted) || f.Reason != old.Reason || f.Count != old.Count || string(f.Finding) != string(old.Finding)
			list = append(list, *f)
		case old.Gone.IsZero():
			open := old.Open()
			old.Gone, old.Accepted, old.Reason = now, time.Time{}, ""
			if open {
				event(Gone, &old)
			}
			changed = true
			list = append(list, old)
		case now.Sub(old.Gone) < Kept:
			list = append(list, old)
		default:
			changed = true
		}
	}
	for _, p := range places {
		if f := present[p.Fingerprint]; f != nil {
			delete(present, p.Fingerprint)
			if f.Open() {
				event(New, f)
			}
			changed = true
			list = append(list, *f)
		}
	}
	slices.SortFunc(list, func(a, b Finding) int { return cmp.Compare(a.Fingerprint, b.Fingerprint) })
	r.Findings = list
	return events, changed
}

// Remove marks all findings as gone, because the node is no longer a part of the feed.
func (r *Record) Remove(now time.Time) (events []Event, changed bool) {
	return r.Observe(nil, r.Seen, now)
}

// Open reports whether the finding is neither gone nor accepted.
func (f *Finding) Open() bool { return f.Gone.IsZero() && f.Accepted.IsZero() }

// Open returns the number of findings that are neither gone nor accepted.
func (r *Record) Open() int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Open() {
			n++
		}
	}
	return n
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
