package report

// For the tests.
var (
	ErrFormat = errFormat
)
