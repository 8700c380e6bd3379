package stdlib

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleSecretFunctions returns functions on values that contain secrets.
func moduleSecretFunctions() []function.Function {
	return []function.Function{{
		Name:             "stdlib::rewrap_sensitive_data",
		Doc:              "Returns a value without the Sensitive inside it, or what a block makes of that, as one Sensitive if there was any.",
		HandlesSensitive: true,
		Dispatches: one("Any data, &Callable[Any] block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return rewrapped(c, args[0], func(v pcore.Value) (pcore.Value, error) {
				if c.Block == nil {
					return v, nil
				}
				return c.Yield(v)
			})
		}),
	}}
}

// transform returns a value made of another one.
type transform func(pcore.Value) (pcore.Value, error)

func asGiven(_ *function.Call, v pcore.Value, f transform) (pcore.Value, error) { return f(v) }

// rewrapped applies f to v without the Sensitive inside it, and returns the result
// as a Sensitive if there was any.
func rewrapped(c *function.Call, v pcore.Value, f transform) (pcore.Value, error) {
	secret := function.HoldsSecret(v)
	var err error
	if secret {
		if v, secret, err = withoutSensitive(c, v); err != nil {
			return nil, err
		}
	}
	v, err = f(v)
	switch {
	case !secret:
		return v, err
	case err != nil && c.Block == nil:
		return nil, function.Withhold(c.Function().Name, err)
	case err != nil: // of code that reveals its secrets itself, as with unwrap
		return nil, err
	default:
		return pcore.NewSensitive(v), nil
	}
}

// withoutSensitive unwraps each Sensitive inside arrays and hashes, and keys that
// are Sensitive. secret reports whether there was any.
func withoutSensitive(c *function.Call, v pcore.Value) (open pcore.Value, secret bool, err error) {
	switch v := v.(type) {
	case *pcore.Sensitive:
		open, _, err := withoutSensitive(c, v.Reveal()) //nolint:forbidigo // the caller wraps the result
		return open, true, err
	case *pcore.Array:
		open, err := mapped(c, v, func(e pcore.Value) (pcore.Value, error) {
			e, found, err := withoutSensitive(c, e)
			secret = secret || found
			return e, err
		})
		return open, secret, err
	case *pcore.Hash:
		if err := reserveEntries(c, v.Len()); err != nil {
			return nil, false, err
		}
		b := pcore.NewHashBuilder(v.Len())
		for k, e := range v.All() {
			if s, ok := k.(*pcore.Sensitive); ok {
				k, secret = s.Reveal(), true //nolint:forbidigo // likewise
			}
			e, found, err := withoutSensitive(c, e)
			if err != nil {
				return nil, false, err
			}
			secret = secret || found
			b.Set(k, e)
		}
		return b.Hash(), secret, nil
	default:
		return v, false, nil
	}
}
