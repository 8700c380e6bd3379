package secret

import (
	_ "embed" // for the words
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// strong is the strength from which a secret is strong: nobody chooses such a text as the
// name of something else.
const strong = 10

// IsStrong reports whether a text takes at least 10^10 guesses, as estimated. The names of
// things do not: host names, paths, and identifiers with `::`.
func IsStrong(text string) bool {
	text = strings.TrimSpace(text)
	return !isLocation(strings.ToLower(text)) && !isQualified(text) && Strength(text) >= strong
}

// isQualified reports whether text is a name in the language, such as `profile::db`.
func isQualified(text string) bool {
	return strings.Contains(text, "::") &&
		strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:") == ""
}

// isToken reports whether a text looks drawn at random: it is strong, without blanks, and
// no long part of it is a word.
func isToken(text string) bool {
	const perByte = 0.8 // words have half of it
	return !strings.ContainsAny(text, " \t\r\n") && IsStrong(text) && Strength(text) >= perByte*float64(min(len(text), judged))
}

// judged is the length in bytes of the part of a text that its strength is estimated by.
const judged = 64

// Strength estimates how many guesses a text takes, as a logarithm to the base 10: 3 is a
// word, 10 is strong, 0 is an empty text. The guesses of the runs of letters, of digits and
// of other characters multiply. A run of letters is a common word, such as `server`, or
// another that can be pronounced, or letters one by one. The estimate is rough, and too low
// for long pronounceable texts. Only the first 64 bytes count.
func Strength(text string) float64 {
	text = strings.TrimSpace(text)
	if IsCommonPassword(text) {
		return guessesOfPassword
	}
	if len(text) > judged {
		text = text[:judged]
	}
	log := 0.0
	for len(text) > 0 {
		run, rest := cutRun(text)
		log += runGuesses(run)
		text = rest
	}
	return log
}

// IsCommonPassword reports whether a text is a password that everyone tries first, such as
// `changeme`. Case is ignored.
func IsCommonPassword(text string) bool {
	return len(text) <= longestCommon && words().passwords.contains(strings.ToLower(text))
}

// IsCommonWord reports whether a text is a word that many names and settings contain, such
// as `server`, or a plural. Case is ignored.
func IsCommonWord(text string) bool { return words().names.has(text) }

// IsSentenceWord reports whether a text is a word that sentences contain, and passwords do
// not, such as `must`. Case is ignored.
func IsSentenceWord(text string) bool { return words().sentences.has(text) }

//go:embed words.txt
var wordsText string

// words returns the sections of words.txt.
var words = sync.OnceValue(func() *wordSets {
	w := new(wordSets)
	for section := range strings.SplitSeq(wordsText, "\n\n") {
		title, list, _ := strings.Cut(section, "\n")
		set := wordSet{words: map[string]bool{}}
		for word := range strings.FieldsSeq(list) {
			set.add(word)
		}
		switch title {
		case "# passwords":
			w.passwords = set
		case "# names":
			w.names = set
		case "# sentences":
			w.sentences = set
		}
	}
	return w
})

// wordSets are the sections of words.txt.
type wordSets struct{ passwords, names, sentences wordSet }

// wordSet is a set of words in lower case.
type wordSet struct {
	words map[string]bool
	// filter has a bit for the first, middle and last byte and the length of each word. Most
	// lookups fail here, without a map access.
	filter [1 << 14 / 64]uint64
}

// add adds a word, which must not be empty.
func (s *wordSet) add(word string) {
	s.words[word] = true
	bit := filterBit(word)
	s.filter[bit/64] |= 1 << (bit % 64)
}

// contains reports whether the set contains a word in lower case.
func (s *wordSet) contains(word string) bool {
	if word == "" {
		return false
	}
	bit := filterBit(word)
	return s.filter[bit/64]>>(bit%64)&1 != 0 && s.words[word]
}

// filterBit returns the bit of a word in the filter of a set.
func filterBit(word string) uint32 {
	n := len(word)
	return (uint32(word[0]) | uint32(word[n/2])<<8 | uint32(word[n-1])<<16 | uint32(n)<<24) * 0x9e3779b1 >> 18
}

// longestCommon is the length in bytes of the longest word of a wordSet.
const longestCommon = 32

// has reports whether the set contains a word, or the singular of a word, in any case.
func (s *wordSet) has(word string) bool {
	if len(word) < 2 || len(word) > longestCommon {
		return false
	}
	low := strings.ToLower(word)
	stem, plural := strings.CutSuffix(low, "s")
	return s.contains(low) || plural && s.contains(stem)
}

// cutRun cuts the first run of characters of one kind off text. A capital letter belongs to
// the small letters after it.
func cutRun(text string) (run, rest string) {
	first, n := utf8.DecodeRuneInString(text)
	kind := kindOf(first)
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		next := kindOf(r)
		if kind == upperCase && next == lowerCase && n == utf8.RuneLen(first) {
			kind = lowerCase
		}
		if next != kind {
			break
		}
		n += size
	}
	return text[:n], text[n:]
}

type charKind uint8

const (
	lowerCase charKind = iota
	upperCase
	digitChar
	otherChar
)

func kindOf(r rune) charKind {
	switch {
	case r >= '0' && r <= '9':
		return digitChar
	case unicode.IsUpper(r):
		return upperCase
	case unicode.IsLetter(r):
		return lowerCase
	default:
		return otherChar
	}
}

// Guesses, as logarithms to the base 10.
const (
	guessesOfPassword  = 2.0   // one of 100
	guessesOfCommon    = 1.0   // for each common word
	guessesOfLetter    = 1.415 // one of 26
	guessesInWord      = 0.45  // for each letter of a word
	guessesOfWord      = 3.1   // for each word, at least: one of 1,250
	guessesOfSeparator = 0.5
	guessesOfMark      = 1.5
	guessesOfYear      = 2.0
)

func runGuesses(run string) float64 {
	r, _ := utf8.DecodeRuneInString(run)
	n := float64(utf8.RuneCountInString(run))
	switch kindOf(r) {
	case digitChar:
		switch {
		case isMonotonous(run) && n > 2 || strings.Contains("01234567890", run) && n > 2:
			return 1
		case n == 4 && (run[:2] == "19" || run[:2] == "20"):
			return guessesOfYear
		}
		return n
	case otherChar:
		if strings.Trim(run, " -_.:/") == "" {
			return guessesOfSeparator
		}
		return guessesOfMark * math.Min(n, 4)
	default:
	}
	switch {
	case IsCommonWord(run) || IsSentenceWord(run):
		return guessesOfCommon
	case n > 3 && isPronounceable(run):
		return math.Max(guessesOfWord, n*guessesInWord)
	case n > 1 && n <= 3 && isPronounceable(run):
		return n
	}
	return n * guessesOfLetter
}

// isPronounceable reports whether letters alternate between vowels and consonants as they
// do in words: at least a fifth are vowels, and at most four consonants are in a row.
func isPronounceable(letters string) bool {
	vowels, consonants, longest := 0, 0, 0
	for _, r := range letters {
		if strings.ContainsRune("aeiouyAEIOUY", r) || r >= utf8.RuneSelf {
			vowels++
			consonants = 0
			continue
		}
		consonants++
		longest = max(longest, consonants)
	}
	return longest <= 4 && vowels*5 >= utf8.RuneCountInString(letters)
}
