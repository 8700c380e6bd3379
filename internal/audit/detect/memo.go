package detect

import (
	"strings"
	"sync"
)

// memo remembers what names tell. It is safe for concurrent use; the zero value
// remembers nothing yet.
type memo[V any] struct {
	mu   sync.RWMutex
	told map[string]V
}

// maxKnown is how many names are remembered.
const maxKnown = 1 << 14

func (m *memo[V]) get(name string) (v V, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok = m.told[name]
	return v, ok
}

// put remembers a name that is not too long, while there is room.
func (m *memo[V]) put(name string, v V) {
	if len(name) > maxName {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told == nil {
		m.told = map[string]V{}
	}
	if len(m.told) < maxKnown {
		m.told[strings.Clone(name)] = v
	}
}
