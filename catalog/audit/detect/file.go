package detect

import (
	"path"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// columns tells how the lines of a kind of file are split, and which field is
// the secret; a negative position counts from the end.
type columns struct {
	separator string // empty: blanks
	fields    int    // the least number there must be
	at        int
	after     string // cut the field behind this text
	until     string // and before this
	quoted    bool   // the field stands in quotes
	sort      sort
}

// target returns the path of the file that the text becomes, empty when it is
// not told.
func (t *Text) target() string {
	if t.path != "" {
		return t.path
	}
	l := t.leaf
	if l.Resource == nil || !l.InParameter() {
		return ""
	}
	if h := l.Hash(); h != nil && h != l.Resource.Parameters {
		for _, key := range []string{"path", "file", "target", "filename", "dest", "destination", "location"} {
			if v, ok := h.GetString(key); ok {
				s, _ := v.(pcore.String)
				return string(s)
			}
		}
		return ""
	}
	if t.flow != content || l.Parameter() == "data" {
		return ""
	}
	for _, parameter := range []string{"path", "target", "file"} {
		if s := l.Resource.Text(parameter); strings.ContainsAny(s, `/\`) {
			return s
		}
	}
	if strings.ContainsAny(l.Resource.Title, `/\`) {
		return l.Resource.Title
	}
	return ""
}

// file looks at what the name of a file says about its content.
func (t *Text) file() {
	name := strings.ReplaceAll(t.target(), `\`, "/")
	if name == "" {
		return
	}
	base := strings.ToLower(path.Base(name))
	if c, ok := columnsOf(base, strings.ToLower(name)); ok {
		t.columns(base, c)
	}
	if strings.HasPrefix(base, "authkeys") {
		t.columns(base, columns{fields: 3, at: 2, sort: password})
	}
	if strings.HasSuffix(base, ".csv") {
		t.table()
	}
	switch base {
	case "router.db": // of Oxidized and RANCID
		t.columns(base, columns{separator: ":", fields: 4, at: 3, sort: password})
		t.columns(base, columns{separator: ":", fields: 5, at: 4, sort: password})
	case ".google_authenticator":
		end := lineEnd(t.S, 0)
		t.judge(assignment{name: base, value: t.S[:end], end: end, quoted: true, sort: password})
	}
	if base == "voicemail.conf" {
		t.mailboxes()
	}
	if strings.Contains(base, "authinfo") || base == "access" {
		t.authInfo()
	}
	if base == "shiro.ini" {
		t.members("[users]")
	}
	if base == "resource.cfg" {
		t.userMacros()
	}
	if strings.Contains(strings.ReplaceAll(strings.ToLower(name), "-", "_"), "google_authenticator") {
		t.seed(base)
	}
	t.single(name, base)
	t.accounts(base)
}

// members looks at a section whose members are users, with a password and
// their roles: `name = X, admin`.
func (t *Text) members(section string) {
	in := false
	for start := 0; start < len(t.S); {
		end := lineEnd(t.S, start)
		line := strings.TrimSpace(t.S[start:end])
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			in = line == section
		case in:
			t.column(section, columns{separator: "=", fields: 2, at: 1, until: ",", sort: password}, start, end)
		}
		start = end + 1
	}
}

// seed looks at the first line of a file of Google's module for PAM; options
// stand below.
func (t *Text) seed(base string) {
	first := strings.TrimSpace(t.S[:lineEnd(t.S, 0)])
	if len(first) >= 16 && strings.Trim(first, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "" {
		t.judge(assignment{name: base, value: first, end: len(first), quoted: true, sort: password})
	}
}

// userMacros looks at the macros of Nagios that are there for secrets:
// `$USER3$=X`.
func (t *Text) userMacros() {
	for start := 0; start < len(t.S); {
		end := lineEnd(t.S, start)
		if rest, ok := strings.CutPrefix(t.S[start:end], "$USER"); ok {
			if _, secret, found := strings.Cut(rest, "$="); found {
				t.judge(assignment{name: "USER", value: secret, start: end - len(secret), end: end, quoted: true, sort: token})
			}
		}
		start = end + 1
	}
}

// accounts looks at a file in which a user and a password take turns, each on a
// line, as OpenVPN and FTP daemons read them.
func (t *Text) accounts(base string) {
	stem, extension, _ := strings.Cut(strings.TrimPrefix(base, "."), ".")
	switch extension {
	case "auth", "creds", "credentials", "login", "userpass":
		stem = extension
	}
	switch strings.ReplaceAll(stem, "_", "-") {
	case "auth-user-pass", "user-pass", "userpass", "virtual-users", "vusers", "vsftpd-users", "logins":
	default:
		switch stem[strings.LastIndexAny(stem, "-_")+1:] {
		case "auth", "credentials", "creds", "login", "pass":
		default:
			return
		}
	}
	if strings.ContainsAny(strings.Trim(t.S, " \r\n"), " =\t") || strings.ContainsAny(t.S[:lineEnd(t.S, 0)], ":#") {
		return
	}
	user := ""
	for start := 0; start < len(t.S); {
		end := lineEnd(t.S, start)
		line := strings.TrimRight(t.S[start:end], " \r")
		switch {
		case line == "":
			return
		case user == "":
			user = line
		default:
			t.judge(assignment{name: base, value: line, start: start, end: start + len(line), quoted: true, sort: password})
			user = ""
		}
		start = end + 1
	}
}

// mailboxes looks at the mailboxes of Asterisk: `100 => PIN,Name,address`.
func (t *Text) mailboxes() {
	for start := 0; start < len(t.S); {
		end := lineEnd(t.S, start)
		line := t.S[start:end]
		box, rest, found := strings.Cut(line, "=>")
		pin, _, more := strings.Cut(rest, ",")
		if text := strings.TrimSpace(pin); found && more && isNumber(strings.TrimSpace(box)) && text != "" && isNumber(text) {
			from := start + len(box) + len("=>") + strings.Index(pin, text)
			t.judge(assignment{name: "mailbox", value: text, start: from, end: from + len(text), quoted: true, sort: password})
		}
		start = end + 1
	}
}

// authInfo looks at the accounts that Sendmail sends mail with: `"U:user"
// "P:password"`, where an equals sign says that what follows is base64.
func (t *Text) authInfo() {
	for _, mark := range []string{`"P:`, `"P=`} {
		for i := range places(t.S, mark) {
			at := i + len(mark)
			line := t.S[at:min(len(t.S), at+maxValue)]
			if secret, _, found := strings.Cut(line[:lineEnd(line, 0)], `"`); found {
				t.judge(assignment{name: "AuthInfo", value: secret, start: at, end: at + len(secret), quoted: true, sort: password})
			}
		}
	}
}

// table looks at the columns of CSV whose heading names secrets.
func (t *Text) table() {
	header := t.S[:lineEnd(t.S, 0)]
	separator := ","
	if strings.Contains(header, ";") {
		separator = ";"
	}
	secrets := map[int]assignment{} // by the position of the column
	at := 0
	for name := range strings.SplitSeq(header, separator) {
		name = strings.Trim(name, "\" \r")
		if as := t.scanner.detector.names.sortOf(name); as > hint && as != never {
			secrets[at] = assignment{name: name, quoted: true, sort: as}
		}
		at++
	}
	if len(secrets) == 0 {
		return
	}
	for start := len(header) + 1; start < len(t.S); {
		end, i := lineEnd(t.S, start), 0
		at := start
		for f := range strings.SplitSeq(strings.TrimRight(t.S[start:end], "\r"), separator) {
			if a, ok := secrets[i]; ok {
				a.value, a.start, a.end = f, at, at+len(f)
				t.judge(a)
			}
			at += len(f) + len(separator)
			i++
		}
		start = end + 1
	}
}

// columnsOf returns how the lines of a file of that name are split.
func columnsOf(base, whole string) (columns, bool) {
	switch {
	case strings.Contains(base, "pgpass"):
		return columns{separator: ":", fields: 5, at: 4, sort: password}, true
	case strings.Contains(base, "sasl_passw"), strings.Contains(base, "relay_passw"), strings.Contains(base, "smtp_auth"):
		return columns{fields: 2, at: 1, after: ":", sort: password}, true
	case base == "userlist.txt": // of PgBouncer
		return columns{fields: 2, at: 1, sort: password}, true
	case strings.Contains(base, "passwd.client"):
		return columns{separator: ":", fields: 3, at: 2, sort: password}, true
	case strings.HasPrefix(base, "users.oath"): // of the OATH toolkit
		return columns{fields: 4, at: 3, sort: password}, true
	case strings.Contains(base, "known_tokens"), strings.Contains(base, "token-auth"), strings.Contains(base, "basic-auth"), strings.HasSuffix(base, "basic_auth.csv"):
		return columns{separator: ",", fields: 3, at: 0, sort: token}, true
	case strings.Contains(base, "chap-secrets"), strings.Contains(base, "pap-secrets"), strings.Contains(base, "l2tp-secrets"):
		return columns{fields: 3, at: 2, sort: password}, true
	case strings.HasSuffix(whole, "conf/passwd"): // of Subversion
		return columns{separator: "=", fields: 2, at: 1, sort: password}, true
	case strings.Contains(base, "wpa_psk"): // of hostapd
		return columns{fields: 2, at: -1, sort: password}, true // behind `keyid=`, `vlanid=` and the address
	case strings.Contains(base, "eap_user"):
		return columns{fields: 3, at: 2, quoted: true, sort: password}, true
	case base == "servers" && strings.Contains(whole, "radius"):
		return columns{fields: 2, at: 1, sort: password}, true
	case strings.HasSuffix(base, ".oath"):
		return columns{fields: 4, at: 3, sort: password}, true
	case strings.HasSuffix(base, ".digest"):
		return columns{separator: ":", fields: 3, at: 2, sort: password}, true
	case strings.Contains(base, "htpasswd"), strings.Contains(base, "htdigest"), base == "passwd" && !strings.HasSuffix(whole, "/etc/passwd"),
		strings.HasSuffix(base, ".users"), strings.Contains(base, "passwdfile"), strings.Contains(base, "rsyncd.secrets"):
		return columns{separator: ":", fields: 2, at: -1, sort: password}, true
	case base == "ntp.keys", base == "chrony.keys", base == "keys" && strings.Contains(whole, "ntp"):
		return columns{fields: 2, at: -1, sort: password}, true
	case base == "ipsec.secrets", strings.Contains(whole, "ipsec") && strings.HasSuffix(base, ".secrets"):
		return columns{fields: 3, at: -1, sort: password}, true
	case strings.HasSuffix(base, "jmxremote.password"):
		return columns{fields: 2, at: 1, sort: password}, true
	case strings.HasSuffix(base, "-users.properties"): // of WildFly
		return columns{separator: "=", fields: 2, at: 1, sort: password}, true
	case strings.HasSuffix(base, "realm.properties"): // of Jetty
		return columns{separator: ":", fields: 2, at: 1, until: ",", sort: password}, true
	case base == "config" && strings.Contains(whole, ".bundle/"):
		return columns{fields: 2, at: 1, after: ":", sort: password}, true
	case base == ".curlrc", base == "curlrc", base == "_curlrc":
		return columns{fields: 3, at: 2, after: ":", sort: password}, true
	case strings.Contains(base, "smokeping") && strings.Contains(base, "secret"), strings.Contains(base, "s3fs"): // of slaves, and of buckets
		return columns{separator: ":", fields: 2, at: -1, sort: password}, true
	case base == "secrets" && strings.Contains(whole, "/mail/"): // of OpenSMTPD
		return columns{fields: 2, at: 1, after: ":", sort: password}, true
	case strings.HasSuffix(base, "signing.key"): // of a server of Matrix
		return columns{fields: 3, at: 2, sort: token}, true
	case base == "users.properties": // of ActiveMQ
		return columns{separator: "=", fields: 2, at: 1, until: ",", sort: password}, true
	case base == "auth" && strings.Contains(whole, "deluge"):
		return columns{separator: ":", fields: 3, at: 1, sort: password}, true
	case base == "client.keys": // of OSSEC and Wazuh: ID, name, address and key
		return columns{fields: 4, at: 3, sort: password}, true
	case base == "pcp.conf": // of Pgpool
		return columns{separator: ":", fields: 2, at: 1, sort: password}, true
	case base == "psk.txt" && strings.Contains(whole, "racoon"):
		return columns{fields: 2, at: 1, sort: password}, true
	case strings.HasPrefix(base, "pam_radius"), strings.HasSuffix(whole, "raddb/server"):
		return columns{fields: 2, at: 1, sort: password}, true
	case base == "secrets" && strings.Contains(whole, "davfs2"):
		return columns{fields: 3, at: 2, sort: password}, true
	case strings.Contains(base, "psksecrets"), strings.HasSuffix(base, "psk.txt"), strings.HasSuffix(base, ".psk"):
		return columns{separator: ":", fields: 2, at: 1, sort: password}, true
	case strings.Contains(base, "auth-user-pass"), base == "user_pass", base == "userpass":
		return columns{}, false
	}
	return columns{}, false
}

func (t *Text) columns(base string, c columns) {
	s := t.S
	for start := 0; start < len(s); {
		end := lineEnd(s, start)
		line := s[start:end]
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' && trimmed[0] != ';' && len(line) < 1024 {
			t.column(base, c, start, end)
		}
		start = end + 1
	}
}

func (t *Text) column(base string, c columns, start, end int) {
	var fields []word
	if c.separator == "" {
		fields = wordsIn(nil, t.S, start, end)
	} else {
		at := start
		for f := range strings.SplitSeq(strings.TrimRight(t.S[start:end], "\r"), c.separator) {
			fields = append(fields, word{f, at, at + len(f), true})
			at += len(f) + len(c.separator)
		}
	}
	if len(fields) < c.fields {
		return
	}
	i := c.at
	if i < 0 {
		i = len(fields) - 1
	}
	f := fields[i]
	if c.quoted && !f.quoted {
		return
	}
	if text := strings.TrimSpace(f.text); c.separator == "=" && text != "" {
		f.start += strings.Index(f.text, text)
		f.text, f.end = text, f.start+len(text)
	}
	if c.after != "" {
		_, rest, found := strings.Cut(f.text, c.after)
		if !found {
			return
		}
		f.start += len(f.text) - len(rest)
		f.text = rest
	}
	if c.until != "" {
		text, _, _ := strings.Cut(f.text, c.until)
		text = strings.TrimSpace(text)
		f.start += strings.Index(f.text, text)
		f.text, f.end = text, f.start+len(text)
	}
	t.judge(assignment{name: base, value: f.text, start: f.start, end: f.end, quoted: true, sort: c.sort})
}

// single looks at a file that holds one word, when its name says what it is:
// `.erlang.cookie`, `master.key`, `/run/secrets/db_password`.
func (t *Text) single(whole, base string) {
	v := strings.TrimSpace(t.S)
	if v == "" || len(v) > 2048 || strings.HasPrefix(v, pemDash) || strings.ContainsAny(v, "\n\r\t ") && !isFolded(v) && !t.scanner.detector.values.isPassphrase(v) {
		return
	}
	names := t.scanner.detector.names
	stem := base
	for _, ext := range []string{".txt", ".key", ".conf", ".cfg", ".dat", ".secret", ".asc", ".b64", ".psk"} {
		stem = strings.TrimSuffix(stem, ext)
	}
	stem, ofFile := strings.CutSuffix(stem, "file") // `keyfile`, `connauthfile`
	as := names.sortOf(strings.TrimPrefix(base, "."))
	if s := names.sortOf(stem); as == plain || s != plain && s != never {
		as = max(as, s)
	}
	if ofFile && (as == hint || strings.HasSuffix(stem, "key") || strings.HasSuffix(stem, "auth")) {
		as = token
	}
	switch {
	case as == never:
		return
	case strings.HasSuffix(base, ".key"), strings.HasSuffix(base, ".psk"), strings.HasSuffix(base, ".secret"), strings.HasSuffix(base, ".pass"),
		strings.HasSuffix(base, ".passwd"), strings.HasSuffix(base, ".token"), strings.HasSuffix(base, ".nk"), strings.HasSuffix(base, ".cookie"):
		as = max(as, token)
	}
	for dir := range strings.SplitSeq(path.Dir(strings.ToLower(whole)), "/") {
		if dir == "secrets" || dir == "credentials" || dir == "passwords" || dir == "tokens" || dir == "private" ||
			dir == "fernet-keys" || dir == "credential-keys" { // of Keystone
			as = max(as, token)
		}
	}
	if base == ".erlang.cookie" || as == hint && strings.HasSuffix(base, "cookie") {
		as = password
	}
	if as == plain || as == hint {
		return
	}
	i := strings.Index(t.S, v)
	t.judge(assignment{name: base, value: v, start: i, end: i + len(v), quoted: true, sort: as})
}
