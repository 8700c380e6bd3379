package detect

import (
	"strings"

	"github.com/pcatdev/pcat/sensitive/secret"
)

// isPhrase reports whether s is a passphrase of three words or more that one
// separator other than a blank joins, and no name: none of the words is common
// in names, as in `vault-agent-token`.
func isPhrase(s string) bool {
	i := strings.IndexAny(s, "-_. ")
	return i >= 0 && s[i] != ' ' && isJoined(s, s[i:i+1])
}

// isDottedPhrase reports whether s is a phrase whose words are joined by dots,
// and not the name of a machine or a package.
func isDottedPhrase(s string) bool {
	first, last := s[:max(strings.IndexByte(s, '.'), 0)], s[strings.LastIndexByte(s, '.')+1:]
	return !isDomain(first) && !isDomain(last) && isPhrase(s)
}

// isDomain tells what names of machines end with, and names of packages begin
// with, apart from words that things are named with anyhow.
func isDomain(s string) bool {
	switch s {
	case "com", "org", "net", "edu", "gov", "mil", "int", "arpa", "info", "biz", "lan", "onion", "intranet", "localdomain", "online", "tech", "java", "javax":
		return true
	}
	return false
}

// isPassphrase reports whether s is a passphrase as generators and people write
// it: three words or more in small letters, one blank between them, and no
// sentence.
func isPassphrase(s string) bool {
	return s == strings.ToLower(s) && isJoined(s, " ")
}

// isJoined reports whether s is three words or more that a separator joins, none
// of them common in names or in sentences.
func isJoined(s, separator string) bool {
	if len(s) < 12 || len(s) > 120 {
		return false
	}
	n := 0
	for w := range strings.SplitSeq(s, separator) {
		if len(w) < 3 || len(w) > 12 || !letters(w) || w[1:] != strings.ToLower(w[1:]) || !strings.ContainsAny(w, "aeiouyAEIOUY") ||
			secret.IsCommonWord(w) || secret.IsSentenceWord(w) {
			return false
		}
		n++
	}
	return n >= 3
}

// isChosen reports whether s is words and digits as rules for passwords demand
// them, `Granite_bramble46`, and no name: none of the words is common in names.
func isChosen(s string) bool {
	digits, lower, upper, other := count(s)
	return len(s) >= 10 && digits > 0 && digits <= 6 && lower > 0 && upper > 0 && other <= 3 && !isTermed(s)
}

// isTermed reports whether one of the words of s, apart from digits behind it, is
// common in names: `Security_Team2024`.
func isTermed(s string) bool {
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_. :/", r) }) {
		if secret.IsCommonWord(strings.TrimRight(w, "0123456789")) {
			return true
		}
	}
	return false
}

// isNameOfSecret reports whether s is what a secret is called: words that are
// common in names, one of them for a secret, as in `oidc-client-secret-ref`. Of
// two words, one is a word that no password has: `db-credentials`.
func isNameOfSecret(s string) bool {
	if len(s) > 64 || strings.IndexByte(s, '-') < 0 {
		return false
	}
	const few, several = 2, 3 // words
	n, least := 0, several+len(s)
	for w := range strings.SplitSeq(s, "-") {
		switch w {
		case "credentials", "credential", "ref":
			least = few
		case "secret", "token", "password":
			least = min(least, several)
		default:
			if !secret.IsCommonWord(w) {
				return false
			}
		}
		n++
	}
	return n >= least
}
