package detect

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/token"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/unescape"
)

// urls finds secrets in URLs.
type urls struct{ *Text }

func (t urls) search() {
	if t.has.Has(':') && t.has.Has('/') && t.features.May("://") {
		t.passwords()
		t.hooks()
	}
}

// passwords finds passwords in URLs of any scheme: `scheme://user:password@host`, including
// JDBC and the dialects of Go and Python.
func (t urls) passwords() {
	for at, sign := 0, -1; ; {
		i := strings.Index(t.S[at:], "://")
		if i < 0 {
			return
		}
		i += at
		at = i + 3
		if sign < at {
			n := strings.IndexByte(t.S[at:], '@')
			if n < 0 {
				return
			}
			sign = at + n
		}
		if sign-at >= maxUserinfo || !schemeBefore(t.S, i) {
			continue
		}
		for more := true; more; {
			start, end, ok := userinfoPassword(t.S, at)
			if !ok {
				t.userinfoToken(at)
				break
			}
			t.userinfo(start, end)
			t.userinfoUser(at, start-1)
			at, more = nextHost(t.S, end)
		}
	}
}

// nextHost returns the position of the next host in a list, and whether there is one, after
// a password that ends at end: `amqp://a:X@h1,a:Y@h2`.
func nextHost(s string, end int) (at int, ok bool) {
	host := s[end:min(len(s), end+maxUserinfo)]
	if i := strings.IndexAny(host, ",/?# \t\r\n\"'<>"); i >= 0 && host[i] == ',' {
		return end + i + 1, true
	}
	return end, false
}

// userinfo judges the password in S[start:end] of a URL.
func (t urls) userinfo(start, end int) {
	if t.kind == source && t.commented(start) || exampleUser(t.S[:start-1], t.S[start:end]) {
		return
	}
	h := t.Hit("url-credentials", start, end, t.S[start:end], rule.Likely)
	if plain, changed := unescape.Path(h.Secret); changed {
		h.Secret = plain
		h.Encodings = append(slices.Clip(h.Encodings), "percent")
	}
	r := t.scanner.against(verdict.Candidate{Value: h.Secret, As: verdict.Password, At: verdict.InParameter})
	a := assign.Assignment{Value: t.S[start:end], Start: start, End: end}
	if r == verdict.None && (t.isOwnUser(&a) || t.isOwnName(&a)) {
		r = verdict.Common
	}
	switch r {
	case verdict.Common, verdict.Placeholder:
		if t.isExactDefault(&a, h.Secret, r) {
			h.Rule = defaultPassword
		}
		t.emit(h)
	case verdict.None, verdict.Number, verdict.Address, verdict.Keyword, verdict.Filename:
		t.emit(h)
	default:
	}
}

// userinfoToken judges the user of a URL for the web that begins at start and has no
// password. It may be a token: `https://X@git.example.com/`.
func (t urls) userinfoToken(start int) {
	limit := min(len(t.S), start+maxUserinfo)
	end := start + alphabet.Dotted.Run(t.S[start:limit])
	if end == limit || t.S[end] != '@' || !strings.HasSuffix(t.S[:start], "http://") && !strings.HasSuffix(t.S[:start], "https://") {
		return
	}
	if t.scanner.against(verdict.Candidate{Value: t.S[start:end], As: verdict.Hint, At: verdict.InText}) == verdict.None {
		h := t.Hit("url-credentials", start, end, t.S[start:end], rule.Possible)
		h.Loose = true
		t.emit(h)
	}
}

// userinfoUser judges the user in S[start:end] of a URL with a password, which may be a token: `https://X:x-oauth-basic@git.example.com/`.
// A user in one case, as of Sentry, identifies a key.
func (t urls) userinfoUser(start, end int) {
	const shortest = 20
	if end-start >= shortest && looksDrawn(t.S[start:end]) && !(t.kind == source && t.commented(start)) {
		h := t.Hit("url-credentials", start, end, t.S[start:end], rule.Possible)
		h.Loose = true
		t.emit(h)
	}
}

// exampleUser reports whether the user and the password of a URL are words for them:
// `user:password@`. The text before ends with the user.
func exampleUser(before, password string) bool {
	low := strings.ToLower(password)
	user := strings.ToLower(before[strings.LastIndexAny(before, "/(")+1:])
	user, low = strings.Trim(user, "{}[]"), strings.Trim(low, "{}[]") // of a Python format
	for _, p := range []string{"my", "your", "some", "_"} {
		user, low = strings.TrimPrefix(user, p), strings.TrimPrefix(low, p)
	}
	switch user {
	case "user", "username", "user_name", "usr", "login", "name":
	default:
		return false
	}
	switch low {
	case "password", "pass", "passwd", "pwd", "secret", "pw", "passphrase":
		return true
	}
	return false
}

// schemeBefore reports whether a scheme ends at i.
func schemeBefore(s string, i int) bool {
	n := 0
	for n < i && n < 32 && (alphabet.IsAlnum(s[i-1-n]) || s[i-1-n] == '+' || s[i-1-n] == '-' || s[i-1-n] == '.') {
		n++
	}
	return n > 1 && alphabet.IsLetter(s[i-n])
}

