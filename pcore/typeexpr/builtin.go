package typeexpr

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
)

//go:embed builtin.pp
var builtinText string

// builtins are the definitions in builtin.pp, parsed on first use.
//
//nolint:gochecknoglobals // a constant that takes reading
var builtins struct {
	once sync.Once
	defs *Definitions
	err  error
}

// builtinType returns one of the types that Puppet itself defines.
func builtinType(name string) (pcore.Type, error) {
	switch first, _, _ := strings.Cut(name, "::"); first {
	case "annotation", "pcore", "puppet", "rubymethod":
	default:
		return nil, ErrUnknownType
	}
	builtins.once.Do(func() { builtins.defs, builtins.err = Define("builtin.pp", builtinText, nil) })
	if builtins.err != nil {
		return nil, builtins.err
	}
	return builtins.defs.ResolveType(name)
}

// Like returns a Resolver with the built-in types of a reference, and the types
// of r, which may be nil. The difference is in the printed definition of
// Pcore::ObjectType, not in its instances.
func Like(reference pcore.Reference, r Resolver) Resolver {
	if reference == pcore.Puppet7 {
		return puppet7{r}
	}
	return r
}

// puppet7 resolves the types that Puppet 7 defines in other words.
type puppet7 struct{ next Resolver }

// ResolveType implements [Resolver].
func (p puppet7) ResolveType(name string) (pcore.Type, error) {
	switch {
	case name == "pcore::objecttype":
		return objectTypeOfPuppet7()
	case p.next == nil:
		return nil, ErrUnknownType
	default:
		return p.next.ResolveType(name)
	}
}

var objectTypeOfPuppet7 = sync.OnceValues(func() (pcore.Type, error) {
	defs, err := Define("builtin.pp", strings.Replace(builtinText, `[A-Z]\w*(?:::[A-Z]\w*)*`, `[A-Z][\w]*(?:::[A-Z][\w]*)*`, 1), nil)
	if err != nil {
		return nil, err
	}
	return defs.ResolveType("pcore::objecttype")
})
