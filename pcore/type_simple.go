package pcore

// The types without parameters.
type (
	// AnyType describes all values.
	AnyType struct{ typeKind }

	// UndefType describes undef.
	UndefType struct{ typeKind }

	// DefaultType describes default.
	DefaultType struct{ typeKind }

	// ScalarType describes the values without parts except undef: numbers,
	// strings, Booleans, regular expressions, versions, times.
	ScalarType struct{ typeKind }

	// ScalarDataType describes the scalars that JSON has: Integer, Float,
	// String and Boolean.
	ScalarDataType struct{ typeKind }

	// NumericType describes Integer and Float.
	NumericType struct{ typeKind }

	// BinaryType describes Binary values.
	BinaryType struct{ typeKind }

	// SemVerRangeType describes SemVerRange values.
	SemVerRangeType struct{ typeKind }

	// CatalogEntryType describes references to the entries of a catalog:
	// resources and classes.
	CatalogEntryType struct{ typeKind }

	// UnitType accepts every type and is accepted by every type. It is the
	// element type of an empty array. The language has no name for it; in rich
	// data, it is Pcore::UnitType.
	UnitType struct{ typeKind }
)

// typeName returns "Any".
func (AnyType) typeName() string { return "Any" }

// typeName returns "Undef".
func (UndefType) typeName() string { return "Undef" }

// typeName returns "Default".
func (DefaultType) typeName() string { return "Default" }

// typeName returns "Scalar".
func (ScalarType) typeName() string { return "Scalar" }

// typeName returns "ScalarData".
func (ScalarDataType) typeName() string { return "ScalarData" }

// typeName returns "Numeric".
func (NumericType) typeName() string { return "Numeric" }

// typeName returns "Binary".
func (BinaryType) typeName() string { return "Binary" }

// typeName returns "SemVerRange".
func (SemVerRangeType) typeName() string { return "SemVerRange" }

// typeName returns "CatalogEntry".
func (CatalogEntryType) typeName() string { return "CatalogEntry" }

// typeName returns "Unit".
func (UnitType) typeName() string { return "Unit" }

func (t AnyType) String() string          { return t.typeName() }
func (t UndefType) String() string        { return t.typeName() }
func (t DefaultType) String() string      { return t.typeName() }
func (t ScalarType) String() string       { return t.typeName() }
func (t ScalarDataType) String() string   { return t.typeName() }
func (t NumericType) String() string      { return t.typeName() }
func (t BinaryType) String() string       { return t.typeName() }
func (t SemVerRangeType) String() string  { return t.typeName() }
func (t CatalogEntryType) String() string { return t.typeName() }
func (t UnitType) String() string         { return t.typeName() }
