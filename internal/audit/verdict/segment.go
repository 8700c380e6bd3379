package verdict

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/secret"
)

// longestMeaning is the length in bytes of the longest value that is divided into words.
const longestMeaning = 40

// besidePassword divides a text in lower case into words and returns those that neither
// speak of a password nor are used beside words that do, separated by blanks. speaks is
// false if no word speaks of a password or asks for one.
func (v *Values) besidePassword(low string) (others string, speaks bool) {
	plain := Unleet(low)
	if len(low) > longestMeaning || strings.Count(low, " ") > 1 || strings.ContainsAny(low, `/{"`) || !maySpeak(plain) {
		return low, false
	}
	var unknown []string
	alludes, asks, names := false, false, false
	for at := 0; at < len(plain); at++ {
		start := at
		for at < len(plain) && alphabet.IsAlnum(plain[at]) {
			at++
		}
		for _, s := range v.segments(low[start:at], plain[start:at]) {
			switch {
			case !s.known:
				unknown = append(unknown, s.text)
			case v.speaking.has(s.text):
				speaks = true
			case v.allusions.has(s.text):
				alludes = true
			case v.requests.has(s.text), v.stopgaps.has(s.text):
				asks = true
			default:
				names = names || v.names.OfWord(s.text).May()
			}
		}
	}
	others = strings.Join(unknown, " ")
	return others, speaks || asks && names || alludes && others == ""
}

// maySpeak reports whether besidePassword may find a word that speaks of a password or asks
// for one.
func maySpeak(plain string) bool {
	for _, part := range []string{"pass", "secret", "change", "pw", "safe", "secure", "key", "token"} {
		if strings.Contains(plain, part) {
			return true
		}
	}
	return false
}

// Unknown returns the text in a word in lower case that is not part of a word for a password,
// or of one that is used beside these. Several parts have blanks between them.
func (v *Values) Unknown(word string) string {
	if len(word) > longestMeaning {
		return word
	}
	var unknown []string
	for _, s := range v.segments(word, word) {
		if !s.known {
			unknown = append(unknown, s.text)
		}
	}
	return strings.Join(unknown, " ")
}

// segment is a part of a run of letters and digits: a known word, or text between such
// words.
type segment struct {
	text  string
	known bool
}

// segments divides a run of letters and digits in lower case into known words and the text
// between them, so that little is between them and few words are short. plain is the run
// without replaced letters.
func (v *Values) segments(low, plain string) []segment {
	const (
		change  = 2  // cost of a change between known and unknown text, in unknown letters
		word    = 1  // cost of a known word
		longest = 14 // word
		most    = 4  // digits of a number that means nothing
	)
	// The costs of the texts that end at each position, and the beginning of the last word.
	var known, unknown [longestMeaning + 1]int
	var from [longestMeaning + 1]int
	for end := 1; end <= len(plain); end++ {
		unknown[end] = min(unknown[end-1], known[end-1]+change) + 1
		known[end] = 2 * longestMeaning * (change + word) // none
		for start := max(0, end-longest); start < end; start++ {
			if !v.isMeaningless(plain[start:end]) && !(alphabet.IsNumber(low[start:end]) && end-start <= most) {
				continue
			}
			if cost := min(known[start], unknown[start]+change) + word; cost < known[end] {
				known[end], from[end] = cost, start
			}
		}
	}
	var list []segment
	for end := len(plain); end > 0; {
		start := end - 1
		isKnown := known[end] < unknown[end]
		if isKnown {
			start = from[end]
		}
		if n := len(list); !isKnown && n > 0 && !list[n-1].known {
			list[n-1].text = plain[start:end] + list[n-1].text
		} else {
			list = append(list, segment{plain[start:end], isKnown})
		}
		end = start
	}
	slices.Reverse(list)
	return list
}

// isMeaningless reports whether a word speaks of a password or is used beside words that do.
func (v *Values) isMeaningless(word string) bool {
	return v.speaking.has(word) || v.allusions.has(word) || v.IsFiller(word) || secret.IsSentenceWord(word)
}

// speaking returns words for a password.
func speaking() set {
	return setOf(`password passwords passwd passphrase passwort pass secret secrets changeme`)
}

// allusions returns words that speak of a password if there are no others beside them.
func allusions() set {
	return setOf(`pw pwd secure insecure unsafe safe strong weak super very top good better best complex reasonable long longer simple easy hard really`)
}
