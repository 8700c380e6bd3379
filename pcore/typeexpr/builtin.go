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
