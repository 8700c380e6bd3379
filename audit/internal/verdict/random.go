package verdict

import (
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// entropy returns the entropy of s in bits for each byte, by the frequencies of its bytes.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits, n := 0.0, float64(len(s))
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / n
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// IsMachineMade reports whether s does not look like a word or an identifier chosen by a
// person: it mixes digits and letters, mixes the cases of letters, or contains punctuation.
func IsMachineMade(s string) bool {
	if !utf8.ValidString(s) {
		return true
	}
	digits, lower, upper, other := alphabet.Count(s)
	if strings.ContainsAny(s, " \t") && digits == 0 {
		return false
	}
	if digits == 0 && other == 0 {
		return lower > 0 && upper > 0 && humps(s) >= 3 && IsRandom(s) || len(s) >= 16 && IsRandom(s)
	}
	if wordy(s) {
		return false
	}
	if digits == 0 {
		// Words joined by separators are names, unless there is other punctuation.
		return strings.ContainsAny(s, "!#$%^&*+=?~|") || IsRandom(s)
	}
	return lower+upper > 0 || other > 0
}

// IsPrinted reports whether s looks drawn from all printable characters, as the keys and
// salts of WordPress are. It contains many kinds of punctuation, so it is not checked for
// templates, patterns or paths.
func IsPrinted(s string) bool {
	if len(s) < 40 || len(s) > 128 {
		return false
	}
	var marks [2]uint64
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return false
		} else if !alphabet.IsAlnum(c) {
			marks[c>>6] |= 1 << (c & 63)
		}
	}
	digits, lower, upper, _ := alphabet.Count(s)
	return bits.OnesCount64(marks[0])+bits.OnesCount64(marks[1]) >= 10 && digits > 1 && lower > 2 && upper > 2 && entropy(s) > 4.7
}

func humps(s string) int {
	n := 0
	for i := 1; i < len(s); i++ {
		a, b := s[i-1], s[i]
		if a >= 'a' && a <= 'z' && b >= 'A' && b <= 'Z' {
			n++
		}
	}
	return n
}

// IsRandom reports whether s looks drawn at random: it does not consist of words, and its
// characters have a high entropy.
func IsRandom(s string) bool {
	if len(s) < 8 {
		return false
	}
	if alphabet.IsHex(s) && len(s) >= 16 {
		digits, _, _, _ := alphabet.Count(s)
		return entropy(s) > 2.7 && digits > 0
	}
	digits, lower, upper, other := alphabet.Count(s)
	if other > 0 && alphabet.IsLetters(s) {
		return false // a word with accents, or of another alphabet
	}
	if readable(s) > 0.7 || wordy(s) || isCamel(s) || isList(s) {
		return false
	}
	if digits == 0 && (lower == 0 || upper == 0) {
		// With one case only, separators or syllables make it a name.
		return other == 0 && len(s) >= 16 && readable(s) < 0.5
	}
	classes := 0
	for _, n := range []int{digits, lower, upper} {
		if n > 0 {
			classes++
		}
	}
	return classes >= 2 && entropy(s) >= min(3.0, math.Log2(float64(len(s)))-0.6)
}

// isList reports whether s is a list of names in lower case, as facts have them: `btrfs,ext4,xfs`.
func isList(s string) bool {
	const least, longest = 3, 16 // names, bytes of one
	n := 0
	for name := range strings.SplitSeq(s, ",") {
		if n++; name == "" || len(name) > longest || name[0] < 'a' || name[0] > 'z' || !IsIdentifier(name) || name != strings.ToLower(name) {
			return false
		}
	}
	return n >= least
}

// isCamel reports whether s consists of words and abbreviations in camel case, as
// identifiers do: `LDAPSettingsInfo`.
func isCamel(s string) bool {
	if s = strings.Trim(s, "_$"); !alphabet.IsLatin(s) {
		return false
	}
	list := Words(s)
	readables := 0
	for _, w := range list {
		if vowels := len(w) - len(strings.Map(withoutVowels, w)); len(w) >= 3 && vowels*6 >= len(w) {
			readables += len(w)
		}
	}
	return len(s) >= 4*len(list) && readables*4 >= len(s)*3
}

