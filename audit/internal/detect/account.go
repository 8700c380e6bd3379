package detect

import (
	"net/netip"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
)

// basic finds the password in the value of a name for an account and its password: `user:password`, `user/password`, or the base64 of
// the first, as in Basic authentication and the configuration of Docker. It reports whether the value is handled.
func (t *Text) basic(a assign.Assignment) bool {
	low := strings.ToLower(a.Name)
	if !strings.Contains(low, "auth") && !strings.Contains(low, "cred") && !strings.Contains(low, "userp") && low != "login" {
		switch last := verdict.LastWord(a.Name); last {
		case "zugangsdaten", "anmeldedaten", "identifiants", "inloggegevens":
		default:
			return isAccessWord(last) && t.userpass(a)
		}
	}
	plain, ok := decode.Base64Text(a.Value)
	if !ok {
		return t.userpass(a)
	}
	user, secret, found := strings.Cut(plain, ":")
	if found && secret == "" && verdict.IsIdentifier(user) {
		return true // without a password
	}
	if !found || strings.ContainsAny(secret, "\n") || t.scanner.against(verdict.Candidate{Value: secret, As: verdict.Password, At: verdict.InText}) != verdict.None {
		return false
	}
	t.encoded(t.id(), a, secret, rule.Certain)
	return true
}

// userpass finds the password in the value `user:password` of a name for basic, and reports
// whether there is one.
func (t *Text) userpass(a assign.Assignment) bool {
	user, secret, found := strings.Cut(a.Value, ":")
	if !found {
		return t.userSlashPass(a)
	}
	if !verdict.IsIdentifier(strings.ReplaceAll(user, "-", "_")) || strings.ContainsAny(secret, "/:") || strings.HasPrefix(secret, " ") || strings.Contains(secret, " ") && !verdict.IsSpokenPhrase(secret) {
		return false
	}
	if !strings.ContainsAny(secret, "0123456789!#%^*+=? ") && !verdict.IsPhrase(secret) && !t.values().IsDefault(strings.ToLower(secret)) {
		return false // words, as in a pair of names
	}
	id := t.id()
	switch r := t.scanner.against(verdict.Candidate{Value: secret, As: verdict.Password, At: verdict.InText}); r {
	case verdict.None:
	case verdict.Common, verdict.Placeholder:
		if t.kind == manual {
			return true // an example
		}
		if t.isExactDefault(&assign.Assignment{Name: a.Name, Value: secret, Start: a.End - len(secret), End: a.End}, secret, r) {
			id = defaultPassword
		}
	default:
		return false
	}
	t.named(id, a.End-len(secret), a.End, a.Name, secret, rule.Likely)
	return true
}

// userSlashPass finds the password in the value `user/password` of a name for userpass. The password must look like one.
func (t *Text) userSlashPass(a assign.Assignment) bool {
	user, secret, found := strings.Cut(a.Value, "/")
	account, _, _ := strings.Cut(user, "@")
	if !found || !verdict.IsName(account) || !verdict.IsBehindSlash(secret) {
		return false
	}
	t.named(t.id(), a.End-len(secret), a.End, a.Name, secret, rule.Likely)
	return true
}

// schemes finds credentials after a scheme of authorization, regardless of the name:
// `Bearer X`, and `Basic X` if X is the base64 of an account.
func (t *Text) schemes() {
	s := t.S
	for _, mark := range []string{"Bearer", "Basic"} {
		for i := range t.occurrences(mark) {
			start := afterBlank(s, i+len(mark))
			if start < 0 {
				continue
			}
			end := start
			for end < len(s) && end-start < verdict.MaxValue && (verdict.IsBase64Byte(s[end]) || s[end] == '=' || s[end] == '.' || s[end] == '~') {
				end++
			}
			value := s[start:end]
			if len(value) < 16 || i > 0 && alphabet.IsWordByte(s[i-1]) {
				continue
			}
			if plain, ok := decode.Base64Text(value); mark == "Basic" && (!ok || !strings.Contains(plain, ":")) || mark == "Bearer" && !verdict.IsRandom(value) {
				continue
			}
			t.given("Authorization", start, end, verdict.Token)
		}
	}
}

// enclosesAddress reports whether s begins with the address of a host, and a parenthesis behind it.
func enclosesAddress(s string) bool {
	host, _, closed := strings.Cut(s[:min(len(s), verdict.MaxName)], ")")
	_, err := netip.ParseAddr(host)
	return closed && err == nil
}

// dsn finds the password in a data source name of Go drivers, and in similar ones:
// `user:password@(host:3306)/db`, `user:password@unix(/run/x)/db`, `user:password@/db`, `user:password@lan(192.0.2.1)`.
func (t lineFormats) dsn() {
	s := t.S
	for i := range lines.Occurrences(s, "@") {
		network := i + 1
		for network < len(s) && alphabet.IsLetter(s[network]) && network-i < 8 {
			network++
		}
		addressed := network < len(s) && s[network] == '(' && (strings.Contains(s[network:min(len(s), network+verdict.MaxName)], ")/") || network > i+1 && enclosesAddress(s[network+1:]))
		local := network == i+1 && network+1 < len(s) && s[network] == '/' && alphabet.IsLetter(s[network+1])
		if !addressed && !local {
			continue
		}
		from := i
		for from > 0 && i-from < verdict.MaxName && s[from-1] > ' ' && s[from-1] != '"' && s[from-1] != '\'' && s[from-1] != '=' {
			from--
		}
		user, secret, found := strings.Cut(s[from:i], ":")
		if !found || user == "" || secret == "" || strings.HasPrefix(secret, "//") || local && !verdict.IsIdentifier(user) {
			continue // of a URL; see urls
		}
		t.given("user", i-len(secret), i, verdict.Password)
	}
}

