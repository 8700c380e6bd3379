package coordinate

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/fleet/internal/work"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// recorder records the findings of the units.
type recorder struct {
	dirty    bool // findings may have changed
	last     time.Time
	took     time.Duration
	seen     map[string][sha256.Size]byte // of the recorded findings, by key
	failures map[string]string            // identities of the catalogs that are reported as failed, by key
	findings map[web.Group]int
	failed   int
	// accepted is the number of accepted findings, and decisions that of decisions by use.
	accepted  int
	decisions map[string]int
	// today is the number of findings by severity, each once for each node.
	today         map[string]int
	acceptedToday int
	// partial is set if the last record lacks findings of many units.
	partial bool
	// days are the numbers of findings of the last days. The last attempt to store them was at the time
	// noted, and unnoted is set if it failed.
	days    history.Days
	noted   time.Time
	unnoted bool
}

func newRecorder() recorder {
	return recorder{dirty: true, seen: map[string][sha256.Size]byte{}, failures: map[string]string{}}
}

// The time between two records while units are not up to date, and while most of them have
// no part.
const (
	unsettled = 3 * time.Second
	mostOpen  = 30 * time.Second
)

// current returns the report of the parts as they are, without accepted findings.
func (l *leader) current() *audit.Report {
	if l.report == nil {
		l.report = l.ledger.Report()
		l.outcome = l.settings.Apply(l.report, l.acceptances(), l.Now())
	}
	return l.report
}

// record records the findings of the units that are up to date, and sends events. It takes
// at most a fifth of the time.
func (l *leader) record(ctx context.Context) error {
	pause := 5 * l.log.took
	if !l.settled() {
		pause = max(unsettled, 4*pause)
	}
	if len(l.open) > len(l.names)/2 { // there is little to record yet
		pause = max(pause, mostOpen)
	}
	if len(l.unread) > 0 && time.Since(l.moved) > idle { // they are stuck, and the others go on
		clear(l.unread)
	}
	if !l.log.dirty || len(l.unread) > 0 || !l.learnt.After(l.known) || time.Since(l.log.last) < pause {
		return nil
	}
	start := time.Now()
	l.log.dirty = !l.settled()
	r := l.current()
	names := l.ledger.Names()
	places := map[string][]history.Sighting{}
	l.log.findings = map[web.Group]int{}
	see := func(list []audit.Finding, reasons []string) error {
		accepted := reasons != nil
		for i := range list {
			f := &list[i]
			text, err := finding(r, f)
			if err != nil {
				return err
			}
			severity, name := f.Severity.String(), names[f.Input]
			s := history.Sighting{Fingerprint: f.Fingerprint, Severity: severity, Finding: text, Accepted: accepted}
			if accepted {
				s.Reason = reasons[i]
			} else {
				l.log.findings[web.Group{Severity: severity, Owner: f.Owner}]++
			}
			places[name] = append(places[name], s)
		}
		return nil
	}
	if err := errors.Join(see(r.Findings, nil), see(l.outcome.Accepted, l.outcome.Reasons)); err != nil {
		return err
	}
	l.log.today, l.log.acceptedToday = history.Numbers(places)
	stale := map[string]bool{}
	for name := range l.ledger.Stale() {
		stale[name] = true
	}
	first, pending := l.pending()
	l.log.partial = pending > len(l.names)/100
	for _, u := range l.units {
		if u.head == nil || u.fresh() || u.live() && (stale[u.head.Name()] || u.revision > first) {
			continue
		}
		var list []history.Sighting
		if u.live() {
			list = places[u.head.Name()]
		}
		if err := l.observe(ctx, r, u, list); err != nil {
			return err
		}
		l.turn()
	}
	l.log.failed, l.log.accepted = len(r.Failures), len(l.outcome.Accepted)
	l.log.decisions = map[string]int{}
	for i := range l.outcome.States {
		l.log.decisions[l.outcome.States[i].Use]++
	}
	if err := l.fail(ctx, r, names, first); err != nil {
		return err
	}
	l.log.last, l.log.took = time.Now(), time.Since(start)
	return nil
}

// noting is the least time between two attempts to store the numbers of a day.
const noting = time.Minute

