package eval

import (
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// typeSetFile is the file of a module's own TypeSet.
const typeSetFile = "init_typeset"

// ResolveType implements [typeexpr.Resolver].
func (l *Loader) ResolveType(name string) (pcore.Type, error) { return l.types.ResolveType(name) }

// definition is the [typeexpr.Source] of the types.
func (l *Loader) definition(name string) (typeexpr.Definition, error) {
	s, found, err := l.read("types", typeSetFile, name)
	if err != nil {
		return typeexpr.Definition{}, err
	}
	if !found {
		return typeexpr.Definition{}, typeexpr.ErrUnknownType
	}
	n, loc, err := onlyStatement(l, s, name, func(n *syntax.TypeAlias) string { return n.Name })
	if err != nil {
		return typeexpr.Definition{}, err
	}
	if !strings.Contains(name, "::") && !isTypeSet(n.Type) {
		return typeexpr.Definition{}, failAt(loc, n, errContent)
	}
	return typeexpr.NewDefinition(n, loc), nil
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
