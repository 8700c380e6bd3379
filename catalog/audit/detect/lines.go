package detect

import (
	"iter"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// lined looks for lines whose form, and a word that stands nearby, tells that
// they hold a secret, and where.
func (t *Text) lined(has *contained) {
	if has.byte('@') && has.byte(':') {
		t.dsn()
		t.accountsAt()
	}
	if has.byte(':') && (len(t.Encodings) > 0 || t.flow == value) {
		t.pgpass()
	}
	if has.byte('B') && has.byte(' ') {
		t.schemes()
	}
	if has.byte('@') && has.byte('/') && has.byte(':') {
		t.thin()
	}
	if has.byte('_') && has.byte(':') {
		t.exim()
	}
	if has.byte('_') && has.byte('"') {
		t.loginModule()
	}
	if has.byte('&') && has.byte('=') {
		t.sharedAccess()
	}
	if has.byte('/') && strings.Contains(t.S, "/t/") {
		t.conda()
	}
	if has.byte('/') && (strings.Contains(t.S, " password ") || strings.Contains(t.S, "\tpassword\t")) {
		t.selections()
	}
	if has.byte('_') && has.byte('/') && strings.Contains(t.S, "sql_servers") {
		t.servers()
	}
	if has.byte(',') && strings.Contains(t.S, ":om") {
		t.outputs()
	}
	if has.byte('.') && strings.Contains(t.S, "tempauth") {
		t.tempauth()
	}
}

// places yields where mark stands in s.
func places(s, mark string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(mark) {
			i := strings.Index(s[at:], mark)
			if i < 0 {
				return
			}
			if at += i; !yield(at) {
				return
			}
		}
	}
}

// dsn finds the password in the name of a data source as drivers of Go have it:
// `user:password@(host:3306)/db`, `user:password@unix(/run/x)/db`,
// `user:password@/db`.
func (t *Text) dsn() {
	s := t.S
	for i := range places(s, "@") {
		network := i + 1
		for network < len(s) && isLetter(s[network]) && network-i < 8 {
			network++
		}
		addressed := network < len(s) && s[network] == '(' && strings.Contains(s[network:min(len(s), network+maxName)], ")/")
		local := network == i+1 && network+1 < len(s) && s[network] == '/' && isLetter(s[network+1])
		if !addressed && !local {
			continue
		}
		from := i
		for from > 0 && i-from < maxName && s[from-1] > ' ' && s[from-1] != '"' && s[from-1] != '\'' && s[from-1] != '=' {
			from--
		}
		user, secret, found := strings.Cut(s[from:i], ":")
		if !found || user == "" || secret == "" || strings.HasPrefix(secret, "//") || local && !isIdentifier(user) {
			continue // of a URL, which is looked at elsewhere
		}
		t.judge(assignment{name: "user", value: secret, start: i - len(secret), end: i, quoted: true, sort: password})
	}
}

// sharedAccess finds the signature of a shared access signature of Azure, which
// opens what it signs: `sv=…&sp=…&sig=…`.
func (t *Text) sharedAccess() {
	s := t.S
	for i := range places(s, "sig=") {
		start := i + len("sig=")
		end := start + t.scanner.detector.tables.run(s[start:min(len(s), start+maxName)], percent64)
		before, after := s[max(0, start-maxName*4):start], s[end:min(len(s), end+maxName*4)]
		signs := func(name string) bool { return strings.Contains(before, name) || strings.Contains(after, "&"+name) }
		if end-start >= 43 && signs("se=") && (signs("sv=") || signs("skn=") || signs("sr=")) {
			t.judge(assignment{name: "sig", value: s[start:end], start: start, end: end, quoted: true, sort: token})
		}
	}
}

// tempauth finds the keys of the accounts that the proxy of OpenStack Swift
// knows itself: `user_account_name = KEY .admin`.
func (t *Text) tempauth() {
	for start := 0; start < len(t.S); {
		end := lineEnd(t.S, start)
		line := t.S[start:end]
		if name, value, found := strings.Cut(line, "="); found && strings.HasPrefix(strings.TrimSpace(name), "user") {
			if words := wordsIn(nil, t.S, start+len(line)-len(value), end); len(words) > 0 && strings.HasPrefix(words[len(words)-1].text, ".") {
				t.judge(assignment{name: strings.TrimSpace(name), value: words[0].text, start: words[0].start, end: words[0].end, quoted: true, sort: password})
			}
		}
		start = end + 1
	}
}

