package verdict

import (
	"strings"
	"sync"
	"sync/atomic"
)

// memo caches results for names. It is safe for concurrent use. The zero value is empty.
type memo[V any] struct {
	mu    sync.RWMutex
	known map[string]*remembered[V]
	// last are the results that were last found in known, by a part of the name. They are found again
	// without a lock.
	last [1 << 9]atomic.Pointer[remembered[V]]
}

// remembered is the result for a name.
type remembered[V any] struct {
	name   string
	result V
}

// maxKnown is the maximum number of cached names.
const maxKnown = 1 << 14

func (m *memo[V]) get(name string) (v V, ok bool) {
	if name == "" {
		return v, false
	}
	last := &m.last[filterBit(name)%uint32(len(m.last))]
	if r := last.Load(); r != nil && r.name == name {
		return r.result, true
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	r := m.known[name]
	if r == nil {
		return v, false
	}
	last.Store(r)
	return r.result, true
}

// put caches the result for a name, unless the name is empty or too long, or the cache is full.
func (m *memo[V]) put(name string, v V) {
	if name == "" || len(name) > MaxName {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[string]*remembered[V]{}
	}
	if len(m.known) < maxKnown {
		name = strings.Clone(name)
		m.known[name] = &remembered[V]{name, v}
	}
}
