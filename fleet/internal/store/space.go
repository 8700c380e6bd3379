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
