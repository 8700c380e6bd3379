package native

import (
	"fmt"
	"reflect"

	"github.com/pcatdev/pcat/pcore"
)

// valuePlan converts a type of package pcore to itself.
type valuePlan struct{ goType reflect.Type }

func (p *valuePlan) marshal(_ *encoder, v reflect.Value) (pcore.Value, error) {
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
		return pcore.Undef{}, nil
	}
	return v.Interface().(pcore.Value), nil
}

func (p *valuePlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	from := reflect.ValueOf(v)
	switch {
	case from.Type().AssignableTo(p.goType):
		dst.Set(from)
	case pcore.Is[pcore.Undef](v) && (dst.Kind() == reflect.Pointer || dst.Kind() == reflect.Interface):
		dst.SetZero()
	default:
		return misfit(v, p.goType)
	}
	return nil
}

// describe returns the type of a zero value, which is the type without
// parameters.
func (p *valuePlan) describe(*typer) (pcore.Type, error) {
	switch p.goType {
	case reflect.TypeFor[pcore.Value]():
		return pcore.AnyType{}, nil
	case reflect.TypeFor[pcore.Type]():
		return optional(&pcore.TypeType{}), nil
	}
	if p.goType.Implements(reflect.TypeFor[pcore.Type]()) {
		return p.nullable(&pcore.TypeType{}), nil
	}
	switch reflect.Zero(p.goType).Interface().(pcore.Value).(type) {
	case pcore.Undef:
		return pcore.UndefType{}, nil
	case pcore.Default:
		return pcore.DefaultType{}, nil
	case pcore.Boolean:
		return &pcore.BooleanType{}, nil
	case pcore.Integer, pcore.BigInteger:
		return &pcore.IntegerType{}, nil
	case pcore.Float:
		return &pcore.FloatType{}, nil
	case pcore.String:
		return &pcore.StringType{}, nil
	case pcore.Symbol:
		return pcore.AnyType{}, nil // no type has Symbols among its instances
	case *pcore.Regexp:
		return p.nullable(&pcore.RegexpType{}), nil
	case pcore.Binary:
		return pcore.BinaryType{}, nil
	case pcore.Timestamp:
		return &pcore.TimestampType{}, nil
	case pcore.Timespan:
		return &pcore.TimespanType{}, nil
	case *pcore.SemVer:
		return p.nullable(&pcore.SemVerType{}), nil
	case *pcore.SemVerRange:
		return p.nullable(pcore.SemVerRangeType{}), nil
	case *pcore.URI:
		return p.nullable(&pcore.URIType{}), nil
	case *pcore.Array:
		return p.nullable(pcore.NewArrayType(nil, nil)), nil
	case *pcore.Hash:
		return p.nullable(pcore.NewHashType(nil, nil, nil)), nil
	case *pcore.Sensitive:
		return p.nullable(pcore.NewSensitiveType(nil)), nil
	case *pcore.Deferred:
		return p.nullable(pcore.DeferredType()), nil
	case *pcore.Object:
		return p.nullable(&pcore.ObjectType{}), nil
	case *pcore.Iterator:
		return p.nullable(&pcore.IteratorType{}), nil
	case pcore.Type:
		return p.nullable(&pcore.TypeType{}), nil
	default:
		return pcore.AnyType{}, nil
	}
}

// nullable returns t for the values of a pointer, which may be nil.
func (p *valuePlan) nullable(t pcore.Type) pcore.Type {
	if p.goType.Kind() == reflect.Pointer {
		return optional(t)
	}
	return t
}

// interfacePlan converts the content of an interface.
type interfacePlan struct{ goType reflect.Type }

