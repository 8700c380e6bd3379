package detect

import (
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog/audit/leaf"
)

// directives looks for lines in which only blanks stand between a name and its
// value, as in the configuration of many daemons.
func (t *Text) directives() {
	s := t.S
	marked := t.kind == settings && isMarked(s)
	update := strings.Contains(s, "\nupdate ") // a script for nsupdate
	for start := 0; start < len(s); {
		end := lineEnd(s, start)
		if line := s[start:end]; end-start < 512 && (t.mayDirect(line) || marked && isMarked(line) && !isComment(strings.TrimSpace(line))) {
			t.directive(start, end, update)
		}
		start = end + 1
	}
	t.chpasswd()
	t.expect()
	if strings.Contains(t.S, "ftp ") {
		t.ftp()
	}
}

// isMarked reports whether s has the end of a word behind which secrets stand,
// among others: `… shared-secret X`, `… -bindPassword X`.
func isMarked(s string) bool {
	for _, mark := range []string{"assword ", "ecret ", "cipher ", "pass ", "plaintext ", "Key "} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	return false
}

// ftp looks at scripts of FTP clients: `user NAME X`.
func (t *Text) ftp() {
	for start := 0; start < len(t.S); {
		end := lineEnd(t.S, start)
		if strings.HasPrefix(strings.TrimLeft(t.S[start:end], " \t"), "user ") {
			if words := wordsIn(nil, t.S, start, end); len(words) == 3 {
				t.judge(assignment{name: "user", value: words[2].text, start: words[2].start, end: words[2].end, quoted: true, sort: chosen(words[2].text)})
			}
		}
		start = end + 1
	}
}

// mayDirect reports whether a line may be a directive with a secret, by its
// first word, or by words in quotes.
func (t *Text) mayDirect(line string) bool {
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
	if j-i > maxName {
		return false
	}
	keyword := strings.ToLower(line[i:j])
	_, known := directivePlaces()[keyword]
	return known || t.scanner.detector.values.devices.has(keyword) || t.scanner.detector.names.sortOf(line[i:j]) != plain
}

// expect looks at scripts of Expect: what is sent after the prompt for a
// password.
func (t *Text) expect() {
	s := t.S
	for i := range places(s, "assword") {
		at := i + len("assword")
		line := s[at:min(len(s), at+reach)]
		line = line[:lineEnd(line, min(len(line), lineEnd(line, 0)+1))]
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
		t.judge(assignment{name: "send", value: secret, start: from, end: from + len(secret), quoted: true, sort: password})
	}
}

// chpasswd looks at the lists of accounts of cloud-init: `user:password` below
// `chpasswd:`.
func (t *Text) chpasswd() {
	at := strings.Index(t.S, "chpasswd:")
	if at < 0 {
		return
	}
	indent := indentOf(t.S[strings.LastIndexByte(t.S[:at], '\n')+1:])
	for start := lineEnd(t.S, at) + 1; start < len(t.S); {
		end := lineEnd(t.S, start)
		line := t.S[start:end]
		if strings.TrimSpace(line) != "" && indentOf(line) <= indent {
			return
		}
		item := strings.Trim(line, " \t-\"'\r")
		if user, secret, ok := strings.Cut(item, ":"); ok && isIdentifier(user) && secret != "" && secret[0] != ' ' {
			from := start + strings.Index(line, item) + len(user) + 1
			t.judge(assignment{name: "chpasswd", value: secret, start: from, end: from + len(secret), quoted: true, sort: password})
		}
		start = end + 1
	}
}

// word is a word of a line, with its place; quotes are off.
type word struct {
	text       string
	start, end int
	quoted     bool
}

// wordsIn splits a line at blanks outside of quotes. A semicolon, a comma or a
// brace at the end of a word is no part of it. The words are added to list.
func wordsIn(list []word, s string, start, end int) []word {
	for i := start; i < end; {
		c := s[i]
		switch {
		case c <= ' ':
			i++
		case c == '"' || c == '\'':
			j := i + 1
			for j < end && s[j] != c {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j, end)
			list = append(list, word{s[i+1 : j], i + 1, j, true})
			i = j + 1
		default:
			j := i
			for j < end && s[j] > ' ' {
				j++
			}
			k := j
			for k > i && (s[k-1] == ';' || s[k-1] == ',') {
				k--
			}
			if k > i {
				list = append(list, word{s[i:k], i, k, false})
			}
			i = j
		}
		if len(list) > 12 {
			return list
		}
	}
	return list
}

