package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// Rotate encrypts everything that is stored for a key that also opens the values of the
// storage, and removes the rest. The Store continues with this key. It needs a storage that
// no other process uses, and can be repeated after it was interrupted.
func (s *Store) Rotate(ctx context.Context, key *seal.Key) error {
	s.key, s.shared = key, key.Answers()
	// First of all, a process with the key before is refused.
	if _, err := s.resealValue(ctx, s.state, fleetKey); err != nil {
		return err
	}
	steps := []func(context.Context) error{s.resealKnowledge, s.resealCatalogs, s.resealParts}
	for _, kv := range append(s.values(), s.findings, s.extracts) {
		steps = append(steps, func(ctx context.Context) error { return s.resealValues(ctx, kv) })
	}
	for _, step := range append(steps, s.forget) {
		if err := step(ctx); err != nil {
			return fmt.Errorf("key rotation: %w", err)
		}
	}
	return nil
}

// values returns the buckets, besides the findings, whose values refer to no objects. In the state,
// the knowledge is the only value that does.
func (s *Store) values() []jetstream.KeyValue {
	return []jetstream.KeyValue{s.state, s.dead, s.accepted}
}

// forget removes objects without a reference, the tasks, which a coordinator issues again, and
// answers.
func (s *Store) forget(ctx context.Context) error {
	w := s.Sweeper(math.MaxInt64)
	w.writing = 0
	if _, err := w.Sweep(ctx); err != nil {
		return err
	}
	tasks, err := s.js.Stream(ctx, taskStream)
	if err != nil {
		return err
	}
	return errors.Join(tasks.Purge(ctx), s.answers.stream.Purge(ctx))
}

// keys returns the keys of the values of a bucket.
func keys(ctx context.Context, kv jetstream.KeyValue) ([]string, error) {
	list, err := kv.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil
	}
	return list, err
}

// resealValues encrypts the values of a bucket that refer to no objects.
func (s *Store) resealValues(ctx context.Context, kv jetstream.KeyValue) error {
	list, err := keys(ctx, kv)
	if err != nil {
		return err
	}
	stream, err := s.js.Stream(ctx, "KV_"+kv.Bucket())
	if err != nil {
		return err
	}
	for _, key := range list {
		if _, err := s.resealValue(ctx, kv, key); err != nil {
			return err
		}
		// A bucket can have earlier values of a key.
		if err := stream.Purge(ctx, jetstream.WithPurgeSubject("$KV."+kv.Bucket()+"."+key), jetstream.WithPurgeKeep(1)); err != nil {
			return err
		}
	}
	return nil
}

// resealValue encrypts a value, unless it is missing, damaged or encrypted for the current
// key. It reports whether it did.
func (s *Store) resealValue(ctx context.Context, kv jetstream.KeyValue, key string) (bool, error) {
	location := kv.Bucket() + "/" + key
	box := s.box(location)
	return rewrite(ctx, kv, key, func(e jetstream.KeyValueEntry) ([]byte, error) {
		if current(box, location, e.Value()) {
			return nil, nil
		}
		data, err := box.Open(location, e.Value())
		if err != nil {
			return nil, nil //nolint:nilerr // it remains damaged
		}
		return box.Seal(location, data), nil
	})
}

// current reports whether a value is encrypted for the current key.
func current(b *seal.Box, location string, sealed []byte) bool {
	_, err := b.Current().Open(location, sealed)
	return err == nil
}

// rewrite replaces a value, unless it is missing or change returns nil. Another process can
// change it meanwhile. It reports whether it did.
func rewrite(ctx context.Context, kv jetstream.KeyValue, key string, change func(jetstream.KeyValueEntry) ([]byte, error)) (bool, error) {
	for {
		e, err := kv.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		value, err := change(e)
		if err != nil || value == nil {
			return false, err
		}
		if _, err = kv.Update(ctx, key, value, e.Revision()); !isConflict(err) {
			return err == nil, full(err)
		}
	}
}

// mover encrypts the objects of a bucket, and the values that refer to them, for the current
// key. Values that refer to the same object still do.
type mover struct {
	*bucket
	users    map[string]int // the number of values that refer to an object, by name; 1 if it is missing
	moved    map[string]Ref // objects with several users, by name
	replaced []Ref
}

// move returns a reference to an object that is encrypted for the current key: the same
// one if it is, or is missing or damaged, and otherwise a new one.
func (m *mover) move(ctx context.Context, r Ref) (Ref, error) {
	if next, ok := m.moved[r.Name]; ok {
		return next, nil
	}
	sealed, err := m.sealed(ctx, r)
	if errors.Is(err, ErrMissing) || r == (Ref{}) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	box := m.store.box(m.location(r.Name))
	if current(box, m.location(r.Name), sealed) {
		return r, nil
	}
	data, err := box.Open(m.location(r.Name), sealed)
	if err != nil {
		return r, nil //nolint:nilerr // it remains damaged
	}
	name := path.Dir(r.Name) + "/" + rand.Text()[:10]
	next, err := m.write(ctx, name, box.Seal(m.location(name), data))
	if err != nil {
		return r, err
	}
	if m.users[r.Name] > 1 {
		m.moved[r.Name] = *next // the one before is removed at the end
	} else {
		m.replaced = append(m.replaced, r)
	}
	return *next, nil
}

