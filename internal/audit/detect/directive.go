package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/verdict"
	"github.com/pcatdev/pcat/internal/secret"
)

// directives finds lines with only blanks between a name and its value, as in the
// configuration of many daemons.
type directives struct{ *Text }

func (t directives) search() {
	blank := t.has.Has(' ') || t.has.Has('\t')
	if blank && (t.flow != command || t.has.Has('\n') || t.forDevice()) {
		t.lines()
	}
}

// lines handles each line that may be a directive.
func (t directives) lines() {
	s := t.S
	marked := t.kind == settings && isMarked(s)
	update := strings.Contains(s, "\nupdate ") // a script for nsupdate
	for start, end := range linesOf(s) {
		if line := s[start:end]; end-start < 512 && (t.mayDirect(line) || marked && isMarked(line) && !isComment(strings.TrimSpace(line))) {
			t.directive(start, end, update)
		}
	}
	t.chpasswd()
	if strings.Contains(t.S, "ftp ") {
		t.ftp()
	}
}

// ftp searches scripts of FTP clients: `user NAME X`.
func (t directives) ftp() {
	for start, end := range linesOf(t.S) {
		if strings.HasPrefix(strings.TrimLeft(t.S[start:end], " \t"), "user ") {
			if words := wordsIn(nil, t.S, start, end); len(words) == 3 {
				t.given("user", words[2].start, words[2].end, chosen(words[2].text))
			}
		}
	}
}

// mayDirect reports whether a line may be a directive with a secret, by its first word or
// by words in quotes.
func (t directives) mayDirect(line string) bool {
	i := 0
	for i < len(line) && line[i] <= ' ' {
		i++
	}
	j := i
	for j < len(line) && line[j] > ' ' {
		j++
	}
	if i == j || j == len(line) || isComment(line[i:]) {
		return false
	}
	if strings.IndexByte(line, '"') >= 0 || strings.IndexByte(line, '\'') >= 0 || line[len(line)-1] == '}' || strings.Contains(line, " insecure-password ") {
		return true
	}
	if j-i > verdict.MaxName {
		return false
	}
	keyword := strings.ToLower(line[i:j])
	_, known := directivePlaces()[keyword]
	return known || isDevice(keyword) || t.sortOf(line[i:j]) != verdict.Plain
}

// chpasswd searches the account lists of cloud-init: `user:password` below `chpasswd:`.
func (t directives) chpasswd() {
	at := strings.Index(t.S, "chpasswd:")
	if at < 0 {
		return
	}
	indent := indentOf(t.S[strings.LastIndexByte(t.S[:at], '\n')+1:])
	for start, end := range linesOf(t.S) {
		if start <= at {
			continue
		}
		line := t.S[start:end]
		if strings.TrimSpace(line) != "" && indentOf(line) <= indent {
			return
		}
		item := strings.Trim(line, " \t-\"'\r")
		if user, secret, ok := strings.Cut(item, ":"); ok && verdict.IsIdentifier(user) && secret != "" && secret[0] != ' ' {
			from := start + strings.Index(line, item) + len(user) + 1
			t.given("chpasswd", from, from+len(secret), verdict.Password)
		}
	}
}

// directive handles the directive in S[start:end]. If update is set, the text is a script
// for nsupdate.
func (t directives) directive(start, end int, update bool) {
	words := wordsIn(t.scanner.words[:0], t.S, start, end)
	t.scanner.words = words
	if len(words) < 2 {
		return
	}
	keyword := strings.ToLower(words[0].text)
	found := t.places(keyword, words)
	if keyword == "secret" && len(words) == 3 && strings.HasSuffix(words[1].text, ".") { // of a TSIG key
		found = t.placed(place{at: 2, sort: verdict.Token}, words, words[2])
	}
	if keyword == "key" && len(words) == 3 && update {
		found = t.placed(place{at: 2, sort: verdict.Token}, words, words[2])
	}
	if keyword == "password" && len(words) == 3 && strings.Contains(t.S[max(0, start-reach):start], "superusers") { // of GRUB
		found = t.placed(place{at: 2, sort: verdict.Password}, words, words[2])
	}
	if !found && !t.device(keyword, words) && !t.users(words) && !t.twoWords(words) && !t.restOfLine(words) {
		t.amid(words)
		t.behindMark(words)
	}
}

