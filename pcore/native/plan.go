package native

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// plan converts the values of one Go type. It is immutable, and made once for
// each type.
type plan interface {
	marshal(e *encoder, v reflect.Value) (pcore.Value, error)
	// unmarshal stores v in dst, which can be set.
	unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error
	// describe returns the type of the results of marshal.
	describe(t *typer) (pcore.Type, error)
}

// cached is the knowledge of a Codec about a Go type.
type cached struct {
	plan plan
	// described returns the type of the language.
	described func() (pcore.Type, error)
	// size is the size of the last result of Marshal, which the next one often
	// has, too.
	size atomic.Pointer[pcore.SlabSize]
}

// maxDepth is the nesting depth above which a Go value counts as cyclic.
const maxDepth = 10_000

// encoder is the state of one call of Marshal.
type encoder struct {
	codec *Codec
	slab  pcore.Slab
	// stack and entries contain the parts of the containers that are being
	// built.
	stack   []pcore.Value
	entries []pcore.Entry
	depth   int
}

// reset prepares e for another call. The results must not share memory with
// later ones, nor stay reachable.
func (e *encoder) reset() {
	e.slab, e.depth = pcore.Slab{}, 0
	e.stack, e.entries = emptied(e.stack), emptied(e.entries)
}

// emptied returns scratch memory for a later call.
func emptied[T any](s []T) []T {
	if cap(s) > maxScratch {
		return nil
	}
	clear(s[:cap(s)])
	return s[:0]
}

// maxScratch is the number of values for which scratch memory is kept.
const maxScratch = 1024

func (e *encoder) enter() error {
	if e.depth++; e.depth > maxDepth {
		return &Error{Err: errors.New("the value contains itself, or is nested too deeply")}
	}
	return nil
}

func (e *encoder) leave() { e.depth-- }

// decoder is the state of one call of Unmarshal.
type decoder struct{ codec *Codec }

// planOf returns the plan for a Go type, which it makes on first use.
func (c *Codec) planOf(t reflect.Type) (*cached, error) {
	if p, ok := c.plans.Load(t); ok {
		return p.(*cached), nil
	}
	b := builder{codec: c, open: map[reflect.Type]*later{}}
	if _, err := b.plan(t); err != nil {
		return nil, err
	}
	// Only now are all plans complete that refer to each other.
	for of, l := range b.open {
		c.plans.LoadOrStore(of, &cached{plan: l.plan, described: sync.OnceValues(func() (pcore.Type, error) {
			return newTyper().of(of, l.plan)
		})})
	}
	p, _ := c.plans.Load(t)
	return p.(*cached), nil
}

// builder makes the plans of a Go type and of the types in it.
type builder struct {
	codec *Codec
	open  map[reflect.Type]*later
}

// later is a plan that may not be complete yet, for a type that contains
// itself.
type later struct{ plan plan }

func (l *later) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	return l.plan.marshal(e, v)
}

func (l *later) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	return l.plan.unmarshal(d, v, dst)
}

func (l *later) describe(t *typer) (pcore.Type, error) { return l.plan.describe(t) }

func (b *builder) plan(t reflect.Type) (plan, error) {
	if p, ok := b.codec.plans.Load(t); ok {
		return p.(*cached).plan, nil
	}
	if l, ok := b.open[t]; ok {
		if l.plan != nil {
			return l.plan, nil
		}
		return l, nil
	}
	l := &later{}
	b.open[t] = l
	p, err := b.build(t)
	l.plan = p
	return p, err
}

// build returns a new plan for t.
func (b *builder) build(t reflect.Type) (plan, error) {
	if p, ok := richPlan(t); ok {
		return p, nil
	}
	if isValue(t) {
		return &valuePlan{t}, nil
	}
	if t.Kind() != reflect.Pointer && isValue(reflect.PointerTo(t)) {
		return nil, unsupported(t, "use *"+t.String())
	}
	if s, ok := reflect.Zero(t).Interface().(sealed); ok && isOurs(t.PkgPath()) {
		content, err := b.plan(s.contentType())
		return &secretPlan{t, s.contentType(), content}, err
	}
	if object, ok := b.codec.options.Objects[t]; ok {
		return b.objectPlan(t, object)
	}
	if t.Kind() == reflect.Struct {
		if err := checkEmbedded(t); err != nil {
			return nil, err
		}
	}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		if p, ok := b.methodPlan(t); ok {
			return p, nil
		}
	}
	return b.byKind(t)
}

