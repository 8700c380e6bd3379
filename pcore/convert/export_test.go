package convert

// For the tests.
var (
	ErrTextLength = errTextLength
)
