package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// maxLinks is the maximum number of words between the word for a password and the password
// in a sentence.
const maxLinks = 5

// sentences finds passwords in sentences: `log in as admin with password X`, `the
// passphrase of the backups is "X"`. The password must not look like a word of a sentence.
type sentences struct{ *Text }

func (t sentences) search() {
	if t.kind == source || t.flow == command || !t.has.Has(' ') {
		return
	}
	t.logins()
	t.keys()
	t.joins()
	t.created()
	t.recoveries()
	t.enclosed()
	t.credentials()
	t.short()
	for _, word := range []string{"assword", "ASSWORD", "assphrase", "asswort", "ennwort", "achtwoord", "ontraseña", "ontrasena", "ot de passe"} {
		if !t.has.HasAll(word) {
			continue
		}
		for i := range t.occurrences(word) {
			if i > 0 && strings.IndexByte("pPkKwWcCmM", t.S[i-1]) >= 0 && (i < 2 || !alphabet.IsWordByte(t.S[i-2])) {
				t.sentence(i+len(word), t.S[i-1:i+len(word)])
			}
		}
	}
}

// sentence handles the text after the word for a password.
func (t sentences) sentence(at int, name string) {
	s := t.S
	end := at + len(lines.Rest(s, at))
	assigned := false // `PASSWORD elastic = X`, as a program prints it
	owned := false    // `Password for root account = X`
	said := false     // `The password for root is X`
	for i := range maxLinks + 1 {
		for at < end && (alphabet.IsBlank(s[at]) || s[at] == ':' || s[at] == '=' && i > 0 && (owned || name == strings.ToUpper(name))) {
			assigned = assigned || s[at] == '=' || s[at] == ':' && owned && i > 1
			at++
		}
		if at < end && s[at] == '<' { // an HTML tag
			n := strings.IndexByte(s[at:end], '>')
			if n < 0 {
				return
			}
			at += n + 1
			continue
		}
		if at >= end {
			return
		}
		if s[at] == '"' || s[at] == '\'' || s[at] == '`' {
			value, _, closed := strings.Cut(s[at+1:end], s[at:at+1])
			if closed && (verdict.IsNotProse(value) || verdict.IsPassphrase(value) || verdict.IsPhrase(value)) {
				t.given(name, at+1, at+1+len(value), verdict.Token)
			}
			return
		}
		if rest := strings.TrimRight(s[at:end], " \t\r."); said || assigned && owned {
			low := strings.TrimRight(rest, phraseMarks)
			isMarked := low != rest || strings.ContainsAny(rest, "0123456789") // no end of a sentence
			if isMarked && isPhraseWithMark(rest) {
				rest = low
			} else if !said || !verdict.IsMarkedWord(rest) {
				rest = ""
			}
			if rest != "" {
				t.given(name, at, at+len(rest), verdict.Password)
				return
			}
		}
		stop := at
		for stop < end && s[stop] > ' ' && s[stop] != '<' {
			stop++
		}
		w := strings.TrimRight(s[at:stop], ".,;)\"'")
		looks := verdict.IsNotProse(w) || assigned && len(w) >= 8 && len(w) <= 64
		if owned { // a message says more often how a password is than what it is
			looks = looks && (verdict.FollowsRules(w) || verdict.IsRandom(w) || verdict.IsPhrase(w))
		}
		if looks && !verdict.IsTermed(w) && !verdict.IsStatus(w) {
			t.given(name, at, at+len(w), verdict.Password)
			return
		}
		if account, _, found := strings.Cut(w, "@"); found && s[stop-1] == ':' && verdict.IsIdentifier(account) { // `for root@localhost: X`
			at = stop
			continue
		}
		if assigned && owned {
			return
		}
		bare := strings.TrimRight(w, ":=")
		isOwner := owned && i > 0 && (len(bare) < len(w) || i == 1) && verdict.IsName(bare) // `for app01: X`, `of svc_app is X`
		if len(w) < stop-at || !isOwner && !isOwnerLink(bare) && (!alphabet.IsLatin(strings.Replace(bare, "'", "", 1)) || len(bare) > 14) {
			return // the end of a sentence, or not a word
		}
		said = isSaying(bare) || owned && i > 1 && len(bare) < len(w)
		if i == 0 {
			owned = isOwnerLink(w)
		}
		at += len(bare)
	}
}

