package pcore

import "strings"

// containsObject reports whether v is an object of type t or of a subtype.
func (t *ObjectType) containsObject(v Value) bool {
	if _, ok := v.(Type); ok { // compare the names before creating a meta type
		switch {
		case t.isDefault():
			return true
		case !strings.HasPrefix(t.name, metaPrefix):
			return false
		}
	}
	typ, ok := objectTypeOf(v)
	return ok && t.acceptsObjectType(typ)
}

// objectTypeOf returns the Object type of v. A type is an object, too: an
// instance of its meta type, such as Pcore::IntegerType, which has no parent
// here.
func objectTypeOf(v Value) (Type, bool) {
	switch v := v.(type) {
	case *Deferred:
		return DeferredType(), true
	case *Object:
		switch v.typ.(type) {
		case *ObjectType, *ObjectTypeExtension:
			return v.typ, true
		}
	case Type:
		return metaType(v), true
	default:
	}
	return nil, false
}

// metaType returns the type of which t is an instance.
func metaType(t Type) *ObjectType { return &ObjectType{name: MetaName(t)} }

func (t *ObjectType) acceptsObjectType(u Type) bool {
	if x, ok := u.(*ObjectTypeExtension); ok {
		u = x.base
	}
	o, ok := u.(*ObjectType)
	if !ok {
		return false
	}
	if t.isDefault() {
		return true
	}
	for ; o != nil; o = o.parentObject() {
		if equalObjectTypes(t, o) {
			return true
		}
	}
	return false
}

func (t *ObjectTypeExtension) containsObject(v Value) bool {
	if !t.base.containsObject(v) {
		return false
	}
	o, ok := v.(*Object)
	if !ok {
		return false
	}
	for name, p := range t.params.All() {
		s, _ := name.(String)
		attr, ok := o.attribute(string(s))
		if !ok || !Match(p, attr) {
			return false
		}
	}
	return true
}

func (t *ObjectTypeExtension) acceptsObjectType(u Type) bool {
	if !t.base.acceptsObjectType(u) {
		return false
	}
	x, ok := u.(*ObjectTypeExtension)
	if !ok {
		return t.params.Len() == 0
	}
	return acceptsParameters(t.params, x.params)
}
