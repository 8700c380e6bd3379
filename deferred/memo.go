package deferred

import (
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// memo caches the results of calls that depend only on their arguments and the
// facts: no function called on the way had any other effect. It is safe for
// concurrent use.
//
// The reference makes every call. For the calls in the cache the difference is
// not observable. A call with an effect, such as a plugin, is made every time.
type memo struct {
	mu    sync.Mutex
	calls pcore.HashBuilder // [name, arguments] to [arguments, result, its size]
	bytes int64             // total size
}

// Limits of the cache.
const (
	maxMemo      = 4096     // results
	maxMemoBytes = 32 << 20 // of arguments and results
)

// repeatable is the set of effects that do not change a result within a run.
const repeatable = function.ReadsVariables

// result returns the cached result of a call and its size in bytes.
func (m *memo) result(name string, args []pcore.Value) (v pcore.Value, size int64, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok = m.calls.Get(memoKey(name, args))
	if !ok {
		return nil, 0, false
	}
	kept := v.(*pcore.Array)
	if !same(kept.At(0), pcore.NewArray(args...)) {
		return nil, 0, false
	}
	return kept.At(1), int64(kept.At(2).(pcore.Integer)), true
}

// keep caches the result of a call with the given effects.
func (m *memo) keep(name string, args []pcore.Value, v pcore.Value, effects function.Effects) {
	if !effects.Has(^repeatable) {
		m.store(name, args, v)
	}
}

// store caches the result of a call.
func (m *memo) store(name string, args []pcore.Value, v pcore.Value) {
	if pcore.Is[*pcore.Iterator](v) {
		return
	}
	// The copy does not keep the input of the arguments in memory.
	size := function.SizeOf(v)
	n := size + function.SizeOf(pcore.NewArray(args...))
	if n > maxMemoBytes/8 { // would evict many others
		return
	}
	list := pcore.Clone(pcore.NewArray(args...))
	v = pcore.Clone(v)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls.Len() >= maxMemo || m.bytes+n > maxMemoBytes {
		m.calls, m.bytes = pcore.HashBuilder{}, 0
	}
	m.bytes += n
	m.calls.Set(pcore.NewArray(pcore.String(name), list), pcore.NewArray(list, v, pcore.Integer(size)))
}

func memoKey(name string, args []pcore.Value) pcore.Value {
	return pcore.NewArray(pcore.String(name), pcore.NewArray(args...))
}

// same reports whether no function can distinguish two identical values. Unlike
// in [pcore.Identical], the order of hashes is significant. Values with several
// spellings, such as types, must be the same Go value.
func same(a, b pcore.Value) bool {
	switch a := a.(type) {
	case *pcore.Array:
		b, ok := b.(*pcore.Array)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for i, e := range a.All() {
			if !same(e, b.At(i)) {
				return false
			}
		}
		return true
	case *pcore.Hash:
		b, ok := b.(*pcore.Hash)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if x, y := a.At(i), b.At(i); !same(x.Key, y.Key) || !same(x.Value, y.Value) {
				return false
			}
		}
		return true
	case *pcore.Sensitive:
		b, ok := b.(*pcore.Sensitive)
		return ok && same(a.Reveal(), b.Reveal()) //nolint:forbidigo // compared, never shown
	case pcore.Undef, pcore.Default, pcore.Boolean, pcore.Integer, pcore.String, pcore.Binary:
		return pcore.Identical(a, b)
	default:
		return a == b && !pcore.Is[pcore.Float](a) // 0.0 and -0.0
	}
}
