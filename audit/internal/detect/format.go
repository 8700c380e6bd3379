package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// lineFormats finds line formats that are recognized by their form and a word nearby.
type lineFormats struct{ *Text }

func (t lineFormats) search() {
	for i := range layouts {
		f := &layouts[i]
		if f.bytes.Within(&t.has) && (f.words == nil || t.mentions(f.words...)) {
			f.search(t)
		}
	}
}

// format is a line format, with the bytes that a text needs for it, and words of which it needs
// one.
type format struct {
	bytes  alphabet.Contained
	words  []string // nil if there are none
	search func(lineFormats)
}

// layouts are the line formats in the order in which they are searched.
var layouts = []format{
	of("@:", lineFormats.dsn),
	of(":;", lineFormats.wifi, "WIFI:"),
	of("@:", lineFormats.accountsAt),
	of(":", lineFormats.pgpass),
	of("B ", lineFormats.schemes, "Bearer", "Basic"),
	of(`\`, lineFormats.protocol, "AUTH"),
	of("@/:", lineFormats.thin),
	of("@/", lineFormats.atDatabase),
	of("_:", lineFormats.exim, "client_send"),
	of(`_"`, lineFormats.loginModule, "LoginModule"),
	of("&=", lineFormats.sharedAccess, "sig="),
	of("{} ", lineFormats.lists),
	of(".", lineFormats.relays),
	of(":", lineFormats.notes, " / ", " - "),
	of(" ", lineFormats.remarks),
	of(".", lineFormats.rows),
	of(" ", lineFormats.spokenAccounts, " / "),
	of("=", lineFormats.communities, "snmp community"),
	of("&", lineFormats.queries, "?p=", "&p="),
	of("/", lineFormats.selections, " password ", "\tpassword\t", " string ", "\tstring\t"),
	of("_/", lineFormats.servers, "sql_servers"),
	of(",", lineFormats.outputs, ":om"),
	of("${", lineFormats.maps, "map $"),
	of(".", lineFormats.tempauth, "tempauth"),
	of("@:", lineFormats.registrations, "register "),
	of("#!", lineFormats.definitions, "#!define ", "#!substdef"),
	of("|-", lineFormats.grids, "---"),
	of("=\t", lineFormats.tunnels),
	of(",(", lineFormats.dialplan, "Authenticate("),
}

// of returns a format.
func of(bytes string, search func(lineFormats), words ...string) format {
	return format{alphabet.ContainedIn(bytes), words, search}
}

// dialplan finds the password that a caller types, in the dialplan of Asterisk: `exten => 900,1,Authenticate(X)`.
func (t lineFormats) dialplan() {
	const mark = ",Authenticate("
	for i := range t.occurrences(mark) {
		start := i + len(mark)
		before := t.S[max(0, i-verdict.MaxName):i]
		before = before[strings.LastIndexByte(before, '\n')+1:]
		value, _, closed := strings.Cut(lines.Rest(t.S, start), ")")
		if value, _, _ = strings.Cut(value, ","); closed && value != "" && value[0] != '/' && !strings.ContainsAny(value, "${") && strings.Contains(before, "=>") {
			t.given("Authenticate", start, start+len(value), verdict.Password)
		}
	}
}

// sharedAccess finds the signature of an Azure shared access signature, which grants
// access: `sv=…&sp=…&sig=…`. Signatures for workflows never expire.
func (t lineFormats) sharedAccess() {
	s := t.S
	for i := range lines.Occurrences(s, "sig=") {
		start := i + len("sig=")
		end := start + alphabet.PercentBase64.Run(s[start:min(len(s), start+verdict.MaxName)])
		before, after := s[max(0, start-verdict.MaxName*4):start], s[end:min(len(s), end+verdict.MaxName*4)]
		signs := func(name string) bool { return strings.Contains(before, name) || strings.Contains(after, "&"+name) }
		if end-start >= 43 && (signs("se=") && (signs("sv=") || signs("skn=") || signs("sr=")) || signs("sv=") && signs("sp=")) {
			t.given("sig", start, end, verdict.Token)
		}
	}
}

// lists finds the secrets in pairs of Tcl and Jacl, `{password X}`. Words in braces are more
// often something else, so only a value that has other characters, too, is a secret.
func (t lineFormats) lists() {
	s := t.S
	for i := range lines.Occurrences(s, "{") {
		t.element(i)
		inner, _, found := strings.Cut(s[i+1:min(len(s), i+1+2*verdict.MaxName)], "}")
		name, value, pair := strings.Cut(inner, " ")
		if found && pair && verdict.IsIdentifier(name) && !strings.HasSuffix(name, ":") && t.classOf(name).Secret() && !strings.ContainsAny(value, " \n{$%<") && !alphabet.IsLatin(value) {
			start := i + 1 + len(name) + 1 // the pairs of a list in a list look like a template
			a := assign.Assignment{Name: name, Value: value, Start: start, End: start + len(value), Class: t.classOf(name)}
			a.Unveil()
			t.weigh(t.id(), a, verdict.InText)
		}
	}
}

// element judges the word in braces at i that Tcl sets an element of an array to: `set conf(passwd) {X}`.
func (t lineFormats) element(i int) {
	before := t.S[max(0, i-verdict.MaxName):i]
	words := strings.Fields(before[strings.LastIndexByte(before, '\n')+1:])
	if len(words) != 2 || words[0] != "set" || !strings.HasSuffix(words[1], ")") {
		return
	}
	_, name, _ := strings.Cut(strings.TrimSuffix(words[1], ")"), "(")
	if value, _, found := strings.Cut(lines.Rest(t.S, i+1), "}"); found && !strings.Contains(value, "{") && t.classOf(name).Secret() {
		t.given(name, i+1, i+1+len(value), t.classOf(name))
	}
}

// queries finds the password `p` beside the user `u` in the query of a URL, as InfluxDB
// and others have it: `?u=app&p=X`.
func (t lineFormats) queries() {
	s := t.S
	for i := range lines.Occurrences(s, "p=") {
		if i == 0 || s[i-1] != '?' && s[i-1] != '&' {
			continue
		}
		from := max(0, i-verdict.MaxName)
		start := i + len("p=")
		end := start
		for end < len(s) && end-start < verdict.MaxName && s[end] > ' ' && strings.IndexByte("&\"'#\\<>`;", s[end]) < 0 {
			end++
		}
		query := s[from+strings.LastIndexByte(s[from:i], '?')+1 : min(len(s), end+verdict.MaxName)]
		if strings.HasPrefix(query, "u=") || strings.Contains(query, "&u=") {
			t.given("p", start, end, verdict.Password)
		}
	}
}

// tempauth finds the keys of local accounts of the proxy of OpenStack Swift:
// `user_account_name = KEY .admin`.
func (t lineFormats) tempauth() {
	for start, end := range lines.All(t.S) {
		line := t.S[start:end]
		if name, value, found := strings.Cut(line, "="); found {
			t.tempauthUser(strings.TrimSpace(name), start+len(line)-len(value), end)
		}
	}
}

// tempauthUser handles S[start:end], the value of a setting that is the name of a local
// account.
func (t lineFormats) tempauthUser(name string, start, end int) {
	if !strings.HasPrefix(name, "user") {
		return
	}
	if words := lines.Words(nil, t.S, start, end); len(words) > 1 && slices.ContainsFunc(words[1:], isGroup) {
		t.given(name, words[0].Start, words[0].End, verdict.Password)
	}
}

// isGroup reports whether a word is a group of local accounts of Swift: `.admin`.
func isGroup(w lines.Word) bool { return strings.HasPrefix(w.Text, ".") }

// selections finds the answers to questions of debconf: `package package/question password
// X`.
func (t lineFormats) selections() {
	for start, end := range lines.All(t.S) {
		if line := t.S[start:end]; lines.Mentions(line, "password", "string") && !lines.IsComment(strings.TrimSpace(line)) {
			words := lines.Words(t.scanner.words[:0], t.S, start, end)
			t.scanner.words = words
			if len(words) > 3 && (words[2].Text == "password" || words[2].Text == "string" && t.classOf(verdict.LastPart(words[1].Text)).Secret()) && strings.Contains(words[1].Text, "/") && !words[3].Quoted {
				w := words[3]
				t.given(words[1].Text, w.Start, w.End, verdict.Password)
			}
		}
	}
}

// relays finds the accounts of hosts in a map: `[mail.example.com]:587 app@example.com:X`.
func (t lineFormats) relays() {
	if t.flow != content || !t.has.Has(':') && !t.has.Has('@') {
		return
	}
	for start, end := range lines.All(t.S) {
		line := strings.TrimRight(t.S[start:end], " \t\r")
		host, _, found := strings.Cut(line, " ")
		if tabbed, _, ok := strings.Cut(line, "\t"); ok && (!found || len(tabbed) < len(host)) {
			host, found = tabbed, true
		}
		if !found || len(line) > lines.Reach || strings.IndexByte(host, '.') < 0 || lines.IsComment(line) || strings.Contains(line, "://") {
			continue
		}
		account := strings.TrimLeft(line[len(host):], " \t")
		if _, domain, found := strings.Cut(host, "@"); found && strings.Contains(domain, ".") && verdict.FollowsRules(account) && !strings.ContainsAny(account, " \t/:") {
			t.given("account", start+len(line)-len(account), start+len(line), verdict.Password) // `app@example.com X`
			continue
		}
		user, secret, pair := strings.Cut(account, ":")
		name, _, _ := strings.Cut(strings.Trim(host, "[]"), "]")
		name, _, _ = strings.Cut(name, ":")
		if isDigest := user == "SHA256" || user == "MD5"; pair && verdict.IsHost(name) && user != "" && !isDigest && !strings.ContainsAny(account, " \t/") && (verdict.FollowsRules(secret) || verdict.IsRandom(secret) || verdict.IsPhrase(secret) || verdict.IsDottedPhrase(secret)) && !strings.Contains(secret, ":") {
			t.given("relay", start+len(line)-len(secret), start+len(line), verdict.Password)
		}
	}
}

// notes finds accounts in a list for people: `door: clerk / X`, `safe : clerk - X`. The password must
// look like one.
func (t lineFormats) notes() {
	if t.kind != settings {
		return
	}
	for start, end := range lines.All(t.S) {
		line := strings.TrimRight(t.S[start:end], " \t\r")
		i := max(strings.LastIndex(line, " / "), strings.LastIndex(line, " - "))
		if i < 0 || len(line) > lines.Reach || lines.IsComment(line) {
			continue
		}
		_, account, found := strings.Cut(line[:i], ":")
		if secret, remark, more := strings.Cut(line[i+len(" / "):], " ("); more && strings.HasSuffix(remark, ")") { // `door: clerk / X (ask Bob)`
			line = line[:i+len(" / ")+len(secret)]
		}
		account, _, _ = strings.Cut(strings.TrimSpace(account), "@")
		if secret := line[i+len(" / "):]; found && verdict.IsName(account) && !strings.ContainsAny(secret, " \t") && (verdict.FollowsRules(secret) || verdict.IsDrawnOrMarked(secret)) {
			t.given("account", start+len(line)-len(secret), start+len(line), verdict.Password)
		}
	}
}

// remarks finds the password in a remark for people, which says that it is for an access, or has a usual account before it:
// `Guest WLAN this week: X`, `old NAS -> root, X`. The password must look like one.
func (t lineFormats) remarks() {
	const longest = 8 << 10 // a longer text is a manual
	if t.kind != settings || len(t.S) > longest || !t.isNote() {
		return
	}
	for start, end := range lines.All(t.S) {
		if line := t.S[start:end]; end-start <= lines.Reach && !lines.IsComment(strings.TrimSpace(line)) {
			t.remark(start, end)
		}
	}
}

// isNote reports whether the text is one that people write: a message of a resource, or a file of text.
func (t *Text) isNote() bool {
	if !t.unchanged() {
		return false
	}
	if t.flow == value {
		return t.leaf.Name() == "message" || t.leaf.IsMessage()
	}
	switch file := strings.ToLower(t.target()); file[strings.LastIndexAny(file, "./")+1:] {
	case "txt", "text", "note", "notes", "motd", "issue":
		return true
	}
	return false
}

// remark handles the remark in S[start:end].
func (t lineFormats) remark(start, end int) {
	const fewest = 2 // words before a password
	isAccess, account := false, false
	n, before := 0, ""
	for i := start; i < end; n++ {
		for i < end && t.S[i] <= ' ' {
			i++
		}
		from := i
		for i < end && t.S[i] > ' ' {
			i++
		}
		from += len(t.S[from:i]) - len(strings.TrimLeft(t.S[from:i], "("))
		word := strings.TrimRight(t.S[from:i], ".,;:)")
		separated := strings.HasSuffix(before, ":") || strings.HasSuffix(before, ",") || before == "/" || before == "-" || before == "->"
		if n >= fewest && (isAccess || account) && verdict.IsPasswordInRemark(word, separated) {
			t.given("access", from, from+len(word), verdict.ClassOfArgument(word))
			return
		}
		isAccess = isAccess || isAccessWord(word)
		if account = account && word == ""; verdict.IsUsualAccount(word) {
			account = true
		} else if word == "" || word == "/" || word == "-" {
			account = separated || verdict.IsUsualAccount(strings.TrimRight(before, ",:"))
		}
		before = t.S[from:i]
	}
}

// isAccessWord reports whether a word of a remark or a name is about an access to something, which a password protects.
func isAccessWord(word string) bool {
	low := strings.ToLower(word)
	switch low {
	case "inlog", "access", "login", "logon", "account", "acces", "accès", "acceso", "accesso", "toegang", "konto", "compte", "cuenta", "anmeldung", "hotspot", "safe", "tresor", "keypad":
		return true
	}
	for _, part := range []string{"zugang", "zugäng", "wlan", "wifi", "wi-fi", "alarm"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}

// wifi finds the password in the text that telephones read from a QR code, `WIFI:T:WPA;S:home;P:X;;`. Backslashes
// escape the marks in a field.
func (t lineFormats) wifi() {
	const begin = "WIFI:"
	for i := range t.occurrences(begin) {
		line := lines.Rest(t.S, i)
		for from, at := len(begin), len(begin); at < len(line); at++ {
			switch line[at] {
			case '\\':
				at++
			case ';':
				if value, ok := strings.CutPrefix(line[from:at], "P:"); ok && value != "" {
					t.given("wifi_password", i+at-len(value), i+at, verdict.Phrase)
				}
				from = at + 1
			}
		}
	}
}

// rows finds accounts on hosts in lines with separators: `ftp.example.com;21;app;X;/in`.
func (t lineFormats) rows() {
	if t.flow != content || t.kind != settings || !t.has.Has(';') && !t.has.Has('|') && !t.has.Has('\t') {
		return
	}
	if strings.HasSuffix(strings.ToLower(t.target()), ".csv") {
		return // see files.table
	}
	const fewest = 3 // fields
	var separators []string
	for _, separator := range []string{";", "|", "\t"} {
		if strings.Count(t.S, separator) >= fewest-1 {
			separators = append(separators, separator)
		}
	}
	if separators == nil {
		return
	}
	for start, end := range lines.All(t.S) {
		line := strings.TrimLeft(t.S[start:end], " \t")
		start = end - len(line)
		if len(line) > lines.Reach || strings.IndexByte(line, '.') <= 0 {
			continue
		}
		for _, separator := range separators {
			if strings.Count(line, separator) >= fewest-1 && !lines.IsComment(line) {
				t.row(lines.Fields(t.S, start, end, separator))
			}
		}
	}
}

// row handles the fields of a line, one of which may be the password of the account before it on the host before both.
func (t lineFormats) row(fields []lines.Word) {
	isHost := false
	for i, f := range fields {
		text := strings.TrimSpace(f.Text)
		if i > 1 && isHost && len(text) == len(f.Text) && verdict.IsName(fields[i-1].Text) && !verdict.IsServer(fields[i-1].Text) && !alphabet.IsNumber(fields[i-1].Text) &&
			verdict.IsPasswordOf(fields[i-1].Text, text) && verdict.IsUnmistakable(text) && !strings.ContainsAny(text, " /:@(){}[]<>$\"'") && !verdict.IsServer(text) {
			t.given("account", f.Start, f.End, verdict.Password)
			return
		}
		isHost = isHost || verdict.IsServer(text)
	}
}

// spokenAccounts finds the password behind a slash in a line that says an account, or an access to something: `created the user app /
// X for db01`, `# access to the clock: admin / X`.
func (t lineFormats) spokenAccounts() {
	for i := range lines.Occurrences(t.S, " / ") {
		before := t.S[max(0, i-2*verdict.MaxName):i]
		before = before[strings.LastIndexByte(before, '\n')+1:]
		words := strings.Fields(before)
		n := len(words)
		if n < 2 || !verdict.IsName(words[n-1]) || t.kind != settings && !lines.IsComment(strings.TrimSpace(before)) {
			continue
		}
		at := i + len(" / ")
		secret, _, more := strings.Cut(lines.Rest(t.S, at), " ")
		secret = strings.TrimRight(secret, "\r")
		isOf := isAccountWord(words[n-2]) || words[n-2] == "account" || words[n-2] == "credentials"
		switch {
		case isOf && (verdict.FollowsRules(secret) || verdict.IsRandom(secret) || more && verdict.IsPhrase(secret)),
			saysAccount(words[n-2]) && slices.ContainsFunc(words[:n-1], isAccessWord) && !verdict.IsRelated(words[n-1], secret) && verdict.IsBehindSlash(secret):
			t.given("account", at, at+len(secret), verdict.Password)
		}
	}
}

// saysAccount reports whether an account follows the word in a sentence about an access: `login with app`, `access: admin`.
func saysAccount(word string) bool {
	switch strings.ToLower(word) {
	case "with", "as", "mit", "als", "avec", "con", "met":
		return true
	}
	return strings.HasSuffix(word, ":")
}

// communities finds the names of communities in scripts of RouterOS: `/snmp community set 0 name=X`.
func (t lineFormats) communities() {
	for i := range lines.Occurrences(t.S, "snmp community") {
		line := lines.Rest(t.S, i)
		if next := i + len(line) + 1; !strings.Contains(line, " name=") && next < len(t.S) {
			i, line = next, lines.Rest(t.S, next) // in the menu of the line before
		}
		_, value, found := strings.Cut(line, " name=")
		value = strings.Trim(value, `"`)
		if n := strings.IndexAny(value, " \t\r\""); n >= 0 {
			value = value[:n]
		}
		if found && value != "" {
			at := i + strings.Index(line, " name=") + len(" name=")
			at += strings.Index(t.S[at:], value)
			t.given("community", at, at+len(value), verdict.Password)
		}
	}
}

// tunnels finds the keys that `wg show dump` prints: the private key before the public one and the port of an interface, and the
// preshared key behind the public one of a peer.
func (t lineFormats) tunnels() {
	const length = 44 // of 32 bytes in base64
	isKey := func(s string) bool { return len(s) == length && s[length-1] == '=' && verdict.IsBase64(s) }
	for i := range lines.Occurrences(t.S, "=\t") {
		from := i + 1 - length
		if from < 0 || from > 0 && t.S[from-1] > ' ' || !isKey(t.S[from:i+1]) {
			continue
		}
		fields := strings.SplitN(t.S[i+2:min(len(t.S), i+2+2*verdict.MaxName)], "\t", 4)
		if len(fields) < 3 || !isKey(fields[0]) {
			continue
		}
		mark, _, _ := strings.Cut(fields[2], "\n")
		switch mark = strings.TrimRight(mark, "\r"); {
		case alphabet.IsNumber(fields[1]) && (mark == "off" || strings.HasPrefix(mark, "0x")):
			t.given("private_key", from, i+1, verdict.Token)
		case len(fields) > 3 && (fields[1] == "(none)" || strings.Contains(fields[1], ":")) && (mark == "(none)" || strings.Contains(mark, "/")):
			t.given("preshared_key", i+2, i+2+length, verdict.Token)
		}
	}
}

// servers finds the passwords of databases that Exim queries: `mysql_servers =
// host/database/user/X : …`.
func (t lineFormats) servers() {
	for at := range lines.Occurrences(t.S, "sql_servers") {
		line := lines.Rest(t.S, at)
		_, list, _ := strings.Cut(line, "=")
		start := at + len(line) - len(list)
		for server := range strings.SplitSeq(list, ":") {
			if fields := strings.Split(strings.TrimSpace(server), "/"); len(fields) == 4 {
				secret := fields[3]
				from := start + strings.LastIndexByte(server, '/') + 1
				t.given("servers", from, from+len(secret), verdict.Password)
			}
			start += len(server) + 1
		}
	}
}

// outputs finds the passwords of databases that rsyslog writes to, in its legacy format:
// `*.* :ommysql:host,database,user,X`.
func (t lineFormats) outputs() {
	for at := range lines.Occurrences(t.S, ":om") {
		line := lines.Rest(t.S, at)
		module, rest, found := strings.Cut(line[1:], ":")
		fields := strings.Split(rest, ",")
		if !found || module != "ommysql" && module != "ompgsql" || len(fields) != 4 {
			continue
		}
		secret, _, _ := strings.Cut(fields[3], ";")
		secret = strings.TrimRight(secret, " \r")
		from := at + len(line) - len(fields[3])
		t.given(module, from, from+len(secret), verdict.Password)
	}
}

// pgpass finds the lines of a .pgpass in a text whose file name is unknown: five fields,
// the second a port.
func (t lineFormats) pgpass() {
	if len(t.Encodings) == 0 && t.flow != value && !t.leaf.IsOutput() {
		return
	}
	if strings.Count(t.S, ":") < 4 {
		return
	}
	for start, end := range lines.All(t.S) {
		line := strings.TrimRight(t.S[start:end], "\r")
		if strings.Count(line, ":") == 4 && !strings.ContainsAny(line, " \t/") {
			if fields := strings.Split(line, ":"); (fields[1] == "*" || len(fields[1]) >= 4 && alphabet.IsNumber(fields[1])) && fields[0] != "" && fields[3] != "" {
				t.given("pgpass", start+len(line)-len(fields[4]), start+len(line), verdict.Password)
			}
		}
	}
}

// registrations finds accounts of Asterisk: `register => user:X@sip.example.com/s`, with the password
// of SIP in front of the name for the authentication, `user@example.com:X:name@sip.example.com`.
func (t lineFormats) registrations() {
	for start, end := range lines.All(t.S) {
		rest, found := strings.CutPrefix(strings.TrimLeft(t.S[start:end], " \t"), "register")
		_, account, assigned := strings.Cut(rest, "=")
		host := strings.LastIndexByte(account, '@')
		if !found || !assigned || host < 0 || strings.Trim(rest[:len(rest)-len(account)], " \t=") != "" {
			continue
		}
		account = strings.TrimLeft(account[:host], "> \t")
		user, secret, found := strings.Cut(account, ":")
		if i := strings.Index(secret, "//"); i == 0 { // `tls://user:X`
			user, secret, found = strings.Cut(secret[i+2:], ":")
		}
		secret, _, _ = strings.Cut(secret, ":")
		if found && user != "" && secret != "" && !strings.ContainsAny(account, " \t") {
			i := strings.LastIndex(t.S[start:end], ":"+secret) + 1
			t.given("register", start+i, start+i+len(secret), verdict.Password)
		}
	}
}

// definitions finds the secrets that a configuration of Kamailio defines on lines that look like comments:
// `#!define DB_PASSWORD "X"`, `#!substdef "!DB_PASSWORD!X!g"`.
func (t lineFormats) definitions() {
	for _, mark := range []string{"#!define ", "#!substdef"} {
		for i := range t.occurrences(mark) {
			at := i + len(mark)
			line := lines.Rest(t.S, at)
			if mark == "#!define " {
				if words := lines.Words(nil, t.S, at, at+len(line)); len(words) == 2 && words[1].Text != "" && words[1].Text[0] != '@' && t.classOf(words[0].Text).Secret() {
					t.given(words[0].Text, words[1].Start, words[1].End, t.classOf(words[0].Text))
				}
				continue
			}
			_, expression, quoted := strings.Cut(line, `"`)
			if len(expression) == 0 || !quoted || alphabet.IsAlnum(expression[0]) {
				continue
			}
			if parts := strings.Split(expression[1:], expression[:1]); len(parts) > 2 && t.classOf(parts[0]).Secret() {
				from := at + len(line) - len(expression) + 1 + len(parts[0]) + 1
				t.given(parts[0], from, from+len(parts[1]), t.classOf(parts[0]))
			}
		}
	}
}

// exim finds the credentials with which Exim logs in: `client_send = : user : X`.
func (t lineFormats) exim() {
	const mark = "client_send"
	for i := range lines.Occurrences(t.S, mark) {
		start := i + len(mark)
		value := lines.Rest(t.S, start)
		last := strings.LastIndexByte(value, ':')
		if last <= 0 || strings.Contains(value, "$") || strings.Count(value, ":") < 2 {
			continue
		}
		if secret := strings.Trim(value[last+1:], " \t\r\""); secret != "" {
			from := start + last + 1 + strings.Index(value[last+1:], secret)
			t.given(mark, from, from+len(secret), verdict.Password)
		}
	}
}

// loginModule finds the accounts of a JAAS login module: `user_NAME="X"`.
func (t lineFormats) loginModule() {
	module := strings.Index(t.S, "LoginModule")
	if module < 0 {
		return
	}
	for i := range lines.Occurrences(t.S[module:], "user_") {
		at := module + i + len("user_")
		name, rest, found := strings.Cut(lines.Rest(t.S, at), "=\"")
		if secret, _, closed := strings.Cut(rest, "\""); found && closed && verdict.IsName(name) {
			from := at + len(name) + 2
			t.given("user_"+name, from, from+len(secret), verdict.Password)
		}
	}
}

// maps finds the keys of clients in a map of nginx: `map $http_x_api_key $client { X 1; }`.
func (t lineFormats) maps() {
	s := t.S
	done := 0
	for i := range lines.Occurrences(s, "map $") {
		if i < done {
			continue
		}
		header, body, found := strings.Cut(lines.Rest(s, i), "{")
		if !found {
			continue
		}
		fields := strings.Fields(header)
		open := i + strings.IndexByte(s[i:], '{')
		if len(fields) != 3 || !t.classOf(strings.TrimPrefix(fields[1], "$")).Secret() || strings.TrimSpace(body) != "" {
			continue
		}
		end := open + max(0, strings.IndexByte(s[open:min(len(s), open+maxMap)], '}'))
		at := open + 1
		done = max(at, end)
		for start, stop := range lines.All(s[at:done]) {
			words := lines.Words(nil, s, at+start, at+stop)
			if len(words) == 2 && verdict.IsName(words[0].Text) {
				t.judge(assign.Assignment{Name: fields[1][1:], Value: words[0].Text, Start: words[0].Start, End: words[0].End, Quoted: true, Class: verdict.Token})
			}
		}
	}
}

// conditions finds the values that the condition `onlyif` of Augeas compares the nodes of a
// tree with: `match /files/etc/x/password[. = 'X'] size == 0`, `get …/password != 'X'`.
type conditions struct{ *Text }

func (t conditions) search() {
	if t.flow != command || t.resourceType() != "Augeas" {
		return
	}
	var words []lines.Word
	for i := range lines.Occurrences(t.S, "=") {
		behind := t.S[i+1 : min(len(t.S), i+1+verdict.MaxName)]
		if value := strings.TrimLeft(behind, " "); value == "" || value[0] != '\'' && value[0] != '"' {
			continue
		}
		if words = lines.Words(words[:0], t.S, i+1, i+1+len(behind)); len(words) == 0 {
			continue
		}
		path := strings.TrimRight(t.S[max(0, i-verdict.MaxName):i], " !=.[")
		for _, text := range []string{"/#text", "#text", "#attribute/value"} {
			path = strings.TrimRight(strings.TrimSuffix(path, text), "[/")
		}
		name := verdict.LastPart(path)
		if as := t.classOf(name); as.Secret() {
			t.given(name, words[0].Start, words[0].End, as)
		}
	}
}

// prompts finds the passwords that Expect scripts send after a prompt.
type prompts struct{ *Text }

func (t prompts) search() {
	if !t.has.HasAll("assword send") {
		return
	}
	s := t.S
	for i := range lines.Occurrences(s, "assword") {
		at := i + len("assword")
		line := s[at:min(len(s), at+lines.Reach)]
		line = line[:lines.End(line, min(len(line), lines.End(line, 0)+1))]
		_, rest, ok := strings.Cut(line, "send ")
		if !ok {
			continue
		}
		_, rest, _ = strings.Cut(rest, `"`)
		secret, _, ok := strings.Cut(rest, `\r"`)
		if line, _, found := strings.Cut(rest, `\n"`); found && (!ok || len(line) < len(secret)) {
			secret, ok = line, true
		}
		if !ok || strings.ContainsAny(secret, "\"\n") {
			continue
		}
		from := at + len(line) - len(rest)
		t.given("send", from, from+len(secret), verdict.Password)
	}
}

// maxMap is the maximum length of a map of nginx.
const maxMap = 16 << 10
