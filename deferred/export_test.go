package deferred

// For the tests.
var (
	ErrNoAnswer     = errNoAnswer
	ErrRounds       = errRounds
	ErrTooManyCalls = errTooManyCalls
)
