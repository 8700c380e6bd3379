// Package secret decides which texts are secrets and finds them in other text.
//
//	Judge, Traceable  whether copies of a secret may be replaced or reported
//	Strength          how many guesses a text takes, and whether it is common
//	Vocabulary        the words of catalogs, which a weak secret may be by chance
//	Inside            secrets embedded in a secret text, such as passwords and keys
//	Forms             the spellings of a secret: encoded, quoted, in UTF-16
//	CompileForms      compiles all spellings of many secrets into a Set, which also finds
//	                  them in escaped text and across line breaks
//	Set, Spans        search for many patterns at once; merged hits
//	Hashes            the unsalted digests of a secret
//	IsMarker          recognizes the markers that replace secrets; FindMarkers finds them
//	IsCiphertext      recognizes texts that are encrypted
//	MaskError         hides secrets in the text of an error
//
// The search time of a [Set] grows with the text, not with the number of patterns. The
// patterns are held behind a closure: printing a Set, or a struct that contains one, does
// not expose them.
package secret