func (b *builder) byKind(t reflect.Type) (plan, error) {
	switch t.Kind() {
	case reflect.Bool:
		return boolPlan{t}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return intPlan{t}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return uintPlan{t}, nil
	case reflect.Float32, reflect.Float64:
		return floatPlan{t}, nil
	case reflect.String:
		return stringPlan{t}, nil
	case reflect.Pointer:
		elem, err := b.plan(t.Elem())
		return &pointerPlan{t, elem}, err
	case reflect.Interface:
		return interfacePlan{t}, nil
	case reflect.Slice, reflect.Array:
		elem, err := b.plan(t.Elem())
		if err != nil {
			return nil, err
		}
		if _, plain := elem.(uintPlan); plain && t.Elem().Kind() == reflect.Uint8 {
			return bytesPlan{t}, nil
		}
		if t.Kind() == reflect.Array {
			return &arrayPlan{t, elem}, nil
		}
		return &slicePlan{t, elem}, nil
	case reflect.Map:
		key, err := b.plan(t.Key())
		if err != nil {
			return nil, err
		}
		elem, err := b.plan(t.Elem())
		return &mapPlan{t, key, elem}, err
	case reflect.Struct:
		return b.structPlan(t)
	default:
		return nil, unsupported(t, "exclude it with the tag `pcore:\"-\"`")
	}
}

func unsupported(t reflect.Type, remedy string) error {
	return &Error{Err: fmt.Errorf("there is no Puppet type for %s; %s", t, remedy)}
}

// isOurs reports whether a Go type, or a field, belongs to this package.
func isOurs(path string) bool { return path == reflect.TypeFor[Error]().PkgPath() }

// isValue reports whether t is a type of package pcore that is a Value.
func isValue(t reflect.Type) bool {
	named, value := t, reflect.TypeFor[pcore.Value]()
	if t.Kind() == reflect.Pointer {
		named = t.Elem()
		if named.Implements(value) {
			return false // such as *pcore.Binary
		}
	}
	return named.PkgPath() == value.PkgPath() && t.Implements(value)
}

// richPlan returns the plan of a type of another package that Puppet has, too.
func richPlan(t reflect.Type) (plan, bool) {
	switch t {
	case reflect.TypeFor[time.Time]():
		return timePlan{}, true
	case reflect.TypeFor[time.Duration]():
		return durationPlan{}, true
	case reflect.TypeFor[big.Int]():
		return bigPlan{}, true
	case reflect.TypeFor[url.URL]():
		return urlPlan{}, true
	case reflect.TypeFor[*regexp.Regexp]():
		return regexpPlan{}, true
	}
	return nil, false
}

// methodPlan returns the plan of a type with methods of its own. A direction
// without a method is converted by the kind of the type.
func (b *builder) methodPlan(t reflect.Type) (plan, bool) {
	p := &methodPlan{goType: t}
	pointer := reflect.PointerTo(t)
	p.marshaler = pointer.Implements(reflect.TypeFor[Marshaler]())
	p.unmarshaler = pointer.Implements(reflect.TypeFor[Unmarshaler]())
	p.textMarshaler = !p.marshaler && pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	p.textUnmarshaler = !p.unmarshaler && pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	p.typer = pointer.Implements(reflect.TypeFor[Typer]())
	marshals := p.marshaler || p.textMarshaler
	if !marshals && !p.unmarshaler && !p.textUnmarshaler && !p.typer {
		return nil, false
	}
	if !marshals || !p.unmarshaler && !p.textUnmarshaler {
		inner := builder{codec: b.codec, open: maps.Clone(b.open)}
		p.plain, p.plainErr = inner.byKind(t)
		if p.plainErr == nil {
			b.open = inner.open
		}
	}
	return p, true
}

// checkEmbedded rejects an embedded secret, whose methods would make the outer
// struct a text.
func checkEmbedded(t reflect.Type) error {
	for i := range t.NumField() {
		f := t.Field(i)
		_, isSecret := reflect.Zero(f.Type).Interface().(sealed)
		if f.Anonymous && (isSecret || f.Type == reflect.TypeFor[*pcore.Sensitive]()) {
			return &Error{Err: fmt.Errorf("%s embeds a secret; give the field a name", t)}
		}
	}
	return nil
}

// typer describes Go types. It makes an alias for one that contains itself.
type typer struct{ open map[reflect.Type]*openType }

type openType struct {
	alias   *pcore.TypeAliasType
	resolve func(pcore.Type) error
}

func newTyper() *typer { return &typer{map[reflect.Type]*openType{}} }

// of returns the type of the language for a Go type with the given plan.
func (t *typer) of(goType reflect.Type, p plan) (pcore.Type, error) {
	if goType.Name() == "" { // such a type cannot contain itself without a named one
		return p.describe(t)
	}
	if o, ok := t.open[goType]; ok {
		if o.alias == nil {
			o.alias, o.resolve = pcore.NewTypeAliasType(aliasName(goType))
		}
		return o.alias, nil
	}
	o := &openType{}
	t.open[goType] = o
	defer delete(t.open, goType)
	described, err := p.describe(t)
	if err != nil || o.alias == nil {
		return described, err
	}
	if err := o.resolve(described); err != nil {
		return nil, &Error{Err: fmt.Errorf("%s: %w", goType, err)}
	}
	return o.alias, nil
}

// aliasName returns the name of a Go type as Puppet spells type names.
func aliasName(t reflect.Type) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return -1
	}, t.Name())
	name = strings.TrimLeft(name, "_0123456789")
	if name == "" {
		return "T"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
