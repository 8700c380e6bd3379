package pcore

// TypeReferenceType is a type that is known by its text only, because nothing
// declares it: TypeReference['My::Car[1]'].
type TypeReferenceType struct {
	typeKind
	ref string
}

// NewTypeReferenceType returns the reference to the type written as ref.
func NewTypeReferenceType(ref string) *TypeReferenceType { return &TypeReferenceType{ref: ref} }

// Ref returns the text of the type.
func (t *TypeReferenceType) Ref() string { return t.ref }

// Name returns the text of the type, the name by which its instances go.
func (t *TypeReferenceType) Name() string { return t.ref }

func (t *TypeReferenceType) String() string { return formatType(t) }