// amid handles a name and a quoted value among other words: `… password "X" …`.
func (t directives) amid(words []word) {
	account := false
	block := t.kind != source && words[len(words)-1].text == "}" // on one line, with its members
	for i, w := range words[:len(words)-1] {
		next := words[i+1]
		account = account || isAccountWord(w.text)
		if w.text == "cleartext" && i == 2 && words[1].text == "=" { // of TACACS+: `login = cleartext X`
			t.given(w.text, next.start, next.end, verdict.Password)
			continue
		}
		if w.text == "insecure-password" || block && i > 0 && !w.quoted && !next.quoted && t.sortOf(w.text).Open() {
			as := verdict.Password
			if block {
				as = verdict.Token
			}
			t.given(w.text, next.start, next.end, as)
			continue
		}
		if _, _, ok := scheme(w.text, next.text); ok && next.quoted && !w.quoted && isOption(w.text) && i > 0 {
			t.given(w.text, next.start, next.end, verdict.Token)
			continue
		}
		if w.quoted || !next.quoted || !isOption(w.text) || strings.ContainsAny(next.text, " \t") {
			continue
		}
		as := verdict.Plain
		switch {
		case strings.EqualFold(w.text, "ConvertTo-SecureString"):
			as = verdict.Password
		case t.sortOf(w.text).Open():
			as = verdict.Token // sentences contain such names, too
			if account {
				as = verdict.Password
			}
		}
		if as != verdict.Plain {
			t.judge(assignment{name: w.text, value: next.text, start: next.start, end: next.end, quoted: true, loose: true, sort: as})
		}
	}
}

// restOfLine handles a passphrase that is the rest of the line, and reports whether there
// is one: `password correct horse battery staple`.
func (t directives) restOfLine(words []word) bool {
	if len(words) < 4 || words[0].quoted || !t.sortOf(words[0].text).Open() || t.kind != settings {
		return false
	}
	start, end := words[1].start, words[len(words)-1].end
	if text := t.S[start:end]; !alphabet.IsLatin(strings.ReplaceAll(text, " ", "")) || text != strings.ToLower(text) || t.names().IsSentence(text) || secret.Strength(text) < verdict.Threshold {
		return false
	}
	t.judge(assignment{name: words[0].text, value: t.S[start:end], start: start, end: end, quoted: true, loose: true, sort: verdict.Password})
	return true
}

// isAccountWord reports whether a word precedes the name of an account.
func isAccountWord(s string) bool {
	switch len(s) {
	case len("user"), len("login"), len("username"):
		low := strings.ToLower(s)
		return low == "user" || low == "login" || low == "username"
	}
	return false
}

// twoWords handles a line that consists of a name and a value, and reports whether it is
// one. A word between them may specify the form of the value.
func (t directives) twoWords(words []word) bool {
	if len(words) > 3 || strings.ContainsAny(words[0].text, "=:<>(){}") && !strings.HasSuffix(words[0].text, ")") {
		return false
	}
	ofValue := t.flow == value && len(t.Encodings) == 0 && strings.IndexByte(t.S, '\n') < 0
	value := words[len(words)-1]
	if !value.quoted && strings.HasPrefix(value.text, "--") {
		return false // an option
	}
	if len(words) == 3 && (value.text != "{" && !alphabet.IsNumber(words[1].text) && !strings.HasPrefix(words[1].text, "type")) {
		return false
	}
	if len(words) == 3 && value.text == "{" {
		return false
	}
	if _, _, ok := scheme(words[0].text, value.text); ok && value.quoted {
		t.given(words[0].text, value.start, value.end, verdict.Token)
		return true
	}
	if strings.Contains(strings.ToLower(words[0].text), "auth") && strings.Contains(value.text, ":") &&
		t.userpass(assignment{name: words[0].text, value: value.text, start: value.start, end: value.end}) {
		return true
	}
	as := t.sortOf(words[0].text)
	if as == verdict.Hint && value.quoted {
		as = max(as, assignments(t).inContext(strings.ToLower(words[0].text), value.start, value.start, true))
	}
	if !as.Open() && as != verdict.Token && !(as == verdict.Hint && value.quoted) || words[0].quoted {
		return false
	}
	if ofValue && !value.quoted && as != verdict.Phrase && (alphabet.IsLatin(value.text) || len(value.text) < minText) {
		return false // two words, as in a title
	}
	if !value.quoted && len(words[0].text) <= 2 || value.quoted && as != verdict.Phrase && strings.Contains(value.text, " ") && !verdict.IsPassphrase(value.text) {
		return false // a row of a table, or a sentence
	}
	if !value.quoted && strings.ContainsAny(value.text, "=:(){}") && !verdict.IsMachineMade(value.text) {
		return false
	}
	t.judge(assignment{name: words[0].text, value: value.text, start: value.start, end: value.end, quoted: value.quoted, loose: true, sort: as})
	return true
}

// users handles the access rules of a Redis user, and reports whether they contain a
// password: `user NAME on >password ~* +@all`.
func (t directives) users(words []word) bool {
	if words[0].text != "user" || len(words) < 4 {
		return false
	}
	for _, w := range words[2:] {
		if len(w.text) > 1 && w.text[0] == '>' {
			t.given("user", w.start+1, w.end, verdict.Password)
			return true
		}
	}
	return false
}

