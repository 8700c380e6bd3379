package typeexpr

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// Parse parses the text of a type. A type that is neither built-in nor found by
// r becomes a TypeReference. A text may also be one definition, `type X = …`,
// which gives the alias; X is not defined within it.
//
// Errors are [*Error], or errors of package syntax for invalid syntax.
func Parse(text string, r Resolver) (pcore.Type, error) {
	if text == "Array[1]" { // a special case of the reference
		return arrayOfAtLeast(1)
	}
	if t, ok := parseDirect(text, r); ok {
		return t, nil
	}
	return parseTree(text, r)
}

// parseTree is Parse with the trees of package syntax.
func parseTree(text string, r Resolver) (pcore.Type, error) {
	e, err := syntax.Config{Unchecked: true}.ParseExpr("", text)
	if err != nil {
		return nil, err
	}
	return interpret(e, syntax.NewLocator("", text), r)
}

func arrayOfAtLeast(n int64) (pcore.Type, error) {
	size, err := pcore.NewIntegerType(pcore.At(n), pcore.Bound[int64]{})
	return pcore.NewArrayType(nil, size), err
}

// interpret returns the type that an expression denotes, as [Parse] does. loc
// is the locator of the text of the expression.
func interpret(e syntax.Expr, loc *syntax.Locator, r Resolver) (pcore.Type, error) {
	in := interpreter{loc: loc, resolver: r}
	return in.typ(e)
}

// interpreter converts trees to types without evaluation.
type interpreter struct {
	loc      *syntax.Locator
	resolver Resolver
}

func (in *interpreter) fail(n syntax.Node, err error) error { return newError(in.loc, n, err) }

func (in *interpreter) typ(e syntax.Expr) (pcore.Type, error) {
	v, err := in.value(e)
	if err != nil {
		return nil, err
	}
	t, ok := v.(pcore.Type)
	if !ok {
		return nil, in.fail(e, errNotType)
	}
	return t, nil
}

func (in *interpreter) value(e syntax.Expr) (pcore.Value, error) {
	switch e := e.(type) {
	case *syntax.QualifiedReference:
		return in.reference(e)
	case *syntax.Access:
		return in.access(e)
	case *syntax.Array:
		return listOf(e.Elements, in.value)
	case *syntax.Hash:
		return hashOf(e, in.value)
	case *syntax.Heredoc:
		return in.value(e.Text)
	case *syntax.Integer:
		return in.integer(e, sourceOf(in.loc, e))
	case *syntax.Unary:
		return in.negative(e)
	case *syntax.TypeAlias:
		return in.definition(e)
	}
	if v, ok := literal(e); ok {
		return v, nil
	}
	return nil, in.fail(e, errNotType)
}

func (in *interpreter) reference(e *syntax.QualifiedReference) (pcore.Type, error) {
	t, err := Named(e.Name, in.resolver)
	if errors.Is(err, ErrUnknownType) {
		return pcore.NewTypeReferenceType(e.Name), nil
	}
	if err != nil {
		return nil, in.fail(e, err)
	}
	return t, nil
}

func (in *interpreter) access(e *syntax.Access) (pcore.Value, error) {
	keys := make([]pcore.Value, len(e.Keys))
	for i, k := range e.Keys {
		v, err := in.value(k)
		if err != nil {
			return nil, err
		}
		keys[i] = v
	}
	left, ok := e.Left.(*syntax.QualifiedReference)
	if !ok {
		return nil, in.fail(e, errNotType)
	}
	base, err := Named(left.Name, in.resolver)
	if errors.Is(err, ErrUnknownType) {
		return pcore.NewTypeReferenceType(sourceOf(in.loc, e)), nil
	}
	if err != nil {
		return nil, in.fail(left, err)
	}
	v, err := parameterize(base, keys, in.resolver)
	if err != nil {
		return nil, in.fail(e, err)
	}
	return v, nil
}

// definition returns the type that a definition declares; its name is not
// defined within it.
func (in *interpreter) definition(e *syntax.TypeAlias) (pcore.Value, error) {
	d := declaration{name: e.Name, expr: e.Type}
	return d.complete(in)
}

// literal returns the value of a literal, or of a lower-case name, which is a
// string.
func literal(e syntax.Expr) (pcore.Value, bool) {
	switch e := e.(type) {
	case *syntax.Undef:
		return pcore.Undef{}, true
	case *syntax.Default:
		return pcore.Default{}, true
	case *syntax.Boolean:
		return pcore.Boolean(e.Value), true
	case *syntax.Float:
		return pcore.Float(e.Value), true
	case *syntax.String:
		return pcore.String(e.Value), true
	case *syntax.QualifiedName:
		return pcore.String(e.Name), true
	case *syntax.Regexp:
		return pcore.NewRegexp(e.Pattern), true
	}
	return nil, false
}

func listOf(elems []syntax.Expr, value func(syntax.Expr) (pcore.Value, error)) (*pcore.Array, error) {
	values := make([]pcore.Value, len(elems))
	for i, e := range elems {
		v, err := value(e)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return pcore.NewArray(values...), nil
}

func hashOf(h *syntax.Hash, value func(syntax.Expr) (pcore.Value, error)) (*pcore.Hash, error) {
	b := pcore.NewHashBuilder(len(h.Entries))
	for _, e := range h.Entries {
		k, err := value(e.Key)
		if err != nil {
			return nil, err
		}
		v, err := value(e.Value)
		if err != nil {
			return nil, err
		}
		b.Set(k, v)
	}
	return b.Hash(), nil
}

// integer parses the digits again, because a number that is too large by itself
// may be valid with its sign.
func (in *interpreter) integer(e syntax.Expr, digits string) (pcore.Value, error) {
	n, err := strconv.ParseInt(digits, 0, 64)
	if err != nil {
		return nil, in.fail(e, fmt.Errorf("%w: the number is out of range", errNotType))
	}
	return pcore.Integer(n), nil
}

func (in *interpreter) negative(e *syntax.Unary) (pcore.Value, error) {
	if e.Op == syntax.OpMinus {
		switch operand := e.Operand.(type) {
		case *syntax.Integer:
			return in.integer(e, "-"+sourceOf(in.loc, operand))
		case *syntax.Float:
			return pcore.Float(-operand.Value), nil
		}
	}
	return nil, in.fail(e, errNotType)
}