// selections finds the answers to the questions of debconf: `package
// package/question password X`.
func (t *Text) selections() {
	for start := 0; start < len(t.S); {
		end := lineEnd(t.S, start)
		if line := t.S[start:end]; strings.Contains(line, "password") && !isComment(strings.TrimSpace(line)) {
			words := wordsIn(t.scanner.words[:0], t.S, start, end)
			t.scanner.words = words
			if len(words) > 3 && words[2].text == "password" && strings.Contains(words[1].text, "/") && !words[3].quoted {
				w := words[3]
				t.judge(assignment{name: words[1].text, value: w.text, start: w.start, end: w.end, quoted: true, sort: password})
			}
		}
		start = end + 1
	}
}

// servers finds the passwords of databases that Exim asks: `mysql_servers =
// host/database/user/X : …`.
func (t *Text) servers() {
	for at := range places(t.S, "sql_servers") {
		end := at + lineEnd(t.S[at:min(len(t.S), at+reach)], 0)
		_, list, _ := strings.Cut(t.S[at:end], "=")
		start := end - len(list)
		for server := range strings.SplitSeq(list, ":") {
			if fields := strings.Split(strings.TrimSpace(server), "/"); len(fields) == 4 {
				secret := fields[3]
				from := start + strings.LastIndexByte(server, '/') + 1
				t.judge(assignment{name: "servers", value: secret, start: from, end: from + len(secret), quoted: true, sort: password})
			}
			start += len(server) + 1
		}
	}
}

// outputs finds the passwords of databases that rsyslog writes to, in its oldest
// format: `*.* :ommysql:host,database,user,X`.
func (t *Text) outputs() {
	for at := range places(t.S, ":om") {
		line := t.S[at:min(len(t.S), at+reach)]
		line = line[:lineEnd(line, 0)]
		module, rest, found := strings.Cut(line[1:], ":")
		fields := strings.Split(rest, ",")
		if !found || module != "ommysql" && module != "ompgsql" || len(fields) != 4 {
			continue
		}
		secret, _, _ := strings.Cut(fields[3], ";")
		secret = strings.TrimRight(secret, " \r")
		from := at + len(line) - len(fields[3])
		t.judge(assignment{name: module, value: secret, start: from, end: from + len(secret), quoted: true, sort: password})
	}
}

// conda finds the tokens in the channels of Conda: `https://host/t/TOKEN/main`.
func (t *Text) conda() {
	for i := range places(t.S, "/t/") {
		start := i + len("/t/")
		token := t.S[start:min(len(t.S), start+39)]
		if len(token) == 39 && token[2] == '-' && isUUID(token[3:]) {
			t.found("provider-token/anaconda", start, start+39, rule.Certain)
		}
	}
}

// accountsAt finds `user:secret@host` without a scheme, as the registrations of
// Asterisk and the targets of MRTG have it.
func (t *Text) accountsAt() {
	s := t.S
	for i := range places(s, "@") {
		from := i
		for from > 0 && i-from < maxName && (isWordByte(s[from-1]) || s[from-1] == '-' || s[from-1] == '.' || s[from-1] == ':' || s[from-1] == '!') {
			from--
		}
		account := s[from:i]
		for _, method := range []string{":pserver:", ":ext:"} {
			account = strings.TrimPrefix(account, method) // of CVS
		}
		user, secret, found := strings.Cut(account, ":")
		host := s[i+1 : i+1+t.scanner.detector.tables.run(s[i+1:min(len(s), i+1+maxName)], dotted)]
		if !found || user == "" || len(secret) < 8 || strings.Contains(secret, ":") || !strings.Contains(host, ".") || !isHost(strings.Trim(host, ".")) {
			continue
		}
		switch user {
		case "mailto", "sip", "sips", "xmpp", "acct", "ssh", "git", "im", "tel":
			continue
		}
		if from > 0 && (s[from-1] == '/' || s[from-1] == '%' || s[from-1] == '$' || s[from-1] == '{') {
			continue // of a URL, or filled in
		}
		t.judge(assignment{name: "user", value: secret, start: i - len(secret), end: i, quoted: true, sort: token})
	}
}

