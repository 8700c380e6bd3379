package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/feed"
)

// Head is the newest catalog of a unit.
type Head struct {
	Feed string `json:"feed"`
	Node string `json:"node"`
	// Digest is equal for equal documents.
	Digest string `json:"digest"`
	Object Ref    `json:"object,omitzero"`
	// ID is that of the document, see [Head.Identity]. Heads of earlier versions have none.
	ID string `json:"id,omitempty"`
	// Produced is the time of the compiler, or zero.
	Produced time.Time `json:"produced,omitzero"`
	Size     int       `json:"size"`
	// NoPast is set if the documents before are not kept.
	NoPast bool `json:"no_past,omitempty"`
	// Gone is set if the node was removed.
	Gone bool `json:"gone,omitempty"`
	// Arrived is the time at which it arrived. It is stored only if that is not the time at
	// which it was written.
	Arrived time.Time `json:"arrived,omitzero"`
}

// Name returns the name of the unit in reports.
func (h *Head) Name() string { return h.Feed + "/" + h.Node }

// Identity identifies the document of the unit. It remains when an equal document arrives, when the key is rotated
// and when the storage is imported.
func (h *Head) Identity() string { return cmp.Or(h.ID, h.Object.Name) }

func headLocation(unit string) string { return "catalogs/" + unit }

// Put implements [feed.Sink].
func (s *Store) Put(ctx context.Context, c feed.Catalog) error {
	err := s.put(ctx, c)
	s.limited.Store(errors.Is(err, errLimit))
	return err
}

func (s *Store) put(ctx context.Context, c feed.Catalog) error {
	c.Produced = c.Produced.UTC()
	if _, err := c.Produced.MarshalText(); err != nil {
		return fmt.Errorf("%s/%s: the time of the catalog is not one of the years 0 to 9999: set the clock of its compiler", c.Feed, c.Node)
	}
	unit, digest := s.Unit(c.Feed, c.Node), s.key.Digest(c.Data)
	var object *Ref
	for {
		old, revision, err := s.Head(ctx, unit)
		if err != nil {
			return s.abandon(ctx, object, err)
		}
		next := &Head{Feed: c.Feed, Node: c.Node, Digest: digest, Produced: c.Produced, Size: len(c.Data), NoPast: c.NoPast}
		if old != nil && !old.Gone {
			if !c.Produced.IsZero() && c.Produced.Before(old.Produced) {
				return s.abandon(ctx, object, nil)
			}
			if old.Digest == digest {
				if !c.Produced.After(old.Produced) {
					return s.abandon(ctx, object, nil)
				}
				next.Object, next.ID = old.Object, old.Identity() // only the time is new
			}
		}
		if next.Object == (Ref{}) {
			if object == nil {
				if object, err = s.catalogs.put(ctx, unit+"/"+digest+"/"+rand.Text()[:10], c.Data); err != nil {
					return fmt.Errorf("%s: %w", next.Name(), err)
				}
			}
			next.Object, next.ID = *object, rand.Text()
		}
		_, err = swap(ctx, s.heads, unit, s.sealJSON(headLocation(unit), next), revision)
		switch {
		case err == nil:
			if old != nil && !old.Gone && old.Object != next.Object {
				s.supersede(ctx, unit, old)
			}
			if object != nil && next.Object != *object {
				return s.abandon(ctx, object, nil)
			}
			return nil
		case !isConflict(err):
			// It may be stored all the same: the object stays until it is swept.
			return fmt.Errorf("%s: %w", next.Name(), full(err))
		}
	}
}

// abandon removes an object that nothing refers to, and returns err.
func (s *Store) abandon(ctx context.Context, object *Ref, err error) error {
	if object != nil {
		_ = s.catalogs.remove(ctx, object.Name, object.ID) // else it is swept
	}
	return err
}

// Remove implements [feed.Sink].
func (s *Store) Remove(ctx context.Context, feed, node string) error {
	return s.remove(ctx, feed, node, func(*Head) bool { return false })
}