// logins finds the password in quotes that a message says to log in with: `login 'app' with 'X'`.
func (t sentences) logins() {
	if !t.has.Has('\'') && !t.has.Has('"') {
		return
	}
	for i := range t.occurrences("with ") {
		at := i + len("with ")
		if at >= len(t.S) || t.S[at] != '\'' && t.S[at] != '"' {
			continue
		}
		before := t.S[max(0, i-lines.Reach):i]
		before = before[strings.LastIndexByte(before, '\n')+1:]
		value, _, closed := strings.Cut(t.S[at+1:min(len(t.S), at+1+verdict.MaxName)], t.S[at:at+1])
		if closed && verdict.FollowsRules(value) && endsWithAccount(before) && lines.Mentions(before, "login ", "Login ", "log in ", "Log in ", "logon ", "sign in ", "Sign in ", "credentials ") {
			t.given("login", at+1, at+1+len(value), verdict.Token)
		}
	}
}

// endsWithAccount reports whether the last word of a text is in quotes, or follows `as`, `user` or `account`.
func endsWithAccount(before string) bool {
	words := strings.Fields(before)
	n := len(words)
	if n < 2 {
		return false
	}
	return strings.ContainsAny(words[n-1], "'\"") || words[n-2] == "as" || isAccountWord(words[n-2]) || words[n-2] == "account"
}

// keys finds a key in quotes that a message says: `the wifi key is "X"`.
func (t sentences) keys() {
	for _, said := range []string{"key is ", "seed is "} {
		t.key(said)
	}
}

// joins finds the token in a message about joining something: `using the join token X for the cluster`.
func (t sentences) joins() {
	const noun, shortest = " token ", 32
	for i := range t.occurrences(noun) {
		at := i + len(noun)
		word, _, _ := strings.Cut(lines.Rest(t.S, at), " ")
		if word = strings.TrimRight(word, ".,;:"); len(word) >= shortest && alphabet.IsHex(word) && !alphabet.IsNumber(word) {
			t.given("token", at, at+len(word), verdict.Token)
		}
	}
}

// key is keys for a noun and its verb.
func (t sentences) key(said string) {
	noun := strings.TrimSuffix(said, " is ")
	for i := range t.occurrences(said) {
		at := i + len(said)
		before := strings.Fields(t.S[max(0, i-verdict.MaxName):i])
		if at >= len(t.S) || strings.IndexByte("'\"`", t.S[at]) < 0 || len(before) == 0 || !t.classOf(before[len(before)-1]+"_"+noun).Secret() {
			continue
		}
		value, _, closed := strings.Cut(t.S[at+1:min(len(t.S), at+1+verdict.MaxName)], t.S[at:at+1])
		const long = 16
		if closed && (verdict.IsNotProse(value) || len(value) >= long && verdict.IsRandom(value) || verdict.IsPassphrase(value) || verdict.IsPhrase(value)) {
			t.given(noun, at+1, at+1+len(value), verdict.Token)
		}
	}
}

// created finds the secret at the end of a line that says for whom it is: `Generated secret for the object store: X`.
func (t sentences) created() {
	for i := range t.occurrences("ecret for ") {
		line := strings.TrimRight(lines.Rest(t.S, i), " \t\r.")
		owner, value, found := strings.Cut(line, ": ")
		if found && i > 0 && !strings.ContainsAny(owner, "\"'=<>(){}") && verdict.IsNotProse(value) && (value != strings.ToLower(value) || !strings.Contains(value, "-")) && (verdict.IsRandom(value) || verdict.FollowsRules(value)) {
			t.given("secret", i+len(line)-len(value), i+len(line), verdict.Token)
		}
	}
}

// recoveries finds the phrase or the codes that recover something: `Recovery phrase: X`, `Scratch codes: X Y`.
func (t sentences) recoveries() {
	for _, noun := range []string{" phrase", " codes"} {
		for i := range t.occurrences(noun) {
			before, at := t.S[max(0, i-verdict.MaxName):i], i+len(noun)
			rest := lines.Rest(t.S, at)
			value, found := strings.CutPrefix(rest, ":")
			if !found {
				value, found = strings.CutPrefix(rest, " is")
			}
			if !found || !isRecovery(before[strings.LastIndexAny(before, " \t\n\"'")+1:]) {
				continue
			}
			value = strings.Trim(value, " \t\r.\"'")
			if noun == " phrase" && isPhraseWithMark(value) {
				start := at + strings.Index(rest, value)
				t.given("recovery_phrase", start, start+len(value), verdict.Token)
			}
			if codes := lines.Words(nil, t.S, at+1, at+len(rest)); noun == " codes" && areCodes(codes) {
				for _, w := range codes {
					t.given("recovery_code", w.Start, w.End, verdict.Token)
				}
			}
		}
	}
}

