package detect

import (
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
)

// stated finds passwords that a sentence states in one of many languages, whatever is between the noun and the verb:
// `Het wachtwoord van SYSDBA op ora2 is X sinds maart`, `La clave del panel es X, no la compartas`,
// `le mot de passe « X » est expiré`.
type stated struct{ *Text }

// nouns are the ends of nouns for a password, and the letters that precede them.
var nouns = [...]struct{ end, before string }{
	{"assword", "pP"}, {"assphrase", "pP"}, {"asscode", "pP"}, {"asswort", "pP"}, {"ennwort", "kK"}, {"osung", "lL"},
	{"achtwoord", "wW"}, {"ontraseña", "cC"}, {"ontrasena", "cC"}, {"lave", "cC"}, {"ot de passe", "mM"}, {"enha", "sS"},
	{"asło", "hH"}, {"assord", "pP"}, {"ösenord", "lL"}, {"alasana", "sS"}, {"eslo", "hH"}, {"IN", "P"}, {"UK", "P"},
	{"ароль", "пП"}, {"密码", ""}, {"密碼", ""}, {"パスワード", ""},
	{"rase de paso", "fF"}, {"rase secreta", "fF"}, {"ecovery phrase", "rR"}, {"eed phrase", "sS"},
}

// farthest is the maximum number of words between the noun and the verb.
const farthest = 6

func (t stated) search() {
	if t.kind == source || t.flow == command || !t.has.Has(' ') {
		return
	}
	for i := range nouns {
		n := &nouns[i]
		if !t.has.HasAll(n.end) {
			continue
		}
		for at := range t.occurrences(n.end) {
			start := at - len(n.before)/2
			if n.before != "" {
				r, size := utf8.DecodeLastRuneInString(t.S[:at])
				if start = at - size; size == 0 || !strings.ContainsRune(n.before, r) || start > 0 && alphabet.IsWordByte(t.S[start-1]) {
					continue
				}
			}
			t.noun(t.S[start:at+len(n.end)], at+len(n.end))
		}
	}
	t.former()
}

// noun handles the text behind a noun.
func (t stated) noun(noun string, at int) {
	end := at + len(lines.Rest(t.S, at))
	first := true
	isNumber := noun == "PIN" || noun == "PUK"
	said, colon := false, false
	for n := 0; n <= farthest; n++ {
		for at < end && t.S[at] == ' ' {
			at++
		}
		if at >= end {
			return
		}
		if value, from := quotation(t.S[at:end]); value != "" {
			if (first || said) && (verdict.IsToldApart(value) || verdict.IsSaid(value) || verdict.IsPhrase(value) || said && verdict.IsSpokenPhrase(value)) {
				t.state(noun, at+from, at+from+len(value))
			}
			return
		}
		stop := at
		for stop < end && t.S[stop] != ' ' {
			stop++
		}
		word := t.S[at:stop]
		value := strings.TrimRight(word, ".,;:)")
		switch {
		case isNumber && (first || said) && len(value) >= 4 && alphabet.IsNumber(value):
			t.state(noun, at, at+len(value))
			return
		case said && isAdverb(value):
		case said:
			rest := strings.TrimRight(t.S[at:end], " \t\r.")
			switch {
			case colon && strings.Contains(noun, "rase") && (verdict.IsPassphrase(rest) || verdict.IsSpokenPhrase(rest)):
				t.state(noun, at, at+len(rest))
			case verdict.IsToldApart(value) || verdict.IsSaid(value) || rest == value && verdict.IsDrawnOrMarked(value):
				t.state(noun, at, at+len(value))
			}
			return
		case strings.ContainsAny(word[:len(word)-1], "=<>{}[]()|\"'`") || value == "":
			return
		default:
			bare := strings.ToLower(value)
			said = isSaying(bare) || isSayingElsewhere(bare)
			if colon = word[len(word)-1] == ':'; colon {
				said = n > 0
			}
			if !said && len(value) < len(word) || first && t.classOf(noun+"_"+bare) == verdict.Never { // `la clave primaria`
				return // the end of a sentence, or of a part of it
			}
		}
		first = false
		at = stop
	}
}

// state emits a hit for what the sentence says that the password is, unless something else than its looks speaks against it.
func (t stated) state(noun string, start, end int) {
	value := t.S[start:end]
	switch t.scanner.against(verdict.Candidate{Value: value, As: verdict.Password, At: verdict.InText}) {
	case verdict.None, verdict.Unlikely:
		t.named(t.id(), start, end, noun, value, rule.Likely)
	}
}

// quotation returns the text in quotation marks at the beginning of s, without blanks around it, and its position.
func quotation(s string) (value string, from int) {
	for _, marks := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"«", "»"}, {"„", "“"}, {"“", "”"}, {"‚", "‘"}, {"‘", "’"}, {"「", "」"}} {
		if rest, ok := strings.CutPrefix(s, marks[0]); ok {
			inner, _, closed := strings.Cut(rest, marks[1])
			if value = strings.Trim(inner, " \u00a0"); !closed || value == "" {
				return "", 0
			}
			return value, len(marks[0]) + strings.Index(inner, value)
		}
	}
	return "", 0
}

// isAdverb reports whether a word is between the verb and the password: `est désormais X`.
func isAdverb(w string) bool {
	switch strings.ToLower(w) {
	case "now", "currently", "still", "always", "jetzt", "nun", "weiterhin", "désormais", "maintenant", "toujours", "ahora", "nu", "agora", "adesso", "ora":
		return true
	}
	return false
}

// isSayingElsewhere reports whether a word joins the word for a password to it, and is rare in other texts.
func isSayingElsewhere(w string) bool {
	switch w {
	case "é", "è", "to", "jest", "lyder", "är", "er", "on", "je":
		return true
	}
	return false
}

// formers are what comments and notes say before a password that is no longer used, or that belongs to the hash beside it.
var formers = [...]string{
	"anterior era ", "old one was ", "previous one was ", "last one was ", "alte war ", "ancien était ", "vorige was ",
	"# alt: ", "# old: ", "# vorher: ", "; vorher: ", "# was: ", "# before: ", "# klartext: ", "# plaintext: ", "# cleartext: ", "# plain: ", "// old: ", "-- old: ", "# ancien: ", "# anterior: ", "# oud: ",
	"hash of ",
}

// former finds the password that was used before, or whose hash is beside it.
func (t stated) former() {
	for _, words := range formers {
		for i := range t.occurrences(words) {
			at := i + len(words)
			value, _, _ := strings.Cut(lines.Rest(t.S, at), " ")
			if value = strings.TrimRight(value, ".,;)\r"); verdict.FollowsRules(value) && !strings.ContainsAny(value, "/\\(){}[]<>:@") || verdict.IsToldApart(value) || verdict.IsMarkedWord(value) {
				t.given("former_password", at, at+len(value), verdict.Password)
			}
		}
	}
}
