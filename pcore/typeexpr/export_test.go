package typeexpr

// For the tests.
var (
	ErrNotParameterized = errNotParameterized
	ErrNotType          = errNotType
	ErrParameter        = errParameter
	ErrParameterCount   = errParameterCount
)
