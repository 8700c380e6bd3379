package typeexpr

// ErrNotType is for the tests.
var ErrNotType = errNotType
