package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// An event that is repeated has its identifier, also after a restart. In a storage that was created
// again with the same key, no identifier repeats: its events are others, even though the
// revisions of its findings begin again.
func TestEventIdentifier(t *testing.T) {
	dir := stateDir(t)
	happen := func(s *Store) (ids []string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		got, done := make(chan string, 10), make(chan struct{})
		go func() {
			defer close(done)
			_ = s.DeliverEvents(ctx, "test", func(_ context.Context, e Event) error { got <- e.ID; return nil }, func(uint64) time.Duration { return 0 }) // until the end
		}()
		defer func() { cancel(); <-done }()
		for { // until the position is remembered
			if stream, err := s.js.Stream(ctx, eventStream); err != nil {
				t.Fatal(err)
			} else if _, err := stream.Consumer(ctx, "test"); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		for _, id := range []string{"unit 0 new", "unit 1 gone"} {
			for range 2 {
				if err := s.Event(ctx, "new", id, []byte("{}")); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case id := <-got:
				ids = append(ids, id)
			case <-time.After(time.Minute):
				t.Fatalf("the event is not delivered, only %q", ids)
			}
		}
		return ids
	}
	s := open(t, dir, Options{})
	first := happen(s)
	s.Close()
	s = open(t, dir, Options{MaxBytes: 2 << 30})
	if err := s.Event(t.Context(), "new", "unit 0 new", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	stream, err := s.js.Stream(t.Context(), eventStream)
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Msgs; n != 2 {
		t.Errorf("%d events after a restart, want 2", n)
	}
	s.Close()
	if err := os.RemoveAll(filepath.Join(dir, "nats")); err != nil { // the key remains
		t.Fatal(err)
	}
	ids := slices.Concat(first, happen(open(t, dir, Options{})))
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != 4 || ids[0] == "" {
		t.Errorf("the identifiers are %q", ids)
	}
}
