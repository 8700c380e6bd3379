package verdict

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// Marks are the characters of passwords that names of models, versions and roles do not contain.
const Marks = "!#%*?~^&"

// IsUnmistakable reports whether s looks like a password even where a name or a role may be expected: it has a mark, looks
// drawn at random, or is a passphrase.
func IsUnmistakable(s string) bool {
	return IsDrawnOrMarked(s) || LooksChosen(s) && !FollowsRules(s)
}

// IsDrawnOrMarked reports whether s looks drawn at random, or follows the rules for passwords and has a mark.
func IsDrawnOrMarked(s string) bool {
	const long = 12 // names of models and regions are shorter: `EuWest1a`
	return len(s) >= long && IsRandom(s) && !hasLowerRun(s) || FollowsRules(s) && strings.ContainsAny(s, Marks+"+")
}

// hasLowerRun reports whether s has a part in lower case that is as long as a word: `PaloAlto_PA3220`.
func hasLowerRun(s string) bool {
	const long = 4
	n := 0
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			n = 0
		} else if n++; n >= long {
			return true
		}
	}
	return false
}

// IsNotProse reports whether s cannot be a word of a sentence: it has digits and letters,
// mixes both cases or looks random, and contains no characters of expressions.
func IsNotProse(s string) bool {
	if len(s) < 8 || len(s) > 64 || strings.ContainsAny(s, "/\\=(){}[]$<>|,;\"'` ") || strings.Contains(s, "%0A") {
		return false
	}
	digits, lower, upper, other := alphabet.Count(s)
	if digits == 0 || lower == 0 || !alphabet.IsAlnum(s[0]) {
		return false
	}
	return upper > 0 && (other == 0 && digits >= 2 || strings.ContainsAny(s, "!#%&*+?@^~_") || IsRandom(s)) || len(s) >= 12 && IsRandom(s)
}

// IsMarkedWord reports whether a text is one word that begins with a letter, and has two digits or more and a mark that passwords
// end with, but versions, numbers of tickets and accounts do not: `tulip333!`.
func IsMarkedWord(s string) bool {
	const leastDigits, leastLetters = 2, 3
	const marks = "!%*?^+&" // `case#48` is a ticket
	digits, lower, upper, _ := alphabet.Count(s)
	return digits >= leastDigits && lower+upper >= leastLetters && alphabet.IsLetter(s[0]) && strings.ContainsAny(s, marks) &&
		!strings.ContainsAny(s, " \t/\\=(){}[]$<>|,;\"'`:@") && !IsTermed(s) && !IsStatus(s) && !IsServer(s)
}

// IsPasswordInSentence reports whether the word that a sentence says a password is looks like one: it has letters and digits, and no characters of expressions.
func IsPasswordInSentence(s string) bool {
	const shortest, longest, leastLetters = 8, 64, 3
	const date = 8 // digits
	digits, lower, upper, _ := alphabet.Count(s)
	isJoined := digits == 0 && lower > 0 && upper > 1 && strings.ContainsAny(strings.Trim(s, Marks), Marks) // `Orchid!North`
	if len(s) < shortest || len(s) > longest || digits == 0 && !isJoined || digits >= date && strings.Contains(s, "-") || lower+upper < leastLetters || !alphabet.IsLetter(s[0]) ||
		strings.ContainsAny(s, " \t/\\=(){}[]$<>|,;\"'`:@") || alphabet.IsHex(s) && digits+lower != len(s) {
		return false
	}
	return !IsQuality(s) && !isNumbered(s) && !isTicket(s) && !hasFraction(s) && !IsTermed(s) && !IsStatus(s) && !IsServer(s) && !IsUUID(s)
}

// IsPasswordInRemark reports whether a word of a remark looks like a password: it follows the rules for passwords and has a mark
// that names do not have. Behind a separator, a passphrase and a word that looks random are one, too.
func IsPasswordInRemark(word string, separated bool) bool {
	if strings.ContainsAny(word, "/\\=(){}[]<>$@\"'`:") || alphabet.IsHex(word) {
		return false
	}
	if !separated {
		return FollowsRules(word) && IsUnmistakable(word)
	}
	digits, _, _, _ := alphabet.Count(word)
	return IsUnmistakable(word) && (digits > 0 || IsPhrase(word) || IsDottedPhrase(word))
}