func withoutVowels(r rune) rune {
	if strings.ContainsRune("aeiouy", r) {
		return -1
	}
	return r
}

// wordy reports whether s consists of words, short numbers and versions joined by
// separators, as names do: `user-2024-profile`, `customer_id_v2`.
func wordy(s string) bool {
	n := 0
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_./: ", r) }) {
		n++
		stem := strings.TrimRight(part, "0123456789")
		digits := len(part) - len(stem)
		switch {
		case digits > 4, !alphabet.IsLatin(stem) && stem != "":
			return false
		case len(stem) <= 3, digits <= 2 && readable(stem) > 0.7:
		default:
			return false
		}
	}
	return n > 1
}

// readable returns the fraction of s that is in pronounceable runs: three letters or more
// of one case, with vowels and consonants alternating as in words.
func readable(s string) float64 {
	covered := 0
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && alphabet.IsLetter(s[j]) && (j == i || (sameCase(s[j-1], s[j]) || j == i+1 && s[i] < 'a') && !isRarePair(s[j-1], s[j])) {
			j++
		}
		if j == i {
			i++
			continue
		}
		if j-i >= 3 && pronounceable(s[i:j]) {
			covered += j - i
		}
		i = j
	}
	return float64(covered) / float64(len(s))
}

// isRarePair reports whether two letters follow each other in hardly any word.
func isRarePair(a, b byte) bool {
	return strings.IndexByte(rarePairs[a|0x20-'a'], b|0x20) >= 0
}

// rarePairs are, for each letter from a to z, the letters that hardly ever follow it in
// words and names of European languages.
var rarePairs = [26]string{
	"", "fgqwxz", "bdfgjmpvwx", "fqxz", "", "bcdghkmnpqvwxz", "cfjkpqvxz", "bcdfgjkpqxz", "", "bcdfghklmnpqrstvwxyz", "cdfgqxz",
	"jqx", "dghjkqrvwxz", "", "", "bcdgjkqvwxz", "abcdefghijklmnopqrstvwxyz", "qx", "x", "dgjqx", "", "bcdfghjkmnpqtwxz",
	"bcfgjmpqvwxz", "bdfgjknqrswxz", "", "cdfgjnqsx",
}

func sameCase(a, b byte) bool { return a&0x20 == b&0x20 }

func pronounceable(s string) bool {
	vowels, run, longest := 0, 0, 0
	for i := range len(s) {
		switch s[i] | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			run = 0
		case 'j', 'q', 'x', 'z':
			run += 2
		default:
			run++
		}
		longest = max(longest, run)
	}
	return longest <= 4 && vowels*5 >= len(s)
}

// ClassOfPair returns the class of the secret in a pair of an account and a secret, `user:secret`. A
// word may also be a group, a role or a tag.
func ClassOfPair(account, s string) NameClass {
	const shortest = 6
	digits, lower, upper, other := alphabet.Count(s)
	if len(s) >= shortest && s != account && (digits > 0 && lower+upper > 0 || lower > 0 && upper > 0 && other > 0) || IsPhrase(s) || IsPassphrase(s) || IsSpokenPhrase(s) || IsDottedPhrase(s) || IsCamelPhrase(s) {
		return Password
	}
	return Token
}

// ClassOfArgument returns the class of a word that may be a password or a name. It is a password if
// it has digits and letters of both cases, as password rules require, or is a passphrase.
func ClassOfArgument(s string) NameClass {
	if digits, lower, upper, _ := alphabet.Count(s); digits > 0 && lower > 0 && upper > 0 || IsPhrase(s) || IsSpokenPhrase(s) || IsDottedPhrase(s) || IsCamelPhrase(s) {
		return Password
	}
	return Token
}
