package coordinate

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// leader is a [Coordinator] that leads. Only one goroutine uses it.
type leader struct {
	*Coordinator
	changes *store.Changes
	engine  *work.Engine // with the custom rules
	rules   []byte       // that are custom, and their digest
	digest  string
	ledger  *audit.Ledger
	updater *audit.Updater

	state    *store.State
	revision uint64                   // of state
	segments map[string]store.Segment // those that are stored, by ID

	units  map[string]*unit // by key
	names  map[string]*unit // those that are audited, by name
	open   map[string]*unit // those whose newest catalog has no part, by key
	issued map[string]issue // tasks by the keys of their units
	dead   map[string]*unit // those whose audit failed, by key

	// unread are the units that were open at the start, by key: all of them, if another version
	// audits everything anew. As long as their secrets are not known, findings of other units
	// that are due to them would seem to be gone.
	unread map[string]bool
	known  time.Time // when the secrets of the last one were known

	changed  bool             // parts changed since the last Learn
	stale    map[string]*unit // those that must be updated, as of the last Learn, by key
	learnt   time.Time
	sought   time.Time     // when the last search for new secrets began
	learning time.Duration // of the last Learn
	round    time.Duration // from the last Learn until its units were up to date
	busy     bool          // the round goes on
	left     int           // the number of its units that are not up to date
	shrunk   time.Time     // when that was another number
	moved    time.Time     // when a catalog was last audited, or none was left
	waiting  time.Time     // since when catalogs arrive without a pause; zero if there are none
	compared time.Time     // when the changes were compared with the storage

	terms         int // the number of secrets
	stored, limit int64
	sized         time.Time // when stored and limit were read
	published     time.Time
	counts        *counts // nil if units changed

	settings *decisions.Settings
	accepted map[string]*decisions.Acceptance // by ID
	day      string                           // of the last look: decisions expire at its end

	report  *audit.Report     // of the current parts, or nil
	outcome decisions.Outcome // of the decisions about the report
	log     recorder
}

func newLeader(c *Coordinator) (*leader, error) {
	settings := c.Decisions.Settings()
	engine, err := c.Engine.With(settings.Rules)
	if err != nil {
		return nil, err
	}
	rules, digest, err := settings.Rules.Encode()
	if err != nil {
		return nil, err
	}
	return &leader{
		Coordinator: c, engine: engine, rules: rules, digest: digest, settings: settings, accepted: map[string]*decisions.Acceptance{},
		updater: engine.Auditor.Updater(), segments: map[string]store.Segment{},
		units: map[string]*unit{}, names: map[string]*unit{}, open: map[string]*unit{}, issued: map[string]issue{}, dead: map[string]*unit{}, stale: map[string]*unit{}, unread: map[string]bool{},
		changed: true, log: newRecorder(), moved: time.Now(),
	}, nil
}

// unit is a node in a feed.
type unit struct {
	key      string
	head     *store.Head
	revision uint64      // of the head, in the order of arrival
	seen     time.Time   // when the head arrived
	digest   string      // of the newest part, if it can be used
	put      string      // of the part that the ledger has
	part     uint64      // the revision of the newest part; 0 if there is none
	searched bool        // the part that the ledger has is one of an inspection
	dead     *store.Dead // nil if no audit failed
}

// live reports whether the unit is audited.
func (u *unit) live() bool { return u.head != nil && !u.head.Gone }

// fresh reports whether the newest catalog has no part.
func (u *unit) fresh() bool { return u.live() && u.put != u.head.Digest }

// buried reports whether the audit of the newest catalog was given up.
func (u *unit) buried() bool { return u.failed() && u.dead.Buried() }

// failed reports whether the audit of the newest catalog failed, or ended its worker.
func (u *unit) failed() bool { return u.dead != nil && u.live() && u.dead.Digest == u.head.Digest }

