package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/secret"
)

// isLabel reports whether a value is the label of an input field for secrets, or a
// translation of it. A label consists of letters.
func (d *Detector) isLabel(s string) bool {
	if len(s) > 40 {
		return false
	}
	if isVariable(s) { // `DB_PASSWORD`, `DB_PASSWORD_FILE`
		return slices.ContainsFunc(words(s), func(w string) bool { return d.names.sortOf(w).secret() }) || d.names.sortOf(s).secret()
	}
	if parts := len(words(s)); isLetters(s) && (s == strings.ToLower(s) || parts > 1 && commonWords(s) < parts) {
		return false // a password: `secret`, `SuperSecretPassword`
	}
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsLower(first) && secret.IsCommonPassword(s) {
		return false // `myPassword`
	}
	found := false
	before := ""
	if strings.IndexByte(s, '-') > 0 && isTitle(s) {
		s = strings.ReplaceAll(s, "-", " ") // `Client-Secret`
	}
	for w := range strings.FieldsSeq(s) {
		w = strings.Trim(w, ".:;=?!*()[]{}<>\"'")
		if article, noun, ok := strings.Cut(w, "'"); ok && len(article) <= 5 {
			w = noun // `d'accès`
		}
		if !isLetters(w) {
			return false
		}
		if low := strings.ToLower(w); before != "" && d.names.pairs[before+" "+low] > hint {
			found = true // `Mot de passe`
		}
		before = strings.ToLower(w)
		if as := d.names.sortOf(w); as.secret() {
			found = true
		}
	}
	return found
}

// isVariable reports whether s has the form of an environment variable.
func isVariable(s string) bool {
	return s == strings.ToUpper(s) && isIdentifier(s) && strings.Contains(s, "_")
}

// isTitle reports whether each word between dashes begins with a capital letter.
func isTitle(s string) bool {
	for w := range strings.SplitSeq(s, "-") {
		if first, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(first) {
			return false
		}
	}
	return true
}

// isLetters reports whether s consists of letters of any script.
func isLetters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}
