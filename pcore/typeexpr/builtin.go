package typeexpr

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
)

//go:embed builtin.pp
var builtinText string

// builtins are the definitions, read when the first of them is asked for.
//
//nolint:gochecknoglobals // a constant that takes reading
var builtins struct {
	once sync.Once
	defs *Definitions
	err  error
}

// builtinType returns one of the types that Puppet defines itself.
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
