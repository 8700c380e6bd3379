package seal

// For the tests.
var (
	ErrKeyType = errKeyType
	ErrOpen    = errOpen
	IsSealed   = isSealed
)

// Envelop encrypts content that is not signed.
var Envelop = envelop
