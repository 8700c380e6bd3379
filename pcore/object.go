package pcore

// Object is an instance of an Object type. When its type is known, Type is an
// *ObjectType; an instance of a type that nobody knows has a
// *TypeReferenceType, and keeps the attributes that it came with, so that it
// is written back unchanged.
type Object struct {
	typ   Type
	attrs *Hash
}

// NewObject returns an instance of typ with the given attributes by name, in
// the order of the type, or in the order read when the type is not known.
// Nothing is checked: constructing by the rules of a type is the business of
// its New.
func NewObject(typ Type, attrs *Hash) *Object { return &Object{typ, attrs} }

// Type returns the type of the instance.
func (v *Object) Type() Type { return v.typ }

// TypeName returns the name of its type.
func (v *Object) TypeName() string { return v.typ.Name() }

// Attributes returns the attributes by name that were given or have a value;
// never nil. [Object.Arguments] are those that are written.
func (v *Object) Attributes() *Hash {
	if v.attrs == nil {
		return &Hash{}
	}
	return v.attrs
}

// Get returns the value of an attribute: one that was given, the default of its
// type, or a constant. It is false when the type has no attribute of the name,
// or one that would have to be computed.
func (v *Object) Get(name string) (Value, bool) { return v.attribute(name) }

// Kind returns KindObject.
func (*Object) Kind() Kind { return KindObject }

func (v *Object) String() string { return format(v) }

func (*Object) value() {}
