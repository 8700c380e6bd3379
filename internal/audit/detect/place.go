package detect

import (
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/audit/leaf"
)

// place tells where in a directive the secret stands.
type place struct {
	words []string // the keyword, and words that follow it
	at    int      // the position of the secret behind the keyword
	sort  sort
	// account is what stands between a user and the secret, empty when there is
	// the secret only.
	account string
}

// directivePlaces are directives whose secret does not follow a name that tells it,
// or not at once. A word "" stands for any.
var directivePlaces = sync.OnceValue(func() map[string][]place {
	return map[string][]place{
		"acl": {{words: []string{"", "", "-m", "str"}, at: 5, sort: plain}},
		"add": {
			{words: []string{"snmp", "community"}, at: 3, sort: password},
			{words: []string{"", "", "esp", "", "-E", ""}, at: 7, sort: token},
			{words: []string{"", "", "esp", "", "-E", "", "", "-A", ""}, at: 10, sort: token},
			{words: []string{"password", ""}, at: 3, sort: password},
			{words: []string{"password", ""}, at: 4, sort: password},
		},
		"add_header":           {{words: []string{""}, at: 2, sort: plain}},
		"addprinc":             {{words: []string{"-pw"}, at: 2, sort: password}},
		"allow":                {{at: 1, sort: token, account: ":"}}, // of Monit
		"ank":                  {{words: []string{"-pw"}, at: 2, sort: password}},
		"auth-md":              {{at: 2, sort: password}}, // of OpenBSD
		"auth_pass":            {{at: 1, sort: password}},
		"authcommunity":        {{at: 2, sort: password}},
		"aws_access_key":       {{words: []string{""}, at: 2, sort: token}}, // of CoreDNS
		"authldapbindpassword": {{at: 1, sort: password}},
		"cachemgr_passwd":      {{at: 1, sort: password}},
		"com2sec":              {{at: 3, sort: password}},
		"com2sec6":             {{at: 3, sort: password}},
		"conn":                 {{at: 1, sort: token, account: "/"}},
		"connect":              {{at: 1, sort: token, account: "/"}, {words: []string{"target"}, at: 2, sort: token, account: "/"}},
		"credentials":          {{words: []string{""}, at: 2, sort: token}}, // of CoreDNS, for etcd
		"createuser":           {{at: 3, sort: password}, {at: 5, sort: password}},
		"d-i":                  {{words: []string{"", "password"}, at: 3, sort: password}},
		"device_property":      {{words: []string{""}, at: 2, sort: plain}},
		"dns":                  {{words: []string{""}, at: 2, sort: token}}, // of Caddy
		"env":                  {{words: []string{""}, at: 2, sort: plain}},
		"fastcgi_param":        {{words: []string{""}, at: 2, sort: plain}},
		"header_up":            {{words: []string{""}, at: 2, sort: plain}},
		"http-request":         {{words: []string{"set-header", ""}, at: 3, sort: plain}},
		"incominguser":         {{at: 2, sort: password}}, // of iSCSI targets
		"informsink":           {{at: 2, sort: password}},
		"ipsec":                {{words: []string{"secret"}, at: 2, sort: password}}, // of vpnc
		"login":                {{words: []string{"", "password"}, at: 3, sort: password}},
		".logon":               {{at: 1, sort: password, account: ","}}, // of Teradata
		"machine":              {{words: []string{"", "login", "", "password"}, at: 5, sort: password}},
		"monitor": { // of Network UPS Tools
			{words: []string{"", "", "", "", "master"}, at: 4, sort: password}, {words: []string{"", "", "", "", "slave"}, at: 4, sort: password},
			{words: []string{"", "", "", "", "primary"}, at: 4, sort: password}, {words: []string{"", "", "", "", "secondary"}, at: 4, sort: password},
		},
		"open":             {{words: []string{"-u"}, at: 2, sort: password, account: ","}},
		"option":           {{words: []string{"key"}, at: 2, sort: token}, {words: []string{""}, at: 2, sort: plain}}, // of OpenWrt
		"outgoinguser":     {{at: 2, sort: password}},
		"passlm":           {{at: 1, sort: password}},
		"passnt":           {{at: 1, sort: password}},
		"passntlmv2":       {{at: 1, sort: password}}, // of Cntlm
		"proxy_set_header": {{words: []string{""}, at: 2, sort: plain}},
		"requestheader":    {{words: []string{"set", ""}, at: 3, sort: plain}},
		"rocommunity":      {{at: 1, sort: password}},
		"rocommunity6":     {{at: 1, sort: password}},
		"rootpw":           {{at: -1, sort: password}},
		"rwcommunity":      {{at: 1, sort: password}},
		"rwcommunity6":     {{at: 1, sort: password}},
		"sentinel":         {{words: []string{"auth-pass", ""}, at: 3, sort: password}, {words: []string{"sentinel-pass"}, at: 2, sort: password}},
		"server":           {{words: []string{"", "key"}, at: 3, sort: hint}},
		"set":              {{words: []string{""}, at: -1, sort: plain}},
		"setenv":           {{words: []string{""}, at: 2, sort: plain}},
		"snmp-server": {
			{words: []string{"community"}, at: 2, sort: password},
			{words: []string{"host", "", "version", "2c"}, at: 5, sort: password},
		},
		"sqlconnectinfo":     {{at: 3, sort: password}},
		"stats":              {{words: []string{"auth"}, at: 2, sort: password, account: ":"}},
		"sv_setsteamaccount": {{at: 1, sort: token}},
		"trap2sink":          {{at: 2, sort: password}},
		"trapcommunity":      {{at: 1, sort: password}},
		"trapsink":           {{at: 2, sort: password}},
		"user": {
			{words: []string{"", "insecure-password"}, at: 3, sort: password},
			{words: []string{"", "password"}, at: 3, sort: password},
			{words: []string{"", "true"}, at: 4, sort: password},
		},
		"uwsgi_param": {{words: []string{""}, at: 2, sort: plain}},
		"xauth":       {{words: []string{"password"}, at: 2, sort: password}},
	}
})