// note keeps the number of findings of the day, unless the recorded findings are those of a part of the
// fleet. If the storage has no room for it, the fleet goes on without.
func (l *leader) note(ctx context.Context) {
	now := l.Now().UTC()
	if l.log.last.IsZero() || l.log.partial || (l.log.days.Has(now) || l.log.unnoted) && time.Since(l.log.noted) < noting {
		return
	}
	l.log.noted = time.Now()
	days := l.log.days
	if !days.Record(l.log.today, l.log.acceptedToday, now) {
		return
	}
	err := l.Store.PutDays(ctx, days)
	if err == nil {
		l.log.days = days
	} else if !l.log.unnoted && ctx.Err() == nil {
		l.Log.Warn("the numbers of findings of the day are not stored", "error", err)
	}
	l.log.unnoted = err != nil
}

// pending returns the revision of the first catalog that may have secrets that are not known yet, and the
// number of these catalogs. An event of a later one waits, because its texts may be among these secrets.
func (l *leader) pending() (first uint64, n int) {
	first = math.MaxUint64
	for _, u := range l.names {
		if u.pending() {
			first = min(first, u.revision)
			n++
		}
	}
	return first, n
}

// finding returns a finding in JSON. Its texts are masked, but together they can form a
// secret: then only the texts that are not of the catalog remain.
func finding(r *audit.Report, f *audit.Finding) (json.RawMessage, error) {
	text, err := report.AppendFinding(nil, f)
	if err != nil {
		return nil, fmt.Errorf("findings: %w", err)
	}
	if r.Check(text) == nil {
		return text, nil
	}
	return json.Marshal(map[string]string{
		"rule": f.Rule, "class": f.Class.String(), "severity": f.Severity.String(), "confidence": f.Confidence.String(), "fingerprint": f.Fingerprint,
	})
}

// observe records the findings of a unit, after the events that say what changed. An event
// is repeated if this process ends in between; its ID is the same.
func (l *leader) observe(ctx context.Context, r *audit.Report, u *unit, places []history.Sighting) error {
	h := sha256.New()
	names := history.Record{Feed: u.head.Feed, Node: u.head.Node} // other catalogs can make them secrets
	names.Hide(secrets(r))
	_, _ = fmt.Fprintln(h, u.seen.UnixNano(), u.live(), names.Hidden, names.FeedHidden) // a hash never fails
	for _, p := range places {
		_, _ = fmt.Fprintf(h, "%s %s %t %q %s\n", p.Fingerprint, p.Severity, p.Accepted, p.Reason, p.Finding)
	}
	sum := [sha256.Size]byte(h.Sum(nil))
	if l.log.seen[u.key] == sum {
		return nil
	}
	record := history.Record{Feed: u.head.Feed, Node: u.head.Node}
	revision, err := l.Store.Findings(ctx, u.key, &record)
	if err != nil {
		return fmt.Errorf("findings of %s: %w", u.head.Name(), err)
	}
	renamed := record.Hidden != names.Hidden || record.FeedHidden != names.FeedHidden
	record.Hidden, record.FeedHidden = names.Hidden, names.FeedHidden
	now := l.Now().UTC()
	var events []history.Event
	var changed bool
	if u.live() {
		events, changed = record.Observe(places, u.seen.UTC(), now)
	} else {
		events, changed = record.Remove(now)
	}
	for i := range events {
		id := fmt.Sprint(u.key, revision, events[i].Kind, events[i].Fingerprint)
		if err := l.send(ctx, r, &events[i], id); err != nil {
			return err
		}
	}
	if changed || renamed {
		err := l.Store.PutFindings(ctx, u.key, &record, revision)
		if err != nil {
			return fmt.Errorf("findings of %s: %w", u.head.Name(), err)
		}
		l.Recorded()
	}
	l.log.seen[u.key] = sum
	return nil
}

// secrets returns a function that reports whether a text contains a secret of a report.
func secrets(r *audit.Report) func(text []byte) bool {
	return func(text []byte) bool { return r.Check(text) != nil }
}

// fail sends an event for each catalog that could not be audited, once. Those after the first
// pending one wait. A catalog that is delivered again remains one as long as no other one came
// in between.
func (l *leader) fail(ctx context.Context, r *audit.Report, names []string, first uint64) error {
	for _, f := range r.Failures {
		u := l.names[names[f.Input]]
		if u == nil || u.fresh() || u.revision > first || l.log.failures[u.key] == u.head.Identity() {
			continue
		}
		if err := l.failed(ctx, r, u, f.Err); err != nil {
			return err
		}
		l.log.failures[u.key] = u.head.Identity()
	}
	return nil
}

