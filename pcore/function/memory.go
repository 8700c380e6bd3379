package function

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"github.com/pcatdev/pcat/pcore"
)

// Memory bounds the bytes that calls hold at the same time: the texts and
// collections that they are making, and the results that are not used yet. The
// [Budget] bounds the work of a run, and grows with what is in a catalog; the
// memory of a machine does not.
//
// It is an account: a function takes bytes before it makes something of them,
// and the evaluator gives back, when a call has ended, all but the size of its
// result. Sizes are estimates, rather too large. Several accounts may share one
// limit. A nil Memory has no limit. It is safe for concurrent use, but for
// [Memory.ReleaseTo], which is for the one goroutine that makes the calls of the
// account.
type Memory struct {
	left *atomic.Int64 // of the limit, for all accounts that share it
	held atomic.Int64  // by this account
}

// NewMemory returns an account with a limit of n bytes.
func NewMemory(n int64) *Memory {
	m := &Memory{left: new(atomic.Int64)}
	m.left.Store(n)
	return m
}

// Account returns another account under the same limit; nil of nil.
func (m *Memory) Account() *Memory {
	if m == nil {
		return nil
	}
	return &Memory{left: m.left}
}

// ErrMemory is in the chain of the error of a call that wanted more than was
// left of its [Memory].
var ErrMemory = errors.New("the limit of memory is reached")

// Hold takes n bytes, and fails with [ErrMemory], taking none, when there are
// not as many. A nil Memory never fails.
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

// Held returns how many bytes the account holds; 0 of nil.
func (m *Memory) Held() int64 {
	if m == nil {
		return 0
	}
	return m.held.Load()
}

// ReleaseTo gives back what was taken since Held returned n.
func (m *Memory) ReleaseTo(n int64) {
	if m != nil {
		m.Release(m.held.Load() - n)
	}
}

// Release gives n bytes back.
func (m *Memory) Release(n int64) {
	if m != nil && n > 0 {
		m.held.Add(-n)
		m.left.Add(n)
	}
}

// Give moves n bytes that the account holds to another one under the same limit.
func (m *Memory) Give(to *Memory, n int64) {
	if m != nil && to != nil {
		m.held.Add(-n)
		to.held.Add(n)
	}
}

// take takes n of what is left, or nothing when that is less.
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

// What values take beside the bytes of their texts: an element of an array, and
// an entry of a hash, each with a small value.
const (
	elementSize = 32
	entrySize   = 128
)

// Hold takes n bytes of memory for the time of the call, and fails when there
// are not as many, or when the context has ended.
func (c *Call) Hold(n int64) error {
	if err := c.Memory.Hold(n); err != nil {
		return err
	}
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return nil
}

// Reserve pays for n bytes of text that are made next: by memory, and by as many
// units of the budget.
func (c *Call) Reserve(n int) error {
	if err := c.Memory.Hold(int64(n)); err != nil {
		return err
	}
	return c.Spend(n)
}

// ReserveElements pays for an array of n elements that is made next: by memory,
// and by as many units of the budget.
func (c *Call) ReserveElements(n int) error {
	if err := c.Memory.Hold(times(n, elementSize)); err != nil {
		return err
	}
	return c.Spend(n)
}

// ReserveEntries pays for a hash of n entries that is made next, as
// ReserveElements does for an array.
func (c *Call) ReserveEntries(n int) error {
	if err := c.Memory.Hold(times(n, entrySize)); err != nil {
		return err
	}
	return c.Spend(n)
}

// times multiplies without overflow.
func times(n int, size int64) int64 {
	if int64(n) > math.MaxInt64/size {
		return math.MaxInt64
	}
	return int64(n) * size
}

// TextOf returns what text makes of v, as a function for values of any kind
// does, and holds the memory that this takes. That of a text is the text itself.
func (c *Call) TextOf(v pcore.Value, text func(pcore.Value) string) (string, error) {
	switch v.(type) {
	case pcore.String, pcore.Undef, pcore.Boolean, pcore.Integer, pcore.Float:
		return text(v), c.Hold(0)
	default:
	}
	const inner = 2 // the texts of members, and the whole
	n := SizeOf(v)
	if err := c.Memory.Hold(inner * n); err != nil {
		return "", err
	}
	const share = 8 // bytes for a unit: who writes the text pays for that
	if err := c.Spend(int(n / share)); err != nil {
		return "", err
	}
	return text(v), nil
}

// SizeOf returns how many bytes v takes, and its text about as many: one that it
// holds twice counts twice, as it does when v is written. It stops at an amount
// that is beyond any limit.
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

// TreeSize returns about how many bytes the values take at most that are read
// from a text such as JSON or YAML: what separates them there tells how many.
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
