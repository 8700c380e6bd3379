package eval

import (
	"context"
	"errors"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/rubytext"
)

// maxDepth bounds expressions within expressions, through calls.
const maxDepth = 20_000

// maxHeight bounds containers within containers.
const maxHeight = 1_000

// share is how many bytes of a text, or of what members of a container count, are looked at
// for one unit of the budget.
const share = 4

// member is what a member of a container counts, in bytes of text: it takes as
// much memory, and more.
const member = 16

var (
	// ErrDepth tells that calls or expressions stand too deep inside each
	// other.
	ErrDepth = errors.New("evaluation is nested too deep")
	// ErrHeight tells that a value has too many containers inside each
	// other.
	ErrHeight = errors.New("a value is nested too deep")
)

// spend takes n units of the budget, and fails when the context has ended.
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

// looked pays for looking at n bytes or members.
func (r *run) looked(n int) error {
	if n < share {
		return nil
	}
	return r.spend(n / share)
}

// reserve pays for n bytes of text that are made next.
func (r *run) reserve(n int) error {
	if err := r.env.Memory.Hold(int64(n)); err != nil {
		return err
	}
	return r.spend(n)
}

// textOf returns v as it stands in a text. That of a String is the String.
func (r *run) textOf(v pcore.Value) (string, error) {
	if isFlat(v) {
		return rubytext.Interpolate(v), nil
	}
	const inner = 2 // the texts of members, and the whole
	if err := r.env.Memory.Hold(inner * function.SizeOf(v)); err != nil {
		return "", err
	}
	return rubytext.Interpolate(v), nil
}

// elementSize is about how many bytes an element of an array takes.
const elementSize = 2 * member

// holdElements takes the memory of n elements that are made next.
func (r *run) holdElements(n int) error { return r.env.Memory.Hold(elementSize * int64(n)) }

// admit pays for v, which a program has made of other values, and refuses it
// when it is too deep. So whatever goes through values later is bounded: a
// value that holds another one many times counts as what it is when written
// out. That is also what it holds of the memory until the call ends in which it
// was made.
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

// look pays for going through v, as admit does, but it is not a new value.
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

// sizeOf returns how many bytes of text v holds that has no members. What a regular
// expression becomes is far larger than its text.
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

// read pays for arguments that a function may go through without making
// anything of them.
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

// weight adds up the members of a value, and the bytes of its texts.
type weight struct {
	run     *run
	members int
	holds   bool // the memory, too
}

func (w *weight) add(v pcore.Value, height int) error {
	if height > maxHeight {
		return ErrHeight
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

// count adds n, and pays from time to time, so that a value that is huge when
// written out is not gone through to its end.
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

// types counts the types in t, at a unit each.
func (w *weight) types(t pcore.Type) error {
	var err error
	n := 0
	pcore.WalkType(t, func(pcore.Type) bool {
		if n++; n > maxTypes {
			err = ErrHeight
		}
		if err == nil {
			err = w.count(share)
		}
		return err == nil
	})
	return err
}

// maxTypes bounds how many types a type is made of, and so how deep they stand
// within each other.
const maxTypes = 1 << 20
