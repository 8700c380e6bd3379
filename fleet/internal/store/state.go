package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	stateKey     = "knowledge"
	rulesKey     = "rules"
	daysKey      = "days"
	leaderKey    = "leader"
	leaseTime    = 10 * time.Second
	eventSubject = "pcat.event."
	eventStream  = "EVENTS"
)

func deadLocation(unit string) string { return "dead/" + unit }

func acceptedLocation(id string) string { return "accepted/" + id }

func findingsLocation(unit string) string { return "findings/" + unit }

// State is the current knowledge.
type State struct {
	// Engine is the version of the audit that gathered it. Epoch is random, and changes
	// when everything is audited anew.
	Engine   string    `json:"engine"`
	Epoch    string    `json:"epoch"`
	Version  uint64    `json:"version"`
	Segments []Segment `json:"segments"`
	// Rules is the digest of the custom rules of the audit; empty if there are none.
	Rules string `json:"rules,omitempty"`
}

// Segment refers to a segment of the knowledge.
type Segment struct {
	ID     string `json:"id"`
	Object Ref    `json:"object"`
}

// State returns the current knowledge and its revision. The State is nil if there is none, or
// it is damaged.
func (s *Store) State(ctx context.Context) (*State, uint64, error) {
	e, err := s.state.Get(ctx, stateKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	v := new(State)
	location := stateLocation(stateKey)
	if s.read(location, s.openJSON(location, e.Value(), v)) != nil {
		v = nil
	}
	return v, e.Revision(), nil
}

// PutState replaces the knowledge that has a revision. The error is [ErrConflict] if it
// has another one.
func (s *Store) PutState(ctx context.Context, v *State, revision uint64) (uint64, error) {
	next, err := swap(ctx, s.state, stateKey, s.sealJSON(stateLocation(stateKey), v), revision)
	if isConflict(err) {
		return 0, ErrConflict
	}
	return next, full(err)
}

// PutRules replaces the custom rules of the audit.
func (s *Store) PutRules(ctx context.Context, data []byte) error {
	_, err := s.state.Put(ctx, rulesKey, s.pack("state/"+rulesKey, data))
	return full(err)
}

// Rules returns the custom rules of the audit, or nil if there are none. The error is
// [seal.ErrSealed] if they are damaged.
func (s *Store) Rules(ctx context.Context) ([]byte, error) {
	e, err := s.state.Get(ctx, rulesKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	const location = "state/" + rulesKey
	data, err := s.unpack(location, e.Value())
	return data, s.read(location, err)
}

// PutDays replaces the numbers of findings of the last days.
func (s *Store) PutDays(ctx context.Context, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	location := stateLocation(daysKey)
	_, err = s.state.Put(ctx, daysKey, s.box(location).Seal(location, data))
	return full(err)
}

// Days returns the numbers of findings of the last days, decoded into v. v is as it was if there are
// none, or they are damaged.
func (s *Store) Days(ctx context.Context, v any) error {
	e, err := s.state.Get(ctx, daysKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	location := stateLocation(daysKey)
	_ = s.read(location, s.openJSON(location, e.Value(), v)) // it is noted
	return nil
}

// PutSegment stores a segment.
func (s *Store) PutSegment(ctx context.Context, id string, data []byte) (Segment, error) {
	r, err := s.knowledge.put(ctx, id+"/"+rand.Text()[:10], data)
	if err != nil {
		return Segment{}, fmt.Errorf("knowledge: %w", err)
	}
	return Segment{ID: id, Object: *r}, nil
}

// Segment returns the content of a segment. The error is [ErrMissing] if the knowledge is
// no longer current.
func (s *Store) Segment(ctx context.Context, v Segment) ([]byte, error) {
	return s.knowledge.get(ctx, v.Object)
}

func (s *Store) liveSegments(ctx context.Context, live map[string]bool) error {
	v, _, err := s.State(ctx)
	if err != nil || v == nil {
		return err
	}
	for _, g := range v.Segments {
		live[g.Object.Name] = true
	}
	return nil
}

// Lease is the right to be the coordinator. It ends a few seconds after the last Renew.
type Lease struct {
	store    *Store
	id       string
	revision uint64
}

// ErrLed reports that there is another coordinator.
var ErrLed = errors.New("another coordinator is active")

// Lead returns a lease. The error is [ErrLed] if another process has it. The process of
// the embedded server takes it from a process that ended. It is not for concurrent use.
func (s *Store) Lead(ctx context.Context) (*Lease, error) {
	l := &Lease{store: s, id: rand.Text()}
	if s.server != nil {
		var err error
		l.revision, err = s.leader.Put(ctx, leaderKey, []byte(l.id))
		return l, err
	}
	revision, err := s.leader.Create(ctx, leaderKey, []byte(l.id))
	if isConflict(err) {
		revision, err = s.inherit(ctx, l.id)
	}
	if isConflict(err) || errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, ErrLed) {
		return nil, ErrLed
	}
	l.revision = revision
	return l, err
}

// inherit takes a lease that was not renewed for long, by the clock of this process: if the
// clock of the server was set back, the lease does not end by itself.
func (s *Store) inherit(ctx context.Context, id string) (uint64, error) {
	e, err := s.leader.Get(ctx, leaderKey)
	if err != nil {
		return 0, err
	}
	if e.Revision() != s.led.revision {
		s.led.revision, s.led.since = e.Revision(), time.Now()
	}
	if time.Since(s.led.since) < 2*leaseTime {
		return 0, ErrLed
	}
	return s.leader.Update(ctx, leaderKey, []byte(id), e.Revision())
}

// led is the lease of another process, and since when it has not been renewed.
type led struct {
	revision uint64
	since    time.Time
}

// Renew prolongs the lease. The error is [ErrLed] if it ended.
func (l *Lease) Renew(ctx context.Context) error {
	revision, err := l.store.leader.Update(ctx, leaderKey, []byte(l.id), l.revision)
	if isConflict(err) {
		return ErrLed
	}
	if err == nil {
		l.revision = revision
	}
	return err
}

// Keep renews the lease until the context ends, whose cause it returns, or the lease does.
func (l *Lease) Keep(ctx context.Context) error {
	const period = leaseTime / 4
	t := time.NewTicker(period)
	defer t.Stop()
	for failed := 0; ; {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-t.C:
		}
		attempt, cancel := context.WithTimeout(ctx, period)
		err := l.Renew(attempt)
		cancel()
		if failed++; err == nil {
			failed = 0
		} else if errors.Is(err, ErrLed) || failed >= 3 {
			return err
		}
	}
}

// End ends the lease.
func (l *Lease) End(ctx context.Context) error {
	return l.store.leader.Purge(ctx, leaderKey, jetstream.LastRevision(l.revision))
}

// Dead is a unit whose audit ended its worker, or failed. It is a dead letter if that
// happened too often.
type Dead struct {
	Unit   string    `json:"unit"`
	Feed   string    `json:"feed"`
	Node   string    `json:"node"`
	Digest string    `json:"digest"`
	Engine string    `json:"engine"` // the version of the audit that failed
	Reason string    `json:"reason"`
	Time   time.Time `json:"time"` // of the first audit without a result, or of the burial
	// Deaths is the number of audits without a result. One that goes on counts: it is
	// recorded before it begins.
	Deaths int `json:"deaths"`
	// Retry is when a dead letter is tried again. It is zero for other units.
	Retry time.Time `json:"retry,omitzero"`
}

// Buried reports whether the unit is a dead letter.
func (d *Dead) Buried() bool { return !d.Retry.IsZero() }

// PutDead replaces the record of a unit whose audit failed. It counts until the unit has
// another catalog.
func (s *Store) PutDead(ctx context.Context, d *Dead) error {
	_, err := s.dead.Put(ctx, d.Unit, s.sealJSON(deadLocation(d.Unit), d))
	return full(err)
}

// RemoveDead makes a unit an ordinary one again.
func (s *Store) RemoveDead(ctx context.Context, unit string) error { return s.dead.Purge(ctx, unit) }

// DeadLetters returns all dead letters.
func (s *Store) DeadLetters(ctx context.Context) ([]*Dead, error) {
	var list []*Dead
	err := each(ctx, s.dead, func(e jetstream.KeyValueEntry) error {
		if d := s.openDead(e); d != nil && d.Buried() {
			list = append(list, d)
		}
		return nil
	})
	return list, err
}

// Dead returns the record of a unit whose audit failed, or nil if there is none, or it is
// damaged.
func (s *Store) Dead(ctx context.Context, unit string) (*Dead, error) {
	e, err := s.dead.Get(ctx, unit)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil //nolint:nilnil // there is none
	}
	if err != nil {
		return nil, err
	}
	return s.openDead(e), nil
}

