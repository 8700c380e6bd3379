package store

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

// Changes are the changes of the units, the current state first.
type Changes struct {
	store                *Store
	heads, parts, dead   jetstream.KeyWatcher
	revHeads, revParts   uint64
	revDead              uint64
	Heads, Parts, Deaths <-chan jetstream.KeyValueEntry
}

// Watch returns the changes of all units. Each channel begins with the current values, and
// nil after them. Stop ends it.
func (s *Store) Watch(ctx context.Context) (*Changes, error) {
	c := &Changes{store: s}
	var err [3]error
	c.heads, err[0] = s.heads.WatchAll(ctx)
	c.parts, err[1] = s.parts.WatchAll(ctx)
	c.dead, err[2] = s.dead.WatchAll(ctx)
	if err := errors.Join(err[:]...); err != nil {
		c.Stop()
		return nil, err
	}
	c.Heads, c.Parts, c.Deaths = c.heads.Updates(), c.parts.Updates(), c.dead.Updates()
	return c, nil
}

// Stop ends the watch.
func (c *Changes) Stop() {
	for _, w := range []jetstream.KeyWatcher{c.heads, c.parts, c.dead} {
		if w != nil {
			_ = w.Stop()
		}
	}
}

// Head returns the catalog of a change, or nil if it was deleted.
func (c *Changes) Head(e jetstream.KeyValueEntry) (*Head, error) {
	c.revHeads = e.Revision()
	if e.Operation() != jetstream.KeyValuePut {
		return nil, nil //nolint:nilnil // it was deleted
	}
	return c.store.openHead(e)
}

// Part returns the part of a change, or nil if it was deleted. The error is [ErrMissing]
// if there is a newer one.
func (c *Changes) Part(ctx context.Context, e jetstream.KeyValueEntry) (*Part, error) {
	c.revParts = e.Revision()
	if e.Operation() != jetstream.KeyValuePut {
		return nil, nil //nolint:nilnil // it was deleted
	}
	return c.store.openPart(ctx, e)
}

// Dead returns the dead letter of a change, or nil if it was deleted.
func (c *Changes) Dead(e jetstream.KeyValueEntry) (*Dead, error) {
	c.revDead = e.Revision()
	if e.Operation() != jetstream.KeyValuePut {
		return nil, nil //nolint:nilnil // it was deleted
	}
	return c.store.openDead(e)
}

// Complete reports whether all changes that are stored were seen.
func (c *Changes) Complete(ctx context.Context) (bool, error) {
	for _, w := range []struct {
		bucket string
		seen   uint64
	}{{"catalogs", c.revHeads}, {"parts", c.revParts}, {"dead", c.revDead}} {
		stream, err := c.store.js.Stream(ctx, "KV_"+w.bucket)
		if err != nil {
			return false, err
		}
		if stream.CachedInfo().State.LastSeq != w.seen {
			return false, nil
		}
	}
	return true, nil
}
