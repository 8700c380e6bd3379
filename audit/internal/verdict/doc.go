// Package verdict decides whether the value of a name is a secret, without the text that
// contains them.
//
//	Vocabulary  the meaning of names (name.go): its words (vocabulary.go) are in sets
//	            (set.go), and its answers are cached (memo.go)
//	NameClass   the implication of a name for its value (name.go)
//	Candidate   a value, the NameClass of its name, and the certainty that they belong together
//	            (score.go)
//	Values      recognizes values that are not secrets (value.go)
//	Reason      the reason why a value is not a secret (value.go)
//	Term        a summand of the score of a candidate (score.go)
//
// [Values.Against] first looks for a reason. A value is a placeholder or a mask
// (placeholder.go), a template (template.go), a reference, encrypted or public
// (reference.go), a path or an address (address.go), another notation such as a version or a
// date (notation.go), code (code.go) or the label of a field (label.go).
//
// Other values get a score: the strength of the value, plus weights for its name, its location
// and its appearance: whether it looks random (random.go), is a passphrase or follows the rules for
// passwords (phrase.go). password.go has the stricter questions where the place says little: behind an account, a slash, or
// in a sentence. prose.go recognizes texts and lines for people, in which a name and the
// word behind it mean little.
// Common passwords and their variations are in weak.go.
package verdict