// failed sends the event for a catalog that could not be audited, unless its record has it.
func (l *leader) failed(ctx context.Context, r *audit.Report, u *unit, cause error) error {
	record, id := history.Record{Feed: u.head.Feed, Node: u.head.Node}, u.head.Identity()
	revision, err := l.Store.Findings(ctx, u.key, &record)
	if err != nil {
		return fmt.Errorf("findings of %s: %w", u.head.Name(), err)
	}
	if record.Failed == id {
		return nil
	}
	e := history.Event{Kind: history.Failed, Time: l.Now().UTC(), Feed: u.head.Feed, Node: u.head.Node, Error: cause.Error()}
	if err := l.send(ctx, r, &e, fmt.Sprint(id, e.Kind)); err != nil {
		return err
	}
	record.Failed = id
	record.Hide(secrets(r))
	if err := l.Store.PutFindings(ctx, u.key, &record, revision); err != nil {
		return fmt.Errorf("findings of %s: %w", u.head.Name(), err)
	}
	return nil
}

// send sends an event, which contains no secret.
func (l *leader) send(ctx context.Context, r *audit.Report, e *history.Event, id string) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if body, err = history.ShownEvent(body, secrets(r)); err != nil {
		return err
	}
	if err := r.Check(body); err != nil {
		return fmt.Errorf("event: %w", err)
	}
	return l.Store.Event(ctx, string(e.Kind), id, body)
}

// measured is the time between two looks at the size of the storage.
const measured = 5 * time.Second

// counts are numbers of units. Readers have them, so that they are replaced, not changed.
type counts struct {
	units map[string]int // by feed
	dead  int
}

// shownUnits returns the number of units by feed, without names of feeds that are known secrets.
func (l *leader) shownUnits() map[string]int {
	known := history.Known(l.ledger.Knowledge())
	units := make(map[string]int, len(l.counts.units))
	for feed, n := range l.counts.units {
		if known([]byte(feed)) {
			feed = history.HiddenName
		}
		units[feed] += n
	}
	return units
}

// publish sets the status.
func (l *leader) publish(ctx context.Context) {
	if time.Since(l.sized) > measured {
		l.sized = time.Now()
		if stored, limit, err := l.Store.Usage(ctx); err == nil {
			l.stored, l.limit = stored, limit
		}
	}
	if l.counts == nil {
		l.counts = &counts{units: map[string]int{}}
		for _, u := range l.names {
			l.counts.units[u.head.Feed]++
			if u.buried() {
				l.counts.dead++
			}
		}
	}
	s := &web.Status{
		Terms: l.terms, Stored: l.stored, Limit: l.limit,
		Units: l.shownUnits(), Stale: len(l.stale) + len(l.open), Dead: l.counts.dead, Settled: l.settled(), Findings: l.log.findings, Failed: l.log.failed,
		Knowledge: l.state.Version, Leading: true, Accepted: l.log.accepted, Decisions: l.log.decisions,
	}
	oldest := time.Time{}
	for _, u := range l.open {
		if oldest.IsZero() || u.seen.Before(oldest) {
			oldest = u.seen
		}
	}
	if !oldest.IsZero() {
		s.Waiting = max(0, time.Since(oldest))
	}
	if s.Stale > 0 {
		s.Idle = time.Since(l.moved)
	}
	l.status.Store(s)
	l.published = time.Now()
}

// The subjects of questions to the coordinator.
const (
	AskReport   = store.AskReport   // the report; the argument is its format, or [Baseline]
	AskStatus   = store.AskStatus   // a [Summary] as JSON
	AskFindings = store.AskFindings // the [history.Record] of each unit without hidden names, a list in JSON
	AskEvents   = store.AskEvents   // a list of [store.Event] in JSON without hidden names; the arguments are those of [store.Store.EventsAfter]
)

// Baseline is the format of a baseline of the findings.
const Baseline = "baseline"