// device handles a line of the configuration of a network device, and reports whether it
// contains a secret: `username admin privilege 15 password 0 X`, `crypto isakmp key X
// address …`.
func (t directives) device(keyword string, words []word) bool {
	if !isDevice(keyword) {
		return false
	}
	found := false
	if before := t.S[max(0, words[0].start-reach):words[0].start]; keyword == "key" && len(words) <= 3 && (strings.Contains(before, "radius server ") || strings.Contains(before, "tacacs server ")) {
		found = t.deviceSecret(keyword, words, len(words)-1)
	}
	for i := range len(words) - 1 {
		low := strings.ToLower(words[i].text)
		if !isMark(low) || i == 0 && !leads(low) || i == 1 && keyword == "crypto" { // `crypto key generate`
			continue
		}
		at := i + 1
		for at < len(words) && isQualifier(words[at].text, at+1 == len(words)) {
			at++
		}
		if at < len(words) && low == "priv" && at == i+1 && !strings.HasPrefix(words[at].text, "0x") ||
			at < len(words) && isMark(strings.ToLower(words[at].text)) {
			continue
		}
		if at < len(words) {
			found = t.deviceSecret(keyword, words, at) || found
		}
	}
	return found
}

// leads reports whether the secret may directly follow a keyword at the beginning of a
// line.
func leads(keyword string) bool {
	switch keyword {
	case "key-string", "pre-shared-key", "wpa-psk":
		return true
	}
	return false
}

// isQualifier reports whether a word specifies the form or the role of the following
// secret: `password 7 X`, `priv aes 128 X`, `ascii 0 X`.
func isQualifier(s string, last bool) bool {
	if last {
		return len(s) == 1 && alphabet.IsNumber(s)
	}
	switch strings.ToLower(s) {
	case "level", "encrypted", "plaintext", "ciphertext", "cipher", "simple", "local", "remote", "ascii", "hex", "clear", "aes", "des", "3des", "aes-128", "aes-192", "aes-256", "128", "192", "256":
		return true
	}
	return len(s) <= 2 && alphabet.IsNumber(s)
}

// deviceSecret handles the word at a position of a line of a device.
func (t directives) deviceSecret(keyword string, words []word, at int) bool {
	w := words[at]
	if line := t.S[words[0].start:words[len(words)-1].end]; t.kind == source || keyword != "crypto" && alphabet.IsLatin(strings.TrimRight(w.text, ".")) && len(words) > 4 && verdict.IsProse(line) {
		return false // a sentence about passwords
	}
	as := verdict.Password
	switch keyword {
	case "ip", "line", "server", "authentication", "peer":
		as = verdict.Token
	}
	t.given(words[at-1].text, w.start, w.end, as)
	return true
}

// behindMark handles the word after the name of a secret, among other unquoted words, as in
// the configuration languages of network devices: `configure radius primary shared-secret
// X`. The word must look like a secret, because such a name occurs in sentences, too.
func (t directives) behindMark(words []word) {
	if t.kind != settings || len(words) < 3 {
		return
	}
	for i := 1; i+1 < len(words); i++ {
		w := words[i]
		if w.quoted || !isOption(strings.TrimPrefix(w.text, "-")) || w.text != "cipher" && !t.sortOf(strings.TrimPrefix(w.text, "-")).Open() {
			continue
		}
		at := i + 1
		for at+1 < len(words) && isQualifier(words[at].text, false) {
			at++
		}
		if next := words[at]; !next.quoted && !strings.HasPrefix(next.text, "-") && !strings.HasPrefix(next.text, "/") && !strings.ContainsAny(next.text, "=(){}[],") && !strings.HasSuffix(next.text, "?") && !verdict.IsTermed(next.text) {
			t.given(w.text, next.start, next.end, verdict.Token)
		}
		i = at
	}
}

// isMarked reports whether s contains the end of a word that may precede a secret: `…
// shared-secret X`, `… -bindPassword X`.
func isMarked(s string) bool {
	return mentions(s, "assword ", "ecret ", "cipher ", "pass ", "plaintext ", "Key ")
}

// forDevice reports whether a command configures a network device.
func (t directives) forDevice() bool {
	first, _, _ := strings.Cut(t.S, " ")
	return isDevice(first)
}

// isDevice reports whether a keyword begins lines of network devices and routing daemons
// that contain a secret somewhere.
func isDevice(keyword string) bool {
	switch keyword {
	case "ntp", "failover", "vtp", "ikev1", "ikev2", "pre-shared-key", "wpa-psk", "snmp-server", "local-user",
		"enable", "username", "neighbor", "tacacs-server", "radius-server", "tacacs", "radius", "ip", "ipv6",
		"standby", "vrrp", "isis", "key", "key-string", "crypto", "ppp", "area", "authentication", "line",
		"password", "peer", "server":
		return true
	}
	return false
}

// isMark reports whether a word of such a line precedes a secret.
func isMark(word string) bool {
	switch word {
	case "password", "secret", "key", "key-string", "authentication-key", "authentication-string", "community",
		"pre-shared-key", "wpa-psk", "text", "md5", "sha", "sha1", "sha256", "cipher", "priv":
		return true
	}
	return false
}
