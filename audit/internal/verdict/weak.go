package verdict

import (
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/internal/secret"
)

// IsDefault reports whether a password in lower case is a common one, the default password
// of a product, a placeholder, or a variation of one.
func (v *Values) IsDefault(low string) bool {
	return v.isCommon(low) || v.isPlaceholder(low) || v.isVariation(low)
}

// IsExactDefault reports whether a password for which [Values.Against] returns [Common] is a
// default as it is, and not a password that somebody chose, common as it may be: that of a product, an example of
// documentation, one character again and again, or it consists of words alone. `Weblogic#12`
// and `P@ssw0rd2023` are none.
func (v *Values) IsExactDefault(s string) bool {
	low := strings.ToLower(s)
	return isWords(s) || v.defaults.has(low) || repeats(strings.TrimRight(low, "!")) ||
		v.IsExample(low) || strings.HasSuffix(s, "EXAMPLE") || strings.HasSuffix(low, "examplekey")
}

// isWords reports whether s consists of letters and separators.
func isWords(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" _-.'", r) }) < 0
}

// isVariation reports whether a password in lower case is a variation of a common password,
// as in manuals and examples: with replaced letters, digits or marks (`p@ssw0rd!!`,
// `welcome02`), with few words besides one for a password (`mysecretvalue`, `my_out_pass`) or
// with none (`insecure-key`), or with words for accounts alone (`appuser`).
func (v *Values) isVariation(low string) bool {
	const (
		tail   = 4   // digits and marks after a word
		little = 4.5 // points: a word or two
	)
	stem := strings.TrimRight(low, "0123456789!?.#*&^%+~")
	short := len(low)-len(stem) <= tail
	plain := Unleet(stem)
	switch {
	case short && len(stem) > tail && v.defaults.has(stem):
		return true // `puppetlabs01`
	case secret.IsCommonPassword(plain):
		return short
	case short && plain != "" && plain != low && v.isPlaceholder(plain):
		return true // `foo123`
	case stem != low && secret.IsCommonPassword(Unleet(low)):
		return true // `S3cre7`
	}
	others, speaks := v.besidePassword(stem, plain)
	return speaks && secret.Strength(others) < little || v.hasOnlyRoles(stem, plain)
}

// SaysNothing reports whether a text in lower case consists of words for a secret and of
// words that are used beside them, as a placeholder does: `my-very-secret-api-key`.
func (v *Values) SaysNothing(low string) bool {
	others, speaks := v.besidePassword(low, Unleet(low))
	return speaks && others == ""
}

// isDescribed reports whether SaysNothing holds for a text in lower case that also has a word
// for the owner of a secret, or one that says how good it is.
func (v *Values) isDescribed(low string) bool {
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !alphabet.IsLetterOrDigit(r) }) {
		if w == "my" || w == "your" || w == "our" || v.praises.has(w) {
			return v.SaysNothing(low)
		}
	}
	return false
}

var unleet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "@", "a", "$", "s")

// Unleet reverts the usual replacements of letters in a text in lower case, as in `p0stf1x`.
func Unleet(low string) string { return unleet.Replace(low) }

// isCommon reports whether a value in lower case is a common password, possibly written as
// several words, `mot_de_passe`, or the default password of a product.
func (v *Values) isCommon(low string) bool {
	return secret.IsCommonPassword(low) || secret.IsCommonPassword(strings.Map(withoutJoints, low)) || v.defaults.has(low)
}

// ofProduct returns the reason for a password or key that is a default of a product, whatever it
// looks like, or [None]. The short ones may be words that are no key.
func (v *Values) ofProduct(c Candidate) Reason {
	const key = 16 // length
	switch {
	case !c.As.Secret() || !v.defaults.has(strings.ToLower(c.Value)):
	case c.As.Open():
		return Common
	case len(c.Value) >= key:
		return Placeholder // in a text, too
	}
	return None
}

// defaultPasswords returns the passwords in the table.
func defaultPasswords() set {
	var s set
	for columns := range knowledge.Defaults.Rows(2) {
		for w := range strings.FieldsSeq(strings.ToLower(columns[1])) {
			s.add(w)
		}
	}
	return s
}