// places tells where in a directive the secret stands: the position of the
// word, from the keyword on.
type place struct {
	words []string // the keyword, and words that follow it
	at    int      // the position of the secret behind the keyword
	sort  sort
}

// directivePlaces are directives whose secret does not follow a name that tells it,
// or not at once. A word "" stands for any.
var directivePlaces = sync.OnceValue(func() map[string][]place {
	return map[string][]place{
		"rocommunity":   {{at: 1, sort: password}},
		"rwcommunity":   {{at: 1, sort: password}},
		"rocommunity6":  {{at: 1, sort: password}},
		"rwcommunity6":  {{at: 1, sort: password}},
		"trapcommunity": {{at: 1, sort: password}},
		"com2sec":       {{at: 3, sort: password}},
		"com2sec6":      {{at: 3, sort: password}},
		"trapsink":      {{at: 2, sort: password}},
		"trap2sink":     {{at: 2, sort: password}},
		"informsink":    {{at: 2, sort: password}},
		"createuser":    {{at: 3, sort: password}, {at: 5, sort: password}},
		"auth_pass":     {{at: 1, sort: password}},
		"authcommunity": {{at: 2, sort: password}},
		"user":          {{words: []string{"", "insecure-password"}, at: 3, sort: password}, {words: []string{"", "password"}, at: 3, sort: password}, {words: []string{"", "true"}, at: 4, sort: password}},
		"env":           {{words: []string{""}, at: 2, sort: plain}},
		"monitor": { // of Network UPS Tools
			{words: []string{"", "", "", "", "master"}, at: 4, sort: password}, {words: []string{"", "", "", "", "slave"}, at: 4, sort: password},
			{words: []string{"", "", "", "", "primary"}, at: 4, sort: password}, {words: []string{"", "", "", "", "secondary"}, at: 4, sort: password},
		},
		"stats":                {{words: []string{"auth"}, at: 2, sort: password}},
		"rootpw":               {{at: -1, sort: password}},
		"d-i":                  {{words: []string{"", "password"}, at: 3, sort: password}},
		"snmp-server":          {{words: []string{"community"}, at: 2, sort: password}, {words: []string{"host", "", "version", "2c"}, at: 5, sort: password}},
		"proxy_set_header":     {{words: []string{""}, at: 2, sort: plain}},
		"add_header":           {{words: []string{""}, at: 2, sort: plain}},
		"fastcgi_param":        {{words: []string{""}, at: 2, sort: plain}},
		"uwsgi_param":          {{words: []string{""}, at: 2, sort: plain}},
		"setenv":               {{words: []string{""}, at: 2, sort: plain}},
		"requestheader":        {{words: []string{"set", ""}, at: 3, sort: plain}},
		"http-request":         {{words: []string{"set-header", ""}, at: 3, sort: plain}},
		"set":                  {{words: []string{""}, at: -1, sort: plain}},
		"machine":              {{words: []string{"", "login", "", "password"}, at: 5, sort: password}},
		"login":                {{words: []string{"", "password"}, at: 3, sort: password}},
		"sqlconnectinfo":       {{at: 3, sort: password}},
		"authldapbindpassword": {{at: 1, sort: password}},
		"add":                  {{words: []string{"snmp", "community"}, at: 3, sort: password}, {words: []string{"", "", "esp", "", "-E", ""}, at: 7, sort: token}, {words: []string{"", "", "esp", "", "-E", "", "", "-A", ""}, at: 10, sort: token}, {words: []string{"password", ""}, at: 3, sort: password}, {words: []string{"password", ""}, at: 4, sort: password}},
		"device_property":      {{words: []string{""}, at: 2, sort: plain}},
		"sentinel":             {{words: []string{"auth-pass", ""}, at: 3, sort: password}, {words: []string{"sentinel-pass"}, at: 2, sort: password}},
		"sv_setsteamaccount":   {{at: 1, sort: token}},
		".logon":               {{at: 1, sort: password}},                   // of Teradata
		"dns":                  {{words: []string{""}, at: 2, sort: token}}, // of Caddy
		"server":               {{words: []string{"", "key"}, at: 3, sort: hint}},
		"header_up":            {{words: []string{""}, at: 2, sort: plain}},
		"cachemgr_passwd":      {{at: 1, sort: password}},
		"acl":                  {{words: []string{"", "", "-m", "str"}, at: 5, sort: plain}},
		"option":               {{words: []string{"key"}, at: 2, sort: token}, {words: []string{""}, at: 2, sort: plain}}, // of OpenWrt
		"incominguser":         {{at: 2, sort: password}},                                                                 // of iSCSI targets
		"outgoinguser":         {{at: 2, sort: password}},
		"ipsec":                {{words: []string{"secret"}, at: 2, sort: password}}, // of vpnc
		"xauth":                {{words: []string{"password"}, at: 2, sort: password}},
		"passntlmv2":           {{at: 1, sort: password}}, // of Cntlm
		"passnt":               {{at: 1, sort: password}},
		"auth-md":              {{at: 2, sort: password}}, // of OpenBSD
		"passlm":               {{at: 1, sort: password}},
		"addprinc":             {{words: []string{"-pw"}, at: 2, sort: password}},
		"ank":                  {{words: []string{"-pw"}, at: 2, sort: password}},
		"allow":                {{at: 1, sort: token}}, // of Monit
		"open":                 {{words: []string{"-u"}, at: 2, sort: password}},
		"connect":              {{at: 1, sort: token}, {words: []string{"target"}, at: 2, sort: token}},
		"conn":                 {{at: 1, sort: token}},
	}
})

