package verdict

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/secret"
)

// Standing is the certainty that a value belongs to the name before it.
type Standing uint8

const (
	// InProse is a sentence, in which a word may follow a name by chance.
	InProse Standing = iota
	// InText is an assignment in a text.
	InText
	// InParameter is a parameter of a resource, or a member of one.
	InParameter
)

// Candidate is a value that may be a secret, with the class of its name and its standing.
type Candidate struct {
	Value string
	As    NameClass
	At    Standing
}

// Threshold is the minimum score of a secret. The score is the strength of the value, as
// [secret.Strength] estimates it, plus a weight for its name and location, plus weights for
// its appearance. One point is one power of ten of guesses. A location with a high weight
// makes every value a secret; a location without a weight, only a strong one.
const Threshold = 10

// The weights of the score.
const (
	passwordLocation = 9.0   // a password in a parameter or a text
	tokenParameter   = 3.0   // a token in a parameter
	tokenText        = 2.5   // a token in a text
	proseLocation    = 0.0   // a password or token in prose
	hintLocation     = -12.0 // a name that harmless values have, too
	severalWords     = -5.0  // a password in a text: it may be a sentence
	drawn            = 10.0  // the value looks random
	ruled            = 3.0   // a token that people choose by the rules for passwords
	nameLike         = -6.0  // a token that consists of words, as names do
	commonWord       = -1.5  // a token: for each word that is common in names
	blank            = -20.0 // a token with blanks
)

// LikelyScore is the minimum score for confidence Likely.
const LikelyScore = 16

// Term is a summand of a score.
type Term struct {
	Points float64
	Reason string
}

// location returns the term for the name and the location of a candidate.
func (c Candidate) location() Term {
	switch {
	case c.As == Hint:
		return Term{hintLocation, "the name is also that of harmless values"}
	case c.At == InProse:
		return Term{proseLocation, "the value follows the name in a text for people"}
	case c.As.Open():
		return Term{passwordLocation, "the name is that of a password"}
	case c.At == InParameter:
		return Term{tokenParameter, "the parameter has the name of a token or key"}
	}
	return Term{tokenText, "the text assigns it to the name of a token or key"}
}

// Terms returns an iterator over the terms of the score.
func (c Candidate) Terms(yield func(Term) bool) {
	_ = yield(c.location()) &&
		yield(Term{secret.Strength(c.Value), "the value takes about as many guesses, as a power of ten"}) &&
		(!IsRandom(c.Value) || yield(Term{drawn, "the value looks drawn at random"})) &&
		(!c.As.Open() || c.As == Phrase || c.At == InParameter || !IsProse(c.Value) || yield(Term{severalWords, "several words in a text may be a sentence"})) &&
		(c.As.Open() || c.nameTerms(yield))
}

// nameTerms yields the terms for a token that may be the name of something.
func (c Candidate) nameTerms(yield func(Term) bool) bool {
	phrase := IsPhrase(c.Value) || IsPassphrase(c.Value) || IsCamelPhrase(c.Value) || isChosen(c.Value)
	if c.As == Token && c.At > InProse && FollowsRules(c.Value) && !IsRandom(c.Value) && !yield(Term{ruled, "the value has letters of both cases and digits, as rules for passwords ask"}) {
		return false
	}
	if !phrase && (!IsMachineMade(c.Value) || alphabet.IsLetters(c.Value) && !IsRandom(c.Value)) &&
		!yield(Term{nameLike, "the value consists of words, as names do"}) {
		return false
	}
	if !phrase && strings.ContainsAny(c.Value, " \t") && !yield(Term{blank, "the value contains blanks"}) {
		return false
	}
	n := commonWords(c.Value)
	return n == 0 || yield(Term{commonWord * float64(n), "words of the value are common in names"})
}

// Score returns the score of a candidate that no other reason rejects.
func (c Candidate) Score() float64 {
	score := 0.0
	for t := range c.Terms {
		score += t.Points
	}
	return score
}

// Confidence returns the confidence that a candidate is a secret.
func (c Candidate) Confidence() rule.Confidence {
	if c.As == Hint || c.Score() < LikelyScore {
		return rule.Possible
	}
	return rule.Likely
}

// IsSentence reports whether a value is a sentence rather than a passphrase: it contains a
// word that is typical of sentences about passwords, or the name of a secret, or it has
// final punctuation or very many words.
func (v *Vocabulary) IsSentence(s string) bool {
	const longest = 10 // words
	if !strings.ContainsAny(s, " \t") || !IsProse(s) {
		return false
	}
	n := 0
	for word := range strings.FieldsSeq(s) {
		bare := strings.Trim(word, ".,:;!?()'\"")
		if n++; n > longest || secret.IsSentenceWord(bare) || v.ClassOf(strings.ToLower(bare)).Secret() {
			return true
		}
	}
	s = strings.TrimSpace(s)
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, ":")
}

// IsSaying reports whether a value of several words says something about a password: it contains the name
// of one, or several words that are typical of such sentences.
func (v *Vocabulary) IsSaying(s string) bool {
	n := 0
	for word := range strings.FieldsSeq(s) {
		low := strings.ToLower(strings.Trim(word, ".,:;!?()'\""))
		if v.ClassOf(low).Open() {
			return true
		}
		if secret.IsSentenceWord(low) {
			n++
		}
	}
	return n > 1
}

// commonWords returns the number of words of a value that are common in names.
func commonWords(s string) int {
	n := 0
	for _, w := range Words(s) {
		if secret.IsCommonWord(w) {
			n++
		}
	}
	return n
}
