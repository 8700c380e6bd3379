// Package feedtest has a sink in memory, for tests of feeds.
package feedtest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
)

// Sink keeps catalogs in memory, and records the calls that changed something. It is safe
// for concurrent use.
type Sink struct {
	mu       sync.Mutex
	catalogs map[string]feed.Catalog // by feed and node
	calls    []string
	fault    func(context.Context) error
}

// NewSink returns a sink that has empty catalogs of some nodes in a feed.
func NewSink(name string, nodes ...string) *Sink {
	s := &Sink{catalogs: map[string]feed.Catalog{}}
	for _, node := range nodes {
		s.catalogs[name+"/"+node] = feed.Catalog{Feed: name, Node: node}
	}
	return s
}

// Break makes each further call return the result of fault first, if that is not nil. Nil
// repairs the sink.
func (s *Sink) Break(fault func(context.Context) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

func (s *Sink) broken(ctx context.Context) error {
	s.mu.Lock()
	fault := s.fault
	s.mu.Unlock()
	if fault == nil {
		return ctx.Err()
	}
	return fault(ctx)
}

// Put implements [feed.Sink].
func (s *Sink) Put(ctx context.Context, c feed.Catalog) error {
	if err := s.broken(ctx); err != nil {
		return err
	}
	c.Data = bytes.Clone(c.Data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catalogs[c.Feed+"/"+c.Node] = c
	s.calls = append(s.calls, "put "+c.Node)
	return nil
}

// Remove implements [feed.Sink].
func (s *Sink) Remove(ctx context.Context, name, node string) error {
	if err := s.broken(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.catalogs, name+"/"+node)
	s.calls = append(s.calls, "remove "+node)
	return nil
}

// Nodes implements [feed.Sink].
func (s *Sink) Nodes(ctx context.Context, name string) ([]string, error) {
	if err := s.broken(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var nodes []string
	for _, c := range s.catalogs {
		if c.Feed == name {
			nodes = append(nodes, c.Node)
		}
	}
	return nodes, nil
}

// Calls returns the calls of Put and Remove since the last call of Calls.
func (s *Sink) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls
	s.calls = nil
	return calls
}

// Get returns the catalog of a node.
func (s *Sink) Get(name, node string) (feed.Catalog, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.catalogs[name+"/"+node]
	return c, ok
}

// Names returns the feeds and the nodes as FEED/NODE, sorted.
func (s *Sink) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.catalogs))
}

// Await waits until the sink has exactly the given names, FEED/NODE.
func (s *Sink) Await(t *testing.T, names ...string) {
	t.Helper()
	slices.Sort(names)
	Until(t, func() bool { return slices.Equal(s.Names(), names) }, func() string { return fmt.Sprintf("the sink has %q, want %q", s.Names(), names) })
}

// Until waits until done reports true.
func Until(t *testing.T, done func() bool, explain func() string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(explain())
		}
	}
}
