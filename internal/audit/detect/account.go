package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// dsn finds the password in a data source name of Go drivers:
// `user:password@(host:3306)/db`, `user:password@unix(/run/x)/db`, `user:password@/db`.
func (t lineFormats) dsn() {
	s := t.S
	for i := range places(s, "@") {
		network := i + 1
		for network < len(s) && alphabet.IsLetter(s[network]) && network-i < 8 {
			network++
		}
		addressed := network < len(s) && s[network] == '(' && strings.Contains(s[network:min(len(s), network+verdict.MaxName)], ")/")
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
	for i := range places(s, "@") {
		from := i
		for from > 0 && i-from < verdict.MaxName && (alphabet.IsWordByte(s[from-1]) || s[from-1] == '-' || s[from-1] == '.' || s[from-1] == ':' || s[from-1] == '!') {
			from--
		}
		account := s[from:i]
		for _, method := range []string{":pserver:", ":ext:"} {
			account = strings.TrimPrefix(account, method) // of CVS
		}
		user, secret, found := strings.Cut(account, ":")
		host := s[i+1 : i+1+t.tables().Run(s[i+1:min(len(s), i+1+verdict.MaxName)], alphabet.Dotted)]
		if !found || user == "" || len(secret) < 8 || strings.Contains(secret, ":") || !strings.Contains(host, ".") || !verdict.IsHost(strings.Trim(host, ".")) {
			continue
		}
		switch user {
		case "mailto", "sip", "sips", "xmpp", "acct", "ssh", "git", "im", "tel":
			continue
		}
		if from > 0 && (s[from-1] == '/' || s[from-1] == '%' || s[from-1] == '$' || s[from-1] == '{') {
			continue // of a URL, or a template
		}
		t.given("user", i-len(secret), i, verdict.Token)
	}
}

// thin finds the account in the address of an Oracle database:
// `jdbc:oracle:thin:user/X@host` for Java, `user/X@//host` for other languages.
func (t lineFormats) thin() {
	for i := range places(t.S, "@//") {
		from := max(0, i-verdict.MaxName)
		account := t.S[from:i]
		account = account[strings.LastIndexAny(account, " \t\n\r\"'=")+1:]
		if user, secret, ok := strings.Cut(account, "/"); ok && verdict.IsIdentifier(user) && !strings.Contains(secret, "/") {
			t.given("user", i-len(secret), i, verdict.Password)
		}
	}
	for i := range places(t.S, "jdbc:oracle:") {
		rest := restOf(t.S, i+len("jdbc:oracle:"))
		account, _, found := strings.Cut(rest, "@")
		if _, account, ok := strings.Cut(account, ":"); found && ok {
			if user, secret, ok := strings.Cut(account, "/"); ok && isOption(user) && !strings.ContainsAny(secret, " \"'") {
				end := i + len("jdbc:oracle:") + strings.IndexByte(rest, '@')
				t.given("user", end-len(secret), end, verdict.Password)
			}
		}
	}
}