// Summary is the state of a fleet.
type Summary struct {
	// Problems are the problems of the whole fleet, not of single processes.
	Problems []health.Problem `json:"problems,omitempty"`
	// Settled is set if the report equals that of an audit of the newest catalogs.
	Settled   bool           `json:"settled"`
	Units     map[string]int `json:"units"` // by feed
	Stale     int            `json:"stale"`
	Dead      int            `json:"dead"`
	Accepted  int            `json:"accepted"` // findings
	Knowledge uint64         `json:"knowledge"`
	Waiting   int            `json:"waiting"`   // tasks that no worker has
	Delivered int            `json:"delivered"` // tasks that a worker has
	Secrets   int            `json:"secrets"`   // that catalogs are searched for
	Stored    int64          `json:"stored"`    // bytes of catalogs
	Limit     int64          `json:"limit"`     // of Stored
	Keep      time.Duration  `json:"keep_ns"`   // how long superseded catalogs are kept
}

// call calls f in the goroutine of the leader.
func (c *Coordinator) call(ctx context.Context, f func(*leader)) error {
	done := make(chan struct{})
	select {
	case c.calls <- func(l *leader) { defer close(done); f(l) }:
	case <-ctx.Done():
		return cmp.Or(context.Cause(ctx), ctx.Err())
	}
	<-done
	return nil
}

// writeReport answers [AskReport].
func (c *Coordinator) writeReport(ctx context.Context, args []string) ([]byte, error) {
	format := "text"
	if len(args) > 0 {
		format = args[0]
	}
	c.writes.Lock()
	defer c.writes.Unlock()
	var r *audit.Report
	var b bytes.Buffer
	if format == Baseline {
		var known *auditconfig.Baseline
		if err := c.call(ctx, func(l *leader) { known = l.settings.Update(l.ledger.Report(), l.acceptances(), l.Now()) }); err != nil {
			return nil, err
		}
		err := known.Write(&b, c.Engine.Key())
		return b.Bytes(), err
	}
	if err := c.call(ctx, func(l *leader) { r = l.current() }); err != nil {
		return nil, err
	}
	if err := report.Write(&b, format, r, report.Options{Time: time.Now(), Catalogs: true}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writeFindings answers [AskFindings].
func (c *Coordinator) writeFindings(ctx context.Context, _ []string) ([]byte, error) {
	list := []*history.Record{}
	err := c.Store.EachFindings(ctx, func(decode func(any) bool) error {
		if record := new(history.Record); decode(record) {
			if record.Hidden {
				record.Node = ""
			}
			if record.FeedHidden {
				record.Feed = ""
			}
			list = append(list, record)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(list)
}

// writeEvents answers [AskEvents].
func (c *Coordinator) writeEvents(ctx context.Context, args []string) ([]byte, error) {
	if len(args) != 2 {
		return nil, errors.New("events: give a time and a position")
	}
	since, err := time.Parse(time.RFC3339Nano, args[0])
	if err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	after, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	var known *audit.Knowledge
	if err := c.call(ctx, func(l *leader) { known = l.ledger.Knowledge() }); err != nil {
		return nil, err
	}
	list, err := c.Store.EventsAfter(ctx, since, after)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Body, err = history.ShownEvent(list[i].Body, history.Known(known)); err != nil {
			return nil, err
		}
	}
	return json.Marshal(list)
}

// writeStatus answers [AskStatus].
func (c *Coordinator) writeStatus(ctx context.Context, _ []string) ([]byte, error) {
	var s Summary
	var failed error
	err := c.call(ctx, func(l *leader) {
		l.sized = time.Time{}
		l.publish(ctx)
		now := c.Status()
		complete, err := l.changes.Complete(ctx)
		s = Summary{Settled: now.Settled && complete && !l.log.dirty, Units: now.Units, Stale: now.Stale, Dead: now.Dead, Accepted: now.Accepted, Knowledge: now.Knowledge,
			Secrets: now.Terms, Stored: now.Stored, Limit: now.Limit, Keep: c.Keep,
			Problems: c.Problems()}
		failed = err
	})
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	if s.Waiting, s.Delivered, err = c.Store.Pending(ctx); err != nil {
		return nil, err
	}
	return json.Marshal(&s)
}

// searched answers [work.AskSearched].
func (c *Coordinator) searched(ctx context.Context, args []string) ([]byte, error) {
	s := new(work.Searched)
	if len(args) != 1 || json.Unmarshal([]byte(args[0]), s) != nil {
		return nil, errors.New("not a list of units")
	}
	return nil, c.call(ctx, func(l *leader) { l.searched(s) })
}