// openDead returns the record of an entry, or nil if it is damaged.
func (s *Store) openDead(e jetstream.KeyValueEntry) *Dead {
	d := new(Dead)
	location := deadLocation(e.Key())
	if s.read(location, s.openJSON(location, e.Value(), d)) != nil {
		return nil
	}
	return d
}

// PutAcceptance stores an acceptance.
func (s *Store) PutAcceptance(ctx context.Context, id string, v any) error {
	_, err := s.accepted.Put(ctx, id, s.sealJSON(acceptedLocation(id), v))
	return full(err)
}

// RemoveAcceptance removes an acceptance.
func (s *Store) RemoveAcceptance(ctx context.Context, id string) error {
	return s.accepted.Purge(ctx, id)
}

// Findings returns the findings of a unit, decoded into v, and their revision, which is 0
// if there are none. v is as it was if they are damaged.
func (s *Store) Findings(ctx context.Context, unit string, v any) (uint64, error) {
	e, err := s.findings.Get(ctx, unit)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	location := findingsLocation(unit)
	_ = s.read(location, s.unpackJSON(location, e.Value(), v)) // it is noted
	return e.Revision(), nil
}

// EachFindings visits the findings of all units. decode stores them in a value, or reports
// that they are damaged. It may also be called after visit has returned, and by other goroutines.
func (s *Store) EachFindings(ctx context.Context, visit func(decode func(v any) bool) error) error {
	return each(ctx, s.findings, func(e jetstream.KeyValueEntry) error {
		location := findingsLocation(e.Key())
		return visit(func(v any) bool { return s.read(location, s.unpackJSON(location, e.Value(), v)) == nil })
	})
}

