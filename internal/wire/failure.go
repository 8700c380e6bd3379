package wire

import (
	"errors"
	"slices"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// ErrShort means that the value extends beyond the bytes in memory and that
// there may be more input. It is never returned to a user.
var ErrShort = errors.New("wire: more bytes are needed")

// Failure is an error at a position in the input of a [Syntax], with the path
// from there as far as it is known.
type Failure struct {
	Pos  int
	Path pcore.Path
	Err  error
	// outer contains the steps before Path in reverse order.
	outer []pcore.Step
}

// path returns all steps.
func (f *Failure) path() pcore.Path {
	p := slices.Clone(f.outer)
	slices.Reverse(p)
	return append(p, f.Path...)
}

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// FailAt returns err as a failure at pos.
func FailAt(pos int, err error) error { return &Failure{Pos: pos, Err: err} }

// Under returns err with a step added before its path.
func Under(err error, step pcore.Step) error {
	var f *Failure
	if errors.As(err, &f) {
		f.outer = append(f.outer, step)
	}
	return err
}

// UnderEntry is Under for a member of a map, where typ is the `__ptype` if it
// has been read. The path ends at a possible Sensitive.
func UnderEntry(err error, step pcore.Step, typ []byte) error {
	var f *Failure
	if dataconv.MayBeSecret(step.Key, string(typ)) && errors.As(err, &f) {
		f.Path, f.outer = nil, []pcore.Step{{Kind: pcore.StepSecret}}
		return err
	}
	return Under(err, step)
}

// Built returns an error that occurred while a builder processed input at pos.
// The error of a builder keeps its own path; any other error gets path.
func Built(err error, path pcore.Path, pos int) error {
	var inner *serialization.Error
	var f *Failure
	switch {
	case errors.As(err, &inner):
		if inner.Offset >= 0 {
			pos = int(inner.Offset)
		}
		return &Failure{Pos: pos, Path: inner.Path, Err: inner.Err}
	case errors.As(err, &f):
		f.Path = path
	}
	return err
}

// locate converts err to an error for users, with the position in the input and
// with path before its own path.
func (w *Window) locate(s Syntax, path pcore.Path, err error) error {
	out := &serialization.Error{Format: s.Name(), Offset: w.Offset(), Path: path, Err: err}
	pos := 0
	var f *Failure
	if errors.As(err, &f) {
		pos, out.Err = f.Pos, f.Err
		out.Path = slices.Concat(path, f.path())
	}
	out.Offset += int64(pos)
	if s.Textual() {
		out.Line, out.Column = w.position(pos)
	}
	return out
}