// Expire removes the nodes of the feeds whose names begin with prefix, if their last catalog
// arrived before a time, by the clock of the server. An equal catalog that was compiled
// later counts. It returns the number of the nodes.
func (s *Store) Expire(ctx context.Context, prefix string, before time.Time) (int, error) {
	var expired []*Head
	err := s.eachHead(ctx, func(h *Head) {
		if strings.HasPrefix(h.Feed, prefix) && !h.Gone && h.Arrived.Before(before) {
			expired = append(expired, h)
		}
	})
	if err != nil {
		return 0, err
	}
	for i, h := range expired {
		if err := s.remove(ctx, h.Feed, h.Node, func(now *Head) bool { return !now.Arrived.Before(before) }); err != nil {
			return i, err
		}
	}
	return len(expired), nil
}

// remove removes a node from a feed, unless keep is true for its catalog.
func (s *Store) remove(ctx context.Context, feed, node string, keep func(*Head) bool) error {
	unit := s.Unit(feed, node)
	for {
		old, revision, err := s.Head(ctx, unit)
		if err != nil || revision == 0 || old != nil && (old.Gone || keep(old)) {
			return err
		}
		_, err = swap(ctx, s.heads, unit, s.sealJSON(headLocation(unit), &Head{Feed: feed, Node: node, NoPast: old != nil && old.NoPast, Gone: true}), revision)
		if err == nil && old != nil {
			s.supersede(ctx, unit, old)
		}
		if err == nil || !isConflict(err) {
			return full(err)
		}
	}
}

// Nodes implements [feed.Sink].
func (s *Store) Nodes(ctx context.Context, feed string) ([]string, error) {
	var nodes []string
	err := s.eachHead(ctx, func(h *Head) {
		if h.Feed == feed && !h.Gone {
			nodes = append(nodes, h.Node)
		}
	})
	return nodes, err
}

// Head returns the newest catalog of a unit and its revision. The Head is nil if there
// was never one, or it is damaged.
func (s *Store) Head(ctx context.Context, unit string) (*Head, uint64, error) {
	e, err := s.heads.Get(ctx, unit)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	return s.openHead(e), e.Revision(), nil
}

// openHead returns the head of an entry, or nil if it is damaged.
func (s *Store) openHead(e jetstream.KeyValueEntry) *Head {
	h := new(Head)
	location := headLocation(e.Key())
	if s.read(location, s.openJSON(location, e.Value(), h)) != nil {
		return nil
	}
	if h.Arrived.IsZero() {
		h.Arrived = e.Created()
	}
	return h
}

// Document returns a catalog as it was put. The error is [ErrMissing] if it was superseded
// and removed.
func (s *Store) Document(ctx context.Context, h *Head) ([]byte, error) {
	return s.catalogs.get(ctx, h.Object)
}

// Units returns the names of the units that were not removed, FEED/NODE.
func (s *Store) Units(ctx context.Context) (map[string]bool, error) {
	units := map[string]bool{}
	err := s.eachHead(ctx, func(h *Head) {
		if !h.Gone {
			units[h.Name()] = true
		}
	})
	return units, err
}

func (s *Store) eachHead(ctx context.Context, visit func(*Head)) error {
	return each(ctx, s.heads, func(e jetstream.KeyValueEntry) error {
		if h := s.openHead(e); h != nil {
			visit(h)
		}
		return nil
	})
}

// liveCatalogs adds the newest catalogs, and the past ones that are younger than keep. If
// the storage is almost full, there is no room for the past.
func (s *Store) liveCatalogs(ctx context.Context, keep time.Duration, live map[string]bool) error {
	info, err := s.catalogs.stream.Info(ctx)
	if err != nil {
		return err
	}
	if limit := info.Config.MaxBytes; limit > 0 && info.State.Bytes > uint64(limit)/10*8 {
		s.log.Warn("past catalogs are removed, because the storage is almost full", "bytes", info.State.Bytes, "limit", limit)
		keep = 0
	}
	if err := s.livePasts(ctx, keep, live); err != nil {
		return err
	}
	return s.eachHead(ctx, func(h *Head) { live[h.Object.Name] = true })
}

// each visits all values of a bucket.
func each(ctx context.Context, kv jetstream.KeyValue, visit func(jetstream.KeyValueEntry) error) error {
	w, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer func() { _ = w.Stop() }()
	for {
		select {
		case e, ok := <-w.Updates():
			if !ok {
				return cmp.Or(ctx.Err(), ErrBehind)
			}
			if e == nil {
				return nil
			}
			if err := visit(e); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