// PutFindings replaces the findings of a unit that have a revision.
func (s *Store) PutFindings(ctx context.Context, unit string, v any, revision uint64) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = swap(ctx, s.findings, unit, s.pack(findingsLocation(unit), data), revision)
	if isConflict(err) {
		return ErrConflict
	}
	return full(err)
}

// Event publishes an event in plain text. Events with the id of one of the last hour are
// ignored. The identifier that receivers get differs from the ones of every other storage: a
// storage that is created again with the same key counts revisions from the start, and its
// events are no repetitions.
func (s *Store) Event(ctx context.Context, kind, id string, body []byte) error {
	_, err := s.js.Publish(ctx, eventSubject+kind, body, jetstream.WithMsgID(s.key.Name("event", s.created.Format(time.RFC3339Nano), id)))
	return full(err)
}

// eventsKept is how long events are kept.
const eventsKept = 30 * 24 * time.Hour

// timeHeader is the header of an event with the time at which it arrived in another storage,
// from which it was imported.
const timeHeader = "Pcat-Time"

// FollowEvents calls handle for the events of [Store.EventsAfter], and for further ones until ctx ends or
// handle fails.
func (s *Store) FollowEvents(ctx context.Context, since time.Time, after uint64, handle func(body []byte) error) error {
	return s.readEvents(ctx, since, after, true, func(m jetstream.Msg, _ time.Time) error { return handle(m.Data()) })
}

// Event is an event that is stored.
type Event struct {
	// Sequence is its position, and Body the event in JSON.
	Sequence uint64          `json:"sequence"`
	Body     json.RawMessage `json:"body"`
	// ID is the identifier that is equal if it is repeated, or "" if it was imported. It is set in
	// [Store.DeliverEvents] only.
	ID string `json:"-"`
}

// mostEvents is the greatest number of events that EventsAfter returns.
const mostEvents = 10000

// EventsAfter returns events since a time, or all if it is zero, whose position is greater
// than after, the oldest first. If there are more, it returns a part of them.
func (s *Store) EventsAfter(ctx context.Context, since time.Time, after uint64) ([]Event, error) {
	stream, err := s.js.Stream(ctx, eventStream)
	if err != nil {
		return nil, err
	}
	if last := stream.CachedInfo().State; last.LastSeq <= after || last.LastTime.Before(since) {
		return nil, nil
	}
	enough := errors.New("enough")
	var list []Event
	err = s.readEvents(ctx, since, after, false, func(m jetstream.Msg, _ time.Time) error {
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if list = append(list, Event{Sequence: meta.Sequence.Stream, Body: m.Data()}); len(list) == mostEvents {
			return enough
		}
		return nil
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return list, err
}

// readEvents calls handle for the events since a time, or all if it is zero, or after a position if there is one,
// and with the times at which they arrived. It ends with the newest one, or with follow when ctx does or handle fails.
func (s *Store) readEvents(ctx context.Context, since time.Time, after uint64, follow bool, handle func(m jetstream.Msg, arrived time.Time) error) error {
	o := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy}
	switch {
	case after > 0:
		o.DeliverPolicy, o.OptStartSeq = jetstream.DeliverByStartSequencePolicy, after+1
	case since.IsZero():
		since = time.Now().Add(-eventsKept)
	default:
		o.DeliverPolicy, o.OptStartTime = jetstream.DeliverByStartTimePolicy, &since
	}
	c, err := s.js.OrderedConsumer(ctx, eventStream, o)
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	info, err := c.Info(ctx)
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	if info.NumPending == 0 && !follow {
		return nil
	}
	messages, err := c.Messages()
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	for {
		m, err := messages.Next()
		if errors.Is(err, jetstream.ErrMsgIteratorClosed) && ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("events: %w", err)
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		arrived := meta.Timestamp
		if t, err := time.Parse(time.RFC3339Nano, m.Headers().Get(timeHeader)); err == nil {
			arrived = t
		}
		if !arrived.Before(since) {
			if err := handle(m, arrived); err != nil {
				return err
			}
		}
		if meta.NumPending == 0 && !follow {
			return nil
		}
	}
}

// Events returns a consumer of the events from now on.
func (s *Store) Events(ctx context.Context, handle func(kind string, body []byte)) (stop func(), err error) {
	sub, err := s.conn.Subscribe(eventSubject+"*", func(m *nats.Msg) { handle(m.Subject[len(eventSubject):], m.Data) })
	if err != nil {
		return nil, err
	}
	return func() { _ = sub.Unsubscribe() }, s.flush(ctx)
}
