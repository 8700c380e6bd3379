package external

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// answer makes one call. Its errors are already masked.
type answer func(c *function.Call, args *pcore.Array, hidden *secrets) (pcore.Value, error)

// external returns a function whose calls are made by call. It accepts any
// arguments; the program checks them.
func external(name, source, doc string, call answer) *function.Function {
	return &function.Function{
		Name:             name,
		Doc:              doc,
		Source:           source,
		Effects:          function.RunsCommands,
		HandlesSensitive: true,
		Dispatches: []function.Dispatch{{
			Signature: &function.Signature{Params: []function.Param{{Name: "arguments", Type: pcore.AnyType{}, Optional: true, Repeated: true}}},
			Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				hidden := new(secrets)
				hidden.add(c.InClear(), args...)
				v, err := call(c, bytesAsBinary(args), hidden)
				switch {
				case c.Context().Err() != nil:
					return nil, context.Cause(c.Context())
				case err != nil:
					return nil, &function.MaskedError{Function: name, Err: err}
				case c.KeepSecrets && function.HoldsSecret(args...):
					return function.Secret(v), nil
				}
				return v, nil
			},
		}},
	}
}

// decode decodes a result. The value takes more memory than its text.
func decode(c *function.Call, codec Codec, text []byte) (pcore.Value, error) {
	if err := c.Hold(function.TreeSize(text)); err != nil {
		return nil, err
	}
	return codec.Decode(text)
}

// bytesAsBinary returns the arguments with each String that is not valid UTF-8
// replaced by a Binary, as programs expect.
func bytesAsBinary(args []pcore.Value) *pcore.Array {
	list := pcore.NewArray(args...)
	v, err := pcore.Rewrite(list, func(c *pcore.Cursor) (pcore.Value, error) {
		if s, ok := c.Value().(pcore.String); ok && !utf8.ValidString(string(s)) {
			return pcore.NewBinaryString(string(s)), nil
		}
		return c.Value(), nil
	})
	if to, ok := v.(*pcore.Array); ok && err == nil {
		return to
	}
	return list
}

// segments returns the segments of a function name, or false for an invalid
// name. They are safe as file names: lower-case letters, digits and underscores.
func segments(name string) ([]string, bool) {
	parts := strings.Split(name, "::")
	for _, part := range parts {
		if !isSegment(part) {
			return nil, false
		}
	}
	return parts, true
}

func isSegment(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
