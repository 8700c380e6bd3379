package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// ErrNotEmpty reports that a storage already has catalogs.
var ErrNotEmpty = errors.New("the storage already has a fleet: import into an empty one")

// CheckExport reads an export to its end, and returns its contents. The error is
// [ErrExport] if it is damaged.
func CheckExport(r io.Reader, key *seal.Key) (Contents, error) {
	var sum, said Contents
	err := readExport(r, key, func(e *entry, body func() ([]byte, error)) error {
		switch e.Kind {
		case kindEvent:
			sum.Events++
		case kindCatalog:
			if !e.Gone {
				sum.Catalogs++
			}
		case kindPast:
			sum.Past++
		case kindFindings:
			sum.Findings++
		case kindEnd:
			return e.decode(body, &said)
		case kindHeader, kindPart, kindSegment, kindKnowledge, kindValue:
		default:
			return fmt.Errorf("unknown entry %q: %w", e.Kind, errLater)
		}
		return nil
	})
	if sum.Damaged = said.Damaged; err == nil && sum != said {
		err = ErrExport
	}
	return said, err
}

// decode decodes the body of an entry.
func (e *entry) decode(body func() ([]byte, error), v any) error {
	data, err := body()
	if err != nil {
		return err
	}
	if json.Unmarshal(data, v) != nil { // the cause may quote it
		return fmt.Errorf("%w: a %s is not valid", ErrExport, e.Kind)
	}
	return nil
}

// importer stores entries.
type importer struct {
	*Store
	segments map[string]Segment
	unit     string // of list
	list     pasts
	events   bool // there were some
}

// Import stores an export that [CheckExport] accepts, into a storage that is empty, or has an
// import that was interrupted. No other process may use it.
func (s *Store) Import(ctx context.Context, r io.Reader, key *seal.Key) error {
	if err := s.beginImport(ctx); err != nil {
		return err
	}
	x := &importer{Store: s, segments: map[string]Segment{}}
	if err := readExport(r, key, func(e *entry, body func() ([]byte, error)) error { return x.add(ctx, e, body) }); err != nil {
		return err
	}
	return s.state.Purge(ctx, importKey)
}

// beginImport marks the storage, and removes the rest of an interrupted import.
func (s *Store) beginImport(ctx context.Context) error {
	_, err := s.state.Get(ctx, importKey)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		for _, kv := range []jetstream.KeyValue{s.heads, s.findings} {
			if list, err := keys(ctx, kv); err != nil || len(list) > 0 {
				return errors.Join(err, ErrNotEmpty)
			}
		}
		if _, err = s.state.Create(ctx, importKey, nil); err != nil {
			return full(err)
		}
	case err != nil:
		return err
	}
	names := []string{taskStream, eventStream}
	for _, kv := range append(s.values(), s.heads, s.past, s.parts, s.extracts, s.findings) {
		if kv != s.state {
			names = append(names, "KV_"+kv.Bucket())
		}
	}
	for _, b := range []*bucket{s.catalogs, s.large, s.knowledge, s.answers} {
		names = append(names, "OBJ_"+b.name)
	}
	for _, name := range names {
		stream, err := s.js.Stream(ctx, name)
		if err == nil {
			err = stream.Purge(ctx)
		}
		if err != nil {
			return err
		}
	}
	list, err := keys(ctx, s.state)
	for _, key := range list {
		if key != fleetKey && key != importKey {
			err = errors.Join(err, s.state.Purge(ctx, key))
		}
	}
	return err
}

// add stores an entry.
func (x *importer) add(ctx context.Context, e *entry, body func() ([]byte, error)) error {
	switch e.Kind {
	case kindEvent:
		return x.event(ctx, e, body)
	case kindCatalog:
		return x.catalog(ctx, e, body)
	case kindPast:
		return x.past(ctx, e, body)
	case kindPart:
		data, err := body()
		if err == nil {
			_, err = x.PutPart(ctx, e.Unit, &Part{Digest: e.Digest, Epoch: e.Epoch, Data: data}, 0)
		}
		return err
	case kindSegment:
		data, err := body()
		if err == nil {
			x.segments[e.ID], err = x.PutSegment(ctx, e.ID, data)
		}
		return err
	case kindKnowledge:
		v := new(State)
		if err := e.decode(body, v); err != nil {
			return err
		}
		for i, g := range v.Segments {
			v.Segments[i] = x.segments[g.ID]
		}
		_, err := x.PutState(ctx, v, 0)
		return err
	case kindValue:
		data, err := body()
		if err != nil {
			return err
		}
		for _, kv := range x.values() {
			if kv.Bucket() == e.Bucket {
				location := e.Bucket + "/" + e.ID
				_, err := kv.Put(ctx, e.ID, x.box(location).Seal(location, data))
				return full(err)
			}
		}
		return errLater
	case kindFindings:
		data, err := body()
		if err == nil {
			err = x.PutFindings(ctx, e.Unit, json.RawMessage(data), 0)
		}
		return err
	}
	return nil
}

// event stores an event. The first one has the position that it had.
func (x *importer) event(ctx context.Context, e *entry, body func() ([]byte, error)) error {
	if time.Since(e.Time) > eventsKept {
		return nil
	}
	if !x.events {
		stream, err := x.js.Stream(ctx, eventStream)
		if err == nil {
			err = stream.Purge(ctx, jetstream.WithPurgeSequence(e.Sequence))
		}
		if err != nil {
			return err
		}
		x.events = true
	}
	m := nats.NewMsg(eventSubject + e.ID)
	m.Header.Set(timeHeader, e.Time.Format(time.RFC3339Nano))
	var err error
	if m.Data, err = body(); err != nil {
		return err
	}
	_, err = x.js.PublishMsg(ctx, m)
	return full(err)
}

func (x *importer) catalog(ctx context.Context, e *entry, body func() ([]byte, error)) error {
	unit := x.Unit(e.Feed, e.Node)
	h := &Head{ID: e.ID, Feed: e.Feed, Node: e.Node, Arrived: e.Time, Produced: e.Produced, Gone: e.Gone, NoPast: e.NoPast, Size: e.Size}
	if !e.Gone {
		object, digest, err := x.document(ctx, unit, body)
		if err != nil {
			return err
		}
		h.Digest, h.Object = digest, *object
	}
	_, err := x.heads.Put(ctx, unit, x.sealJSON(headLocation(unit), h))
	return full(err)
}

// document stores a catalog, and returns its digest, too.
func (x *importer) document(ctx context.Context, unit string, body func() ([]byte, error)) (*Ref, string, error) {
	data, err := body()
	if err != nil {
		return nil, "", err
	}
	digest := x.key.Digest(data)
	object, err := x.catalogs.put(ctx, unit+"/"+digest+"/"+rand.Text()[:10], data)
	return object, digest, err
}

// past stores a past catalog of a unit. The ones of one unit follow each other.
func (x *importer) past(ctx context.Context, e *entry, body func() ([]byte, error)) error {
	unit := x.Unit(e.Feed, e.Node)
	if x.unit != unit {
		x.unit, x.list = unit, pasts{Feed: e.Feed, Node: e.Node}
	}
	object, digest, err := x.document(ctx, unit, body)
	if err != nil {
		return err
	}
	x.list.List = append(x.list.List, Past{Digest: digest, Object: *object, From: e.Time, Until: e.Until})
	_, err = x.Store.past.Put(ctx, unit, x.sealJSON(pastLocation(unit), &x.list))
	return full(err)
}
