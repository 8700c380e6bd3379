package pcore

// For the tests.
var (
	ElementType    = elementType
	ErrEndlessType = errEndlessType
	ErrURI         = errURI
)

// Constructors of types, for the tests. Programs use Parameterize.
var (
	DataType            = dataType
	NewClassType        = newClassType
	NewFloatType        = newFloatType
	NewInitType         = newInitType
	NewNotUndefType     = newNotUndefType
	NewPatternType      = newPatternType
	NewRegexpType       = newRegexpType
	NewResourceType     = newResourceType
	NewStructElementKey = newStructElementKey
	NewTimespanType     = newTimespanType
	NewTimestampType    = newTimestampType
	NewTypeSetType      = newTypeSetType
	NewTypeType         = newTypeType
	NewURIType          = newURIType
	ParseURIType        = parseURIType
)
