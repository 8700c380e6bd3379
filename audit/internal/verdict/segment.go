package verdict

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/internal/secret"
)

const (
	// longestDivided is the length in bytes of the longest value that is divided into words.
	longestDivided = 64
	// fewDigits is the number of digits beside words that mean nothing, such as a year.
	fewDigits = 4
)

// besidePassword divides a text in lower case into words and returns those that neither
// speak of a password nor are used beside words that do, separated by blanks. speaks is
// false if no word speaks of a password or asks for one, or if the text has long numbers. plain
// is the text as [Unleet] returns it.
func (v *Values) besidePassword(low, plain string) (others string, speaks bool) {
	if len(low) > longestDivided || strings.Count(low, " ") > 2 || strings.ContainsAny(low, `/{"`) || !maySpeak(plain) {
		return low, false
	}
	var unknown []string
	digits := 0
	alludes, asks, names := false, false, false
	for at := 0; at < len(plain); at++ {
		start := at
		for at < len(plain) && (alphabet.IsAlnum(plain[at]) || plain[at] >= utf8.RuneSelf) {
			at++
		}
		for _, s := range v.segments(low[start:at], plain[start:at]) {
			switch {
			case !s.known:
				unknown = append(unknown, s.text)
			case alphabet.IsNumber(s.text):
				digits += len(s.text)
			case v.speaking.has(s.text):
				speaks = true
			case v.allusions.has(s.text):
				alludes = true
			case v.requests.has(s.text), v.stopgaps.has(s.text):
				asks = true
			case s.text == "key", s.text == "token":
				names = true
			}
		}
	}
	if digits > fewDigits {
		return low, false
	}
	others = strings.Join(unknown, " ")
	return others, speaks || asks && names || alludes && others == ""
}

// maySpeak reports whether a text contains a part of a word without which besidePassword
// reports that it does not speak, such as the middle of `seekrit`. Most texts contain none.
func maySpeak(plain string) bool {
	for _, part := range []string{"pass", "secret", "ekr", "change", "pw", "safe", "secure", "key", "token"} {
		if strings.Contains(plain, part) {
			return true
		}
	}
	return false
}

// Unknown returns the text in a word in lower case that is not part of a word for a password,
// or of one that is used beside these. Several parts have blanks between them.
func (v *Values) Unknown(word string) string {
	if len(word) > longestDivided {
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
// between them, at the lowest cost. A number is a known word. plain is the run without replaced
// letters, which numbers keep.
func (v *Values) segments(low, plain string) []segment {
	// A known word has six letters or more between unknown text, four at an end of the run,
	// and any number between known words.
	const letter, gap, word = 2, 5, 6 // of unknown text, for each of its pieces, of a known word
	const longest = 16                // letters of a known word
	type piece struct {
		start int
		known bool
	}
	var costs [longestDivided + 1]int // of the text up to each position
	var last [longestDivided + 1]piece
	unknown, from := 0, 0 // cost of the text if it ends with unknown text, and where that begins
	for end := 1; end <= len(plain); end++ {
		if start := costs[end-1] + gap; end == 1 || start < unknown {
			unknown, from = start, end-1
		}
		unknown += letter
		costs[end], last[end] = unknown, piece{from, false}
		for start := max(0, end-longest); start < end; start++ {
			if cost := costs[start] + word; cost < costs[end] && (v.isMeaningless(plain[start:end]) || alphabet.IsNumber(low[start:end])) {
				costs[end], last[end] = cost, piece{start, true}
			}
		}
	}
	var list []segment
	for end := len(plain); end > 0; end = last[end].start {
		text := plain[last[end].start:end]
		if number := low[last[end].start:end]; alphabet.IsNumber(number) {
			text = number
		}
		list = append(list, segment{text, last[end].known})
	}
	slices.Reverse(list)
	return list
}

// isMeaningless reports whether a word speaks of a password or is used beside words that do.
func (v *Values) isMeaningless(word string) bool {
	return v.meaningless.has(word) || secret.IsSentenceWord(word)
}

// hasOnlyRoles reports whether a text in lower case consists of words for accounts and their
// duties and of words that are used beside a request, with few digits: `backup`, `appuser1`,
// `r00tme`. One of the words is long and no description. plain is the text as [Unleet] returns it.
func (v *Values) hasOnlyRoles(low, plain string) bool {
	const shortest, long, longest = 2, 4, 14 // of a word
	if len(low) > longestDivided {
		return false
	}
	type state struct {
		reached, long bool
		digits        int
	}
	var states [longestDivided + 1]state // before each position; most texts do not reach the second word
	reach := func(at int, s state) {
		if s.digits <= fewDigits && (!states[at].reached || s.long && !states[at].long) {
			states[at] = s
		}
	}
	reach(0, state{reached: true})
	for at := range len(plain) {
		s := states[at]
		if !s.reached {
			continue
		}
		for end := at + shortest; end <= min(len(plain), at+longest); end++ {
			if w := plain[at:end]; v.IsFiller(w) || v.praises.has(w) {
				isLong := len(w) >= long && (v.roles.has(w) || v.fillers.has(w) || v.requests.has(w))
				reach(end, state{true, s.long || isLong, s.digits})
			}
		}
		switch c := low[at]; {
		case c >= '0' && c <= '9':
			reach(at+1, state{true, s.long, s.digits + 1})
		case strings.IndexByte("-_.!@#$%&*+", c) >= 0:
			reach(at+1, s)
		}
	}
	return states[len(plain)].long
}

// speaking returns words for a password.
func speaking() set {
	return setOf(`password passwords passwd passphrase passwort pass secret secrets seekrit sekrit sekret changeme`)
}

// allusions returns words that speak of a password if there are no others beside them.
func allusions() set { return setOf(`pw pwd secure insecure unsafe safe`) }

// praises returns words that say how good a password is.
func praises() set {
	return setOf(`strong weak super very extra ultra top good better best complex reasonable long longer simple easy hard really`)
}
