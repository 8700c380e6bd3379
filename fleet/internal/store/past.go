package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Past is a catalog that was the newest one of its unit.
type Past struct {
	Digest string `json:"digest"`
	Object Ref    `json:"object"`
	// From is the time at which it arrived, and Until that at which it was superseded.
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// pasts are the past catalogs of a unit, the oldest first.
type pasts struct {
	Feed string `json:"feed"`
	Node string `json:"node"`
	List []Past `json:"list"`
}

// apart is the least time between two past catalogs of a unit that are kept, so that nodes
// with a catalog every few minutes do not fill the storage.
const apart = 4 * time.Hour

// mostPast is the greatest number of past catalogs of a unit.
const mostPast = 32

func pastLocation(unit string) string { return "past/" + unit }

// supersede keeps a catalog that is no longer the newest one of its unit. That it fails
// only means that it is not kept.
func (s *Store) supersede(ctx context.Context, unit string, old *Head) {
	for !old.NoPast {
		p, revision, err := s.pasts(ctx, unit)
		if err != nil {
			return
		}
		p.Feed, p.Node = old.Feed, old.Node
		next := Past{Digest: old.Digest, Object: old.Object, From: old.Arrived.UTC(), Until: time.Now().UTC()}
		if n := len(p.List); n > 1 && next.From.Sub(p.List[n-2].From).Abs() < apart {
			p.List[n-1] = next // the one between them is not needed
		} else {
			p.List = append(p.List, next)
		}
		p.List = p.List[max(0, len(p.List)-mostPast):]
		if err = s.putPasts(ctx, unit, p, revision); !isConflict(err) {
			return
		}
	}
}

func (s *Store) pasts(ctx context.Context, unit string) (*pasts, uint64, error) {
	e, err := s.past.Get(ctx, unit)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return new(pasts), 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	return s.openPasts(e), e.Revision(), nil
}

// openPasts returns the past catalogs of an entry: none if it is damaged.
func (s *Store) openPasts(e jetstream.KeyValueEntry) *pasts {
	p := new(pasts)
	location := pastLocation(e.Key())
	if s.read(location, s.openJSON(location, e.Value(), p)) != nil {
		return new(pasts)
	}
	return p
}

func (s *Store) putPasts(ctx context.Context, unit string, p *pasts, revision uint64) error {
	_, err := swap(ctx, s.past, unit, s.sealJSON(pastLocation(unit), p), revision)
	return err
}

// Between are the catalogs of a unit at some time and now. Old is nil if it had none, and
// New if it has none.
type Between struct {
	Feed, Node string
	Old        *Past
	New        *Head
}

// Since returns the units whose catalog is another one than at the time t, as far as past
// catalogs are kept, without units that have no past: of a unit whose catalog of that time is not, the next one is used.
func (s *Store) Since(ctx context.Context, t time.Time) ([]Between, error) {
	past := map[string]*pasts{}
	err := each(ctx, s.past, func(e jetstream.KeyValueEntry) error {
		past[e.Key()] = s.openPasts(e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []Between
	err = s.eachHead(ctx, func(h *Head) {
		if h.NoPast {
			return
		}
		b := Between{Feed: h.Feed, Node: h.Node, New: h}
		if h.Gone {
			b.New = nil
		}
		if p := past[s.Unit(h.Feed, h.Node)]; p != nil {
			if i := slices.IndexFunc(p.List, func(o Past) bool { return o.Until.After(t) }); i >= 0 {
				b.Old = &p.List[i]
			}
		}
		switch {
		case b.Old == nil && (b.New == nil || !h.Arrived.After(t)): // as it was then
		case b.Old != nil && b.New != nil && b.Old.Digest == b.New.Digest:
		case b.Old != nil && b.Old.From.After(t) && b.New == nil: // came and went
		default:
			list = append(list, b)
		}
	})
	slices.SortFunc(list, func(a, b Between) int { return slices.Compare([]string{a.Node, a.Feed}, []string{b.Node, b.Feed}) })
	return list, err
}

// PastDocument returns a past catalog as it was put. The error is [ErrMissing] if it is no
// longer kept.
func (s *Store) PastDocument(ctx context.Context, p *Past) ([]byte, error) {
	return s.catalogs.get(ctx, p.Object)
}

// livePasts adds the past catalogs that are younger than keep, and forgets the others.
func (s *Store) livePasts(ctx context.Context, keep time.Duration, live map[string]bool) error {
	type change struct {
		unit     string
		left     *pasts
		revision uint64
	}
	var changes []change
	err := each(ctx, s.past, func(e jetstream.KeyValueEntry) error {
		p := s.openPasts(e)
		n := len(p.List)
		p.List = slices.DeleteFunc(p.List, func(o Past) bool { return time.Since(o.Until) > keep })
		for _, o := range p.List {
			live[o.Object.Name] = true
		}
		if len(p.List) < n {
			changes = append(changes, change{e.Key(), p, e.Revision()})
		}
		return nil
	})
	for _, c := range changes {
		var failed error
		if len(c.left.List) > 0 {
			failed = s.putPasts(ctx, c.unit, c.left, c.revision)
		} else {
			failed = s.past.Purge(ctx, c.unit, jetstream.LastRevision(c.revision))
		}
		if failed != nil && !isConflict(failed) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
