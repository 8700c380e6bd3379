package convert

// For the tests.
var ErrTextLength = errTextLength

// ArgumentError is the error for arguments that no constructor accepts.
type ArgumentError = argumentError
