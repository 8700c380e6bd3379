package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
)

// room returns [feed.ErrFull] if the disk of the embedded server has no room for a value.
func (s *Store) room(ctx context.Context, size int) error {
	if s.server == nil {
		return s.space.take(ctx, s, int64(size))
	}
	free, err := s.free()
	if err == nil && free < reserve+int64(size) {
		return fmt.Errorf("%w: the disk of %s has %d MB left", feed.ErrFull, s.dir, free>>20)
	}
	return nil
}

// Refusal is why the storage takes no new catalogs.
type Refusal string

// The refusals.
const (
	NoDisk       Refusal = "disk"        // the disk of the embedded server is almost full
	NoRoom       Refusal = "limit"       // the data has reached its limit
	NoConnection Refusal = "unreachable" // there is no connection to NATS
	Stopped      Refusal = "stopped"     // the embedded server stopped after an error of the disk
)

// Refusals returns all refusals.
func Refusals() []Refusal { return []Refusal{NoDisk, NoRoom, NoConnection, Stopped} }

// Refuses reports whether the storage takes no new catalogs now, for a reason. [NoRoom] is
// known from the last catalog that this process has put.
func (s *Store) Refuses(why Refusal) bool {
	switch why {
	case NoDisk:
		if s.server == nil {
			return false
		}
		free, err := s.free()
		return err == nil && free < reserve
	case NoRoom:
		return s.limited.Load()
	case NoConnection:
		return !s.conn.IsConnected()
	case Stopped:
		return s.Failed() != nil
	}
	return false
}

// refuses returns an error if the storage has no room.
func (s *Store) refuses() error {
	switch {
	case s.Refuses(NoDisk):
		return fmt.Errorf("the disk of %s is almost full, and new catalogs are refused: free space", s.dir)
	case s.Refuses(NoRoom):
		return errors.New("the data has reached its limit, and new catalogs are refused: raise --max-store, or lower --keep")
	}
	return nil
}

// askRoom asks the process of an embedded server how much is free on its disk.
const askRoom = "room"

// answerRoom answers [askRoom].
func (s *Store) answerRoom(context.Context, []string) ([]byte, error) {
	free, err := s.free()
	return strconv.AppendInt(nil, free, 10), err
}

// space is the free disk of an embedded server, as a client knows it.
type space struct {
	mu   sync.Mutex
	free int64
	next time.Time // when to ask again
}

// take returns [feed.ErrFull] if there is no room for a value. It asks once a second.
func (p *space) take(ctx context.Context, s *Store, size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !time.Now().Before(p.next) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		text, err := s.Ask(ctx, askRoom)
		p.free, p.next = math.MaxInt64, time.Now().Add(time.Second)
		if errors.Is(err, ErrNobody) { // the server is not embedded: it has its own limits
			p.next = time.Now().Add(30 * time.Second)
		} else if free, wrong := strconv.ParseInt(string(text), 10, 64); err == nil && wrong == nil {
			p.free = free
		}
	}
	if p.free < reserve+size {
		return fmt.Errorf("%w: the disk of pcatd serve has %d MB left", feed.ErrFull, p.free>>20)
	}
	p.free -= size
	return nil
}
