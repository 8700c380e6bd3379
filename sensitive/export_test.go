package sensitive

// For the tests.
var (
	ErrKey = errKey
	MinKey = minKey
)