// rewrite replaces values, and then removes the objects that they referred to.
func (m *mover) rewrite(ctx context.Context, kv jetstream.KeyValue, keys []string, change func(jetstream.KeyValueEntry) ([]byte, error)) error {
	for _, key := range keys {
		m.replaced = m.replaced[:0]
		if _, err := rewrite(ctx, kv, key, change); err != nil {
			return fmt.Errorf("%s: %w", kv.Bucket(), err)
		}
		for _, r := range m.replaced {
			if err := m.remove(ctx, r.Name, r.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// unchanged reports whether a value need not be written again.
func (m *mover) unchanged(location string, sealed []byte) bool {
	return len(m.replaced)+len(m.moved) == 0 && current(m.store.box(location), location, sealed)
}

func (s *Store) resealKnowledge(ctx context.Context) error {
	m := &mover{bucket: s.knowledge}
	return m.rewrite(ctx, s.state, []string{stateKey}, func(e jetstream.KeyValueEntry) ([]byte, error) {
		v := new(State)
		location := stateLocation(stateKey)
		if s.openJSON(location, e.Value(), v) != nil {
			return nil, nil //nolint:nilerr // it remains damaged
		}
		for i := range v.Segments {
			var err error
			if v.Segments[i].Object, err = m.move(ctx, v.Segments[i].Object); err != nil {
				return nil, err
			}
		}
		if m.unchanged(location, e.Value()) {
			return nil, nil
		}
		return s.sealJSON(location, v), nil
	})
}

// resealParts encrypts the parts of all units.
func (s *Store) resealParts(ctx context.Context) error {
	list, err := keys(ctx, s.parts)
	if err != nil {
		return err
	}
	m := &mover{bucket: s.large}
	return m.rewrite(ctx, s.parts, list, func(e jetstream.KeyValueEntry) ([]byte, error) {
		location, v := partLocation(e.Key()), e.Value()
		if len(v) == 0 {
			return nil, nil
		}
		data, err := s.box(location).Open(location, v[1:])
		if err != nil {
			return nil, nil //nolint:nilerr // it remains damaged
		}
		if r, err := s.largeRef(e); err == nil && r != nil {
			if *r, err = m.move(ctx, *r); err != nil {
				return nil, err
			}
			if data, err = json.Marshal(r); err != nil {
				return nil, err
			}
		}
		if m.unchanged(location, v[1:]) {
			return nil, nil
		}
		return append([]byte{v[0]}, s.box(location).Seal(location, data)...), nil
	})
}

// resealCatalogs encrypts the catalogs of all units, also past ones.
func (s *Store) resealCatalogs(ctx context.Context) error {
	m := &mover{bucket: s.catalogs, users: map[string]int{}, moved: map[string]Ref{}}
	err := errors.Join(
		s.eachHead(ctx, func(h *Head) { m.users[h.Object.Name]++ }),
		each(ctx, s.past, func(e jetstream.KeyValueEntry) error {
			for _, p := range s.openPasts(e).List {
				m.users[p.Object.Name]++
			}
			return nil
		}),
	)
	if err != nil {
		return err
	}
	heads, err := keys(ctx, s.heads)
	if err != nil {
		return err
	}
	past, err := keys(ctx, s.past)
	if err != nil {
		return err
	}
	err = m.rewrite(ctx, s.heads, heads, func(e jetstream.KeyValueEntry) ([]byte, error) {
		h := s.openHead(e)
		if h == nil {
			return nil, nil
		}
		var err error
		h.ID = h.Identity() // before the object has another name
		if h.Object, err = m.move(ctx, h.Object); err != nil || m.unchanged(headLocation(e.Key()), e.Value()) {
			return nil, err
		}
		return s.sealJSON(headLocation(e.Key()), h), nil
	})
	if err != nil {
		return err
	}
	return m.rewrite(ctx, s.past, past, func(e jetstream.KeyValueEntry) ([]byte, error) {
		p := s.openPasts(e)
		for i := range p.List {
			var err error
			if p.List[i].Object, err = m.move(ctx, p.List[i].Object); err != nil {
				return nil, err
			}
		}
		if len(p.List) == 0 || m.unchanged(pastLocation(e.Key()), e.Value()) {
			return nil, nil
		}
		return s.sealJSON(pastLocation(e.Key()), p), nil
	})
}