func (p interfacePlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	if v.IsNil() {
		return pcore.Undef{}, nil
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	content := v.Elem()
	c, err := e.codec.planOf(content.Type())
	if err != nil {
		return nil, err
	}
	value, err := c.plan.marshal(e, content)
	e.leave()
	return value, err
}

func (p interfacePlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	if pcore.Is[pcore.Undef](v) {
		dst.SetZero()
		return nil
	}
	content, err := d.codec.natural(d, v)
	if err != nil {
		return err
	}
	from := reflect.ValueOf(content)
	if pointer := reflect.PointerTo(from.Type()); !from.Type().AssignableTo(p.goType) && pointer.AssignableTo(p.goType) {
		from = addressed(from)
	}
	if !from.Type().AssignableTo(p.goType) {
		return misfit(v, p.goType)
	}
	dst.Set(from)
	return nil
}

func (interfacePlan) describe(*typer) (pcore.Type, error) { return pcore.AnyType{}, nil }

// natural returns v as the Go value that an interface without methods gets.
func (c *Codec) natural(d *decoder, v pcore.Value) (any, error) {
	switch v := v.(type) {
	case pcore.Undef:
		return nil, nil //nolint:nilnil // nil is undef in Go
	case pcore.Boolean:
		return bool(v), nil
	case pcore.Integer:
		return int64(v), nil
	case pcore.BigInteger:
		return v.Big(), nil
	case pcore.Float:
		return float64(v), nil
	case pcore.String:
		return string(v), nil
	case pcore.Binary:
		return v.Bytes(), nil
	case pcore.Timestamp:
		return v.Time(), nil
	case pcore.Timespan:
		if d, ok := duration(v); ok {
			return d, nil
		}
		return v, nil
	case *pcore.Array:
		return c.naturalSlice(d, v)
	case *pcore.Hash:
		return c.naturalMap(d, v)
	case *pcore.Object:
		return c.naturalObject(d, v)
	default:
		return v, nil
	}
}

func (c *Codec) naturalSlice(d *decoder, a *pcore.Array) (any, error) {
	elems := make([]any, a.Len())
	for i, v := range a.All() {
		var err error
		if elems[i], err = c.natural(d, v); err != nil {
			return nil, under(err, pcore.Step{Kind: pcore.StepIndex, Index: i})
		}
	}
	return elems, nil
}

func (c *Codec) naturalMap(d *decoder, h *pcore.Hash) (any, error) {
	entries := make(map[string]any, h.Len())
	for k, v := range h.All() {
		name, ok := k.(pcore.String)
		if !ok {
			return h, nil
		}
		content, err := c.natural(d, v)
		if err != nil {
			return nil, under(err, entryStep(k))
		}
		entries[string(name)] = content
	}
	return entries, nil
}

func (c *Codec) naturalObject(d *decoder, o *pcore.Object) (any, error) {
	goType, ok := c.objects[o.TypeName()]
	if !ok {
		return o, nil
	}
	p, err := c.planOf(goType)
	if err != nil {
		return nil, err
	}
	v := reflect.New(goType).Elem()
	if err := p.plan.unmarshal(d, o, v); err != nil {
		return nil, err
	}
	return v.Interface(), nil
}

// objectPlan converts a struct to an Object and back.
type objectPlan struct {
	*structPlan
	object *pcore.ObjectType
}

func (b *builder) objectPlan(t reflect.Type, object *pcore.ObjectType) (plan, error) {
	if t.Kind() != reflect.Struct {
		return nil, &Error{Err: fmt.Errorf("%s is not a struct, and cannot be %s", t, object.Name())}
	}
	fields, err := b.structPlan(t)
	if err != nil {
		return nil, err
	}
	init := object.InitType()
	for _, f := range fields.fields {
		if _, ok := init.Element(f.name); !ok {
			return nil, under(&Error{Err: fmt.Errorf("%s has no such attribute", object.Name())}, entryStep(f.key))
		}
	}
	for _, e := range init.Elements() {
		if _, ok := fields.byName[e.Name()]; !ok && !e.Optional() {
			return nil, under(&Error{Err: fmt.Errorf("%s has no field for the attribute of %s", t, object.Name())}, entryStep(pcore.String(e.Name())))
		}
	}
	return &objectPlan{fields, object}, nil
}

func (p *objectPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	attributes, err := p.structPlan.marshal(e, v)
	if err != nil {
		return nil, err
	}
	o, err := p.object.NewByName(attributes.(*pcore.Hash))
	if err != nil {
		return nil, &Error{Err: err}
	}
	return o, nil
}

func (p *objectPlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	o, ok := v.(*pcore.Object)
	if !ok || !p.isInstance(o) {
		return misfit(v, p.goType)
	}
	for i := range p.fields {
		f := &p.fields[i]
		attribute, ok := o.Get(f.name)
		if !ok {
			continue
		}
		if err := f.plan.unmarshal(d, attribute, f.settable(dst)); err != nil {
			return under(err, pcore.Step{Kind: pcore.StepAttribute, Key: f.key})
		}
	}
	return nil
}

// isInstance reports whether o is an object of the type, which a decoder may
// only know by name.
func (p *objectPlan) isInstance(o *pcore.Object) bool {
	return pcore.Contains(p.object, o) || o.TypeName() == p.object.Name()
}

func (p *objectPlan) describe(*typer) (pcore.Type, error) { return p.object, nil }
