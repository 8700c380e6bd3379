package pcore

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/ruby/literal"
)

// InitHash returns the attributes from which the object can be created again,
// by name: the attributes that differ from their defaults, in the order of the
// type. The defaults of an unknown type are not available; undef, an empty
// Array and an empty Hash count as defaults.
func (v *Object) InitHash() *Hash {
	var b HashBuilder
	t, ok := v.objectType()
	if !ok {
		for k, value := range v.Attributes().All() {
			if !isEmpty(value) {
				b.Set(k, value)
			}
		}
		return b.Hash()
	}
	all := t.allAttributes()
	for _, a := range all.list {
		value, ok := v.attrs.GetString(a.name)
		if ok && (a.value == nil || !Identical(a.value, value)) {
			b.SetString(a.name, value)
		}
	}
	return b.Hash()
}

func isEmpty(v Value) bool {
	switch v := v.(type) {
	case Undef:
		return true
	case *Array:
		return v.Len() == 0
	case *Hash:
		return v.Len() == 0
	default:
		return false
	}
}

// Arguments returns the serialized attributes, by name: the arguments of the
// constructor in its order, without trailing ones that have their default. For
// an object of unknown type, it returns all attributes.
func (v *Object) Arguments() *Hash {
	t, ok := v.objectType()
	if !ok {
		return v.Attributes()
	}
	attrs := t.initAttributes()
	values := make([]Value, len(attrs))
	last := 0
	for i, a := range attrs {
		values[i], ok = v.attribute(a.name)
		if !ok {
			values[i] = Undef{}
		}
		if a.value == nil || !Identical(values[i], a.value) {
			last = i + 1
		}
	}
	b := NewHashBuilder(last)
	for i, value := range values[:last] {
		b.SetString(attrs[i].name, value)
	}
	return b.Hash()
}

// Restore returns an object from its serialized attributes, by name. Missing
// attributes get their defaults. Like the reference implementation, it does not
// check the types of the values. An unknown name, and a missing attribute that
// has no default, are errors.
func (t *ObjectType) Restore(attrs *Hash) (*Object, error) {
	known := 0
	var b HashBuilder
	for _, a := range t.initAttributes() {
		v, given := attrs.GetString(a.name)
		switch {
		case given:
			known++
		case a.value == nil:
			return nil, fmt.Errorf("%s needs a value for the attribute %s", t.Name(), literal.Quote(a.name))
		default:
			v = a.value
		}
		b.SetString(a.name, v)
	}
	if known < attrs.Len() {
		return nil, fmt.Errorf("%s does not have all of these attributes", t.Name())
	}
	return &Object{typ: t, attrs: b.Hash()}, nil
}

// FormatObject returns the reference implementation's text of an Object or a
// Deferred: Name({...}) with the attributes that differ from their defaults.
// The values are in the notation of type parameters, which differs from the
// notation of the language for values of rich types. Only the types of secrets
// are shown.
func FormatObject(v Value) string {
	var f typeFormatter
	f.value(v)
	return string(f.b)
}
