package function

import (
	"context"
	"errors"

	"github.com/pcatdev/pcat/pcore"
)

// ErrWithheld stands in place of an error that may quote a secret.
var ErrWithheld = errors.New("the reason is withheld, since an argument is Sensitive")

// HoldsSecret reports whether one of the values is a Sensitive or holds one, in
// a key too.
func HoldsSecret(values ...pcore.Value) bool {
	for _, v := range values {
		if pcore.Search(v, isSecret) {
			return true
		}
	}
	return false
}

func isSecret(v pcore.Value) (found, inside bool) { return v.Kind() == pcore.KindSensitive, true }

// callInClear calls f with the secrets in its arguments in clear. They, and
// whatever was made of them, come back in a Sensitive.
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

// opened returns what a Sensitive holds, and any other value as it is.
func opened(c *pcore.Cursor) (pcore.Value, error) {
	if s, ok := c.Value().(*pcore.Sensitive); ok {
		return s.Reveal(), nil //nolint:forbidigo // what is made of it becomes a Sensitive again
	}
	return c.Value(), nil
}

// Secret returns v as a Sensitive, unless it is one.
func Secret(v pcore.Value) *pcore.Sensitive {
	if s, ok := v.(*pcore.Sensitive); ok {
		return s
	}
	return pcore.NewSensitive(v)
}

// Withhold returns what of an error may be shown though a secret was among the
// arguments of the call to the named function: the error in its chain that
// quotes none of them, and [ErrWithheld] when there is no such.
func Withhold(name string, err error) error {
	if e, ok := errors.AsType[*ArgumentError](err); ok {
		return e
	}
	if e, ok := errors.AsType[*UnknownError](err); ok && e.Name == name {
		return e
	}
	if e, ok := errors.AsType[*RefusedError](err); ok {
		return e
	}
	if e, ok := errors.AsType[*MaskedError](err); ok {
		return e
	}
	for _, e := range []error{ErrBudget, ErrMemory, ErrNotAllowed, ErrNeedsFacts} {
		if errors.Is(err, e) {
			return &Error{Function: name, Err: e}
		}
	}
	return &Error{Function: name, Err: ErrWithheld}
}

// InClear returns a context for calls whose arguments are secrets, though not
// wrapped as such: their errors tell of a value only what is true of all of its
// type.
func InClear(ctx context.Context) context.Context { return context.WithValue(ctx, inClearKey{}, true) }

type inClearKey struct{}
