package typeexpr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// setScope resolves names inside a TypeSet: first among its types, then in the
// TypeSets that it references, then outside.
type setScope struct {
	set        string
	members    map[string]bool
	references map[string]string // maps aliases to names of TypeSets, in lower case
	outer      Resolver
}

func (s *setScope) ResolveType(name string) (pcore.Type, error) {
	if s.members[name] {
		return s.outer.ResolveType(s.set + "::" + name)
	}
	alias, rest, nested := strings.Cut(name, "::")
	set, ok := s.references[alias]
	switch {
	case !ok:
		return s.outer.ResolveType(name)
	case !nested:
		return s.outer.ResolveType(set)
	default:
		return s.outer.ResolveType(set + "::" + rest)
	}
}

// declareMembers registers the types of a TypeSet, such as My::Set::Car.
func (d *definer) declareMembers(set *declaration, init syntax.Expr) error {
	scope := &setScope{
		set: strings.ToLower(set.name), members: make(map[string]bool), references: make(map[string]string), outer: d,
	}
	for _, e := range memberEntries(init, "references") {
		if spec, ok := e.Value.(*syntax.Hash); ok {
			for _, m := range spec.Entries {
				if v, ok := literal(m.Value); ok && entryName(m.Key) == "name" {
					text, _ := v.(pcore.String)
					scope.references[strings.ToLower(entryName(e.Key))] = strings.ToLower(string(text))
				}
			}
		}
	}
	for _, e := range memberEntries(init, "types") {
		name := entryName(e.Key)
		scope.members[strings.ToLower(name)] = true
		member := &declaration{name: set.name + "::" + name, expr: e.Value, loc: set.loc, within: scope}
		if err := d.declare(member); err != nil {
			return err
		}
		if err := d.open(member); err != nil {
			return err
		}
	}
	return nil
}

// memberEntries returns the entries of the hash that is the value of a key in
// another hash.
func memberEntries(init syntax.Expr, name string) []*syntax.KeyedEntry {
	h, ok := init.(*syntax.Hash)
	if !ok {
		return nil
	}
	for _, e := range h.Entries {
		if inner, ok := e.Value.(*syntax.Hash); ok && entryName(e.Key) == name {
			return inner.Entries
		}
	}
	return nil
}

// entryName returns the key of an entry, a string or a name.
func entryName(e syntax.Expr) string {
	if r, ok := e.(*syntax.QualifiedReference); ok {
		return r.Name
	}
	v, _ := literal(e)
	s, _ := v.(pcore.String)
	return string(s)
}

// declareTypeSet completes a TypeSet with its types, which are declared
// separately.
func (in *interpreter) declareTypeSet(
	name string, e syntax.Expr, declare func(*pcore.Hash, func(string) (*pcore.TypeSetType, error)) error,
) error {
	h, ok := e.(*syntax.Hash)
	if !ok {
		return in.fail(e, fmt.Errorf("%w: a TypeSet is declared by a Hash", errDefinition))
	}
	var b pcore.HashBuilder
	for _, entry := range h.Entries {
		key := entryName(entry.Key)
		v, err := in.setMember(name, key, entry.Value)
		if err != nil {
			return err
		}
		b.SetString(key, v)
	}
	err := declare(b.Hash(), func(set string) (*pcore.TypeSetType, error) {
		t, err := Named(set, in.resolver)
		if err != nil {
			return nil, err
		}
		found, ok := t.(*pcore.TypeSetType)
		if !ok {
			return nil, fmt.Errorf("%w: %s is no TypeSet", errDefinition, set)
		}
		return found, nil
	})
	if err != nil {
		return in.fail(e, err)
	}
	return nil
}

func (in *interpreter) setMember(set, key string, e syntax.Expr) (pcore.Value, error) {
	inner, ok := e.(*syntax.Hash)
	if !ok || key != "types" && key != "references" {
		return in.value(e)
	}
	var b pcore.HashBuilder
	for _, entry := range inner.Entries {
		name := entryName(entry.Key)
		v, err := in.setEntry(set, key, name, entry.Value)
		if err != nil {
			return nil, err
		}
		b.SetString(name, v)
	}
	return b.Hash(), nil
}

func (in *interpreter) setEntry(set, key, name string, e syntax.Expr) (pcore.Value, error) {
	if key == "references" {
		return in.value(e)
	}
	t, err := Named(set+"::"+name, in.resolver)
	if errors.Is(err, ErrUnknownType) {
		return in.value(e)
	}
	return t, err
}
