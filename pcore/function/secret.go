package function

import (
	"errors"

	"github.com/pcatdev/pcat/pcore"
)

// ErrWithheld stands in place of an error that may quote a secret.
var ErrWithheld = errors.New("the reason is withheld, since an argument is Sensitive")

// HoldsSecret reports whether one of the values is a Sensitive or holds one, in
// a key too.
func HoldsSecret(values ...pcore.Value) bool {
	found := false
	for _, v := range values {
		_ = pcore.Walk(v, func(c *pcore.Cursor) error {
			if found = found || c.Value().Kind() == pcore.KindSensitive; found {
				return pcore.SkipChildren
			}
			return nil
		})
	}
	return found
}

// callInClear calls f with the secrets in its arguments in clear. They, and
// whatever was made of them, come back in a Sensitive.
func (f *Function) callInClear(c *Call, args []pcore.Value) (pcore.Value, error) {
	clear := make([]pcore.Value, len(args))
	for i, v := range args {
		var err error
		if clear[i], err = pcore.Rewrite(v, opened); err != nil {
			return nil, &Error{Function: f.Name, Err: ErrWithheld}
		}
	}
	v, err := f.call(c, clear)
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

// Withhold returns an error that may be shown though a secret was among the
// arguments of the call: err itself, when it is of a kind that quotes no value,
// and [ErrWithheld] otherwise.
func Withhold(name string, err error) error {
	var (
		argument *ArgumentError
		unknown  *UnknownError
		refused  *RefusedError
	)
	if errors.As(err, &argument) || errors.As(err, &unknown) || errors.As(err, &refused) ||
		errors.Is(err, ErrBudget) || errors.Is(err, ErrWithheld) {
		return err
	}
	return &Error{Function: name, Err: ErrWithheld}
}
