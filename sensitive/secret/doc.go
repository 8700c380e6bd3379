// Package secret says what a secret is, and finds secrets in text.
//
//	Judge, Traceable  may copies of a text be replaced, or reported: the policy
//	Inside            the secrets inside of a secret text: passwords, keys
//	Forms             the spellings of a secret: escaped, encoded, in UTF-16
//	CompileForms      a Set of all spellings of many secrets
//	Set, Spans        many patterns found at once; their hits merged
//	IsMarker          the replacements of secrets, and how they are made
//	MaskError         an error whose text holds no secret
//
// A [Set] finds its patterns in time that grows with the text and not with their
// number. It holds them behind a closure: printing it, or a struct that contains
// it, shows none of them.
package secret