// pending reports whether the newest catalog may have secrets that are not known yet. One
// whose audit failed is not waited for.
func (u *unit) pending() bool { return u.live() && (u.fresh() || !u.searched) && !u.failed() }

// issue is a task for a unit.
type issue struct {
	digest  string
	version uint64
	at      time.Time
}

// begin loads the knowledge, or begins a new epoch if there is none of this version.
func (l *leader) begin(ctx context.Context) error {
	if err := l.Store.Days(ctx, &l.log.days); err != nil {
		return err
	}
	state, revision, err := l.Store.State(ctx)
	if err != nil {
		return err
	}
	if state != nil && state.Engine == l.Engine.Version && state.Rules == l.digest {
		k, err := work.LoadKnowledge(ctx, l.Store, state, nil)
		if err == nil {
			for _, s := range state.Segments {
				l.segments[s.ID] = s
			}
			l.state, l.revision, l.ledger, l.terms = state, revision, l.engine.Auditor.NewLedger(k), k.Len()
			return l.keepRules(ctx)
		}
		if !errors.Is(err, audit.ErrStored) && !errors.Is(err, store.ErrMissing) && !errors.Is(err, seal.ErrSealed) {
			return err
		}
		l.Log.Warn("the knowledge is damaged, all catalogs are audited anew", "error", err)
	}
	if l.digest != "" {
		if err := l.Store.PutRules(ctx, l.rules); err != nil {
			return err
		}
	}
	l.state = &store.State{Engine: l.Engine.Version, Rules: l.digest, Epoch: rand.Text()}
	l.ledger = l.engine.Auditor.NewLedger(nil)
	l.revision, err = l.Store.PutState(ctx, l.state, revision)
	return err
}

// keepRules stores the custom rules unless they are stored. They can be missing although the
// knowledge names them: if they are damaged, or were replaced before it was.
func (l *leader) keepRules(ctx context.Context) error {
	if l.digest == "" {
		return nil
	}
	stored, err := l.Store.Rules(ctx)
	if err != nil && !errors.Is(err, seal.ErrSealed) {
		return err
	}
	if err == nil && bytes.Equal(stored, l.rules) {
		return nil
	}
	return l.Store.PutRules(ctx, l.rules)
}

