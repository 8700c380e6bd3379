package verdict

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/audit/knowledge"
	"github.com/pcatdev/pcat/internal/secret"
)

// IsDefault reports whether a password in lower case is a common one, the default password
// of a product, a placeholder, or a variation of one.
func (v *Values) IsDefault(low string) bool {
	return v.isCommon(low) || v.isPlaceholder(low) || isVariation(low)
}

// isVariation reports whether a password in lower case is a variation of a common password,
// as in manuals and examples: with replaced letters, digits or marks (`p@ssw0rd!!`,
// `welcome02`), or with few words besides one for a password (`mysecretvalue`,
// `my_out_pass`).
func isVariation(low string) bool {
	const (
		longest = 40
		little  = 5 // points: a word or two
		tail    = 4 // digits and marks after a word
	)
	stem := strings.TrimRight(low, "0123456789!?.#*&^%+~")
	if len(low) > longest || stem == "" || strings.Count(low, " ") > 1 || strings.Contains(low, "/") {
		return false
	}
	plain := unleet.Replace(stem)
	if secret.IsCommonPassword(plain) {
		return len(low)-len(stem) <= tail
	}
	if !speaksOfPassword(plain) {
		return false
	}
	for _, word := range passwordWords {
		plain = strings.ReplaceAll(plain, word, " ")
	}
	plain = strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(plain)
	return secret.Strength(strings.Join(strings.Fields(plain), " ")) < little
}

// unleet reverts the usual replacements of letters.
var unleet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "@", "a", "$", "s")

// passwordWords are the words that refer to a password in example passwords.
var passwordWords = []string{"password", "passwd", "passphrase", "passwort", "secret", "changeme", "change", "pass", "insecure", "please"}

func speaksOfPassword(low string) bool {
	return slices.ContainsFunc(passwordWords[:6], func(w string) bool { return strings.Contains(low, w) }) ||
		strings.HasSuffix(low, "pass") || strings.HasPrefix(low, "pass")
}

// isCommon reports whether a value in lower case is a common password, possibly written as
// several words, `mot_de_passe`, or the default password of a product.
func (v *Values) isCommon(low string) bool {
	return secret.IsCommonPassword(low) || secret.IsCommonPassword(strings.Map(withoutJoints, low)) || v.defaults.has(low)
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
