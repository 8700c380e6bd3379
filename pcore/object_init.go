package pcore

import "fmt"

// InitHash returns the attributes by name of which the object can be made
// again: those that are not as by default, in the order in which the type
// declares them. Nobody knows the defaults of a type that is not known; undef,
// an empty Array and an empty Hash are taken for them.
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

// Arguments returns the attributes by name in the order in which the
// constructor takes them, without those at the end that are as by default: this
// is what is written of an object. Of an object whose type is not known, it is
// all attributes.
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

// Restore returns the object of which attrs were written, by name. Attributes
// that are missing get their defaults. As in the reference, nothing checks that
// the values are of the types of their attributes; a name that the type does
// not have, and an attribute that is missing and has no default, are errors.
func (t *ObjectType) Restore(attrs *Hash) (*Object, error) {
	known := 0
	var b HashBuilder
	for _, a := range t.initAttributes() {
		v, given := attrs.GetString(a.name)
		switch {
		case given:
			known++
		case a.value == nil:
			return nil, fmt.Errorf("%s needs a value for the attribute %s", t.Name(), Quote(a.name))
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

// FormatObject returns the text that the reference makes of an Object or a
// Deferred, Name({...}) with the attributes that are not as by default. Their
// values are in the notation of types, which is not that of the language for
// values of rich types; secrets are told by their type only.
func FormatObject(v Value) string {
	var f typeFormatter
	f.value(v)
	return string(f.b)
}