// maxUserinfo is the maximum length of the part of a URL before the host.
const maxUserinfo = 512

// userinfoPassword returns the position of the password in the authority that begins at
// from. A password may contain an unescaped `@` or `/` if a host follows.
func userinfoPassword(s string, from int) (start, end int, ok bool) {
	limit := min(len(s), from+maxUserinfo)
	colon, at := -1, -1
	for i := from; i < limit; i++ {
		c := s[i]
		domain := c == '\\' && colon < 0 && (strings.HasSuffix(s[:from], "smb://") || strings.HasSuffix(s[:from], "cifs://"))
		apostrophe := c == '\'' && colon >= 0 && at < 0 && i+1 < limit && alphabet.IsLetter(s[i-1]) && alphabet.IsLetter(s[i+1])
		if c <= ' ' || c == '"' || c == '\'' && !apostrophe || c == '`' || c == '<' || c == '>' || c == '\\' && !domain || c >= 0x7f {
			break
		}
		if (c == '/' || c == '?' || c == '#') && (colon < 0 || at >= 0) {
			break
		}
		if c == ':' && colon < 0 {
			colon = i
		}
		if c == '@' {
			if colon < 0 {
				break // a user without a password
			}
			if at < 0 || s[i-1] != '/' {
				at = i
			}
		}
		if c == ',' && at >= 0 {
			break // the next host of a list
		}
	}
	if colon < 0 || at < 0 || at == colon+1 {
		return 0, 0, false
	}
	password := s[colon+1 : at]
	if i := strings.IndexByte(password, '/'); i >= 0 && alphabet.IsNumber(password[:i]) {
		return 0, 0, false // a port and a path that contains an @
	}
	return colon + 1, at, true
}

// webhook is a path that contains a secret. It is a row of knowledge/webhooks.txt.
type webhook struct {
	before []string // the parts before the secret, in order
	least  int      // minimum length of the secret
}

// webhooks returns the rows of the table.
var webhooks = sync.OnceValue(func() []webhook {
	var list []webhook
	for columns := range knowledge.Webhooks.Rows(1) {
		before, length, _ := strings.Cut(columns[0], "/{")
		least, err := strconv.Atoi(strings.TrimSuffix(length, "}"))
		if err != nil {
			panic("knowledge/webhooks.txt: " + columns[0]) //nolint:forbidigo // a test reads the table, which is a part of the program
		}
		list = append(list, webhook{strings.Split(before, "/"), least})
	}
	return list
})

// has reports whether a part of a path is the secret. The argument before contains the host and the
// preceding parts.
func (w *webhook) has(part string, before []string) bool {
	n := len(before) - len(w.before)
	if n < 0 || len(part) < w.least || (n == 0) != strings.Contains(w.before[0], ".") {
		return false
	}
	for i, known := range w.before {
		isHost := strings.HasSuffix(known, ".") && strings.HasPrefix(before[n+i], known)
		if known != "*" && known != before[n+i] && !isHost {
			return false
		}
	}
	return isKey(part)
}

// hooks finds secrets in the paths of URLs.
func (t urls) hooks() {
	s := t.S
	for i := range lines.Occurrences(s, "://") {
		path := s[i+3 : min(len(s), i+3+maxUserinfo)]
		if end := strings.Index(path, "://"); end >= 0 {
			path = path[:end]
		}
		if end := strings.IndexAny(path, " \t\r\n\"'`<>\\?#,;|)"); end >= 0 {
			path = path[:end]
		}
		if len(path) >= token.MinLen {
			t.hook(i+3, path)
		}
	}
}

// hook handles a URL without its scheme, which begins at start.
func (t urls) hook(start int, url string) {
	before := make([]string, 0, 16) // usually on the stack
	for part := range strings.SplitSeq(url, "/") {
		isSecret := func(w webhook) bool { return w.has(part, before) }
		switch n, end := len(before), start+len(part); {
		case n > 1 && before[n-1] == "t" && len(part) == 39 && part[2] == '-' && verdict.IsUUID(part[3:]):
			t.found("provider-token/anaconda", start, end, rule.Certain)
		case n > 0 && slices.ContainsFunc(webhooks(), isSecret):
			t.given("webhook", start, end, verdict.Token)
		}
		before = append(before, part)
		start += len(part) + 1
	}
}

// isKey reports whether a part of a path looks random.
func isKey(part string) bool {
	digits, lower, upper, _ := alphabet.Count(part)
	return verdict.IsUUID(part) || digits > 0 && lower+upper > 0 && verdict.IsRandom(part)
}

// commented reports whether the position is in a comment.
func (t *Text) commented(at int) bool {
	before := t.S[max(0, at-maxUserinfo):at]
	i := strings.LastIndexByte(before, '\n')
	return (i >= 0 || at <= maxUserinfo) && lines.IsComment(strings.TrimSpace(before[i+1:]))
}
