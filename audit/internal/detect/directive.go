package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
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
	present := t.scanner.present[:0]
	for _, mark := range marks {
		if t.kind != source && t.contains(mark) {
			present = append(present, mark)
		}
	}
	t.scanner.present = present
	update := t.mentions("\nupdate ") // a script for nsupdate
	for start, end := range lines.All(s) {
		if line := s[start:end]; end-start < 512 && (t.mayDirect(line) || lines.Mentions(line, present...) && !lines.IsComment(strings.TrimSpace(line))) {
			t.directive(start, end, update)
		}
	}
	t.chpasswd()
	if t.mentions("ftp ") {
		t.ftp()
	}
}

// ftp searches scripts of FTP clients: `user NAME X`.
func (t directives) ftp() {
	for start, end := range lines.All(t.S) {
		if strings.HasPrefix(strings.TrimLeft(t.S[start:end], " \t"), "user ") {
			if words := lines.Words(nil, t.S, start, end); len(words) == 3 && verdict.IsName(words[1].Text) {
				t.given("user", words[2].Start, words[2].End, verdict.ClassOfPair(words[1].Text, words[2].Text))
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
	if i == j || j == len(line) || lines.IsComment(line[i:]) {
		return false
	}
	if strings.IndexByte(line, '"') >= 0 || strings.IndexByte(line, '\'') >= 0 || line[len(line)-1] == '}' || strings.Contains(line, " insecure-password ") {
		return true
	}
	if j-i > verdict.MaxName {
		return false
	}
	keyword := strings.ToLower(line[i:j])
	_, known := directiveLocations()[keyword]
	return known || strings.HasPrefix(line[j:], " * ") || strings.HasPrefix(line[j:], "\t* ") || strings.HasPrefix(line[j:], "\t*\t") || isDevice(keyword) || t.classOf(line[i:j]) != verdict.Plain ||
		strings.IndexByte(line[j:], ':') > 0 && strings.Contains(keyword, "auth") || strings.HasPrefix(line[j:], " /") && strings.Contains(line[j:], "hook")
}

// chpasswd searches the account lists of cloud-init: `user:password` below `chpasswd:`.
func (t directives) chpasswd() {
	at := t.index("chpasswd:")
	if at < 0 {
		return
	}
	indent := lines.Indent(t.S[strings.LastIndexByte(t.S[:at], '\n')+1:])
	for start, end := range lines.All(t.S) {
		if start <= at {
			continue
		}
		line := t.S[start:end]
		if strings.TrimSpace(line) != "" && lines.Indent(line) <= indent {
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
	words := lines.Words(t.scanner.words[:0], t.S, start, end)
	t.scanner.words = words
	if len(words) < 2 {
		return
	}
	keyword := strings.ToLower(words[0].Text)
	found := t.locations(keyword, words)
	if keyword == "secret" && len(words) == 3 && strings.HasSuffix(words[1].Text, ".") { // of a TSIG key
		found = t.placed(position{at: 2, class: verdict.Token}, words, words[2])
	}
	if keyword == "key" && len(words) == 3 && update {
		found = t.placed(position{at: 2, class: verdict.Token}, words, words[2])
	}
	if keyword == "password" && len(words) == 3 && strings.Contains(t.S[max(0, start-lines.Reach):start], "superusers") { // of GRUB
		found = t.placed(position{at: 2, class: verdict.Password}, words, words[2])
	}
	found = found || t.communityName(keyword, words) || t.indentedKey(keyword, words, start) || t.secretOfPPP(words) || t.secretOfFTP(words)
	if keyword == "secure_link_md5" { // of nginx: an expression, and a word at its end
		last := words[len(words)-1]
		if i := strings.LastIndexByte(last.Text, ' ') + 1; i > 0 {
			t.given(keyword, last.Start+i, last.End, verdict.Password)
		}
	}
	found = found || t.headerMatch(words)
	if strings.HasPrefix(words[1].Text, "/") { // `location /hook/X {`
		urls(t).hook(words[1].Start, words[1].Text)
	}
	if !found && !t.secretOfIPsec(words) && !t.device(keyword, words) && !t.users(words) && !t.twoWords(words) && !t.restOfLine(words) {
		t.amid(words)
		t.behindMark(words)
	}
}

// headerMatch handles a header that HAProxy compares in braces, `{ req.hdr(NAME) -m str X }`, and reports whether there is one.
func (t directives) headerMatch(words []lines.Word) bool {
	for i := 1; i+2 < len(words); i++ {
		if words[i].Text == "-m" && words[i+1].Text == "str" && strings.Contains(words[i-1].Text, "hdr(") {
			return t.placed(position{name: i - 1, at: i + 2}, words, words[i+2])
		}
	}
	return false
}

// amid handles a name and a quoted value among other words: `… password "X" …`.
func (t directives) amid(words []lines.Word) {
	account := false
	block := t.kind != source && words[len(words)-1].Text == "}" // on one line, with its members
	for i, w := range words[:len(words)-1] {
		at := i + 1
		for block && !w.Quoted && at+1 < len(words) && isQualifier(words[at].Text, false) { // `pre-shared-key ascii-text "X"`
			at++
		}
		next := words[at]
		account = account || isAccountWord(w.Text)
		if w.Text == "cleartext" && i > 1 && words[i-1].Text == "=" { // of TACACS+: `login = cleartext X`
			t.given(w.Text, next.Start, next.End, verdict.Password)
			continue
		}
		if strings.EqualFold(w.Text, "community") && next.Text != "{" && next.Text != "list" && t.kind != source && speakOfSNMP(words[:i]) { // `snmp { community X { … } }`
			t.given(w.Text, next.Start, next.End, verdict.Password)
			continue
		}
		if w.Text == "insecure-password" || block && i > 0 && !w.Quoted && !next.Quoted && t.classOf(w.Text).Open() {
			as := verdict.Password
			if block {
				as = verdict.Token
			}
			t.given(w.Text, next.Start, next.End, as)
			continue
		}
		if _, _, ok := verdict.CutScheme(w.Text, next.Text); ok && next.Quoted && !w.Quoted && verdict.IsName(w.Text) && i > 0 {
			t.given(w.Text, next.Start, next.End, verdict.Token)
			continue
		}
		if w.Quoted && !verdict.IsVariable(w.Text) || w.End < len(t.S) && t.S[w.End] == ',' || !next.Quoted || !verdict.IsName(w.Text) || strings.ContainsAny(next.Text, " \t") && !verdict.IsSpokenPhrase(next.Text) {
			continue
		}
		as := verdict.Plain
		switch {
		case strings.EqualFold(w.Text, "ConvertTo-SecureString"):
			as = verdict.Password
		case t.classOf(w.Text).Open() || block && t.isKeyOf(words[:i], w.Text):
			as = verdict.Token // sentences contain such names, too
			if account || verdict.IsSpokenPhrase(next.Text) && i > 0 {
				as = verdict.Password
			}
		}
		if as != verdict.Plain {
			t.judge(assign.Assignment{Name: w.Text, Value: next.Text, Start: next.Start, End: next.End, Quoted: true, Loose: !account, Class: as})
		}
	}
}

// isKeyOf reports whether a word is the key for the authentication that the words before it name: `md5 1 key`.
func (t directives) isKeyOf(before []lines.Word, word string) bool {
	n := len(before)
	for n > 0 && alphabet.IsNumber(before[n-1].Text) {
		n--
	}
	return word == "key" && n > 0 && verdict.IsName(before[n-1].Text) && t.classOf(before[n-1].Text+"_key").Secret()
}

// speakOfSNMP reports whether words are those of a section for SNMP that is on one line with its members.
func speakOfSNMP(words []lines.Word) bool {
	for _, w := range words {
		if rest, found := strings.CutPrefix(strings.ToLower(w.Text), "snmp"); found && !w.Quoted && (rest == "" || rest[0] == '>') {
			return true
		}
	}
	return false
}

// restOfLine handles a passphrase that is the rest of the line, and reports whether there
// is one: `password correct horse battery staple`.
func (t directives) restOfLine(words []lines.Word) bool {
	if len(words) < 4 || words[0].Quoted || !t.classOf(words[0].Text).Open() || t.kind != settings {
		return false
	}
	start, end := words[1].Start, words[len(words)-1].End
	if verdict.IsSpoken(t.S[words[0].Start:end]) {
		return false
	}
	if text := t.S[start:end]; !alphabet.IsLatin(strings.ReplaceAll(text, " ", "")) || text != strings.ToLower(text) || t.names().IsSentence(text) || secret.Strength(text) < verdict.Threshold {
		return false
	}
	t.judge(assign.Assignment{Name: words[0].Text, Value: t.S[start:end], Start: start, End: end, Quoted: true, Loose: true, Class: verdict.Password})
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
func (t directives) twoWords(words []lines.Word) bool {
	if len(words) > 3 || strings.ContainsAny(words[0].Text, "=:<>(){}") && !strings.HasSuffix(words[0].Text, ")") {
		return false
	}
	ofValue := t.flow == value && t.unchanged() && strings.IndexByte(t.S, '\n') < 0
	value := words[len(words)-1]
	switch {
	case !value.Quoted && strings.HasPrefix(value.Text, "--"):
		return false // an option
	case strings.HasPrefix(words[0].Text, "/"), isHeading(words[0].Text) && isHeading(value.Text):
		return false // a path, as in a profile of AppArmor; a heading
	}
	if len(words) == 3 && (value.Text != "{" && !alphabet.IsNumber(words[1].Text) && !strings.HasPrefix(words[1].Text, "type")) {
		return false
	}
	if len(words) == 3 && value.Text == "{" {
		return false
	}
	if alphabet.IsNumber(value.Text) && t.inTable(words[0].Start, value.End) {
		return false
	}
	if _, _, ok := verdict.CutScheme(words[0].Text, value.Text); ok && value.Quoted {
		t.given(words[0].Text, value.Start, value.End, verdict.Token)
		return true
	}
	if strings.Contains(strings.ToLower(words[0].Text), "auth") && strings.Contains(value.Text, ":") &&
		t.userpass(assign.Assignment{Name: words[0].Text, Value: value.Text, Start: value.Start, End: value.End}) {
		return true
	}
	as := t.classOf(words[0].Text)
	if as == verdict.Hint && value.Quoted {
		as = max(as, t.assignText().ClassInContext(strings.ToLower(words[0].Text), value.Start, value.Start, true))
	}
	if !as.Open() && as != verdict.Token && !(as == verdict.Hint && value.Quoted) || words[0].Quoted {
		return false
	}
	if ofValue && !value.Quoted && as != verdict.Phrase && (!strings.ContainsAny(value.Text, "0123456789!#$%&*+?") || len(value.Text) < minText) {
		return false // two words, as in a title
	}
	if !value.Quoted && len(words[0].Text) <= 2 || value.Quoted && as != verdict.Phrase && strings.Contains(value.Text, " ") && !verdict.IsPassphrase(value.Text) && !verdict.IsSpokenPhrase(value.Text) {
		return false // a row of a table, or a sentence
	}
	if !value.Quoted && strings.ContainsAny(value.Text, "=:(){}") && !verdict.IsMachineMade(value.Text) {
		return false
	}
	t.judge(assign.Assignment{Name: words[0].Text, Value: value.Text, Start: value.Start, End: value.End, Quoted: value.Quoted, Loose: true, Class: as})
	return true
}

// inTable reports whether the line of S[start:end], a name and a number, is one of several such lines.
func (t directives) inTable(start, end int) bool {
	row := func(line string) bool {
		fields := strings.Fields(line)
		return len(fields) > 1 && alphabet.IsNumber(fields[1])
	}
	from := strings.LastIndexByte(t.S[:start], '\n')
	before := from > 0 && row(t.S[strings.LastIndexByte(t.S[:from], '\n')+1:from])
	next := lines.End(t.S, end) + 1
	return before || next < len(t.S) && row(t.S[next:lines.End(t.S, next)])
}

// isHeading reports whether s is a word in capitals.
func isHeading(s string) bool { return alphabet.IsLatin(s) && s == strings.ToUpper(s) }

// users handles the access rules of a Redis user, and reports whether they contain a
// password: `user NAME on >password ~* +@all`.
func (t directives) users(words []lines.Word) bool {
	if words[0].Text != "user" || len(words) < 4 {
		return false
	}
	for _, w := range words[2:] {
		if len(w.Text) > 1 && w.Text[0] == '>' {
			t.given("user", w.Start+1, w.End, verdict.Password)
			return true
		}
	}
	return false
}

// device handles a line of the configuration of a network device, and reports whether it
// contains a secret: `username admin privilege 15 password 0 X`, `crypto isakmp key X
// address …`.
func (t directives) device(keyword string, words []lines.Word) bool {
	if !isDevice(keyword) {
		return false
	}
	found := false
	if before := t.S[max(0, words[0].Start-lines.Reach):words[0].Start]; keyword == "key" && len(words) <= 3 && (strings.Contains(before, "radius server ") || strings.Contains(before, "tacacs server ")) {
		found = t.deviceSecret(keyword, words, len(words)-1)
	}
	for i := range len(words) - 1 {
		low := strings.ToLower(words[i].Text)
		if !isMark(low) && !(low == "authentication" && (keyword == "standby" || keyword == "vrrp" || keyword == "glbp")) || i == 0 && !leads(low) || i == 1 && keyword == "crypto" { // `crypto key generate`
			continue
		}
		at := i + 1
		for at < len(words) && isQualifier(words[at].Text, at+1 == len(words)) {
			at++
		}
		if at < len(words) && low == "priv" && at == i+1 && !strings.HasPrefix(words[at].Text, "0x") && !behindAuth(words[:i]) ||
			at < len(words) && isMark(strings.ToLower(words[at].Text)) {
			continue
		}
		if at < len(words) {
			found = t.deviceSecret(keyword, words, at) || found
		}
	}
	return found
}

// behindAuth reports whether words have the algorithm of an SNMP user and its secret, so that the one for privacy may follow
// without an algorithm: `snmp-server user app auth md5 X priv Y`.
func behindAuth(words []lines.Word) bool {
	const least = 3
	n := len(words)
	return n > least && words[1].Text == "user" && words[n-3].Text == "auth"
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
	case "level", "encrypted", "plaintext", "ciphertext", "cipher", "irreversible-cipher", "simple", "local", "remote", "ascii", "hex", "clear", "aes", "des", "3des", "aes-128", "aes-192", "aes-256", "128", "192", "256", "ascii-text", "hex-string", "read", "write", "read-only", "read-write":
		return true
	}
	return len(s) <= 2 && alphabet.IsNumber(s)
}

// deviceSecret handles the word at a position of a line of a device.
func (t directives) deviceSecret(keyword string, words []lines.Word, at int) bool {
	w := words[at]
	if line := t.S[words[0].Start:words[len(words)-1].End]; t.kind == source || keyword != "crypto" && alphabet.IsLatin(strings.TrimRight(w.Text, ".")) && len(words) > 4 && verdict.IsProse(line) {
		return false // a sentence about passwords
	}
	as := verdict.Password
	switch keyword {
	case "ip", "line", "server", "authentication", "peer":
		named := func(w lines.Word) bool {
			return strings.HasSuffix(w.Text, "-key") || strings.HasSuffix(w.Text, "-authentication") || t.classOf(w.Text).Secret()
		}
		if !slices.ContainsFunc(words[1:max(at-1, 1)], named) { // `ip ospf message-digest-key 1 md5 X`
			as = verdict.Token
		}
	}
	t.given(words[at-1].Text, w.Start, w.End, as)
	return true
}

// behindMark handles the word after the name of a secret, among other words, as in the
// configuration languages of network devices: `configure radius primary shared-secret X`, `set
// snmp community X authorization ro`. Such a name occurs in sentences, too, so the word must look
// like a secret, unless the line sets something.
func (t directives) behindMark(words []lines.Word) {
	if t.kind == source || len(words) < 3 {
		return
	}
	sets := isSetter(strings.ToLower(words[0].Text)) && !verdict.IsProse(t.S[words[0].Start:words[len(words)-1].End])
	for i := 1; i+1 < len(words); i++ {
		w := words[i]
		if w.Quoted || !t.isMark(words, i) {
			continue
		}
		at := i + 1
		for at+1 < len(words) && isQualifier(words[at].Text, false) {
			at++
		}
		next := words[at]
		if n := strings.IndexByte(next.Text, '<'); n > 0 && !next.Quoted && strings.IndexByte(t.S[words[0].Start:words[len(words)-1].End], '>') >= 0 {
			next.Text, next.End = next.Text[:n], next.Start+n // before a tag
		}
		if next.Quoted && !sets || strings.HasPrefix(next.Text, "-") || strings.HasPrefix(next.Text, "/") || strings.ContainsAny(next.Text, "=(){}[],") || strings.HasSuffix(next.Text, "?") || !sets && verdict.IsTermed(next.Text) {
			i = at
			continue
		}
		as := verdict.Token
		if sets || strings.EqualFold(w.Text, "community") {
			as = verdict.Password
		}
		t.given(w.Text, next.Start, next.End, as)
		i = at
	}
}

// isMark reports whether a word of a line is the name of a secret, by itself or with the word
// before it.
func (t directives) isMark(words []lines.Word, i int) bool {
	name := strings.TrimPrefix(words[i].Text, "-")
	if !verdict.IsName(name) {
		return false
	}
	if name == "cipher" || t.classOf(name).Open() || name == "key" && i+2 < len(words) && (words[i+1].Text == "simple" || words[i+1].Text == "cipher") {
		return true
	}
	before := words[i-1].Text
	return !words[i-1].Quoted && verdict.IsName(before) && t.classOf(strings.ToLower(before)+"_"+strings.ToLower(name)).Secret()
}

// isSetter reports whether a keyword begins lines that set something, in the configuration
// languages of network devices.
func isSetter(keyword string) bool {
	switch keyword {
	case "set", "add", "edit", "config", "configure", "create", "modify":
		return true
	}
	return false
}

// marks are the ends of words that may precede a secret: `… shared-secret X`, `…
// -bindPassword X`.
var marks = []string{"assword ", "ecret ", "cipher ", "pass ", "plaintext ", "Key ", "-key ", "ommunity ", "key simple "}

// communityName handles the name of a community in the section for it: `set name "X"` below `config
// system snmp community`.
func (t directives) communityName(keyword string, words []lines.Word) bool {
	if keyword != "set" || len(words) != 3 || words[1].Text != "name" {
		return false
	}
	before := t.S[max(0, words[0].Start-lines.Reach):words[0].Start]
	i := strings.LastIndex(before, "config ")
	if i < 0 || !strings.HasPrefix(before[i:], "config system snmp community") {
		return false
	}
	t.given("community", words[2].Start, words[2].End, verdict.Password)
	return true
}

// indentedKey handles the key of a server in its section: ` key X`.
func (t directives) indentedKey(keyword string, words []lines.Word, start int) bool {
	if keyword != "key" || len(words) != 2 || words[0].Start == start || words[1].Quoted || t.kind != settings || !verdict.IsName(words[1].Text) {
		return false
	}
	t.given(keyword, words[1].Start, words[1].End, verdict.Token)
	return true
}

// secretOfPPP handles a line of the secrets of PPP, in any file: `app * X *`.
func (t directives) secretOfPPP(words []lines.Word) bool {
	isServer := len(words) > 3 && words[3].Text == "*" && words[2].Quoted && verdict.IsName(words[min(1, len(words)-1)].Text) // `app l2tpd "X" *`
	if len(words) < 3 || len(words) > 4 || words[1].Text != "*" && !isServer || t.kind == source || !verdict.IsName(words[0].Text) || strings.ContainsAny(words[2].Text, "<>()") {
		return false
	}
	w := words[2]
	if !verdict.FollowsRules(w.Text) && !verdict.IsRandom(w.Text) && !verdict.IsPhrase(w.Text) {
		return false
	}
	t.given("secret", w.Start, w.End, verdict.Password)
	return true
}

// secretOfFTP handles a line of a script for a client of FTP, `user app X`, behind a line that opens a connection.
func (t directives) secretOfFTP(words []lines.Word) bool {
	if len(words) != 3 || words[0].Text != "user" || t.kind == source || words[1].Text == "anonymous" || words[1].Text == "ftp" || !verdict.LooksChosen(words[2].Text) {
		return false
	}
	before := strings.TrimRight(t.S[max(0, words[0].Start-lines.Reach):words[0].Start], " \t\r\n")
	_, host, opens := strings.Cut(before[strings.LastIndexByte(before, '\n')+1:], "open ")
	if host = strings.TrimSpace(host); !opens || strings.Contains(host, " ") || !strings.Contains(host, "://") && !verdict.IsServer(host) {
		return false
	}
	t.given("user", words[2].Start, words[2].End, verdict.Password)
	return true
}

// secretOfIPsec finds the secrets of IPsec, in any file: `192.0.2.1 : PSK "X"`, `: RSA key.pem "X"`.
func (t directives) secretOfIPsec(words []lines.Word) bool {
	for i := range len(words) - 2 {
		if !strings.HasSuffix(words[i].Text, ":") || words[i].Quoted {
			continue
		}
		at := i + 2
		switch words[i+1].Text {
		case "PSK", "EAP", "XAUTH", "NTLM":
		case "RSA", "ECDSA", "PKCS8", "PKCS12", "P12", "PIN":
			at++ // behind the name of a file
		default:
			continue
		}
		if at < len(words) {
			t.given(words[i+1].Text, words[at].Start, words[at].End, verdict.Password)
			return true
		}
	}
	return false
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
	case "ntp", "sntp", "failover", "vtp", "ikev1", "ikev2", "pre-shared-key", "wpa-psk", "snmp-server", "local-user",
		"enable", "username", "neighbor", "tacacs-server", "radius-server", "tacacs", "radius", "ip", "ipv6",
		"standby", "vrrp", "glbp", "isis", "key", "key-string", "crypto", "ppp", "area", "authentication", "line",
		"password", "peer", "server":
		return true
	}
	return false
}

// isMark reports whether a word of such a line precedes a secret.
func isMark(word string) bool {
	switch word {
	case "password", "secret", "key", "key-string", "authentication-key", "authentication-string", "community",
		"pre-shared-key", "wpa-psk", "plaintext", "key-value", "text", "md5", "sha", "sha1", "sha256", "cipher", "priv",
		"ah-md5", "keyed-md5", "hmac-md5", "hmac-sha", "hmac-sha1", "hmac-sha-1", "hmac-sha256", "hmac-sha-256", "hmac-sha-384", "hmac-sha-512":
		return true
	}
	return false
}
