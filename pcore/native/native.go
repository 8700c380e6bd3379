package native

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/pcatdev/pcat/pcore"
)

// Marshaler is implemented by a type that converts itself to a value of the
// language. An error of it about a [Secret] is not shown.
type Marshaler interface {
	MarshalPcore() (pcore.Value, error)
}

// Unmarshaler is implemented by a type that sets itself from a value of the
// language, which can be of any kind, including Undef and Sensitive. An error
// of it about a [Secret] is not shown.
type Unmarshaler interface {
	UnmarshalPcore(v pcore.Value) error
}

// Typer is implemented by a type that knows the Puppet type of its values, such
// as Enum['a', 'b'] for a Go type with a few constants. PcoreType is called for
// a zero value. The Puppet type of a [Marshaler] without it is Any.
type Typer interface {
	PcoreType() pcore.Type
}

// Marshal returns v as a value of the language. The error is an [*Error].
func Marshal(v any) (pcore.Value, error) { return standard.Marshal(v) }

// Unmarshal stores v in the Go value that dst points to. The error is an
// [*Error].
func Unmarshal(v pcore.Value, dst any) error { return standard.Unmarshal(v, dst) }

// TypeOf returns the type of the language that Marshal returns instances of for
// values of T. A Go type that contains itself becomes an alias with its name.
// NaN and Sensitives in an any excepted, the type accepts all results of
// Marshal. The error is an [*Error].
func TypeOf[T any]() (pcore.Type, error) { return standard.TypeOf(reflect.TypeFor[T]()) }

// standard is the Codec without options. It contains only what can be derived
// from Go types.
var standard = &Codec{}

// Options are the options of a [Codec]. The zero value is that of the functions
// of this package.
type Options struct {
	// Objects are the Object types of Go structs. The names of the fields are
	// the names of the attributes.
	Objects map[reflect.Type]*pcore.ObjectType
	// DisallowUnknownFields makes an entry without a field an error.
	DisallowUnknownFields bool
}

// Codec converts with options. The zero value has the zero Options. A Codec is
// safe for concurrent use.
type Codec struct {
	options Options
	objects map[string]reflect.Type // the Go types of Object types, by name
	plans   sync.Map                // of reflect.Type to *cached
	scratch sync.Pool               // of *encoder
}

// NewCodec returns a Codec with options. It is an error if a Go type is not a
// struct, or its fields do not fit the attributes of its Object type.
func NewCodec(o Options) (*Codec, error) {
	c := &Codec{options: o, objects: map[string]reflect.Type{}}
	for goType, t := range o.Objects {
		if other, ok := c.objects[t.Name()]; ok {
			return nil, fmt.Errorf("two Go types for %s: %s and %s", t.Name(), goType, other)
		}
		c.objects[t.Name()] = goType
	}
	for goType := range o.Objects {
		if _, err := c.planOf(goType); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Marshal is the function Marshal with the options of c.
func (c *Codec) Marshal(v any) (pcore.Value, error) {
	if v == nil {
		return pcore.Undef{}, nil
	}
	goType := reflect.TypeOf(v)
	p, err := c.planOf(goType)
	if err != nil {
		return nil, err
	}
	e, ok := c.scratch.Get().(*encoder)
	if !ok {
		e = &encoder{codec: c}
	}
	size := p.size.Load()
	if size != nil {
		e.slab.Expect(*size)
	}
	result, err := p.plan.marshal(e, reflect.ValueOf(v))
	if used := e.slab.Size(); size == nil || used != *size {
		p.size.Store(&used)
	}
	e.reset()
	c.scratch.Put(e)
	return result, err
}

// Unmarshal is the function Unmarshal with the options of c.
func (c *Codec) Unmarshal(v pcore.Value, dst any) error {
	to := reflect.ValueOf(dst)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return &Error{Err: fmt.Errorf("cannot unmarshal into %T; pass a pointer", dst)}
	}
	p, err := c.planOf(to.Type().Elem())
	if err != nil {
		return err
	}
	if v == nil {
		v = pcore.Undef{}
	}
	return p.plan.unmarshal(&decoder{codec: c}, v, to.Elem())
}

// TypeOf is the function TypeOf with the options of c.
func (c *Codec) TypeOf(t reflect.Type) (pcore.Type, error) {
	p, err := c.planOf(t)
	if err != nil {
		return nil, err
	}
	return p.described()
}
