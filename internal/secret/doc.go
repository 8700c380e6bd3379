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
// # How copies are found
//
//	text      echo "Zk7p\u0051%32vX9mTb4LcR" | tool
//	                     |.................|  a sample of the secret, read through escapes
//	                <----                   -->  the rest is traced in both directions
//
// A few bytes of each secret that no form escapes, its stretch, are recognized by their
// samples, one for each class of forms: plain, base64, hexadecimal, UTF-16. A secret without
// a stretch is recognized by a key of four bytes. From there, a tracer follows a wording of
// the secret through all readings of each character, and through line breaks where the
// wording allows them.
//
// The search time of a [Set] grows with the text, not with the number of patterns. The
// patterns are held behind a closure: printing a Set, or a struct that contains one, does
// not expose them.
//
// Knowledge of secrets that the redactor and the audit share belongs here; where a secret
// is in a catalog, and what replaces it, does not.
package secret
