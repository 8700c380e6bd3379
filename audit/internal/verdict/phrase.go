package verdict

import (
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/internal/secret"
)

// IsPhrase reports whether s is a passphrase of three words or more that are joined by one
// separator other than a blank. A name such as `vault-agent-token` is not a passphrase,
// because it contains words that are common in names.
func IsPhrase(s string) bool {
	i := strings.IndexAny(s, "-_. ")
	return i >= 0 && s[i] != ' ' && isJoined(s, s[i:i+1])
}

// IsDottedPhrase reports whether s is a passphrase whose words are joined by dots, rather
// than the name of a host or a package: it does not end like one, and most of its words are not common
// in names.
func IsDottedPhrase(s string) bool {
	const shortest, longest = 2, 12
	if len(s) < 12 || strings.Count(s, ".") < 2 {
		return false
	}
	s = strings.TrimSuffix(withoutDigits(s), ".") // `copper.lantern.meadow.53`
	first, last := s[:strings.IndexByte(s, '.')], s[strings.LastIndexByte(s, '.')+1:]
	if isDomain(first) || isDomain(last) || len(last) <= shortest {
		return false
	}
	n, words, common := 0, 0, 0
	for w := range strings.SplitSeq(s, ".") {
		low := strings.ToLower(withoutDigits(w))
		if len(w) > longest || !alphabet.IsLetters(low) {
			return false
		}
		n++
		switch {
		case functionWords().has(low):
		case secret.IsCommonWord(low):
			common++
		case len(w) >= shortest:
			words++
		}
	}
	return n >= 3 && words >= 2 && common*2 <= words
}

// withoutDigits returns s without a few digits at its end, which people add to a passphrase.
func withoutDigits(s string) string {
	const most = 4
	if short := strings.TrimRight(s, "0123456789"); len(s)-len(short) <= most {
		return short
	}
	return s
}

// IsSpokenPhrase reports whether s is a passphrase as people speak it: a few words with one blank
// between them, `mind the gap please`. It is no sentence about passwords, and has no marks of one.
func IsSpokenPhrase(s string) bool {
	const fewest, most, shortest = 3, 8, 12
	if len(s) < shortest || len(s) > 120 {
		return false
	}
	n, numbered := 0, 0
	if i := strings.LastIndexByte(s, ' '); i > 0 && len(s)-i <= 5 && alphabet.IsNumber(s[i+1:]) { // `barons of winter 7`
		s = s[:i]
		numbered++
	}
	for w := range strings.SplitSeq(s, " ") {
		if word := withoutDigits(w); len(word) > 2 && len(word) < len(w) { // `brick chateau sycamore17`
			w = word
			numbered++
		}
		low := strings.ToLower(w)
		if numbered > 1 || !alphabet.IsLetters(w) || secret.IsSentenceWord(low) || n == 0 && beginsClause().has(low) {
			return false
		}
		n++
	}
	return n >= fewest && n <= most
}

// isStory reports whether s is a passphrase like those of [IsSpokenPhrase], with a word in its middle or at its end that
// is also one of sentences about passwords: `winter boots need polish`. It has more words, in lower case.
func isStory(s string) bool {
	const fewest, most = 4, 8
	words := strings.Split(s, " ")
	if len(words) < fewest || len(words) > most || s != strings.ToLower(s) {
		return false
	}
	found := 0
	for i, w := range words {
		switch {
		case !alphabet.IsLetters(w), i == 0 && (secret.IsSentenceWord(w) || beginsClause().has(w)):
			return false
		case secret.IsSentenceWord(w):
			found++
			if !storyWords().has(w) {
				return false
			}
		}
	}
	return found == 1
}

// storyWords returns the words of sentences about passwords that other sentences contain, too.
var storyWords = sync.OnceValue(func() *set {
	words := setOf(`ask asked asks called choose chosen contain contains forget forgot keep keeps kept known letters longer need needed
		needs opens protect protects say says shows shown stores tell tells wanted would could yearly`)
	return &words
})

// isDottedSaying reports whether s consists of four words or more, joined by dots, none of which is short or a part of the names of
// hosts: `seven.lost.mittens.found`.
func isDottedSaying(s string) bool {
	const fewest, shortest, longest = 4, 4, 12
	list := strings.Split(s, ".")
	for _, w := range list {
		if len(w) < shortest || len(w) > longest || !alphabet.IsLatin(w) || isDomain(w) {
			return false
		}
	}
	return len(list) >= fewest && s == strings.ToLower(s)
}

// beginsClause returns the words that say something of a password before them: `password: is required`.
var beginsClause = sync.OnceValue(func() *set {
	words := setOf(`is are was were be been must will can should may has have to for if when not only your you please by from of with as at in on or and see`)
	return &words
})

