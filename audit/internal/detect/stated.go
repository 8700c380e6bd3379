package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
)

// stated finds passwords that a sentence states in one of many languages, whatever is between the noun and the verb:
// `Het wachtwoord van SYSDBA op ora2 is X sinds maart`, `La contraseña del panel es X, no la compartas`,
// `le mot de passe « X » est expiré`.
type stated struct{ *Text }

// noun is a noun for a password: its end, and the letters that may precede it.
type noun struct {
	end, before string
	as          nounKind
}

// longestCompound is the maximum length of the words before a noun that are joined to it, in bytes.
const longestCompound = 32

// nounKind is the meaning of a noun.
type nounKind uint8

const (
	ofPassword nounKind = iota
	ofCompound          // also the end of a compound noun: `Startkennwort`
	ofPhrase            // whose words are not in quotes
	ofMany              // also the noun for something else: `clave`, `Losung`
)

var nouns = [...]noun{
	{"assword", "pP", ofPassword}, {"assphrase", "pP", ofPassword}, {"asscode", "pP", ofPassword}, {"asswort", "pP", ofCompound},
	{"ennwort", "kK", ofCompound}, {"achtwoord", "wW", ofCompound}, {"ontraseña", "cC", ofPassword}, {"ontrasena", "cC", ofPassword},
	{"ot de passe", "mM", ofPassword}, {"enha", "sS", ofPassword}, {"asło", "hH", ofPassword}, {"assord", "pP", ofPassword},
	{"ösenord", "lL", ofPassword}, {"alasana", "sS", ofPassword}, {"eslo", "hH", ofPassword}, {"ароль", "пП", ofPassword},
	{"密码", "", ofPassword}, {"密碼", "", ofPassword}, {"パスワード", "", ofPassword},
	{"rase de paso", "fF", ofPhrase}, {"rase secreta", "fF", ofPhrase}, {"ecovery phrase", "rR", ofPhrase}, {"eed phrase", "sS", ofPhrase},
	{"lave", "cC", ofMany}, {"osung", "lL", ofMany},
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
			start := at
			if n.before != "" {
				r, size := utf8.DecodeLastRuneInString(t.S[:at])
				if start -= size; size == 0 || !strings.ContainsRune(n.before, r) {
					continue
				}
				for n.as == ofCompound && unicode.IsLower(r) && at-start < longestCompound {
					letter, size := utf8.DecodeLastRuneInString(t.S[:start])
					if !unicode.IsLetter(letter) {
						break
					}
					start -= size
				}
				if start > 0 && alphabet.IsWordByte(t.S[start-1]) {
					continue
				}
			}
			end := at + len(n.end)
			if next, _ := utf8.DecodeRuneInString(t.S[end:]); n.before == "" || next != '-' && next != '_' && !unicode.IsLetter(next) { // no compound noun
				t.sentence(n, t.S[start:end], end)
			}
		}
	}
	t.former()
}

// sentence handles the text behind a noun: the password in quotes, or words that lead to the verb, and the password.
func (t stated) sentence(n *noun, name string, at int) {
	end := at + len(lines.Rest(t.S, at))
	said, colon := false, false
	if n.before == "" { // no blanks are between the words
		rest := strings.TrimLeft(t.S[at:end], " ：:是为為はが")
		said, at = len(rest) < end-at, end-len(rest)
	}
	for words := 0; words <= farthest; words++ {
		at += len(t.S[at:end]) - len(strings.TrimLeft(t.S[at:end], " "))
		if at >= end {
			return
		}
		if value, from := quotation(t.S[at:end]); value != "" {
			if words == 0 || said {
				t.quoted(n, name, at+from, value, said)
			}
			return
		}
		word, _, _ := strings.Cut(t.S[at:end], " ")
		bare := strings.TrimRight(word, ".,;:)，。")
		switch {
		case bare == "":
			return
		case said && isAdverb(bare):
		case said:
			t.word(n, name, at, bare, strings.TrimRight(t.S[at:end], " \t\r."), colon)
			return
		case strings.ContainsAny(word[:len(word)-1], "=<>{}[]()|\"'`"):
			return
		default:
			colon = word[len(word)-1] == ':'
			said = isVerb(strings.ToLower(bare)) || colon
			if !said && (len(bare) < len(word) || words == 0 && !leadsToVerb(strings.ToLower(bare))) {
				return // the end of a sentence, or a noun of its own: `password backend`
			}
		}
		at += len(word)
	}
}

