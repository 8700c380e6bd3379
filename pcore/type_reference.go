package pcore

// TypeReferenceType is a type that is known by its text only, because nothing
// declares it: TypeReference['My::Car[1]'].
type TypeReferenceType struct{ ref string }

// NewTypeReferenceType returns the reference to the type written as ref.
func NewTypeReferenceType(ref string) *TypeReferenceType { return &TypeReferenceType{ref} }

// Ref returns the text of the type.
func (t *TypeReferenceType) Ref() string { return t.ref }

// Name returns the text of the type, the name by which its instances go.
func (t *TypeReferenceType) Name() string { return t.ref }

// Kind returns KindType.
func (*TypeReferenceType) Kind() Kind { return KindType }

func (t *TypeReferenceType) String() string { return "TypeReference[" + Quote(t.ref) + "]" }

func (*TypeReferenceType) value() {}
func (*TypeReferenceType) typ()   {}