// isDomain reports whether s is the last part of host names or the first part of package
// names. Words that are common in names are not included.
func isDomain(s string) bool {
	switch s {
	case "local", "internal", "example", "test", "corp", "home", "invalid", "intern", "app", "cloud", "dev",
		"com", "org", "net", "edu", "gov", "mil", "int", "arpa", "info", "biz", "lan", "onion", "intranet", "localdomain", "online", "tech", "java", "javax":
		return true
	}
	return false
}

// IsPassphrase reports whether s is a passphrase as generators and people write it: three
// words or more in lower case, separated by one blank, and not a sentence.
func IsPassphrase(s string) bool {
	return isJoined(s, " ") && s == strings.ToLower(s)
}

// isJoined reports whether s consists of three words or more with a separator between them,
// none of which is common in names or sentences.
func isJoined(s, separator string) bool {
	if len(s) < 12 || len(s) > 120 {
		return false
	}
	n, numbered := 0, 0
	for w := range strings.SplitSeq(s, separator) {
		if word := strings.TrimRight(w, "0123456789"); word != w && len(word) > 2 && len(w)-len(word) <= 2 {
			w = word // generators add a number to one of the words
			numbered++
		}
		if functionWords().has(strings.ToLower(w)) {
			continue
		}
		if len(w) < 3 || len(w) > 12 || !alphabet.IsLatin(w) || w[1:] != strings.ToLower(w[1:]) || !strings.ContainsAny(w, "aeiouyAEIOUY") ||
			secret.IsCommonWord(w) || secret.IsSentenceWord(w) {
			return false
		}
		n++
	}
	return n >= 3 && (numbered == 0 || numbered == 1 && n > 3)
}

// IsCamelPhrase reports whether s is a passphrase of four words or more, each with a capital. At most one of them is
// common in names, as those of a class or a field are.
func IsCamelPhrase(s string) bool {
	const fewest, most, shortest, longest = 4, 8, 16, 64
	if len(s) < shortest || len(s) > longest || !alphabet.IsLatin(s) || humps(s) < fewest-1 {
		return false
	}
	n, common := 0, 0
	for _, w := range Words(s) {
		if n++; secret.IsCommonWord(w) && !functionWords().has(w) && !prepositions().has(w) {
			common++
		}
	}
	return n >= fewest && n <= most && common <= 1
}

// prepositions returns words of passphrases that few names of classes and fields contain.
var prepositions = sync.OnceValue(func() *set {
	words := setOf(`above across along around before behind below beside between beyond inside near over through under upon without`)
	return &words
})

// LooksChosen reports whether s looks like a password or a passphrase, whatever is around it: it follows the rules for
// passwords, looks drawn at random, or is a passphrase in one of its notations.
func LooksChosen(s string) bool {
	return FollowsRules(s) || IsRandom(s) || IsPhrase(s) || IsSpokenPhrase(s) || IsDottedPhrase(s) || IsCamelPhrase(s)
}

// isChosen reports whether s consists of words and digits as password rules require,
// `Granite_bramble46`, and contains no word that is common in names.
func isChosen(s string) bool {
	digits, lower, upper, other := alphabet.Count(s)
	return len(s) >= 10 && digits > 0 && digits <= 6 && lower > 0 && upper > 0 && other <= 3 && !IsTermed(s)
}

// FollowsRules reports whether s is a password that people choose by the usual rules: eight
// characters or more, with letters of both cases and a few digits, and no word that is common in
// names.
func FollowsRules(s string) bool {
	const least, most = 8, 32
	if len(s) < least || len(s) > most {
		return false
	}
	digits, lower, upper, other := alphabet.Count(s)
	return digits > 0 && digits <= 6 && lower > 0 && upper > 0 && other <= 4 && !isCamel(s) && !IsTermed(s) && !leavesOpen(s)
}

// leavesOpen reports whether a part of s is written as three X or more, for any text: `libapache2-mod-phpxxx`.
func leavesOpen(s string) bool { return strings.Contains(strings.ToLower(s), "xxx") }

// IsTermed reports whether a word of s, without trailing digits, is common in names:
// `Security_Team2024`.
func IsTermed(s string) bool {
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_. :/", r) }) {
		if secret.IsCommonWord(strings.TrimRight(w, "0123456789")) {
			return true
		}
	}
	return false
}

// IsNameOfSecret reports whether s is the name of a secret: words that are common in names,
// one of them a word for a secret, as in `oidc-client-secret-ref`. In a name of two words,
// one must be a word that no password contains: `db-credentials`.
func IsNameOfSecret(s string) bool {
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
