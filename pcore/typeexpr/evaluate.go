package typeexpr

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// Evaluate returns the value of a constant expression: literals, arrays,
// hashes, and types with such parameters. Variables, operators and calls
// require an evaluator, and are errors here. A type that is neither built-in
// nor found by r is an error, too.
func Evaluate(text string, r Resolver) (pcore.Value, error) {
	e, err := syntax.Config{}.ParseExpr("", text)
	if err != nil {
		return nil, err
	}
	ev := constants{loc: syntax.NewLocator("", text), resolver: r}
	return ev.value(e)
}

// constants evaluates constant expressions.
type constants struct {
	loc      *syntax.Locator
	resolver Resolver
}

func (ev *constants) fail(n syntax.Node, err error) error { return newError(ev.loc, n, err) }

func (ev *constants) value(e syntax.Expr) (pcore.Value, error) {
	switch e := e.(type) {
	case *syntax.QualifiedReference:
		t, err := Named(e.Name, ev.resolver)
		if ref, ok := t.(*pcore.TypeReferenceType); ok && err == nil {
			err = fmt.Errorf("%w: %s", ErrUnknownType, ref.Ref())
		}
		if err != nil {
			return nil, ev.fail(e, err)
		}
		return t, nil
	case *syntax.Access:
		return ev.access(e)
	case *syntax.Array:
		return listOf(e.Elements, ev.value)
	case *syntax.Hash:
		return hashOf(e, ev.value)
	case *syntax.Heredoc:
		return ev.value(e.Text)
	case *syntax.Parenthesized:
		return ev.value(e.Expr)
	case *syntax.Integer:
		return pcore.Integer(e.Value), nil
	case *syntax.Unary:
		return ev.negative(e)
	case *syntax.TypeAlias:
		return pcore.Undef{}, nil
	}
	if v, ok := literal(e); ok {
		return v, nil
	}
	return nil, ev.fail(e, fmt.Errorf("%w: it is no constant", errNotType))
}

func (ev *constants) access(e *syntax.Access) (pcore.Value, error) {
	left, err := ev.value(e.Left)
	if err != nil {
		return nil, err
	}
	t, ok := left.(pcore.Type)
	if !ok {
		return nil, ev.fail(e, fmt.Errorf("%w: only types have parameters", errNotType))
	}
	keys := make([]pcore.Value, len(e.Keys))
	for i, k := range e.Keys {
		if keys[i], err = ev.value(k); err != nil {
			return nil, err
		}
	}
	v, err := Access(t, keys...)
	if err != nil {
		return nil, ev.fail(e, err)
	}
	return v, nil
}

func (ev *constants) negative(e *syntax.Unary) (pcore.Value, error) {
	if e.Op == syntax.OpMinus {
		v, err := ev.value(e.Operand)
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case pcore.Integer:
			return -v, nil
		case pcore.Float:
			return -v, nil
		default:
		}
	}
	return nil, ev.fail(e, fmt.Errorf("%w: it is no constant", errNotType))
}

// parseList parses a list in brackets without evaluation.
func parseList(text string, r Resolver) ([]pcore.Value, error) {
	e, err := syntax.Config{Unchecked: true}.ParseExpr("", text)
	if err != nil {
		return nil, err
	}
	in := interpreter{loc: syntax.NewLocator("", text), resolver: r}
	v, err := in.value(e)
	if err != nil {
		return nil, err
	}
	a, ok := v.(*pcore.Array)
	if !ok {
		return nil, in.fail(e, errNotType)
	}
	values := make([]pcore.Value, 0, a.Len())
	for v := range a.Values() {
		values = append(values, v)
	}
	return values, nil
}
