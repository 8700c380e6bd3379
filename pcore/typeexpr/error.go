package typeexpr

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// ErrUnknownType is returned by a [Resolver] for an unknown name, and wrapped
// by the errors of [Evaluate] about such a name.
var ErrUnknownType = errors.New("unknown type")

// errNotType is wrapped by errors about expressions that are not types.
var errNotType = errors.New("not a valid type specification")

// Error is an error at an expression of a text.
type Error struct {
	// Expr is the text of the expression.
	Expr string
	// File is the name of the text, which may be empty; Line and Column count
	// from 1, Column in characters.
	File         string
	Line, Column int
	Err          error
}

func newError(loc *syntax.Locator, n syntax.Node, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	e := &Error{File: loc.File(), Expr: clip(sourceOf(loc, n)), Err: err}
	e.Line, e.Column = loc.Position(n.Pos())
	return e
}

// sourceOf returns the text of a node.
func sourceOf(loc *syntax.Locator, n syntax.Node) string {
	src := loc.Source()
	from, to := max(n.Pos(), 0), min(n.End(), len(src))
	return src[from:max(from, to)]
}

// clip limits the length of a text in an error.
func clip(s string) string {
	const longest = 200
	runes := []rune(s[:min(len(s), 4*longest)])
	if len(runes) <= longest {
		return string(runes)
	}
	return string(runes[:longest]) + "…"
}

func (e *Error) Error() string {
	where := fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	if e.File != "" {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	return fmt.Sprintf("%s: <%s>: %v", where, e.Expr, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }
