package verdict

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/internal/secret"
)

// IsLabel reports whether a value is the label of an input field for secrets, or a
// translation of it. A label consists of letters.
func (v *Vocabulary) IsLabel(s string) bool {
	if len(s) > 40 {
		return false
	}
	if IsVariable(s) { // `DB_PASSWORD`, `DB_PASSWORD_FILE`
		return slices.ContainsFunc(Words(s), func(w string) bool { return v.ClassOf(w).Secret() }) || v.ClassOf(s).Secret()
	}
	if parts := len(Words(s)); alphabet.IsLetters(s) && (s == strings.ToLower(s) || parts > 1 && commonWords(s) < parts) {
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
		if !alphabet.IsLetters(w) {
			return false
		}
		low := strings.ToLower(w)
		if class, _ := v.pair(before, low); class > Hint {
			found = true // `Mot de passe`
		}
		before = low
		if as := v.ClassOf(w); as.Secret() || isSecretAbroad(low) {
			found = true
		}
	}
	return found
}

// isSecretAbroad reports whether a word is the noun for a secret in another language.
func isSecretAbroad(low string) bool {
	switch low {
	case "secreto", "segreto", "segredo", "geheimnis", "hemlighet", "tajemství", "sekret":
		return true
	}
	return false
}

// IsVariable reports whether s has the form of an environment variable.
func IsVariable(s string) bool {
	return s == strings.ToUpper(s) && IsIdentifier(s) && strings.Contains(s, "_")
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
