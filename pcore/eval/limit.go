package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// maxDepth is the maximum nesting of expressions, including calls.
const maxDepth = 20_000

// maxHeight is the maximum nesting of containers.
const maxHeight = 1_000

// share is the number of bytes of text that can be examined for one unit of the
// budget. Members of containers count as bytes; see member.
const share = 4

// member is the weight of a container's member in bytes of text. A member takes
// at least as much memory.
const member = 16

// ErrDepth means that calls, expressions, or the containers of a value are nested
// too deep.
var ErrDepth = errors.New("nested too deep")

var (
	errDepth  = fmt.Errorf("evaluation is %w", ErrDepth)
	errHeight = fmt.Errorf("a value is %w", ErrDepth)
)

// spend takes n units of the budget. It fails if the context has ended.
func (r *run) spend(n int) error {
	if err := r.env.Budget.Spend(n); err != nil {
		return err
	}
	select {
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	default:
		return nil
	}
}

// looked pays for examining n bytes or the equivalent in members.
func (r *run) looked(n int) error {
	if n < share {
		return nil
	}
	return r.spend(n / share)
}

// reserve pays for a text of n bytes that is about to be built.
func (r *run) reserve(n int) error {
	if err := r.env.Memory.Hold(int64(n)); err != nil {
		return err
	}
	return r.spend(n)
}

// textOf returns the text of v in an interpolated string.
func (r *run) textOf(v pcore.Value) (string, error) {
	if isFlat(v) {
		return rubytext.Interpolate(v), nil
	}
	const inner = 2 // the texts of the members, and the whole text
	if err := r.env.Memory.Hold(inner * function.SizeOf(v)); err != nil {
		return "", err
	}
	return rubytext.Interpolate(v), nil
}

// elementSize is the approximate size of an array element in bytes.
const elementSize = 2 * member

// holdElements takes the memory for n elements that are about to be built.
func (r *run) holdElements(n int) error { return r.env.Memory.Hold(elementSize * int64(n)) }

// admit pays for v, a new value made by the program, and rejects it if it is
// nested too deep. This bounds any later traversal: a value that contains
// another one many times costs its size when written out. It holds the same
// amount of memory until the end of the call that created it.
func (r *run) admit(v pcore.Value) error {
	if isFlat(v) {
		n := sizeOf(v)
		if err := r.env.Memory.Hold(int64(n)); err != nil {
			return err
		}
		return r.looked(n)
	}
	return r.weigh(weight{run: r, holds: true}, v)
}

// look pays for traversing v, like admit, but v is not new.
func (r *run) look(v pcore.Value) error {
	if isFlat(v) {
		return r.looked(sizeOf(v))
	}
	return r.weigh(weight{run: r}, v)
}

func (r *run) weigh(w weight, v pcore.Value) error {
	if err := w.add(v, 0); err != nil {
		return err
	}
	return w.pay()
}

// sizeOf returns the text size of v, which has no members, in bytes. A compiled
// regular expression is far larger than its text.
func sizeOf(v pcore.Value) int {
	const compiled = 64
	switch v := v.(type) {
	case pcore.String:
		return len(v)
	case pcore.Binary:
		return v.Len()
	case *pcore.Regexp:
		return compiled * len(v.Source())
	default:
		return 0
	}
}

// read pays for arguments that a function may only read.
func (r *run) read(args []pcore.Value) error {
	const cheap = 16
	n := 0
	for _, v := range args {
		switch v := v.(type) {
		case pcore.String:
			n += len(v)
		case pcore.Binary:
			n += v.Len()
		default:
		}
	}
	if n < cheap {
		return nil
	}
	return r.spend(n / cheap)
}

// isFlat reports whether v has no members.
func isFlat(v pcore.Value) bool {
	switch v := v.(type) {
	case *pcore.Array:
		return v.Len() == 0
	case *pcore.Hash:
		return v.Len() == 0
	case *pcore.Sensitive, *pcore.Deferred, *pcore.Object, pcore.Type:
		return false
	default:
		return true
	}
}

// weight adds up the members of a value and the bytes of its texts.
type weight struct {
	run     *run
	members int
	holds   bool // also take memory
}

func (w *weight) add(v pcore.Value, height int) error {
	if height > maxHeight {
		return errHeight
	}
	if err := w.count(member); err != nil {
		return err
	}
	switch v := v.(type) {
	case pcore.String, pcore.Binary, *pcore.Regexp:
		return w.count(sizeOf(v))
	case *pcore.Array:
		return w.all(v, height)
	case *pcore.Hash:
		return w.entries(v, height)
	case *pcore.Sensitive:
		return w.add(v.Reveal(), height+1) //nolint:forbidigo // counted, never shown
	case *pcore.Deferred:
		return w.all(v.Arguments(), height)
	case *pcore.Object:
		return w.entries(v.Attributes(), height)
	case pcore.Type:
		return w.types(v)
	default:
		return nil
	}
}

// count adds n, and pays at intervals, so that a value that is huge when written
// out is not traversed to its end.
func (w *weight) count(n int) error {
	const often = 1 << 16
	if w.members += n; w.members < often {
		return nil
	}
	return w.pay()
}

func (w *weight) pay() error {
	n := w.members
	w.members = 0
	if w.holds {
		if err := w.run.env.Memory.Hold(elementSize / member * int64(n)); err != nil {
			return err
		}
	}
	return w.run.looked(n)
}

func (w *weight) all(a *pcore.Array, height int) error {
	for e := range a.Values() {
		if err := w.add(e, height+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *weight) entries(h *pcore.Hash, height int) error {
	for k, v := range h.All() {
		if err := w.add(k, height+1); err != nil {
			return err
		}
		if err := w.add(v, height+1); err != nil {
			return err
		}
	}
	return nil
}

// types counts the types in t, at one unit each.
func (w *weight) types(t pcore.Type) error {
	var err error
	n := 0
	pcore.WalkType(t, func(pcore.Type) bool {
		if n++; n > maxTypes {
			err = errHeight
		}
		if err == nil {
			err = w.count(share)
		}
		return err == nil
	})
	return err
}

// maxTypes is the maximum number of types in a type, and so also limits its
// nesting.
const maxTypes = 1 << 20
