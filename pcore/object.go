package pcore

// Object is an instance of an Object type. Its type is an *ObjectType or an
// *ObjectTypeExtension if it is known. Otherwise it is a *TypeReferenceType,
// and the object keeps its attributes as read, so that it is written back
// unchanged.
type Object struct {
	typ   Type
	attrs *Hash
}

// NewObject returns an instance of typ with the given attributes by name, in
// the order of the type, or in the order read if the type is unknown. Nothing
// is checked; use [ObjectType.New] to construct an object by the rules of its
// type.
func NewObject(typ Type, attrs *Hash) *Object { return &Object{typ, attrs} }

// Type returns the type of the instance.
func (v *Object) Type() Type { return v.typ }

// TypeName returns the name of its type.
func (v *Object) TypeName() string { return v.typ.typeName() }

// Attributes returns the attributes that were given or have a value, by name.
// It never returns nil. [Object.Arguments] returns the attributes to serialize.
func (v *Object) Attributes() *Hash {
	if v.attrs == nil {
		return &Hash{}
	}
	return v.attrs
}

// Get returns the value of an attribute: the given value, the default, or the
// value of a constant. It returns false if the type has no such attribute, or
// if the value would have to be computed.
func (v *Object) Get(name string) (Value, bool) { return v.attribute(name) }

// kind returns kindObject.
func (*Object) kind() Kind { return kindObject }

func (v *Object) String() string { return format(v) }

func (*Object) value() {}
