package external

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// answer makes one call. What it returns as an error is masked already.
type answer func(c *function.Call, args *pcore.Array, hidden *secrets) (pcore.Value, error)

// external returns the function that answer makes the calls of. It takes any
// arguments: the program knows which.
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

// decode reads a result, which takes more memory than its text.
func decode(c *function.Call, codec Codec, text []byte) (pcore.Value, error) {
	if err := c.Hold(function.TreeSize(text)); err != nil {
		return nil, err
	}
	return codec.Decode(text)
}

// bytesAsBinary returns the arguments with a Binary in place of each String
// that is no text: that is what a Binary is to a function.
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

// segments returns the parts of a function's name, false when it is none. They
// are safe as names of files: letters in lower case, digits and underscores.
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
