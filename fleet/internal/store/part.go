package store

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"crypto/rand"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// ErrConflict reports that somebody else changed a value first.
var ErrConflict = errors.New("the value was changed by another process")

// Part is the state of the audit of a unit.
type Part struct {
	// Digest is that of the catalog, and Epoch that of the knowledge.
	Digest string `json:"digest"`
	Epoch  string `json:"epoch"`
	// Data is the binary format of an [github.com/pcatdev/pcat/audit.Part].
	Data []byte `json:"-"`
}

// A value is one of these, and the rest is encrypted.
const (
	inValue  = 'v' // the part itself
	inObject = 'o' // a Ref
)

func partLocation(unit string) string { return "parts/" + unit }

// Part returns the part of a unit, or nil, and its revision. The error is [ErrMissing] if it
// is damaged, or was replaced meanwhile.
func (s *Store) Part(ctx context.Context, unit string) (*Part, uint64, error) {
	e, err := s.parts.Get(ctx, unit)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	p, err := s.openPart(ctx, e)
	return p, e.Revision(), err
}

// openPart returns the part of an entry. The error is [ErrMissing] and [seal.ErrSealed] if it
// is damaged.
func (s *Store) openPart(ctx context.Context, e jetstream.KeyValueEntry) (*Part, error) {
	p, err := s.decodePart(ctx, e)
	if errors.Is(s.read(partLocation(e.Key()), err), seal.ErrSealed) {
		err = fmt.Errorf("%w: %w", ErrMissing, err)
	}
	if err != nil {
		return nil, fmt.Errorf("part of unit %s: %w", e.Key(), err)
	}
	return p, nil
}

func (s *Store) decodePart(ctx context.Context, e jetstream.KeyValueEntry) (*Part, error) {
	v := e.Value()
	var data []byte
	r, err := s.largeRef(e)
	switch {
	case err != nil:
	case r != nil:
		data, err = s.large.get(ctx, *r)
	case len(v) == 0 || v[0] != inValue:
		err = seal.ErrSealed
	default:
		data, err = s.unpack(partLocation(e.Key()), v[1:])
	}
	if err != nil {
		return nil, err
	}
	p := new(Part)
	p.Data, err = splitHead(data, p)
	return p, err
}

// withHead returns data with a value as JSON before it.
func withHead(v any, data []byte) ([]byte, error) {
	head, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	all := append(binary.AppendUvarint(make([]byte, 0, len(head)+len(data)+4), uint64(len(head))), head...)
	return append(all, data...), nil
}

// splitHead is the reverse of withHead.
func splitHead(all []byte, v any) (data []byte, err error) {
	n, size := binary.Uvarint(all)
	if size <= 0 || n > uint64(len(all)-size) || json.Unmarshal(all[size:size+int(n)], v) != nil { // the cause may quote the data
		return nil, seal.ErrSealed
	}
	return all[size+int(n):], nil
}

// largeRef returns the reference of a large part, or nil.
func (s *Store) largeRef(e jetstream.KeyValueEntry) (*Ref, error) {
	v := e.Value()
	if len(v) == 0 || v[0] != inObject {
		return nil, nil //nolint:nilnil // it is not large
	}
	r := new(Ref)
	return r, s.openJSON(partLocation(e.Key()), v[1:], r)
}

// PutPart replaces the part of a unit that has a revision, or creates it if that is 0. The
// error is [ErrConflict] if it has another one.
func (s *Store) PutPart(ctx context.Context, unit string, p *Part, revision uint64) (uint64, error) {
	data, err := withHead(p, p.Data)
	if err != nil {
		return 0, err
	}
	value := append([]byte{inValue}, s.pack(partLocation(unit), data)...)
	var object *Ref
	if len(value) > chunkSize {
		if object, err = s.large.put(ctx, unit+"/"+rand.Text(), data); err != nil {
			return 0, err
		}
		value = append([]byte{inObject}, s.sealJSON(partLocation(unit), object)...)
	}
	if err := s.room(ctx, len(value)); err != nil {
		return 0, err
	}
	next, err := swap(ctx, s.parts, unit, value, revision)
	if isConflict(err) {
		if object != nil {
			_ = s.large.remove(ctx, object.Name, object.ID) // else it is swept
		}
		return 0, ErrConflict
	}
	return next, full(err)
}

// RemovePart removes the part of a unit that is gone, and its extract.
func (s *Store) RemovePart(ctx context.Context, unit string, revision uint64) error {
	_ = s.extracts.Purge(ctx, unit) // else it is replaced when the unit comes back
	err := s.parts.Purge(ctx, unit, jetstream.LastRevision(revision))
	if isConflict(err) {
		return ErrConflict
	}
	return err
}

func (s *Store) liveParts(ctx context.Context, live map[string]bool) error {
	return each(ctx, s.parts, func(e jetstream.KeyValueEntry) error {
		if r, err := s.largeRef(e); err == nil && r != nil {
			live[r.Name] = true
		}
		return nil
	})
}
