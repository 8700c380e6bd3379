package seal

// For the tests.
var (
	ErrKeyType = errKeyType
	ErrOpen    = errOpen
)

// Envelop encrypts content that is not signed.
var Envelop = envelop
