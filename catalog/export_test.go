package catalog

// For the tests.
var (
	ErrDigestKey = errDigestKey
)
