package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/secret"
)

// standing is the certainty that a value belongs to the name before it.
type standing uint8

const (
	// inProse is a sentence, in which a word may follow a name by chance.
	inProse standing = iota
	// inText is an assignment in a text.
	inText
	// inParameter is a parameter of a resource, or a member of one.
	inParameter
)

// candidate is a value that may be a secret, with the sort of its name and its standing.
type candidate struct {
	value string
	as    sort
	at    standing
}

// Threshold is the minimum score of a secret. The score is the strength of the value, as
// [secret.Strength] estimates it, plus a weight for its name and place, plus weights for
// its appearance. One point is one power of ten of guesses. A place with a high weight
// makes every value a secret; a place without a weight, only a strong one.
const Threshold = 10

// The weights of the score.
const (
	passwordPlace  = 9.0   // a password in a parameter or a text
	tokenParameter = 3.0   // a token in a parameter
	tokenText      = 2.5   // a token in a text
	prosePlace     = 0.0   // a password or token in prose
	hintPlace      = -12.0 // a name that harmless values have, too
	severalWords   = -5.0  // a password in a text: it may be a sentence
	drawn          = 10.0  // the value looks random
	nameLike       = -6.0  // a token that consists of words, as names do
	commonWord     = -1.5  // a token: for each word that is common in names
	blank          = -20.0 // a token with blanks
)

// likely is the minimum score for confidence Likely.
const likely = 16

// Term is a summand of a score.
type Term struct {
	Points float64
	Reason string
}

// place returns the term for the name and the place of a candidate.
func (c candidate) place() Term {
	switch {
	case c.as == hint:
		return Term{hintPlace, "the name is also that of harmless values"}
	case c.at == inProse:
		return Term{prosePlace, "the value follows the name in a text for people"}
	case c.as.open():
		return Term{passwordPlace, "the name is that of a password"}
	case c.at == inParameter:
		return Term{tokenParameter, "the parameter has the name of a token or key"}
	}
	return Term{tokenText, "the text assigns it to the name of a token or key"}
}

// terms returns an iterator over the terms of the score.
func (c candidate) terms(yield func(Term) bool) {
	_ = yield(c.place()) &&
		yield(Term{secret.Strength(c.value), "the value takes about as many guesses, as a power of ten"}) &&
		(!random(c.value) || yield(Term{drawn, "the value looks drawn at random"})) &&
		(!c.as.open() || c.as == phrase || c.at == inParameter || !isProse(c.value) || yield(Term{severalWords, "several words in a text may be a sentence"})) &&
		(c.as.open() || c.nameTerms(yield))
}

// nameTerms yields the terms for a token that may be the name of something.
func (c candidate) nameTerms(yield func(Term) bool) bool {
	phrase := isPhrase(c.value) || isPassphrase(c.value) || isChosen(c.value)
	if !phrase && (!machineMade(c.value) || isLetters(c.value) && !random(c.value)) &&
		!yield(Term{nameLike, "the value consists of words, as names do"}) {
		return false
	}
	if !phrase && strings.ContainsAny(c.value, " \t") && !yield(Term{blank, "the value contains blanks"}) {
		return false
	}
	n := commonWords(c.value)
	return n == 0 || yield(Term{commonWord * float64(n), "words of the value are common in names"})
}

// score returns the score of a candidate that no other reason rejects.
func (c candidate) score() float64 {
	score := 0.0
	for t := range c.terms {
		score += t.Points
	}
	return score
}

// confidence returns the confidence that a candidate is a secret.
func (c candidate) confidence() rule.Confidence {
	if c.as == hint || c.score() < likely {
		return rule.Possible
	}
	return rule.Likely
}

// isSentence reports whether a value is a sentence rather than a passphrase: it contains a
// word that is typical of sentences about passwords, or the name of a secret, or it has
// final punctuation or very many words.
func (v *vocabulary) isSentence(s string) bool {
	const longest = 10 // words
	if !strings.ContainsAny(s, " \t") || !isProse(s) {
		return false
	}
	n := 0
	for word := range strings.FieldsSeq(s) {
		bare := strings.Trim(word, ".,:;!?()'\"")
		if n++; n > longest || secret.IsSentenceWord(bare) || v.sortOf(strings.ToLower(bare)).secret() {
			return true
		}
	}
	s = strings.TrimSpace(s)
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, ":")
}

// commonWords returns the number of words of a value that are common in names.
func commonWords(s string) int {
	n := 0
	for _, w := range words(s) {
		if secret.IsCommonWord(w) {
			n++
		}
	}
	return n
}
