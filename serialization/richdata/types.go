package richdata

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
)

// Types finds types by their expressions and constructs the scalars among them
// from text. The zero value knows the types of the specification; it is what
// an empty serialization.DecodeOptions.Types stands for.
type Types struct {
	// Resolver finds the types that the language does not have. Nil knows
	// none.
	Resolver typeexpr.Resolver
}

var _ serialization.Types = Types{}

// Resolve returns the type that an expression stands for.
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

// isName reports whether text is the plain name of a type, for which there is
// a shorter way than parsing it.
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

// New constructs the scalars from their text. The type of any other value has
// no constructor here.
func (t Types) New(typ pcore.Type, args ...pcore.Value) (pcore.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%w: %s needs an argument", serialization.ErrValue, typ.Name())
	}
	text, ok := args[0].(pcore.String)
	if !ok {
		return nil, fmt.Errorf("%w: %s cannot be made of it", serialization.ErrValue, typ.Name())
	}
	v, err := t.newFromText(typ, string(text))
	if err != nil {
		return nil, err
	}
	if !pcore.Contains(typ, v) {
		return nil, fmt.Errorf("%w: what was made is no %s", serialization.ErrValue, typ.Name())
	}
	return v, nil
}

// newFromText returns what the constructor of a type makes of a text. Where a
// text is an instance already, that is the text.
func (t Types) newFromText(typ pcore.Type, text string) (pcore.Value, error) {
	if init, ok := typ.(*pcore.InitType); ok && init.Elem() != nil && len(init.Arguments()) == 0 {
		return t.newFromText(init.Elem(), text)
	}
	if pcore.Contains(typ, pcore.String(text)) {
		return pcore.String(text), nil
	}
	switch typ := typ.(type) {
	case *pcore.TypeAliasType:
		return t.newFromText(typ.Resolved(), text)
	case *pcore.OptionalType:
		return t.newFromText(elemOrUnit(typ.Elem()), text)
	case *pcore.NotUndefType:
		return t.newFromText(elemOrUnit(typ.Elem()), text)
	case *pcore.SensitiveType:
		return pcore.NewSensitive(pcore.String(text)), nil
	case *pcore.TypeType:
		inner, err := t.parse(text)
		if errors.Is(err, typeexpr.ErrUnknownType) {
			return pcore.NewTypeReferenceType(text), nil
		}
		return inner, err
	case pcore.NumericType, *pcore.IntegerType, *pcore.FloatType:
		if v, ok := newNumber(typ, text); ok {
			return v, nil
		}
	case *pcore.BooleanType:
		switch strings.ToLower(text) {
		case "true", "yes", "y":
			return pcore.Boolean(true), nil
		case "false", "no", "n":
			return pcore.Boolean(false), nil
		}
	default:
		if v, known, err := newScalar(typ.Name(), text); known {
			return v, err
		}
	}
	return nil, fmt.Errorf("%w: %s has no constructor for it", serialization.ErrValue, typ.Name())
}

func elemOrUnit(t pcore.Type) pcore.Type {
	if t == nil {
		return pcore.UnitType{}
	}
	return t
}

func newNumber(typ pcore.Type, text string) (pcore.Value, bool) {
	n, ok := pcore.ParseNumber(text)
	if !ok {
		return nil, false
	}
	switch typ.(type) {
	case *pcore.IntegerType:
		i, ok := n.(pcore.Integer)
		return i, ok
	case *pcore.FloatType:
		if i, ok := n.(pcore.Integer); ok {
			return pcore.Float(i), true
		}
		f, ok := n.(pcore.Float)
		return f, ok
	default:
		return n, true
	}
}