// directive looks at the directive in S[start:end]. Update tells that the text is
// a script for nsupdate.
func (t *Text) directive(start, end int, update bool) {
	words := wordsIn(t.scanner.words[:0], t.S, start, end)
	t.scanner.words = words
	if len(words) < 2 {
		return
	}
	keyword := strings.ToLower(words[0].text)
	found := t.places(keyword, words)
	if keyword == "secret" && len(words) == 3 && strings.HasSuffix(words[1].text, ".") { // of a key for TSIG
		found = t.placed(place{at: 2, sort: token}, words, words[2])
	}
	if keyword == "key" && len(words) == 3 && update {
		found = t.placed(place{at: 2, sort: token}, words, words[2])
	}
	if keyword == "password" && len(words) == 3 && strings.Contains(t.S[max(0, start-reach):start], "superusers") { // of GRUB
		found = t.placed(place{at: 2, sort: password}, words, words[2])
	}
	if !found && !t.device(keyword, words) && !t.users(words) && !t.twoWords(words) {
		t.amid(words)
		t.behindMark(words)
	}
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

// amid looks at `… password "X" …`: a name and a quoted value among others.
func (t *Text) amid(words []word) {
	account := false
	block := t.kind != source && words[len(words)-1].text == "}" // on one line, with what it holds
	for i, w := range words[:len(words)-1] {
		next := words[i+1]
		account = account || isAccountWord(w.text)
		if w.text == "cleartext" && i == 2 && words[1].text == "=" { // of TACACS+: `login = cleartext X`
			t.judge(assignment{name: w.text, value: next.text, start: next.start, end: next.end, quoted: true, sort: password})
			continue
		}
		if w.text == "insecure-password" || block && i > 0 && !w.quoted && !next.quoted && t.scanner.detector.names.sortOf(w.text).open() {
			as := password
			if block {
				as = token
			}
			t.judge(assignment{name: w.text, value: next.text, start: next.start, end: next.end, quoted: true, sort: as})
			continue
		}
		if _, _, ok := scheme(w.text, next.text); ok && next.quoted && !w.quoted && isOption(w.text) && i > 0 {
			t.judge(assignment{name: w.text, value: next.text, start: next.start, end: next.end, quoted: true, sort: token})
			continue
		}
		if w.quoted || !next.quoted || !isOption(w.text) || strings.ContainsAny(next.text, " \t") {
			continue
		}
		as := plain
		switch {
		case strings.EqualFold(w.text, "ConvertTo-SecureString"):
			as = password
		case t.scanner.detector.names.sortOf(w.text).open():
			as = token // words follow such a name in any sentence
			if account {
				as = password
			}
		}
		if as != plain {
			t.judge(assignment{name: w.text, value: next.text, start: next.start, end: next.end, quoted: true, loose: true, sort: as})
		}
	}
}

// isAccountWord reports whether the name of an account stands behind a word.
func isAccountWord(s string) bool {
	switch len(s) {
	case len("user"), len("login"), len("username"):
		low := strings.ToLower(s)
		return low == "user" || low == "login" || low == "username"
	}
	return false
}

// behindMark looks at what stands behind the name of a secret among other words,
// none of them in quotes, as in the languages of network devices: `configure
// radius primary shared-secret X`. It has to look like one, as words follow
// such a name in any sentence.
func (t *Text) behindMark(words []word) {
	if t.kind != settings || len(words) < 3 {
		return
	}
	for i := 1; i+1 < len(words); i++ {
		w := words[i]
		if w.quoted || !isOption(strings.TrimPrefix(w.text, "-")) || w.text != "cipher" && !t.scanner.detector.names.sortOf(strings.TrimPrefix(w.text, "-")).open() {
			continue
		}
		at := i + 1
		for at+1 < len(words) && isQualifier(words[at].text, false) {
			at++
		}
		if next := words[at]; !next.quoted && !strings.HasPrefix(next.text, "-") && !strings.HasPrefix(next.text, "/") && !strings.ContainsAny(next.text, "=(){}[],") && !t.scanner.detector.values.isTermed(next.text) {
			t.judge(assignment{name: w.text, value: next.text, start: next.start, end: next.end, quoted: true, sort: token})
		}
		i = at
	}
}

// placed looks at the word that a place tells of, and reports whether it may be
// a secret.
func (t *Text) placed(p place, words []word, w word) bool {
	a := assignment{name: words[0].text, value: w.text, start: w.start, end: w.end, quoted: true, sort: p.sort}
	if p.sort == plain {
		a.name = strings.TrimPrefix(lastPart(words[len(p.words)].text), "$") // a variable of nginx
		if strings.EqualFold(words[0].text, "acl") {
			_, header, _ := strings.Cut(words[2].text, "(")
			a.name = strings.TrimRight(header, ")")
		}
		a.sort = t.scanner.detector.names.sortOf(a.name)
		if n := len(words); p.at < 0 && a.sort == plain && n > 3 {
			// A path with blanks in it: `set target[. = 'client']/password X`.
			a.name = lastPart(words[n-2].text)
			a.sort = t.scanner.detector.names.sortOf(a.name)
			if a.name == "key" && strings.Contains(t.S[words[0].start:words[n-2].start], " authentication ") {
				a.sort = password // of a protocol of routers
			}
		}
		if !isOption(a.name) {
			return false
		}
		if _, _, ok := scheme(a.name, a.value); !ok && (a.sort <= hint || a.sort == never) {
			return false
		}
	}
	if separator := accountSeparator(words[0].text); separator != "" {
		user, secret, found := strings.Cut(w.text, separator)
		if !found || user == "" || strings.ContainsAny(user, "./$%\\:(") || strings.HasPrefix(secret, "&") {
			return false
		}
		a.start += len(w.text) - len(secret)
		if secret, _, found = strings.Cut(secret, "@"); found {
			a.end = a.start + len(secret)
		}
		a.value = secret
	}
	if a.value != "" && a.value[0] == '{' && a.value[len(a.value)-1] == '}' && strings.EqualFold(words[0].text, "add") {
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

// accountSeparator returns what stands between name and password in the account
// that is the argument of a directive, empty when it takes none.
func accountSeparator(keyword string) string {
	switch strings.ToLower(keyword) {
	case "stats", "allow":
		return ":"
	case "open", ".logon":
		return ","
	case "connect", "conn":
		return "/"
	}
	return ""
}

// device looks at a line of the configuration of a network device: `username
// admin privilege 15 password 0 X`, `crypto isakmp key X address …`.
func (t *Text) device(keyword string, words []word) bool {
	if !t.scanner.detector.values.devices.has(keyword) {
		return false
	}
	found := false
	if before := t.S[max(0, words[0].start-reach):words[0].start]; keyword == "key" && len(words) <= 3 && (strings.Contains(before, "radius server ") || strings.Contains(before, "tacacs server ")) {
		found = t.deviceSecret(keyword, words, len(words)-1)
	}
	marks := t.scanner.detector.values.marks
	for i := range len(words) - 1 {
		low := strings.ToLower(words[i].text)
		if !marks.has(low) || i == 0 && !leads(low) || i == 1 && keyword == "crypto" { // `crypto key generate`
			continue
		}
		at := i + 1
		for at < len(words) && isQualifier(words[at].text, at+1 == len(words)) {
			at++
		}
		if at < len(words) && low == "priv" && at == i+1 && !strings.HasPrefix(words[at].text, "0x") ||
			at < len(words) && marks.has(strings.ToLower(words[at].text)) {
			continue
		}
		if at < len(words) {
			found = t.deviceSecret(keyword, words, at) || found
		}
	}
	return found
}

// leads reports whether a line of a device that begins with a word may have its
// secret next.
func leads(keyword string) bool {
	switch keyword {
	case "key-string", "pre-shared-key", "wpa-psk":
		return true
	}
	return false
}

// isQualifier reports whether a word says how the secret behind it is written,
// or which of several it is: `password 7 X`, `priv aes 128 X`, `ascii 0 X`.
func isQualifier(s string, last bool) bool {
	if last {
		return len(s) == 1 && isNumber(s)
	}
	switch strings.ToLower(s) {
	case "level", "encrypted", "plaintext", "ciphertext", "cipher", "simple", "local", "remote", "ascii", "hex", "clear", "aes", "des", "3des", "aes-128", "aes-192", "aes-256", "128", "192", "256":
		return true
	}
	return len(s) <= 2 && isNumber(s)
}

// deviceSecret looks at the word at a position of a line of a device.
func (t *Text) deviceSecret(keyword string, words []word, at int) bool {
	w := words[at]
	if line := t.S[words[0].start:words[len(words)-1].end]; t.kind == source || keyword != "crypto" && letters(strings.TrimRight(w.text, ".")) && len(words) > 4 && isProse(line) {
		return false // a sentence about passwords
	}
	as := password
	switch keyword {
	case "ip", "line", "server", "authentication", "peer":
		as = token
	}
	t.judge(assignment{name: words[at-1].text, value: w.text, start: w.start, end: w.end, quoted: true, sort: as})
	return true
}

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

// twoWords looks at `name value`, and nothing else on the line. Some have a
// word between that says how the value is written.
func (t *Text) twoWords(words []word) bool {
	if len(words) > 3 || strings.ContainsAny(words[0].text, "=:<>(){}") && !strings.HasSuffix(words[0].text, ")") {
		return false
	}
	ofValue := t.flow == value && len(t.Encodings) == 0 && strings.IndexByte(t.S, '\n') < 0
	value := words[len(words)-1]
	if !value.quoted && strings.HasPrefix(value.text, "--") {
		return false // an option
	}
	if len(words) == 3 && (value.text != "{" && !isNumber(words[1].text) && !strings.HasPrefix(words[1].text, "type")) {
		return false
	}
	if len(words) == 3 && value.text == "{" {
		return false
	}
	if _, _, ok := scheme(words[0].text, value.text); ok && value.quoted {
		t.judge(assignment{name: words[0].text, value: value.text, start: value.start, end: value.end, quoted: true, sort: token})
		return true
	}
	if strings.Contains(strings.ToLower(words[0].text), "auth") && strings.Contains(value.text, ":") &&
		t.userpass(assignment{name: words[0].text, value: value.text, start: value.start, end: value.end}) {
		return true
	}
	as := t.scanner.detector.names.sortOf(words[0].text)
	if as == hint && value.quoted {
		as = max(as, t.inContext(strings.ToLower(words[0].text), value.start, value.start, true))
	}
	if !as.open() && as != token && !(as == hint && value.quoted) || words[0].quoted {
		return false
	}
	if ofValue && !value.quoted && letters(value.text) && as != phrase {
		return false // two words, as in a title
	}
	if !value.quoted && len(words[0].text) <= 2 || value.quoted && as != phrase && strings.Contains(value.text, " ") && !t.scanner.detector.values.isPassphrase(value.text) {
		return false // of a table, and a sentence
	}
	if !value.quoted && strings.ContainsAny(value.text, "=:(){}") && !machineMade(value.text) {
		return false
	}
	t.judge(assignment{name: words[0].text, value: value.text, start: value.start, end: value.end, quoted: value.quoted, loose: true, sort: as})
	return true
}

// users looks at the list of a user of Redis: `user NAME on >password ~* +@all`.
func (t *Text) users(words []word) bool {
	if words[0].text != "user" || len(words) < 4 {
		return false
	}
	for _, w := range words[2:] {
		if len(w.text) > 1 && w.text[0] == '>' {
			t.judge(assignment{name: "user", value: w.text[1:], start: w.start + 1, end: w.end, quoted: true, sort: password})
			return true
		}
	}
	return false
}