// quoted judges a value in quotes behind a noun, or behind its verb.
func (t stated) quoted(n *noun, name string, start int, value string, said bool) {
	if verdict.IsNotProse(value) || verdict.IsPasswordInSentence(value) || verdict.IsPhrase(value) || said && n.as != ofMany && verdict.IsSpokenPhrase(value) {
		t.state(name, start, start+len(value))
	}
}

// word judges the word behind the verb, or the rest of the line, which may be a passphrase behind a colon.
func (t stated) word(n *noun, name string, at int, value, rest string, colon bool) {
	isPassword := verdict.IsNotProse(value) || verdict.IsPasswordInSentence(value) || rest == value && verdict.IsDrawnOrMarked(value)
	switch n.as {
	case ofMany:
		isPassword = verdict.IsDrawnOrMarked(value)
	case ofPhrase:
		if colon && (verdict.IsPassphrase(rest) || verdict.IsSpokenPhrase(rest)) {
			t.state(name, at, at+len(rest))
			return
		}
	}
	if isPassword {
		t.state(name, at, at+len(value))
	}
}

// state emits a hit for the password that a sentence states, unless something else than its looks speaks against it.
func (t stated) state(name string, start, end int) {
	value := t.S[start:end]
	if verdict.IsQuality(value) {
		return
	}
	switch t.scanner.against(verdict.Candidate{Value: value, As: verdict.Password, At: verdict.InText}) {
	case verdict.None, verdict.Unlikely:
		t.named(t.id(), start, end, name, value, rule.Likely)
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
	case "now", "currently", "still", "jetzt", "nun", "weiterhin", "désormais", "maintenant", "toujours", "ahora", "nu", "agora", "adesso", "ora":
		return true
	}
	return false
}

// isVerb reports whether a word joins the noun to the password.
func isVerb(w string) bool {
	switch w {
	case "é", "è", "jest", "lyder", "är", "je":
		return true
	}
	return isSaying(w)
}

// leadsToVerb reports whether a word behind the noun leads to its owner, its place or its verb: `password of …`, `Passwort im …`,
// `contraseña nueva …`. Another noun does not: `password backend`.
func leadsToVerb(w string) bool {
	switch w {
	case "on", "at", "in", "from", "im", "am", "auf", "an", "vom", "zum", "zur", "sur", "en", "au", "aux", "op", "bij", "het", "no", "na", "dos", "das", "do", "em", "dla", "till", "til", "på", "w", "z",
		"the", "new", "neue", "nueva", "nouveau", "nieuwe", "nova", "nuova", "nya", "actual", "incorrecta", "actuel", "aktuelle", "huidige":
		return true
	}
	return isOwnerLink(w)
}

// formers are the beginnings of notes about a password that is no longer used, or that belongs to the hash beside it.
var formers = [...]string{
	"anterior era ", "old one was ", "previous one was ", "last one was ", "alte war ", "ancien était ", "vorige was ",
	"# alt: ", "# old: ", "# vorher: ", "; vorher: ", "# was: ", "# before: ", "# klartext: ", "# plaintext: ", "# cleartext: ", "# plain: ", "// old: ", "-- old: ", "# ancien: ", "# anterior: ", "# oud: ",
	"hash of ",
}

// former finds the password that was used before, or whose hash is beside it. Something near it must be about a password.
func (t stated) former() {
	const near = 200
	for _, words := range formers {
		for i := range t.occurrences(words) {
			at := i + len(words)
			value, _, _ := strings.Cut(lines.Rest(t.S, at), " ")
			value = strings.TrimRight(value, ".,;:)\r")
			if !verdict.FollowsRules(value) || strings.ContainsAny(value, "/\\(){}[]<>:@") || !verdict.IsPasswordInSentence(value) {
				continue
			}
			around := strings.ToLower(t.S[max(0, i-near):i] + t.S[at+len(value):min(len(t.S), at+len(value)+near)])
			if lines.Mentions(around, "passw", "kennwort", "contrase", "mot de passe", "wachtwoord", "pwd", "_pass", "pass=", "secret", "geheim", "psk", "$6$", "$2y$", "sha256") {
				t.given("former_password", at, at+len(value), verdict.Password)
			}
		}
	}
}
