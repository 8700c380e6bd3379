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

// Name returns "Any".
func (AnyType) Name() string { return "Any" }

// Name returns "Undef".
func (UndefType) Name() string { return "Undef" }

// Name returns "Default".
func (DefaultType) Name() string { return "Default" }

// Name returns "Scalar".
func (ScalarType) Name() string { return "Scalar" }

// Name returns "ScalarData".
func (ScalarDataType) Name() string { return "ScalarData" }

// Name returns "Numeric".
func (NumericType) Name() string { return "Numeric" }

// Name returns "Binary".
func (BinaryType) Name() string { return "Binary" }

// Name returns "SemVerRange".
func (SemVerRangeType) Name() string { return "SemVerRange" }

// Name returns "CatalogEntry".
func (CatalogEntryType) Name() string { return "CatalogEntry" }

// Name returns "Unit".
func (UnitType) Name() string { return "Unit" }

func (t AnyType) String() string          { return t.Name() }
func (t UndefType) String() string        { return t.Name() }
func (t DefaultType) String() string      { return t.Name() }
func (t ScalarType) String() string       { return t.Name() }
func (t ScalarDataType) String() string   { return t.Name() }
func (t NumericType) String() string      { return t.Name() }
func (t BinaryType) String() string       { return t.Name() }
func (t SemVerRangeType) String() string  { return t.Name() }
func (t CatalogEntryType) String() string { return t.Name() }
func (t UnitType) String() string         { return t.Name() }
