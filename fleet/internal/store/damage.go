package store

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// ErrKey reports that the storage belongs to a fleet with another key.
var ErrKey = errors.New("the storage belongs to a fleet with another key: give the key file of that fleet, or another storage")

// ErrImport reports that an import into the storage was interrupted.
var ErrImport = errors.New("an import into this storage was interrupted: run pcatd import again")

// Keys of the state.
const (
	fleetKey  = "fleet"  // of the value that only the key of the fleet opens
	importKey = "import" // exists while an import is written
)

// claim returns [ErrKey] if the storage belongs to another fleet. It makes a storage without
// an owner that of this one, if it may.
func (s *Store) claim(ctx context.Context, create, imports bool) error {
	if _, err := s.state.Get(ctx, importKey); err == nil && !imports {
		return ErrImport
	} else if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return err
	}
	location := stateLocation(fleetKey)
	for {
		e, err := s.state.Get(ctx, fleetKey)
		switch {
		case err == nil:
			if _, err := s.key.Open(location, e.Value()); err != nil {
				return ErrKey
			}
			return nil
		case !errors.Is(err, jetstream.ErrKeyNotFound):
			return err
		case !create:
			return nil
		}
		if _, err := s.state.Create(ctx, fleetKey, s.key.Seal(location, nil)); !isConflict(err) {
			return full(err)
		}
	}
}

func stateLocation(key string) string { return "state/" + key }

// damage are the stored values that cannot be read. Each counts as none, until another one
// replaces it. The zero value is ready.
type damage struct {
	mu     sync.Mutex
	places map[string]struct{}
}

// read takes the error of reading a value, and returns it.
func (s *Store) read(location string, err error) error {
	d := &s.damage
	d.mu.Lock()
	defer d.mu.Unlock()
	_, known := d.places[location]
	switch damaged := errors.Is(err, seal.ErrSealed); {
	case damaged && !known:
		if d.places == nil {
			d.places = map[string]struct{}{}
		}
		d.places[location] = struct{}{}
		s.log.Error("a stored value is damaged, and counts as missing", "value", location)
	case err == nil && known:
		delete(d.places, location)
	}
	return err
}

// damaged returns an error if there are damaged values.
func (s *Store) damaged() error {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	if n := len(s.damage.places); n > 0 {
		return fmt.Errorf("%d stored values are damaged, see the log: deliver the catalogs again", n)
	}
	return nil
}
