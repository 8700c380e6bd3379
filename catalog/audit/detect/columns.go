package detect

import "strings"

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
	for start, end := range linesOf(s) {
		line := s[start:end]
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' && trimmed[0] != ';' && len(line) < 1024 {
			t.column(base, c, start, end)
		}
	}
}

func (t *Text) column(base string, c columns, start, end int) {
	var fields []word
	if c.separator == "" {
		fields = wordsIn(nil, t.S, start, end)
	} else {
		fields = fieldsIn(t.S, start, end, c.separator)
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
	t.given(base, f.start, f.end, c.sort)
}
