package richdata

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/convert"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
)

// Types finds types by their expressions and constructs their values. The zero
// value supports the types of the specification; it is used if
// serialization.DecodeOptions.Types is nil.
type Types struct {
	// Resolver finds types that the language does not define. Nil finds none.
	Resolver typeexpr.Resolver
}

var _ serialization.Types = Types{}

// Resolve returns the type that an expression denotes.
func (t Types) Resolve(text string) (pcore.Type, error) {
	typ, err := t.parse(text)
	if errors.Is(err, typeexpr.ErrUnknownType) {
		err = nil
		typ = pcore.NewTypeReferenceType(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", serialization.ErrValue, err)
	}
	if _, ok := typ.(*pcore.TypeReferenceType); ok {
		return nil, fmt.Errorf("%w: %q", serialization.ErrUnknownType, text)
	}
	return typ, nil
}

func (t Types) parse(text string) (pcore.Type, error) {
	if isName(text) {
		return typeexpr.Named(text, t.Resolver)
	}
	return typeexpr.Parse(text, t.Resolver)
}

// isName reports whether text is the plain name of a type, which can be looked
// up without parsing.
func isName(text string) bool {
	for segment := range strings.SplitSeq(text, "::") {
		if segment == "" || segment[0] < 'A' || 'Z' < segment[0] {
			return false
		}
		for i := range len(segment) {
			c := segment[i]
			if c != '_' && (c < '0' || '9' < c) && (c|0x20 < 'a' || 'z' < c|0x20) {
				return false
			}
		}
	}
	return true
}

// New returns the value of typ.new(args…). Errors do not quote the arguments,
// which may be secret.
func (t Types) New(typ pcore.Type, args ...pcore.Value) (pcore.Value, error) {
	v, err := convert.New(typ, args...)
	switch {
	case err == nil:
		return v, nil
	case errors.Is(err, pcore.ErrNotCreatable):
		return nil, fmt.Errorf("%w: cannot create %s", serialization.ErrValue, pcore.TypeName(typ))
	case len(args) == 0:
		return nil, fmt.Errorf("%w: cannot create %s without a value", serialization.ErrValue, pcore.TypeName(typ))
	}
	return nil, fmt.Errorf("%w: cannot create %s from this value", serialization.ErrValue, pcore.TypeName(typ))
}