// areCodes reports whether words are two codes or more of one length, with digits.
func areCodes(words []lines.Word) bool {
	const shortest = 8
	for _, w := range words {
		if len(w.Text) < shortest || len(w.Text) != len(words[0].Text) || !strings.ContainsAny(w.Text, "0123456789") {
			return false
		}
	}
	return len(words) > 1
}

// isRecovery reports whether a word says that a phrase or a code gives access to something when all else is lost.
func isRecovery(w string) bool {
	switch strings.ToLower(w) {
	case "recovery", "seed", "backup", "wallet", "mnemonic", "scratch", "emergency", "rescue":
		return true
	}
	return false
}

// enclosed finds the secret in parentheses behind its owner: `API key for mailchimp (X)`.
func (t sentences) enclosed() {
	for i := range t.occurrences(" for ") {
		owner, rest, found := strings.Cut(lines.Rest(t.S, i+len(" for ")), " (")
		value, _, closed := strings.Cut(rest, ")")
		const shortestHex = 32
		isDrawn := verdict.IsDrawnOrMarked(value) || len(value) >= shortestHex && alphabet.IsHex(value)
		if !found || !closed || strings.Count(owner, " ") > 1 || strings.ContainsAny(value, " /:@=<>[]{}") || !isDrawn && !verdict.IsMarkedWord(value) {
			continue
		}
		before := strings.Fields(t.S[max(0, i-verdict.MaxName):i])
		before = before[max(0, len(before)-2):]
		if name := strings.Join(before, "_"); t.classOf(name) == verdict.Password || isDrawn && t.classOf(name).Secret() {
			start := i + len(" for ") + len(owner) + len(" (")
			t.given(name, start, start+len(value), verdict.Token)
		}
	}
}

// credentials finds the password in credentials, which are an account and its password: `default credentials admin/X`.
func (t sentences) credentials() {
	for _, kind := range []string{"efault credentials ", "ogin credentials ", "nitial credentials ", "ccess credentials ", " account is ", " login is "} {
		for i := range t.occurrences(kind) {
			at := i + len(kind)
			word, _, _ := strings.Cut(lines.Rest(t.S, at), " ")
			word = strings.TrimRight(word, ".,;\r")
			n := strings.IndexAny(word, "/:")
			if n <= 0 {
				continue
			}
			if account, value := word[:n], word[n+1:]; verdict.IsName(account) && !verdict.IsStatus(account) && !strings.ContainsAny(value, "/:") && (verdict.FollowsRules(value) || verdict.IsUnmistakable(value)) {
				t.given("credentials", at+n+1, at+len(word), verdict.Password)
			}
		}
	}
}

// short finds the password behind the short word for it, which is behind a mark, in a note: `maintenance by Huber, pw X`.
func (t sentences) short() {
	for _, word := range []string{", pw ", ", PW ", "; pw ", " pw: ", " PW: "} {
		for i := range t.occurrences(word) {
			at := i + len(word)
			value, _, _ := strings.Cut(lines.Rest(t.S, at), " ")
			if value = strings.TrimRight(value, ".,;)\r"); verdict.IsBehindSlash(value) || verdict.IsPasswordInSentence(value) {
				t.given("pw", at, at+len(value), verdict.Password)
			}
		}
	}
}

// isOwnerLink reports whether a word joins the word for a password to its owner.
func isOwnerLink(w string) bool {
	switch w {
	case "for", "of", "für", "von", "der", "pour", "de", "du", "des", "para", "del", "do", "da", "per", "della", "voor", "van":
		return true
	}
	return false
}

// isSaying reports whether a word joins the word for a password to the password.
func isSaying(w string) bool {
	switch w {
	case "is", "was", "ist", "war", "lautet", "est", "était", "es", "era", "fue":
		return true
	}
	return false
}

// isPhraseWithMark reports whether a text is a passphrase, perhaps with capitals, and with a mark or a number at its end.
func isPhraseWithMark(s string) bool {
	low := strings.TrimRight(strings.ToLower(s), phraseMarks+"0123456789")
	return verdict.IsPassphrase(low) || verdict.IsPhrase(low)
}

// phraseMarks are the marks that a passphrase may end with.
const phraseMarks = "!?#"
