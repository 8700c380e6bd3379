package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/decode"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// scheme removes the scheme from the value of an Authorization header. It returns the rest
// and the length of the scheme.
func scheme(name, value string) (rest string, n int, ok bool) {
	if !strings.Contains(strings.ToLower(name), "authorization") && !strings.HasPrefix(strings.ToLower(name), "auth") {
		return "", 0, false
	}
	first, rest, found := strings.Cut(value, " ")
	if !found {
		return "", 0, false
	}
	switch strings.ToLower(first) {
	case "bearer", "token", "apikey", "splunk", "basic", "key", "bot", "genie-token", "geniekey", "api-token", "apitoken", "sso-key", "digest", "negotiate", "ntlm":
		return strings.TrimSpace(rest), len(first) + 1, true
	}
	return "", 0, false
}

// basic finds the password in the base64 of `user:password`, as in Basic authentication and
// the configuration of Docker. It reports whether the value is handled.
func (t *Text) basic(a assignment) bool {
	low := strings.ToLower(a.name)
	if !strings.Contains(low, "auth") && !strings.Contains(low, "cred") && !strings.Contains(low, "userp") && low != "login" {
		return false
	}
	plain, ok := decode.Base64Text(a.value)
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
func (t *Text) userpass(a assignment) bool {
	user, secret, found := strings.Cut(a.value, ":")
	if !found || !verdict.IsIdentifier(strings.ReplaceAll(user, "-", "_")) || strings.ContainsAny(secret, " /:") || !strings.ContainsAny(secret, "0123456789!#%^*+=?") && !verdict.IsPhrase(secret) ||
		t.scanner.against(verdict.Candidate{Value: secret, As: verdict.Password, At: verdict.InText}) != verdict.None {
		return false
	}
	from := a.end - len(secret)
	t.named(t.id(), from, a.end, a.name, secret, rule.Likely)
	return true
}

// schemes finds credentials after a scheme of authorization, regardless of the name:
// `Bearer X`, and `Basic X` if X is the base64 of an account.
func (t *Text) schemes() {
	s := t.S
	for _, mark := range []string{"Bearer", "Basic"} {
		for i := range places(s, mark) {
			start := i + len(mark)
			if start < len(s) && s[start] == '\\' { // HAProxy escapes blanks
				start++
			}
			if start >= len(s) || s[start] != ' ' {
				continue
			}
			start++
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