// find returns the word that a place tells of. A negative position is that of
// the last word.
func (p place) find(words []word) (word, bool) {
	for i, w := range p.words {
		if i+1 >= len(words) || w != "" && !strings.EqualFold(words[i+1].text, w) || strings.Trim(words[i+1].text, "=:>") == "" {
			return word{}, false // an assignment is not for here
		}
	}
	at := p.at
	if at < 0 {
		if at = len(words) - 1; at <= len(p.words) {
			return word{}, false
		}
	}
	if at >= len(words) || strings.HasPrefix(words[at].text, "-") {
		return word{}, false
	}
	return words[at], true
}

// places looks at the places that are known of a directive, and reports whether
// there may be a secret.
func (t *Text) places(keyword string, words []word) (found bool) {
	for _, p := range directivePlaces()[keyword] {
		if w, ok := p.find(words); ok {
			found = t.placed(p, words, w) || found
		}
	}
	return found
}

// arguments looks at the value of a parameter that has the name of a directive,
// whose arguments it is then: `SQLConnectInfo => 'db@host user X'`.
func (t *Text) arguments(name string) {
	if strings.IndexByte(t.S, ' ') < 0 || strings.IndexByte(t.S, '\n') >= 0 {
		return
	}
	keyword := strings.ToLower(name)
	if _, known := directivePlaces()[keyword]; !known {
		return
	}
	words := append(t.scanner.words[:0], word{text: name})
	words = wordsIn(words, t.S, 0, len(t.S))
	t.scanner.words = words
	t.places(keyword, words)
}

// placed looks at the word that a place tells of, and reports whether it may be
// a secret.
func (t *Text) placed(p place, words []word, w word) bool {
	a := assignment{name: words[0].text, value: w.text, start: w.start, end: w.end, quoted: true, sort: p.sort}
	if p.sort == plain {
		a.name, a.sort = t.nameAt(p, words)
		if !isOption(a.name) {
			return false
		}
		if _, _, ok := scheme(a.name, a.value); !ok && !a.sort.secret() {
			return false
		}
	}
	if p.account != "" && !a.ofAccount(p.account) {
		return false
	}
	if strings.HasPrefix(a.value, "{") && strings.HasSuffix(a.value, "}") && strings.EqualFold(words[0].text, "add") {
		a.value = a.value[1 : len(a.value)-1] // a list of Tcl
		a.start++
		a.end--
	}
	if t.leaf.Kind == leaf.Title && letters(a.value) {
		return false // what is set, in words
	}
	t.judge(a)
	return true
}

// nameAt returns the name before the secret of a place, where the directive does
// not tell what it is, and what it says.
func (t *Text) nameAt(p place, words []word) (string, sort) {
	if strings.EqualFold(words[0].text, "acl") { // of HAProxy: `req.hdr(NAME)`
		_, header, _ := strings.Cut(words[2].text, "(")
		name := strings.TrimRight(header, ")")
		return name, t.sortOf(name)
	}
	name := strings.TrimPrefix(lastPart(words[len(p.words)].text), "$") // a variable of nginx
	as := t.sortOf(name)
	if n := len(words); p.at < 0 && as == plain && n > 3 {
		// A path with blanks in it: `set target[. = 'client']/password X`.
		name = lastPart(words[n-2].text)
		as = t.sortOf(name)
		if name == "key" && strings.Contains(t.S[words[0].start:words[n-2].start], " authentication ") {
			as = password // of a protocol of routers
		}
	}
	return name, as
}

// ofAccount takes the user and the host off an account, `user:X@host`, and reports
// whether it is one.
func (a *assignment) ofAccount(separator string) bool {
	user, secret, found := strings.Cut(a.value, separator)
	if !found || user == "" || strings.ContainsAny(user, "./$%\\:(") || strings.HasPrefix(secret, "&") {
		return false
	}
	a.start += len(a.value) - len(secret)
	if secret, _, found = strings.Cut(secret, "@"); found {
		a.end = a.start + len(secret)
	}
	a.value = secret
	return true
}
