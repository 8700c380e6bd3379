package typeexpr

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// errDefinition is wrapped by errors about texts that should contain only type
// definitions.
var errDefinition = errors.New("not a definition of a type")

// Definitions are the types that a text defines, such as `type My::Port =
// Integer[1, 65535]`. It is a [Resolver], and safe for concurrent use.
type Definitions struct{ types map[string]pcore.Type }

// Define parses the type definitions in a text. They may refer to each other,
// and to types of outer. Any other statement is an error. file is the name of
// the text in errors.
func Define(file, text string, outer Resolver) (*Definitions, error) {
	program, err := syntax.ParseProgram(file, text)
	if err != nil {
		return nil, err
	}
	defs := make([]*syntax.TypeAlias, 0, len(program.Body.Statements))
	for _, s := range program.Body.Statements {
		def, ok := s.(*syntax.TypeAlias)
		if !ok {
			return nil, (&interpreter{loc: program.Locator}).fail(s, errDefinition)
		}
		defs = append(defs, def)
	}
	return defineAll(defs, program.Locator, outer)
}

// defineAll is Define for definitions that are part of a larger program. loc is
// the locator of the program.
func defineAll(defs []*syntax.TypeAlias, loc *syntax.Locator, outer Resolver) (*Definitions, error) {
	d := newDefiner(outer)
	var order []*declaration
	for _, def := range defs {
		decl := &declaration{name: def.Name, expr: def.Type, loc: loc}
		if err := d.declare(decl); err != nil {
			return nil, err
		}
		if err := d.open(decl); err != nil {
			return nil, err
		}
		order = append(order, decl)
	}
	for _, decl := range order {
		if _, err := d.ResolveType(strings.ToLower(decl.name)); err != nil {
			return nil, err
		}
	}
	return &Definitions{d.done}, nil
}

// declare registers a definition.
func (d *definer) declare(decl *declaration) error {
	key := strings.ToLower(decl.name)
	if _, twice := d.pending[key]; twice || d.done[key] != nil {
		return decl.fail(fmt.Errorf("%w: the type %s is defined already", errDefinition, decl.name))
	}
	if _, ok := pcore.BuiltinType(key); ok || resourceType(key) != "" {
		return decl.fail(fmt.Errorf("%w: the language has a type %s", errDefinition, decl.name))
	}
	d.pending[key] = decl
	return nil
}

// open registers the definitions inside a TypeSet.
func (d *definer) open(decl *declaration) error {
	init, ok := initOf(decl.expr, "TypeSet")
	if !ok || decl.opened {
		return nil
	}
	decl.opened = true
	return d.declareMembers(decl, init)
}

// ResolveType returns a defined type by its lower-case name.
func (d *Definitions) ResolveType(name string) (pcore.Type, error) {
	if t, ok := d.types[name]; ok {
		return t, nil
	}
	return nil, ErrUnknownType
}

// Names returns the sorted lower-case names of the types.
func (d *Definitions) Names() []string { return slices.Sorted(maps.Keys(d.types)) }

// definer completes definitions on first use. While a type is being completed,
// it is available in its incomplete form, so that types can refer to themselves
// and to each other.
type definer struct {
	outer   Resolver
	pending map[string]*declaration
	done    map[string]pcore.Type
	// missing looks up the definition of a name that is neither pending nor
	// done; it may be nil.
	missing func(name string) (*declaration, error)
	// begun are the definitions whose completion has begun since it was last
	// emptied.
	begun []*declaration
}

func newDefiner(outer Resolver) *definer {
	return &definer{outer: outer, pending: make(map[string]*declaration), done: make(map[string]pcore.Type)}
}

