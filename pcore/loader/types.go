package loader

import (
	"strings"

	"github.com/pcatdev/pcat/internal/syntax"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// typeSetFile is the file of a module's own TypeSet.
const typeSetFile = "init_typeset"

// ResolveType implements [typeexpr.Resolver].
func (l *Loader) ResolveType(name string) (pcore.Type, error) { return l.types.ResolveType(name) }

// definition is the [typeexpr.Source] of the types.
func (l *Loader) definition(name string) (*syntax.TypeAlias, *syntax.Locator, error) {
	s, found, err := l.read("types", typeSetFile, name)
	if err != nil {
		return nil, nil, err
	}
	if !found {
		return nil, nil, typeexpr.ErrUnknownType
	}
	n, loc, err := only(l, s, name, func(n *syntax.TypeAlias) string { return n.Name })
	if err != nil {
		return nil, nil, err
	}
	if !strings.Contains(name, "::") && !isTypeSet(n.Type) {
		return nil, nil, fail(loc, n, errContent)
	}
	return n, loc, nil
}

// isTypeSet reports whether e is TypeSet[…].
func isTypeSet(e syntax.Expr) bool {
	a, ok := e.(*syntax.Access)
	if !ok {
		return false
	}
	left, ok := a.Left.(*syntax.QualifiedReference)
	return ok && left.Name == "TypeSet"
}
