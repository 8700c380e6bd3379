package typeexpr

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// Library is a set of types whose definitions are completed on first use, as in
// the reference: an unused definition may be invalid, and the types of a
// TypeSet are known after the TypeSet itself is used. It is a [Resolver], and
// safe for concurrent use.
type Library struct {
	mu sync.Mutex
	d  *definer
}

// Definition is a parsed definition, `type NAME = …`. The zero value defines nothing;
// package eval makes others.
type Definition struct {
	alias *syntax.TypeAlias
	loc   *syntax.Locator
}

// NewDefinition returns a Definition from its tree and the locator of its text.
func NewDefinition(alias *syntax.TypeAlias, loc *syntax.Locator) Definition {
	return Definition{alias, loc}
}

func (def Definition) declaration() *declaration {
	return &declaration{name: def.alias.Name, expr: def.alias.Type, loc: def.loc}
}

// Source finds the definition of a type by its lower-case name, whose segments
// are joined by `::`. For an unknown name it returns [ErrUnknownType].
type Source func(name string) (Definition, error)

// NewLibrary returns the Library of the types that source finds; source may be
// nil. The types may refer to each other, and to types of outer.
func NewLibrary(source Source, outer Resolver) *Library {
	d := newDefiner(outer)
	if source != nil {
		d.missing = func(name string) (*declaration, error) {
			def, err := source(name)
			if err != nil {
				return nil, err
			}
			return def.declaration(), nil
		}
	}
	return &Library{d: d}
}

// Declare adds a definition. It is an error if the language or the Library
// already has a type of that name.
func (l *Library) Declare(def Definition) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	decl := def.declaration()
	if _, err := builtinType(strings.ToLower(decl.name)); !errors.Is(err, ErrUnknownType) {
		return decl.fail(fmt.Errorf("%w: the language has a type %s", errDefinition, decl.name))
	}
	return l.d.declare(decl)
}

// ResolveType returns a type by its name. An invalid definition is an error
// each time.
func (l *Library) ResolveType(name string) (pcore.Type, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.d.begun = l.d.begun[:0]
	t, err := l.d.ResolveType(name)
	if err != nil {
		l.d.undo()
		return nil, err
	}
	return t, nil
}

// undo makes the definitions that were begun pending again: any of them may
// refer to the invalid one.
func (d *definer) undo() {
	for _, decl := range d.begun {
		key := strings.ToLower(decl.name)
		delete(d.done, key)
		d.pending[key] = decl
	}
}
