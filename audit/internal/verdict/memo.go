package verdict

import (
	"strings"
	"sync"
)

// memo caches results for names. It is safe for concurrent use. The zero value is empty.
type memo[V any] struct {
	mu    sync.RWMutex
	known map[string]V
}

// maxKnown is the maximum number of cached names.
const maxKnown = 1 << 14

func (m *memo[V]) get(name string) (v V, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok = m.known[name]
	return v, ok
}

// put caches the result for a name, unless the name is too long or the cache is full.
func (m *memo[V]) put(name string, v V) {
	if len(name) > MaxName {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[string]V{}
	}
	if len(m.known) < maxKnown {
		m.known[strings.Clone(name)] = v
	}
}