// IsBehindSlash reports whether the word behind an account and a slash looks like its password, rather than like a part of a path, a
// version, a quantity, the number of a ticket or a telephone, or a name.
func IsBehindSlash(s string) bool {
	if s == "" || strings.ContainsAny(s, " ,") || strings.Contains(s, "++") || hasFraction(s) || IsServer(s) || IsTermed(s) || isNumbered(s) {
		return false
	}
	word := strings.TrimLeft(s, "0123456789")
	return len(word) == len(s) && IsPasswordInRemark(s, true) || IsMarkedWord(word)
}

// hasFraction reports whether s has a digit behind a dot.
func hasFraction(s string) bool {
	i := strings.IndexByte(s, '.')
	return i >= 0 && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9'
}

// IsQuality reports whether a word says how a password is, rather than what it is: the name of an algorithm or an encoding, or a
// length, `SHA512crypt`, `base64-encoded`, `12-characters`.
func IsQuality(s string) bool {
	low := strings.ToLower(s)
	for _, begin := range [...]string{"sha1", "sha2", "sha3", "sha5", "md5", "utf", "base", "argon", "bcrypt", "scrypt", "yescrypt", "pbkdf", "aes", "tls", "ssl", "rsa", "scram", "varchar"} {
		if strings.HasPrefix(low, begin) {
			return true
		}
	}
	low = strings.TrimRight(low, "0123456789")
	for _, end := range [...]string{"ed", "ing", "based", "only", "bit", "bits", "long", "length", "characters", "chars", "digits", "hash", "sum", "crypt", "kodiert", "codificada", "codiert", "codé", "stellig", "zeichen"} {
		if strings.HasSuffix(low, end) {
			return true
		}
	}
	return false
}

// isTicket reports whether a word is the key of a ticket, or a duration: `JIRA-12345`, `P90DT12H30M`.
func isTicket(s string) bool {
	project, number, found := strings.Cut(s, "-")
	return found && alphabet.IsNumber(number) && project == strings.ToUpper(project) || s[0] == 'P' && s == strings.ToUpper(s) && strings.Trim(s, "PDTHMSYW0123456789") == ""
}

// isNumbered reports whether a word is the number of a ticket or a telephone, `Case#48213`, `Tel+4989123`.
func isNumbered(s string) bool {
	i := strings.IndexAny(s, "#+")
	if i <= 0 || !alphabet.IsLetters(s[:i]) {
		return false
	}
	fewest := 4 // digits
	if s[i] == '+' {
		fewest = 6
	}
	return len(s)-i > fewest && alphabet.IsNumber(s[i+1:i+1+fewest])
}

// LooksLikePasswordOf reports whether the word behind an account can be its password: it looks like one, and not like a role.
func LooksLikePasswordOf(account, s string) bool {
	return ClassOfPair(account, s) == Password && LooksChosen(s)
}

// IsPasswordOf reports whether the string behind an account looks like its password, rather than like its role, name,
// group or location.
func IsPasswordOf(account, s string) bool {
	return !IsRelated(account, s) && !strings.Contains(s, "/") && !IsUUID(s) && !IsTitled(s) && LooksLikePasswordOf(account, s)
}

// IsTitled reports whether s is a word with a capital or more, joined to a number or another such word: `Team-Ops24`,
// `Alice Smith`, `tempdb2019`.
func IsTitled(s string) bool {
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == ' ' || r == '.' || r == '_' }) {
		w = strings.TrimRight(w, "0123456789")
		if w != "" && (!alphabet.IsLetters(w) || w[1:] != strings.ToLower(w[1:])) {
			return false
		}
	}
	return len(s) < 16
}

// IsUsualAccount reports whether an account has a name that it has on most systems.
func IsUsualAccount(name string) bool {
	switch strings.ToLower(name) {
	case "root", "admin", "administrator", "sa", "sysdba", "postgres":
		return true
	}
	return false
}

// IsRelated reports whether two strings begin with the same letters, so that one names the other.
func IsRelated(a, b string) bool {
	const short = 4
	a, b = strings.Map(onlyLetters, a), strings.Map(onlyLetters, b)
	n := min(len(a), len(b), short)
	return n > 0 && strings.EqualFold(a[:n], b[:n])
}

func onlyLetters(r rune) rune {
	if r < 0x80 && alphabet.IsLetter(byte(r)) {
		return r
	}
	return -1
}
