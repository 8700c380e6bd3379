package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// Weak reports whether a leaf that is declared Sensitive is a default password. A marker is
// not, even if its user has the same one.
func (d *Detector) Weak(l *leaf.Leaf) bool {
	if as := d.names.sortOf(l.Name()); !as.open() && as != token || l.Binary || secret.IsMarker(strings.TrimSpace(l.Text)) {
		return false
	}
	low := strings.ToLower(l.Text)
	if d.values.isCommon(low) || d.values.isPlaceholder(low) || isVariation(low) {
		return true
	}
	return isOwnUser(l) || len(l.Text) < 6 && d.values.against(candidate{l.Text, password, inParameter}) == none
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

// isOwnUser reports whether a leaf equals the name of a user beside it.
func isOwnUser(l *leaf.Leaf) bool {
	h := l.Hash()
	if h == nil {
		return false
	}
	for _, name := range []string{"user", "username", "name", "login"} {
		if v, _ := h.GetString(name); v == pcore.String(l.Text) {
			return true
		}
	}
	return false
}
