package semver

// For the tests.
var (
	ErrLeadingZero         = errLeadingZero
	ErrNegative            = errNegative
	ErrTooManyAlternatives = errTooManyAlternatives
	MaxAlternatives        = maxAlternatives
	MergeOf                = Range.merge
)
