package detect

import (
	"slices"
	"strings"
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
	sort      sort   // password, unless it is told
}

// listing is a kind of file whose lines have columns.
type listing struct {
	// names are those of the files, in lower case, where an asterisk at the
	// beginning or the end stands for anything.
	names []string
	// within stands somewhere in the path.
	within string
	columns
}

// listings are the kinds of such files. Of several that fit, the first counts.
var listings = []listing{
	{names: []string{"*pgpass*"}, columns: columns{separator: ":", fields: 5, at: 4}},
	{names: []string{"*sasl_passw*", "*relay_passw*", "*smtp_auth*"}, columns: columns{fields: 2, at: 1, after: ":"}},
	{names: []string{"*sasl*"}, within: "postfix/", columns: columns{fields: 2, at: 1, after: ":"}},
	{names: []string{"pool_passwd*"}, columns: columns{separator: ":", fields: 2, at: 1, after: "TEXT"}}, // of Pgpool
	{names: []string{"userlist.txt"}, columns: columns{fields: 2, at: 1}},                                // of PgBouncer
	{names: []string{"*passwd.client*"}, columns: columns{separator: ":", fields: 3, at: 2}},
	{names: []string{"users.oath*", "*.oath"}, columns: columns{fields: 4, at: 3}}, // of the OATH toolkit
	{names: []string{"*known_tokens*", "tokens.csv", "token.csv", "*token-auth*", "*basic-auth*", "*basic_auth.csv"}, columns: columns{separator: ",", fields: 3, at: 0, sort: token}},
	{names: []string{"*chap-secrets*", "*pap-secrets*", "*l2tp-secrets*"}, columns: columns{fields: 3, at: 2}},
	{names: []string{"passwd"}, within: "conf/passwd", columns: columns{separator: "=", fields: 2, at: 1}}, // of Subversion
	{names: []string{"*wpa_psk*"}, columns: columns{fields: 2, at: -1}},                                    // of hostapd: behind `keyid=`, `vlanid=` and the address
	{names: []string{"*eap_user*"}, columns: columns{fields: 3, at: 2, quoted: true}},
	{names: []string{"servers"}, within: "radius", columns: columns{fields: 2, at: 1}},
	{names: []string{"*.digest"}, columns: columns{separator: ":", fields: 3, at: 2}},
	{names: []string{"passwd"}, within: "/etc/passwd"}, // which has none
	{names: []string{"*htpasswd*", "*htdigest*", "passwd", "*.users", "*passwdfile*", "*rsyncd.secrets*"}, columns: columns{separator: ":", fields: 2, at: -1}},
	{names: []string{"ntp.keys", "chrony.keys"}, columns: columns{fields: 2, at: -1}},
	{names: []string{"keys"}, within: "ntp", columns: columns{fields: 2, at: -1}},
	{names: []string{"ipsec.secrets"}, columns: columns{fields: 3, at: -1}},
	{names: []string{"*.secrets"}, within: "ipsec", columns: columns{fields: 3, at: -1}},
	{names: []string{"*jmxremote.password"}, columns: columns{fields: 2, at: 1}},
	{names: []string{"*-users.properties"}, columns: columns{separator: "=", fields: 2, at: 1}},            // of WildFly
	{names: []string{"*realm.properties"}, columns: columns{separator: ":", fields: 2, at: 1, until: ","}}, // of Jetty
	{names: []string{"config"}, within: ".bundle/", columns: columns{fields: 2, at: 1, after: ":"}},
	{names: []string{".curlrc", "curlrc", "_curlrc"}, columns: columns{fields: 3, at: 2, after: ":"}},
	{names: []string{"*secret*"}, within: "smokeping", columns: columns{separator: ":", fields: 2, at: -1}},             // of slaves
	{names: []string{"*s3fs*"}, columns: columns{separator: ":", fields: 2, at: -1}},                                    // of buckets
	{names: []string{"secrets"}, within: "/mail/", columns: columns{fields: 2, at: 1, after: ":"}},                      // of OpenSMTPD
	{names: []string{"*signing.key"}, columns: columns{fields: 3, at: 2, sort: token}},                                  // of a server of Matrix
	{names: []string{"users.properties"}, columns: columns{separator: "=", fields: 2, at: 1, until: ","}},               // of ActiveMQ
	{names: []string{"tokens.properties"}, columns: columns{separator: ":", fields: 2, at: 1, until: ",", sort: token}}, // of Rundeck
	{names: []string{"auth"}, within: "deluge", columns: columns{separator: ":", fields: 3, at: 1}},
	{names: []string{"client.keys"}, columns: columns{fields: 4, at: 3}},              // of OSSEC and Wazuh: ID, name, address and key
	{names: []string{"pcp.conf"}, columns: columns{separator: ":", fields: 2, at: 1}}, // of Pgpool
	{names: []string{"psk.txt"}, within: "racoon", columns: columns{fields: 2, at: 1}},
	{names: []string{"pam_radius*"}, columns: columns{fields: 2, at: 1}},
	{names: []string{"server"}, within: "raddb/server", columns: columns{fields: 2, at: 1}},
	{names: []string{"secrets"}, within: "davfs2", columns: columns{fields: 3, at: 2}},
	{names: []string{"*psksecrets*", "*psk.txt", "*.psk"}, columns: columns{separator: ":", fields: 2, at: 1}},
	{names: []string{"authkeys*"}, columns: columns{fields: 3, at: 2}}, // of Heartbeat
}

// listingOf returns how the lines of a file are split, whose name and path are
// given in lower case; false when it has no columns.
func listingOf(base, whole string) (columns, bool) {
	for i := range listings {
		l := &listings[i]
		fits := func(name string) bool { return isNamed(base, name) }
		if strings.Contains(whole, l.within) && slices.ContainsFunc(l.names, fits) {
			c := l.columns
			if c.sort == plain {
				c.sort = password
			}
			return c, c.fields > 0
		}
	}
	return columns{}, false
}

// isNamed reports whether a name is one that a pattern stands for; see listing.
func isNamed(base, pattern string) bool {
	rest, after := strings.CutPrefix(pattern, "*")
	part, before := strings.CutSuffix(rest, "*")
	switch {
	case after && before:
		return strings.Contains(base, part)
	case after:
		return strings.HasSuffix(base, part)
	case before:
		return strings.HasPrefix(base, part)
	}
	return base == part
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