// read reads the current values.
func (l *leader) read(ctx context.Context) error {
	for _, ch := range []struct {
		values <-chan jetstream.KeyValueEntry
		apply  func(context.Context, jetstream.KeyValueEntry) error
	}{{l.changes.Acceptances.Updates, l.onAcceptance}, {l.changes.Deaths.Updates, l.onDead}, {l.changes.Heads.Updates, l.onHead}, {l.changes.Parts.Updates, l.onPart}} {
		for open := true; open; {
			select {
			case e, ok := <-ch.values:
				if !ok {
					return store.ErrBehind
				}
				if open = e != nil; open {
					if err := ch.apply(ctx, e); err != nil {
						return err
					}
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	for key := range l.open {
		l.unread[key] = true
	}
	tasks, err := l.Store.Tasks(ctx)
	for _, t := range tasks {
		if t.Engine != l.state.Engine || t.Epoch != l.state.Epoch {
			continue
		}
		for _, u := range t.Units {
			l.issued[u.Unit] = issue{digest: u.Digest, version: t.Version, at: time.Now()}
		}
	}
	return err
}

// loop follows the changes until an error occurs.
func (l *leader) loop(ctx context.Context) error {
	t := time.NewTicker(l.Tick)
	defer t.Stop()
	defer l.turned.Store(nil)
	for {
		l.turn()
		var err error
		open := true
		var e jetstream.KeyValueEntry
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case e, open = <-l.changes.Acceptances.Updates:
			err = l.onAcceptance(ctx, e)
		case e, open = <-l.changes.Deaths.Updates:
			err = l.onDead(ctx, e)
		case e, open = <-l.changes.Heads.Updates:
			err = l.onHead(ctx, e)
		case e, open = <-l.changes.Parts.Updates:
			err = l.onPart(ctx, e)
		case call := <-l.calls:
			call(l)
		case <-t.C:
			err = l.step(ctx)
		}
		if !open {
			return store.ErrBehind
		}
		if err != nil {
			return err
		}
	}
}

func (l *leader) unit(key string) *unit {
	u := l.units[key]
	if u == nil {
		u = &unit{key: key}
		l.units[key] = u
	}
	return u
}

// follow follows a change of a unit.
func (l *leader) follow(u *unit) {
	if u.fresh() {
		l.open[u.key] = u
	} else {
		delete(l.open, u.key)
		if l.unread[u.key] {
			delete(l.unread, u.key)
			l.known = time.Now()
		}
	}
}

// touch records that parts changed.
func (l *leader) touch() { l.changed, l.log.dirty, l.report = true, true, nil }

// onHead follows the change of a catalog.
func (l *leader) onHead(ctx context.Context, e jetstream.KeyValueEntry) error {
	if e == nil {
		return nil
	}
	head := l.changes.Head(e)
	u := l.unit(e.Key())
	defer l.follow(u)
	if u.live() && (head == nil || head.Gone) {
		l.ledger.Remove(u.head.Name())
		delete(l.names, u.head.Name())
	}
	u.head, u.revision, u.seen = head, e.Revision(), e.Created()
	if head != nil {
		u.seen = head.Arrived
	}
	l.counts = nil
	l.touch()
	if u.dead != nil && !u.failed() { // of another catalog
		if err := l.Store.RemoveDead(ctx, u.key); err != nil {
			return err
		}
	}
	if !u.live() {
		u.put, u.digest = "", ""
		delete(l.issued, u.key)
		delete(l.stale, u.key)
		_, revision, err := l.Store.Part(ctx, u.key)
		if revision == 0 {
			return err
		}
		if err := l.Store.RemovePart(ctx, u.key, revision); err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
		return nil
	}
	l.names[head.Name()] = u
	if u.fresh() && u.digest == head.Digest { // the part of this content arrived first
		if err := l.retake(ctx, u); err != nil {
			return err
		}
	}
	l.bury(u)
	return nil
}

// retake takes over the stored part of a unit.
func (l *leader) retake(ctx context.Context, u *unit) error {
	p, _, err := l.Store.Part(ctx, u.key)
	if err != nil && !errors.Is(err, store.ErrMissing) {
		return err
	}
	l.take(u, p)
	return nil
}

// onPart follows the change of a part.
func (l *leader) onPart(ctx context.Context, e jetstream.KeyValueEntry) error {
	if e == nil {
		return nil
	}
	u := l.unit(e.Key())
	defer l.follow(u)
	if u.part = 0; e.Operation() == jetstream.KeyValuePut {
		u.part = e.Revision()
	}
	l.moved = time.Now()
	p, err := l.changes.Part(ctx, e)
	switch {
	case errors.Is(err, seal.ErrSealed): // the unit is audited again
		u.digest, u.put = "", ""
		l.touch()
		return nil
	case errors.Is(err, store.ErrMissing):
		return nil // a newer one follows
	case err != nil:
		return err
	}
	if p != nil && u.head != nil && u.head.Gone { // of a worker that was late
		if err := l.Store.RemovePart(ctx, u.key, e.Revision()); err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
		return nil
	}
	l.take(u, p)
	return nil
}

// onDead follows the change of the record of a failed audit. One of another version is removed: this version
// may be able to audit the catalog.
func (l *leader) onDead(ctx context.Context, e jetstream.KeyValueEntry) error {
	if e == nil {
		return nil
	}
	d := l.changes.Dead(e)
	if d != nil && d.Engine != l.state.Engine {
		return l.Store.RemoveDead(ctx, e.Key()) // the removal is the next change
	}
	u := l.unit(e.Key())
	defer l.follow(u)
	was := u.buried()
	u.dead = d
	if l.dead[u.key] = u; d == nil {
		delete(l.dead, u.key)
	}
	if u.failed() && l.unread[u.key] { // it is not waited for
		delete(l.unread, u.key)
		l.known = time.Now()
	}
	switch {
	case u.buried():
		l.counts = nil
		l.touch()
		l.bury(u)
	case was: // it was audited, or is to be
		l.counts = nil
		l.touch()
		u.put = ""
		return l.retake(ctx, u)
	}
	return nil
}

// take takes over the newest part of a unit.
func (l *leader) take(u *unit, p *store.Part) {
	u.digest = ""
	if p == nil {
		return
	}
	part := l.engine.Part(p, p.Digest, l.state.Epoch)
	if part == nil {
		return // of another epoch or version
	}
	u.digest = p.Digest
	if i, ok := l.issued[u.key]; ok && i.digest == u.digest && part.Version() >= i.version {
		delete(l.issued, u.key)
	}
	if !u.live() || u.digest != u.head.Digest || u.buried() {
		return
	}
	u.put, u.searched = u.digest, part.Version() > 0
	if part.Version() >= max(l.state.Version, 1) {
		delete(l.stale, u.key)
	}
	l.ledger.Put(u.head.Name(), part)
	l.touch()
}

// searched takes over that units were searched for new secrets and have none of them.
func (l *leader) searched(s *work.Searched) {
	if s.Epoch != l.state.Epoch {
		return
	}
	for _, one := range s.Units {
		u := l.units[one.Unit]
		if u == nil || !u.live() || u.buried() || u.put != one.Digest || u.head.Digest != one.Digest {
			continue // it has a task of its own
		}
		l.ledger.Searched(u.head.Name(), one.Seen, one.Version)
		if i, ok := l.issued[u.key]; ok && i.digest == one.Digest && one.Version >= i.version {
			delete(l.issued, u.key)
		}
		if seen, only := l.ledger.Unsearched(u.head.Name()); only && seen >= max(l.state.Version, 1) {
			delete(l.stale, u.key)
		}
	}
	l.moved = time.Now()
}

// bury makes a dead letter an input that cannot be read.
func (l *leader) bury(u *unit) {
	if u.buried() {
		u.put = u.head.Digest
		delete(l.issued, u.key)
		delete(l.stale, u.key)
		l.ledger.Put(u.head.Name(), l.updater.Collect(unreadable(u)))
	}
}

func unreadable(u *unit) audit.Input {
	return audit.Input{Name: u.head.Name(), Open: func() (*catalog.Reader, io.Closer, error) {
		return nil, nil, fmt.Errorf("the audit was given up, see pcatd dead list: %s", u.dead.Reason)
	}}
}

// settled reports whether the changes that were seen need no more work.
func (l *leader) settled() bool { return !l.changed && len(l.stale) == 0 && len(l.open) == 0 }

// step does the work of one tick.
func (l *leader) step(ctx context.Context) error {
	if err := l.decide(); err != nil {
		return err
	}
	fresh, stale := len(l.open), len(l.stale)
	if stale != l.left {
		l.left, l.shrunk = stale, time.Now()
	}
	if l.busy && stale == 0 {
		l.busy, l.round = false, time.Since(l.learnt)
	}
	switch {
	case fresh == 0:
		l.waiting = time.Time{}
	case l.waiting.IsZero():
		l.waiting = time.Now()
	}
	if l.due(fresh, stale) {
		if err := l.learn(ctx); err != nil {
			return err
		}
	}
	if fresh+stale == 0 {
		l.moved = time.Now()
	}
	if err := l.issue(ctx); err != nil {
		return err
	}
	if err := l.record(ctx); err != nil {
		return err
	}
	l.note(ctx)
	if time.Since(l.published) > time.Second {
		l.publish(ctx)
	}
	if time.Since(l.compared) < compared {
		return nil
	}
	l.compared = time.Now()
	if _, err := l.changes.Complete(ctx); errors.Is(err, store.ErrBehind) {
		return err // other errors end by themselves
	}
	return nil
}

// compared is the time between two comparisons of the changes with the storage.
const compared = 5 * time.Second

// due reports whether it is time to gather the secrets. Each new secret is searched for in
// all catalogs, so that this is done in rounds: a round ends before the next one begins, and
// begins when all new catalogs were read, or when they keep arriving for a while. The
// longer a round takes, the more secrets the next one gathers. A unit that is stuck does not
// delay the next round. Units that still make progress do, because otherwise all catalogs
// would be searched twice. While a fleet is filled, arriving catalogs delay it for longer:
// each round searches the catalogs of those before it again.
func (l *leader) due(fresh, stale int) bool {
	since := time.Since(l.learnt)
	patience := max(l.Patience, 2*l.round)
	switch {
	case !l.changed || since < 3*l.learning:
		return false
	case l.resting() && l.learnt.After(l.known):
		return false
	case stale > max(batch, len(l.names)/100):
		return since > 10*patience
	case stale > 0 && (since < patience || time.Since(l.shrunk) < l.Patience/6 && since < 10*patience):
		return false
	}
	switch {
	case fresh == 0:
		return true
	case l.filling():
		patience *= 4
	}
	return time.Since(l.waiting) > patience
}

// filling reports whether most catalogs of a fleet were never inspected. A newer catalog of a node does not count.
func (l *leader) filling() bool {
	n := 0
	for _, u := range l.names {
		if !u.searched && !u.failed() {
			n++
		}
	}
	return n > max(batch, len(l.names)/2)
}

// resting reports whether the time between two searches is not over.
func (l *leader) resting() bool { return time.Since(l.sought) < l.SearchInterval }

// learn gathers the secrets, stores them if there are new ones, and determines which
// units must be updated.
func (l *leader) learn(ctx context.Context) error {
	start := time.Now()
	k, changed := l.ledger.Learn()
	l.changed = false
	if changed {
		if err := l.store(ctx, k); err != nil {
			return err // the next leader begins with the stored knowledge
		}
		l.log.dirty, l.report, l.terms, l.sought = true, nil, k.Len(), start
	}
	clear(l.stale)
	var buried []*unit
	for name := range l.ledger.Stale() {
		if u := l.names[name]; u.buried() {
			buried = append(buried, u)
		} else {
			l.stale[u.key] = u
		}
	}
	for _, u := range buried {
		p, err := l.updater.Update(ctx, unreadable(u), l.ledger.Part(u.head.Name()), k)
		if err != nil {
			return err
		}
		l.ledger.Put(u.head.Name(), p)
		l.changed = true
	}
	l.busy, l.waiting = len(l.stale) > 0, time.Time{}
	l.learnt, l.learning = time.Now(), time.Since(start)
	return nil
}

// store stores the knowledge: the segments that are new, and then the list.
func (l *leader) store(ctx context.Context, k *audit.Knowledge) error {
	state := &store.State{Engine: l.state.Engine, Rules: l.state.Rules, Epoch: l.state.Epoch, Version: k.Version()}
	segments := map[string]store.Segment{}
	for _, s := range k.Segments() {
		stored, ok := l.segments[s.ID()]
		if !ok {
			data, err := s.AppendBinary(nil)
			if err != nil {
				return errors.New("a segment of the knowledge cannot be encoded") // the cause may quote it
			}
			if stored, err = l.Store.PutSegment(ctx, s.ID(), data); err != nil {
				return err
			}
		}
		segments[s.ID()] = stored
		state.Segments = append(state.Segments, stored)
	}
	revision, err := l.Store.PutState(ctx, state, l.revision)
	if err != nil {
		return fmt.Errorf("knowledge: %w", err)
	}
	l.state, l.revision, l.segments = state, revision, segments
	return nil
}

// batch is the largest number of units in a task.
const batch = 32

// issue adds tasks for the units that need them and have none, as many as workers can take
// soon: a later task is more recent, and can be more urgent.
func (l *leader) issue(ctx context.Context) error {
	retries := l.retries()
	if len(l.open)+len(l.stale)+len(l.issued)+len(retries) == 0 {
		return nil
	}
	waiting, delivered, err := l.Store.Pending(ctx)
	if err != nil {
		return err
	}
	if waiting+delivered == 0 { // another catalog overtook the open ones
		maps.DeleteFunc(l.issued, func(_ string, i issue) bool { return time.Since(i.at) > 2*time.Second })
	}
	few := 2*delivered + 4
	if waiting >= few {
		return nil
	}
	room := 2*few - waiting
	var fresh, stale []*unit
	for _, u := range l.open {
		if _, issued := l.task(u); !issued {
			fresh = append(fresh, u)
		}
	}
	for _, u := range l.stale {
		if i, issued := l.task(u); !u.fresh() && (!issued || i.version < l.state.Version) {
			stale = append(stale, u)
		}
	}
	// Few new catalogs are inspected at once. Of many, the secrets are collected first, so
	// that they are searched for in the inspection, unless that would be long after.
	first := store.Task{Version: l.state.Version, Inspect: l.state.Version > 0 && (l.resting() || len(l.open) <= max(batch, len(l.names)/50))}
	if room, err = l.add(ctx, first, fresh, room, delivered); err != nil {
		return err
	}
	later := store.Task{Version: max(l.state.Version, 1), Inspect: true}
	for _, u := range retries { // each may end its worker
		if room, err = l.add(ctx, later, []*unit{u}, room, delivered); err != nil {
			return err
		}
	}
	_, err = l.add(ctx, later, stale, room, delivered)
	return err
}

// retries returns the dead letters whose pause is over, and that have no task.
func (l *leader) retries() []*unit {
	var list []*unit
	for _, u := range l.dead {
		if _, issued := l.task(u); u.buried() && !issued && work.Due(u.dead, l.Now()) {
			list = append(list, u)
		}
	}
	return list
}

// task returns the task for the newest catalog of a unit, if there is one that can still be
// done.
func (l *leader) task(u *unit) (issue, bool) {
	i, issued := l.issued[u.key]
	return i, issued && u.live() && i.digest == u.head.Digest && time.Since(i.at) < l.Again
}

// add adds up to room tasks for units, the newest first, and returns the room that is
// left. working is the number of tasks that workers have.
func (l *leader) add(ctx context.Context, like store.Task, list []*unit, room, working int) (int, error) {
	if len(list) == 0 || room <= 0 {
		return room, nil
	}
	slices.SortFunc(list, func(a, b *unit) int { return cmp.Compare(b.revision, a.revision) })
	size := min(batch, max(1, len(list)/(2*max(working, 2))))
	for part := range slices.Chunk(list, size) {
		if room <= 0 {
			break
		}
		room--
		t := like
		t.ID, t.Engine, t.Epoch, t.Rules = rand.Text(), l.state.Engine, l.state.Epoch, l.state.Rules
		for _, u := range part {
			w := store.Want{Unit: u.key, Digest: u.head.Digest, Head: u.head, Part: u.part, Fresh: u.fresh(), Tried: u.failed(), Retry: u.buried()}
			if !w.Fresh {
				w.Seen, _ = l.ledger.Unsearched(u.head.Name())
			}
			t.Units = append(t.Units, w)
		}
		if err := l.Store.AddTask(ctx, &t); err != nil {
			return room, err
		}
		for _, u := range part {
			l.issued[u.key] = issue{digest: u.head.Digest, version: t.Version, at: time.Now()}
		}
	}
	return room, nil
}
