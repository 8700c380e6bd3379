package hiera

import (
	"runtime"
	"sync"
	"weak"

	"github.com/pcatdev/pcat/pcore"
)

// marks are the Sensitives that a Hierarchy has made of decrypted values. They do not keep them
// alive. They have a lock of their own, because defaults are checked without that of the Hierarchy.
type marks struct {
	mu  sync.Mutex
	all map[weak.Pointer[pcore.Sensitive]]struct{}
}

func (m *marks) add(s *pcore.Sensitive) {
	w := weak.Make(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.all[w]; ok {
		return
	}
	if m.all == nil {
		m.all = map[weak.Pointer[pcore.Sensitive]]struct{}{}
	}
	m.all[w] = struct{}{}
	runtime.AddCleanup(s, m.remove, w)
}

func (m *marks) remove(w weak.Pointer[pcore.Sensitive]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, w)
}

func (m *marks) has(s *pcore.Sensitive) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.all[weak.Make(s)]
	return ok
}

func (m *marks) empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.all) == 0
}

// secret returns a decrypted value as a Sensitive.
func (h *Hierarchy) secret(v pcore.Value) pcore.Value {
	if h.options.PlainSecrets {
		return v
	}
	s, ok := v.(*pcore.Sensitive)
	if !ok {
		s = pcore.NewSensitive(v)
	}
	h.own.add(s)
	return s
}

// decrypted reports whether a value is a Sensitive that was decrypted.
func (h *Hierarchy) decrypted(v pcore.Value) bool {
	s, ok := v.(*pcore.Sensitive)
	return ok && h.own.has(s)
}

// open returns the value of a Sensitive that was decrypted, and any other unchanged.
func (h *Hierarchy) open(v pcore.Value) pcore.Value {
	if !h.decrypted(v) {
		return v
	}
	return v.(*pcore.Sensitive).Reveal() //nolint:forbidigo // Puppet merges and checks the plain value; the result is wrapped again
}

// sealed returns v, as a secret if it is made of one.
func (h *Hierarchy) sealed(v pcore.Value, made bool) pcore.Value {
	if !made {
		return v
	}
	return h.secret(v)
}

// bare returns a value as Puppet has it: with the decrypted values in plain.
func (h *Hierarchy) bare(v pcore.Value) pcore.Value {
	if h.own.empty() {
		return v
	}
	plain, err := pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) { return h.open(c.Value()), nil })
	if err != nil {
		return v
	}
	return plain
}
