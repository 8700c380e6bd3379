package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Changes are the changes of the units, the current state first.
type Changes struct {
	store                             *Store
	Heads, Parts, Deaths, Acceptances *Watch
}

// Watch are the changes of one bucket.
type Watch struct {
	// Updates begins with the current values, and nil after them. It is closed if the server
	// does not continue.
	Updates <-chan jetstream.KeyValueEntry

	bucket  string
	watcher jetstream.KeyWatcher
	seen    uint64    // the last revision
	next    uint64    // a revision that is stored but was not seen
	since   time.Time // when next was found
}

// Watch returns the changes of all units. Stop ends it.
func (s *Store) Watch(ctx context.Context) (*Changes, error) {
	c := &Changes{store: s}
	var err error
	watch := func(kv jetstream.KeyValue) *Watch {
		w := &Watch{bucket: kv.Bucket()}
		var failed error
		if w.watcher, failed = kv.WatchAll(ctx); failed != nil {
			err = errors.Join(err, failed)
			return nil
		}
		w.Updates = w.watcher.Updates()
		return w
	}
	c.Heads, c.Parts, c.Deaths, c.Acceptances = watch(s.heads), watch(s.parts), watch(s.dead), watch(s.accepted)
	if err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// all returns the watches that were begun.
func (c *Changes) all() []*Watch {
	return slices.DeleteFunc([]*Watch{c.Heads, c.Parts, c.Deaths, c.Acceptances}, func(w *Watch) bool { return w == nil })
}

// Stop ends the watch.
func (c *Changes) Stop() {
	for _, w := range c.all() {
		_ = w.watcher.Stop()
	}
}

// Head returns the catalog of a change, or nil if it was deleted or is damaged.
func (c *Changes) Head(e jetstream.KeyValueEntry) *Head {
	c.Heads.seen = e.Revision()
	if e.Operation() != jetstream.KeyValuePut {
		return nil
	}
	return c.store.openHead(e)
}

// Part returns the part of a change, or nil if it was deleted. The error is [ErrMissing]
// if there is a newer one, and [seal.ErrSealed], too, if it is damaged.
func (c *Changes) Part(ctx context.Context, e jetstream.KeyValueEntry) (*Part, error) {
	c.Parts.seen = e.Revision()
	if e.Operation() != jetstream.KeyValuePut {
		_ = c.store.read(partLocation(e.Key()), nil)
		return nil, nil //nolint:nilnil // it was deleted
	}
	return c.store.openPart(ctx, e)
}

// Dead returns the record of a failed audit of a change, or nil if it was deleted or is damaged.
func (c *Changes) Dead(e jetstream.KeyValueEntry) *Dead {
	c.Deaths.seen = e.Revision()
	if e.Operation() != jetstream.KeyValuePut {
		_ = c.store.read(deadLocation(e.Key()), nil)
		return nil
	}
	return c.store.openDead(e)
}

// Acceptance decodes the acceptance of a change into v. It reports whether there is one that is
// not damaged.
func (c *Changes) Acceptance(e jetstream.KeyValueEntry, v any) bool {
	c.Acceptances.seen = e.Revision()
	location := acceptedLocation(e.Key())
	if e.Operation() != jetstream.KeyValuePut {
		_ = c.store.read(location, nil)
		return false
	}
	return c.store.read(location, c.store.openJSON(location, e.Value(), v)) == nil
}

// ErrBehind reports that the server does not deliver changes that it has.
var ErrBehind = errors.New("the changes of the fleet no longer arrive from NATS")

// patience is how long a change may be on its way.
const patience = 10 * time.Second

// Complete reports whether all changes that are stored were seen. The error is [ErrBehind]
// if one is missing for long: the server that delivered them may have failed.
func (c *Changes) Complete(ctx context.Context) (bool, error) {
	complete := true
	for _, w := range c.all() {
		stream, err := c.store.js.Stream(ctx, "KV_"+w.bucket)
		if err != nil {
			return false, err
		}
		state := stream.CachedInfo().State
		last := state.LastSeq
		switch {
		case last == w.seen, state.Msgs == 0: // everything was purged
			w.next = 0
		case w.next == 0 || w.seen >= w.next:
			w.next, w.since, complete = last, time.Now(), false
		case time.Since(w.since) > patience && len(w.Updates) == 0:
			return false, ErrBehind
		default:
			complete = false
		}
	}
	return complete, nil
}
