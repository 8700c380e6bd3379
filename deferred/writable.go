package deferred

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// errNoData is the default reason if [Resolver.Writable] is nil.
var errNoData = errors.New("no format can represent an Iterator, NaN, Infinity, or text that is not UTF-8")

// checkResult returns an error if the result of a call cannot be written. It
// accepts any result inside another call.
func (r *worker) checkResult(args []pcore.Value, v pcore.Value) error {
	if r.Faithful || r.inner > 0 {
		return nil
	}
	err := r.checkValue(v)
	switch {
	case err == nil:
		return nil
	case r.secret > 0 || function.HoldsSecret(args...) || function.HoldsSecret(v):
		return ErrUnwritable // the path in the error may contain a secret key
	case pcore.Search(v, isIterator):
		return fmt.Errorf("%w: %w; to convert an Iterator to an Array, use the function new", ErrUnwritable, err)
	}
	return fmt.Errorf("%w: %w", ErrUnwritable, err)
}

// checkValue returns an error if a value cannot be written.
func (r *worker) checkValue(v pcore.Value) error {
	switch {
	case isPlain(v):
		return nil
	case r.Writable != nil:
		return r.Writable(v)
	case pcore.Search(v, isNoData):
		return errNoData
	}
	return nil
}

// isPlain reports whether every format supports a value. Most results are plain.
func isPlain(v pcore.Value) bool {
	switch v.(type) {
	case pcore.Undef, pcore.Boolean, pcore.Integer:
		return true
	case pcore.String:
		found, _ := isNoData(v)
		return !found
	default:
		return false
	}
}

func isIterator(v pcore.Value) (found, inside bool) { return pcore.Is[*pcore.Iterator](v), true }

func isNoData(v pcore.Value) (found, inside bool) {
	if f, ok := v.(pcore.Float); ok {
		return math.IsNaN(float64(f)) || math.IsInf(float64(f), 0), false
	}
	if s, ok := v.(pcore.String); ok {
		return !utf8.ValidString(string(s)), false
	}
	return isIterator(v)
}

// unmade returns a Deferred whose call failed or was not made, with the resolved
// arguments that can be written.
func (r *worker) unmade(d *pcore.Deferred, args []pcore.Value, changed bool) *pcore.Deferred {
	if !changed {
		return d
	}
	kept := make([]pcore.Value, len(args))
	for i, v := range args {
		if kept[i] = v; v != d.Arguments().At(i) && r.checkValue(v) != nil {
			kept[i] = d.Arguments().At(i)
		}
	}
	return pcore.NewDeferred(d.Name(), pcore.NewArray(kept...))
}
