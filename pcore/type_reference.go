package pcore

// TypeReferenceType is a type of which only the text is known, because it is
// not declared: TypeReference['My::Car[1]'].
type TypeReferenceType struct {
	typeKind
	ref string
}

// NewTypeReferenceType returns a reference to the type with the text ref.
func NewTypeReferenceType(ref string) *TypeReferenceType { return &TypeReferenceType{ref: ref} }

// Ref returns the text of the type.
func (t *TypeReferenceType) Ref() string { return t.ref }

// typeName returns the text of the type, which is also the type name of its
// instances.
func (t *TypeReferenceType) typeName() string { return t.ref }

func (t *TypeReferenceType) String() string { return formatType(t) }
