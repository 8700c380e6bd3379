package function

import (
	"context"
	"errors"
	"io/fs"

	"github.com/pcatdev/pcat/pcore"
)

// ErrWithheld replaces an error that may quote a secret.
var ErrWithheld = errors.New("the reason is withheld, since an argument is Sensitive")

// HoldsSecret reports whether any of the values is or contains a Sensitive. Keys
// of hashes count, too.
func HoldsSecret(values ...pcore.Value) bool {
	for _, v := range values {
		if pcore.Search(v, isSecret) {
			return true
		}
	}
	return false
}

func isSecret(v pcore.Value) (found, inside bool) { return pcore.Is[*pcore.Sensitive](v), true }

// callInClear calls f with its Sensitive arguments unwrapped, and wraps the
// result in a Sensitive.
func (f *Function) callInClear(c *Call, args []pcore.Value) (pcore.Value, error) {
	open := make([]pcore.Value, len(args))
	for i, v := range args {
		var err error
		if open[i], err = pcore.Rewrite(v, opened); err != nil {
			return nil, &Error{Function: f.Name, Err: ErrWithheld}
		}
	}
	c.clear = true
	v, err := f.call(c, open)
	if err != nil {
		return nil, Withhold(f.Name, err)
	}
	return Secret(v), nil
}

// opened unwraps a Sensitive and returns any other value unchanged.
func opened(c *pcore.Cursor) (pcore.Value, error) {
	if s, ok := c.Value().(*pcore.Sensitive); ok {
		return s.Reveal(), nil //nolint:forbidigo // the result becomes a Sensitive again
	}
	return c.Value(), nil
}

// Secret wraps v in a Sensitive, unless it is one already.
func Secret(v pcore.Value) *pcore.Sensitive {
	if s, ok := v.(*pcore.Sensitive); ok {
		return s
	}
	return pcore.NewSensitive(v)
}

// Withhold returns an error that is safe to show for a failed call with secrets
// among its arguments: the error in the chain of err that is known to quote none
// of them, or else [ErrWithheld]. A [TemporaryError] remains one. name is the called
// function.
func Withhold(name string, err error) error {
	shown := withhold(name, err)
	if e, ok := errors.AsType[*TemporaryError](err); ok {
		return &TemporaryError{Err: shown, After: e.After}
	}
	return shown
}

func withhold(name string, err error) error {
	if e, ok := errors.AsType[*ArgumentError](err); ok {
		return e
	}
	if e, ok := errors.AsType[*UnknownError](err); ok && e.Name == name {
		return e
	}
	if e, ok := errors.AsType[*RefusedError](err); ok {
		return &RefusedError{Function: e.Function, Effects: e.Effects} // the path may be a secret
	}
	if e, ok := errors.AsType[*MaskedError](err); ok {
		return e
	}
	for _, e := range []error{ErrBudget, ErrMemory, fs.ErrPermission, ErrNeedsFacts} {
		if errors.Is(err, e) {
			return &Error{Function: name, Err: e}
		}
	}
	return &Error{Function: name, Err: ErrWithheld}
}

// InClear returns a context for calls whose arguments are secrets that are not
// wrapped in a Sensitive. Errors of such calls describe only the generalized
// types of values.
func InClear(ctx context.Context) context.Context { return context.WithValue(ctx, inClearKey{}, true) }

type inClearKey struct{}