// schemes finds what follows a scheme of authorization, whatever it stands
// under: `Bearer X`, and `Basic X` when that is the base64 of an account.
func (t *Text) schemes() {
	s := t.S
	for _, mark := range []string{"Bearer", "Basic"} {
		for i := range places(s, mark) {
			start := i + len(mark)
			if start < len(s) && s[start] == '\\' { // as HAProxy escapes blanks
				start++
			}
			if start >= len(s) || s[start] != ' ' {
				continue
			}
			start++
			end := start
			for end < len(s) && end-start < maxValue && (isBase64Byte(s[end]) || s[end] == '=' || s[end] == '.' || s[end] == '~') {
				end++
			}
			value := s[start:end]
			if len(value) < 16 || i > 0 && isWordByte(s[i-1]) {
				continue
			}
			if plain, ok := textOf(value); mark == "Basic" && (!ok || !strings.Contains(plain, ":")) || mark == "Bearer" && !random(value) {
				continue
			}
			t.judge(assignment{name: "Authorization", value: value, start: start, end: end, quoted: true, sort: token})
		}
	}
}

// thin finds the account in the address of a database of Oracle that its driver
// for Java takes: `jdbc:oracle:thin:user/X@host`.
func (t *Text) thin() {
	for i := range places(t.S, "jdbc:oracle:") {
		rest := t.S[i+len("jdbc:oracle:") : min(len(t.S), i+reach)]
		rest = rest[:lineEnd(rest, 0)]
		account, _, found := strings.Cut(rest, "@")
		if _, account, ok := strings.Cut(account, ":"); found && ok {
			if user, secret, ok := strings.Cut(account, "/"); ok && isOption(user) && !strings.ContainsAny(secret, " \"'") {
				end := i + len("jdbc:oracle:") + strings.IndexByte(rest, '@')
				t.judge(assignment{name: "user", value: secret, start: end - len(secret), end: end, quoted: true, sort: password})
			}
		}
	}
}

// pgpass finds the lines of a .pgpass where the name of the file is not told:
// five fields, the second a port.
func (t *Text) pgpass() {
	if strings.Count(t.S, ":") < 4 {
		return
	}
	for start := 0; start < len(t.S); {
		end := lineEnd(t.S, start)
		line := strings.TrimRight(t.S[start:end], "\r")
		if strings.Count(line, ":") == 4 && !strings.ContainsAny(line, " \t/") {
			if fields := strings.Split(line, ":"); (fields[1] == "*" || len(fields[1]) >= 4 && isNumber(fields[1])) && fields[0] != "" && fields[3] != "" {
				t.judge(assignment{name: "pgpass", value: fields[4], start: start + len(line) - len(fields[4]), end: start + len(line), quoted: true, sort: password})
			}
		}
		start = end + 1
	}
}

// exim finds what Exim logs in with: `client_send = : user : X`.
func (t *Text) exim() {
	const mark = "client_send"
	for at := 0; ; {
		i := strings.Index(t.S[at:], "_send")
		if i < 0 {
			return
		}
		start := at + i + len("_send")
		at = start
		if !strings.HasSuffix(t.S[:start], mark) {
			continue
		}
		at = lineEnd(t.S, start)
		value := t.S[start:at]
		if last := strings.LastIndexByte(value, ':'); last > 0 && !strings.Contains(value, "$") && strings.Count(value, ":") >= 2 {
			secret := strings.Trim(value[last+1:], " \t\r\"")
			from := start + last + 1 + max(0, strings.Index(value[last+1:], secret))
			t.judge(assignment{name: mark, value: secret, start: from, end: from + len(secret), quoted: true, sort: password})
		}
	}
}

// loginModule finds the accounts that a module of JAAS knows: `user_NAME="X"`.
func (t *Text) loginModule() {
	module := strings.Index(t.S, "LoginModule")
	if module < 0 {
		return
	}
	for i := range places(t.S[module:], "user_") {
		at := module + i + len("user_")
		name, rest, found := strings.Cut(t.S[at:at+lineEnd(t.S[at:min(len(t.S), at+reach)], 0)], "=\"")
		if secret, _, closed := strings.Cut(rest, "\""); found && closed && isOption(name) {
			from := at + len(name) + 2
			t.judge(assignment{name: "user_" + name, value: secret, start: from, end: from + len(secret), quoted: true, sort: password})
		}
	}
}
