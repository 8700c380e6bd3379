package secret

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// strongGuesses is the number of guesses from which a secret is strong: nobody chooses such
// a text as the name of something else.
const strongGuesses = 1e10

// isStrong reports whether a text takes at least 10^10 guesses, as estimated. The names of
// things do not: host names, paths, and identifiers with `::`.
func isStrong(text string) bool {
	text = strings.TrimSpace(text)
	return !isPlace(strings.ToLower(text)) && !isQualified(text) && guesses(text) >= strongGuesses
}

// isQualified reports whether text is a name in the language, such as `profile::db`.
func isQualified(text string) bool {
	return strings.Contains(text, "::") &&
		strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:") == ""
}

// isToken reports whether a text looks drawn at random: it is strong, without blanks, and
// no long part of it is a word.
func isToken(text string) bool {
	const perByte = 0.8 // guesses as a logarithm; words have half of it
	return !strings.ContainsAny(text, " \t\r\n") && isStrong(text) && math.Log10(guesses(text)) >= perByte*float64(len(text))
}

// guesses estimates how many guesses a text takes: the product of the guesses of its runs
// of letters, of digits and of other characters. A run of letters that can be pronounced
// counts as a word, other letters count one by one. The estimate is rough, and too low for
// long pronounceable texts.
func guesses(text string) float64 {
	log := 0.0 // to the base 10
	for len(text) > 0 {
		run, rest := cutRun(text)
		log += runGuesses(run)
		text = rest
	}
	return math.Pow(10, log)
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