func (d *definer) ResolveType(name string) (pcore.Type, error) {
	if t, ok := d.done[name]; ok {
		return t, nil
	}
	decl, err := d.find(name)
	switch {
	case err == nil:
	case !errors.Is(err, ErrUnknownType) || d.outer == nil:
		return nil, err
	default:
		return d.outer.ResolveType(name)
	}
	if err := d.open(decl); err != nil {
		return nil, err
	}
	delete(d.pending, name)
	d.begun = append(d.begun, decl)
	in := interpreter{loc: decl.loc, resolver: d}
	if decl.within != nil {
		in.resolver = decl.within
	}
	t, complete := decl.begin(&in)
	d.done[name] = t
	return t, complete()
}

// find returns the definition of a name.
func (d *definer) find(name string) (*declaration, error) {
	if decl, ok := d.pending[name]; ok {
		return decl, nil
	}
	if d.missing == nil {
		return nil, ErrUnknownType
	}
	decl, err := d.missing(name)
	if errors.Is(err, ErrUnknownType) {
		return d.findMember(name)
	}
	return decl, err
}

// findMember searches the TypeSets that could contain a name.
func (d *definer) findMember(name string) (*declaration, error) {
	set := name
	for i := strings.LastIndex(set, "::"); i > 0; i = strings.LastIndex(set, "::") {
		set = set[:i]
		if d.done[set] == nil && d.pending[set] == nil {
			decl, err := d.missing(set)
			if errors.Is(err, ErrUnknownType) {
				continue
			}
			if err != nil {
				return nil, err
			}
			d.pending[set] = decl
			if err := d.open(decl); err != nil {
				return nil, err
			}
		}
		if decl, ok := d.pending[name]; ok {
			return decl, nil
		}
	}
	return nil, ErrUnknownType
}

// declaration is a name and the expression that defines it.
type declaration struct {
	name   string
	expr   syntax.Expr
	loc    *syntax.Locator
	within *setScope // the scope of the enclosing TypeSet
	opened bool      // for a TypeSet: its members are declared
}

func (d *declaration) fail(err error) error { return newError(d.loc, d.expr, err) }

// begin returns the type, and a function that completes it.
func (d *declaration) begin(in *interpreter) (pcore.Type, func() error) {
	if h, ok := d.expr.(*syntax.Hash); ok { // the short form, in a TypeSet
		t, declare := pcore.DeclareObjectType(d.name)
		return t, func() error { return in.declareObject(h, declare) }
	}
	if init, ok := initOf(d.expr, "Object"); ok {
		t, declare := pcore.DeclareObjectType(d.name)
		return t, func() error { return in.declareObject(init, declare) }
	}
	if init, ok := initOf(d.expr, "TypeSet"); ok {
		t, declare := pcore.DeclareTypeSetType(d.name)
		return t, func() error { return in.declareTypeSet(d.name, init, declare) }
	}
	alias, resolve := pcore.NewTypeAliasType(d.name)
	return alias, func() error {
		t, err := in.typ(d.expr)
		if err != nil {
			return err
		}
		if err := resolve(pcore.Normalize(t)); err != nil {
			return in.fail(d.expr, err)
		}
		return nil
	}
}

func (d *declaration) complete(in *interpreter) (pcore.Type, error) {
	t, complete := d.begin(in)
	return t, complete()
}

// initOf returns the hash in Object[{…}] or TypeSet[{…}].
func initOf(e syntax.Expr, kind string) (syntax.Expr, bool) {
	a, ok := e.(*syntax.Access)
	if !ok || len(a.Keys) != 1 {
		return nil, false
	}
	left, ok := a.Left.(*syntax.QualifiedReference)
	return a.Keys[0], ok && left.Name == kind
}

func (in *interpreter) declareObject(e syntax.Expr, declare func(*pcore.Hash) error) error {
	v, err := in.value(e)
	if err != nil {
		return err
	}
	init, ok := v.(*pcore.Hash)
	if !ok {
		return in.fail(e, fmt.Errorf("%w: an Object type is declared by a Hash", errDefinition))
	}
	if err := declare(init); err != nil {
		return in.fail(e, err)
	}
	return nil
}