// accountsAt finds `user:secret@host` without a scheme, as in registrations of Asterisk and
// targets of MRTG.
func (t lineFormats) accountsAt() {
	s := t.S
	for i := range lines.Occurrences(s, "@") {
		from := i
		for from > 0 && i-from < verdict.MaxName && (alphabet.IsWordByte(s[from-1]) || s[from-1] == '-' || s[from-1] == '.' || s[from-1] == ':' || s[from-1] == '!') {
			from--
		}
		account := s[from:i]
		for _, method := range []string{":pserver:", ":ext:"} {
			account = strings.TrimPrefix(account, method) // of CVS
		}
		user, secret, found := strings.Cut(account, ":")
		host := s[i+1 : i+1+alphabet.Dotted.Run(s[i+1:min(len(s), i+1+verdict.MaxName)])]
		isHost := strings.Contains(host, ".") && verdict.IsHost(strings.Trim(host, ".")) || hasPort(host, s[i+1+len(host):]) && verdict.IsDrawnOrMarked(secret)
		ofTarget := strings.Contains(s[max(0, from-verdict.MaxName):from], "Target[") // of MRTG
		if !found || strings.Trim(user, "0123456789-.") == "" && !ofTarget || len(secret) < 8 || strings.Contains(secret, ":") || !isHost {
			continue
		}
		switch user {
		case "mailto", "sip", "sips", "xmpp", "acct", "ssh", "git", "im", "tel", "npm", "workspace", "docker", "image":
			continue
		}
		if from > 0 && (s[from-1] == '/' || s[from-1] == '%' || s[from-1] == '$' || s[from-1] == '{') {
			continue // of a URL, or a template
		}
		as := verdict.Token
		if ofTarget {
			as = verdict.Password
		}
		t.given("user", i-len(secret), i, as)
	}
}

// hasPort reports whether the text behind the name of a host begins with a port.
func hasPort(host, behind string) bool {
	const least, most = 2, 5 // digits
	if host == "" || !verdict.IsHost(host) || behind == "" || behind[0] != ':' {
		return false
	}
	n := 1
	for n < len(behind) && behind[n] >= '0' && behind[n] <= '9' {
		n++
	}
	return n > least && n <= most+1 && (n == len(behind) || !alphabet.IsWordByte(behind[n]))
}

// thin finds the account in the address of an Oracle database:
// `jdbc:oracle:thin:user/X@host` for Java, `user/X@//host` for other languages.
func (t lineFormats) thin() {
	for i := range t.occurrences("@//") {
		from := max(0, i-verdict.MaxName)
		account := t.S[from:i]
		account = account[strings.LastIndexAny(account, " \t\n\r\"'=")+1:]
		if user, secret, ok := strings.Cut(account, "/"); ok && verdict.IsIdentifier(user) && !strings.Contains(secret, "/") {
			t.given("user", i-len(secret), i, verdict.Password)
		}
	}
	for i := range t.occurrences("jdbc:oracle:") {
		rest := lines.Rest(t.S, i+len("jdbc:oracle:"))
		account, _, found := strings.Cut(rest, "@")
		if _, account, ok := strings.Cut(account, ":"); found && ok {
			if user, secret, ok := strings.Cut(account, "/"); ok && verdict.IsName(user) && !strings.ContainsAny(secret, " \"'") {
				end := i + len("jdbc:oracle:") + strings.IndexByte(rest, '@')
				t.given("user", end-len(secret), end, verdict.Password)
			}
		}
	}
}

// atDatabase finds the account before the name of an Oracle database, `app/X@orders`. The password must look like one: packages,
// files and services of Kerberos are written in this way, too.
func (t lineFormats) atDatabase() {
	for i := range lines.Occurrences(t.S, "@") {
		from := i
		for from > 0 && i-from < verdict.MaxName && t.S[from-1] > ' ' && strings.IndexByte("\"'=", t.S[from-1]) < 0 {
			from--
		}
		end := i + 1 + alphabet.Dotted.Run(t.S[i+1:min(len(t.S), i+1+verdict.MaxName)])
		name := t.S[i+1 : end]
		user, secret, found := strings.Cut(t.S[from:i], "/")
		isPart := end < len(t.S) && t.S[end] == '/'
		if found && verdict.IsName(user) && verdict.IsBehindSlash(secret) && !strings.Contains(secret, "%") &&
			verdict.IsHost(name) && !strings.Contains(name, ".") && !isPart && alphabet.IsLetter(name[0]) && !alphabet.IsNumber(strings.TrimPrefix(name, "v")) {
			t.given("user", i-len(secret), i, verdict.Password)
		}
	}
}

// afterBlank returns the position after the blank at i, which HAProxy escapes, or -1 if there is none.
func afterBlank(s string, i int) int {
	if i < len(s) && s[i] == '\\' {
		i++
	}
	if i >= len(s) || s[i] != ' ' {
		return -1
	}
	return i + 1
}

// protocol finds the passwords that a line sends with the command AUTH of a protocol, such as that of
// Redis: `tcp-check send AUTH\ X\r\n`.
func (t lineFormats) protocol() {
	const mark = "AUTH"
	s := t.S
	for i := range t.occurrences(mark) {
		start := afterBlank(s, i+len(mark))
		if start < 0 {
			continue
		}
		word, _, sent := strings.Cut(lines.Rest(s, start), `\r\n`)
		if user, secret, found := strings.Cut(word, " "); found && sent {
			start, word = start+len(user)+1, secret
		}
		if sent && word != "" && !strings.ContainsAny(word, " \"'") {
			t.given(mark, start, start+len(word), verdict.Password)
		}
	}
}
