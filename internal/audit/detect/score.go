package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// standing is how sure a place is that the value under a name belongs to the name.
type standing uint8

const (
	// inProse is a text in which a name and a word may follow each other by chance.
	inProse standing = iota
	// inText is an assignment in the grammar of a text.
	inText
	// inParameter is a parameter of a resource, or a member of one.
	inParameter
)

// candidate is a value that may be a secret: what its name says, and where it stands.
type candidate struct {
	value string
	as    sort
	at    standing
}

// A candidate is a secret if its score is at least threshold. The score is the strength of
// the value, as [secret.Strength] estimates it, plus what its place is worth, plus weights
// for what the value looks like. One point is one power of ten of guesses: where a place
// leaves no doubt, every value is a secret; where it says nothing, only a strong one is.
const threshold = 10

// The weights of the score.
const (
	passwordPlace  = 9.0   // of a password in a parameter or a text
	tokenParameter = 3.0   // of a token in a parameter
	tokenText      = 2.5   // of a token in a text
	prosePlace     = 0.0   // of either in prose
	hintPlace      = -12.0 // of a name that harmless values have, too
	drawn          = 10.0  // the value looks drawn at random
	nameLike       = -6.0  // of a token: words only, as names are
	commonWord     = -1.5  // of a token: for each word that is common in names
	blank          = -6.0  // of a token
)

// likely is the score from which a secret is more than possible.
const likely = 16

// place returns what a place is worth.
func (c candidate) place() float64 {
	switch {
	case c.as == hint:
		return hintPlace
	case c.at == inProse:
		return prosePlace
	case c.as.open():
		return passwordPlace
	case c.at == inParameter:
		return tokenParameter
	}
	return tokenText
}

// score returns the score of a candidate whose value no mark speaks against.
func (c candidate) score() float64 {
	score := c.place() + secret.Strength(c.value)
	if random(c.value) {
		score += drawn
	}
	if c.as.open() {
		return score
	}
	phrase := isPhrase(c.value) || isPassphrase(c.value) || isChosen(c.value)
	if !phrase && (!machineMade(c.value) || isLetters(c.value) && !random(c.value)) {
		score += nameLike
	}
	if !phrase && strings.ContainsAny(c.value, " \t") {
		score += blank
	}
	return score + commonWord*float64(commonWords(c.value))
}

// confidence returns how certain a candidate is that is a secret.
func (c candidate) confidence() rule.Confidence {
	if c.as == hint || c.score() < likely {
		return rule.Possible
	}
	return rule.Likely
}

// isSentence reports whether a value is a sentence and no passphrase: it has a word or a
// mark that passphrases do not have.
func isSentence(s string) bool {
	if !strings.ContainsAny(s, " \t") || !isProse(s) {
		return false
	}
	for word := range strings.FieldsSeq(s) {
		bare := strings.TrimRight(word, ".,:;)")
		if bare != word && len(bare) > 1 || secret.IsSentenceWord(strings.TrimRight(bare, "!?")) {
			return true
		}
	}
	return false
}

// commonWords returns the number of words of a value that names contain.
func commonWords(s string) int {
	n := 0
	for _, w := range words(s) {
		if secret.IsCommonWord(w) {
			n++
		}
	}
	return n
}
