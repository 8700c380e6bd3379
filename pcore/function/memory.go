package function

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/pcatdev/pcat/pcore"
)

// Memory limits the bytes that calls hold at one time: the texts and collections
// that they are building, and results that are not used yet. It complements
// [Budget], which limits the work of a run and grows with the size of a catalog;
// the memory of a machine does not.
//
// A Memory is an account. A function takes bytes before it allocates. When a
// call has ended, the evaluator gives back everything but the size of its
// result. Sizes are estimates and err on the high side. Several accounts can
// share one limit. A nil Memory has no limit.
//
// A Memory is safe for concurrent use, except for [Memory.ReleaseTo], which only
// the goroutine that makes the calls of the account may use.
type Memory struct {
	left *atomic.Int64 // bytes left of the limit, shared by all its accounts
	held atomic.Int64  // bytes held by this account
}

// NewMemory returns an account with a limit of n bytes.
func NewMemory(n int64) *Memory {
	m := &Memory{left: new(atomic.Int64)}
	m.left.Store(n)
	return m
}

// Account returns a new account under the same limit, or nil if m is nil.
func (m *Memory) Account() *Memory {
	if m == nil {
		return nil
	}
	return &Memory{left: m.left}
}

// ErrMemory is wrapped by the error of a call that exceeds its [Memory].
var ErrMemory = errors.New("the limit of memory is reached")

// Hold takes n bytes. If fewer are left, it takes none and fails with
// [ErrMemory]. A nil Memory never fails.
func (m *Memory) Hold(n int64) error {
	if m == nil || n <= 0 {
		return nil
	}
	if !take(m.left, n) {
		return ErrMemory
	}
	m.held.Add(n)
	return nil
}

// Held returns the number of bytes that the account holds, 0 if m is nil.
func (m *Memory) Held() int64 {
	if m == nil {
		return 0
	}
	return m.held.Load()
}

// ReleaseTo gives back the bytes taken since [Memory.Held] returned n.
func (m *Memory) ReleaseTo(n int64) {
	if m != nil {
		m.Release(m.held.Load() - n)
	}
}

// Release gives back n bytes.
func (m *Memory) Release(n int64) {
	if m != nil && n > 0 {
		m.held.Add(-n)
		m.left.Add(n)
	}
}

// Give moves n bytes from the account to another one under the same limit.
func (m *Memory) Give(to *Memory, n int64) {
	if m != nil && to != nil {
		m.held.Add(-n)
		to.held.Add(n)
	}
}

// take subtracts n from left, unless less than n remains.
func take(left *atomic.Int64, n int64) bool {
	for {
		was := left.Load()
		if was < n {
			return false
		}
		if left.CompareAndSwap(was, was-n) {
			return true
		}
	}
}

// Sizes of an array element and of a hash entry, each with a small value, not
// counting the bytes of texts.
const (
	elementSize = 32
	entrySize   = 128
)

// Hold takes n bytes of memory for the duration of the call. It fails if fewer
// are left, or if the context has ended.
func (c *Call) Hold(n int64) error {
	if err := c.Memory.Hold(n); err != nil {
		return err
	}
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return nil
}

// Reserve takes memory and budget for a text of n bytes that is about to be
// built.
func (c *Call) Reserve(n int) error {
	if err := c.Memory.Hold(int64(n)); err != nil {
		return err
	}
	return c.Spend(n)
}

// SizeOf returns the approximate size of v in bytes; its text has about the same
// size. A value that occurs twice counts twice, as it is also written twice.
// SizeOf stops counting at a size beyond any limit.
func SizeOf(v pcore.Value) int64 {
	const most = 1 << 34
	n := int64(0)
	pcore.Search(v, func(v pcore.Value) (found, inside bool) {
		switch v := v.(type) {
		case pcore.String:
			n += int64(len(v)) + elementSize
		case pcore.Binary:
			n += 2*int64(v.Len()) + elementSize
		case *pcore.Hash:
			n += entrySize + int64(v.Len())*(entrySize-2*elementSize)
		default:
			n += elementSize
		}
		return n > most, true
	})
	return n
}

// TreeSize returns an upper estimate of the bytes taken by the values parsed
// from a JSON or YAML text. It derives their number from the separators in the
// text.
func TreeSize[T string | []byte](text T) int64 {
	n := int64(len(text))
	for i := range len(text) {
		switch text[i] {
		case ',', '[', '{', ':', '-', '\n':
			n += elementSize
		}
	}
	return 2 * n
}
