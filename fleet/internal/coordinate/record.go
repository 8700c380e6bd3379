package coordinate

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// recorder records the findings of the units.
type recorder struct {
	dirty    bool // findings may have changed
	last     time.Time
	took     time.Duration
	seen     map[string][sha256.Size]byte // of the recorded findings, by key
	failures map[string]string            // digests of catalogs that are reported as failed, by key
	findings map[string]int               // by severity
	failed   int
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

// current returns the report of the parts as they are.
func (l *leader) current() *audit.Report {
	if l.report == nil {
		l.report = l.ledger.Report()
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
	if !l.log.dirty || l.learnt.IsZero() || time.Since(l.log.last) < pause {
		return nil
	}
	start := time.Now()
	l.log.dirty = !l.settled()
	r := l.current()
	names := l.ledger.Names()
	places := map[string][]history.Sighting{}
	l.log.findings = map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		text, err := finding(r, f)
		if err != nil {
			return err
		}
		severity := f.Severity.String()
		places[names[f.Input]] = append(places[names[f.Input]], history.Sighting{Fingerprint: f.Fingerprint, Severity: severity, Finding: text})
		l.log.findings[severity]++
	}
	stale := map[string]bool{}
	for name := range l.ledger.Stale() {
		stale[name] = true
	}
	for _, u := range l.units {
		if u.head == nil || u.fresh() || u.live() && stale[u.head.Name()] {
			continue
		}
		var list []history.Sighting
		if u.live() {
			list = places[u.head.Name()]
		}
		if err := l.observe(ctx, r, u, list); err != nil {
			return err
		}
	}
	l.log.failed = len(r.Failures)
	if l.complete { // the reason may contain a secret of a catalog that is not audited yet
		if err := l.fail(ctx, r, names); err != nil {
			return err
		}
	}
	l.log.last, l.log.took = time.Now(), time.Since(start)
	return nil
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
	_, _ = fmt.Fprintln(h, u.seen.UnixNano(), u.live()) // a hash never fails
	for _, p := range places {
		_, _ = fmt.Fprintf(h, "%s %s %s\n", p.Fingerprint, p.Severity, p.Finding)
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
	record.Hidden = r.Check([]byte(u.head.Name())) != nil
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
	if changed {
		err := l.Store.PutFindings(ctx, u.key, &record, revision)
		if err != nil {
			return fmt.Errorf("findings of %s: %w", u.head.Name(), err)
		}
	}
	l.log.seen[u.key] = sum
	return nil
}

// fail sends an event for each catalog that could not be audited, once.
func (l *leader) fail(ctx context.Context, r *audit.Report, names []string) error {
	for _, f := range r.Failures {
		u := l.names[names[f.Input]]
		if u == nil || u.fresh() || l.log.failures[u.key] == u.head.Digest {
			continue
		}
		e := history.Event{Kind: history.Failed, Time: l.Now().UTC(), Feed: u.head.Feed, Node: u.head.Node, Error: f.Err.Error()}
		if err := l.send(ctx, r, &e, fmt.Sprint(u.key, u.head.Digest, e.Kind)); err != nil {
			return err
		}
		l.log.failures[u.key] = u.head.Digest
	}
	return nil
}

// send sends an event, which contains no secret.
func (l *leader) send(ctx context.Context, r *audit.Report, e *history.Event, id string) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if r.Check(body) != nil { // a name that is a secret elsewhere
		bare := history.Event{Kind: e.Kind, Time: e.Time, First: e.First, Fingerprint: e.Fingerprint, Severity: e.Severity}
		if body, err = json.Marshal(&bare); err != nil {
			return err
		}
		if err := r.Check(body); err != nil {
			return fmt.Errorf("event: %w", err)
		}
	}
	return l.Store.Event(ctx, string(e.Kind), l.Store.Unit("event", id), body)
}

// measured is the time between two looks at the size of the storage.
const measured = 5 * time.Second

// counts are numbers of units. Readers have them, so that they are replaced, not changed.
type counts struct {
	units map[string]int // by feed
	dead  int
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
		Units: l.counts.units, Stale: len(l.stale) + len(l.open), Dead: l.counts.dead, Settled: l.settled(), Findings: l.log.findings, Failed: l.log.failed,
		Knowledge: l.state.Version, Leading: true,
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
	AskReport = "report" // the report; the argument is its format
	AskStatus = "status" // a [Summary] as JSON
)

// Summary is the state of a fleet.
type Summary struct {
	// Problems are the problems of the whole fleet, not of single processes.
	Problems []health.Problem `json:"problems,omitempty"`
	// Settled is set if the report equals that of an audit of the newest catalogs.
	Settled   bool           `json:"settled"`
	Units     map[string]int `json:"units"` // by feed
	Stale     int            `json:"stale"`
	Dead      int            `json:"dead"`
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
	if err := c.call(ctx, func(l *leader) { r = l.current() }); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := report.Write(&b, format, r, report.Options{Time: time.Now(), Catalogs: true}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
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
		s = Summary{Settled: now.Settled && complete && !l.log.dirty, Units: now.Units, Stale: now.Stale, Dead: now.Dead, Knowledge: now.Knowledge,
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
