package typeexpr

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/syntax"
)

// Library is types whose definitions are completed when they are first asked
// for, as the reference does: a definition that nobody uses may be wrong, and
// the types of a TypeSet are known once the TypeSet itself was asked for. It is
// a [Resolver], safe for concurrent use.
type Library struct {
	mu sync.Mutex
	d  *definer
}

// Source finds the definition of a type by its name in lower case, its segments
// joined by `::`, and the text in which it stands. For a name that nobody
// defines it returns [ErrUnknownType].
type Source func(name string) (*syntax.TypeAlias, *syntax.Locator, error)

// NewLibrary returns the Library of the types that source finds; nil finds
// none. They may refer to each other, and to what outer knows.
func NewLibrary(source Source, outer Resolver) *Library {
	d := newDefiner(outer)
	if source != nil {
		d.missing = func(name string) (*declaration, error) {
			def, loc, err := source(name)
			if err != nil {
				return nil, err
			}
			return &declaration{name: def.Name, expr: def.Type, loc: loc}, nil
		}
	}
	return &Library{d: d}
}

// Declare adds a definition, which stands in loc. It is an error when the
// language or the Library has a type of the name.
func (l *Library) Declare(def *syntax.TypeAlias, loc *syntax.Locator) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	decl := &declaration{name: def.Name, expr: def.Type, loc: loc}
	if _, err := builtinType(strings.ToLower(def.Name)); !errors.Is(err, ErrUnknownType) {
		return decl.fail(fmt.Errorf("%w: the language has a type %s", ErrDefinition, def.Name))
	}
	return l.d.declare(decl)
}

// ResolveType returns a type by its name. A definition that is wrong is an error
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

// undo makes the definitions that were begun pending again: all of them may
// refer to the one that is wrong.
func (d *definer) undo() {
	for _, decl := range d.begun {
		key := strings.ToLower(decl.name)
		delete(d.done, key)
		d.pending[key] = decl
	}
}
