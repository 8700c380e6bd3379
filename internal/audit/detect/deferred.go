package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
	"github.com/pcatdev/pcat/pcore"
)

// passed returns the name that a call gives to its argument, and its sort: in a format of
// sprintf, the name before the verb; for a function that transforms a text, the name of the
// parameter.
func (t parameters) passed(call *pcore.Deferred, i int) (string, verdict.Sort) {
	names := t.names()
	function := call.Name()[strings.LastIndexByte(call.Name(), ':')+1:]
	switch function {
	case "sprintf", "format":
		if i == 0 || i > maxWords {
			return "", verdict.Plain
		}
		format, _ := call.Arguments().At(0).(pcore.String)
		name := beforeVerb(string(format), i)
		return name, names.SortOf(name)
	case "password", "postgresql_password", "mysql_password", "pw_hash", "bcrypt", "crypt", "htpasswd", "ht_sha1", "ht_crypt",
		"str2saltedsha512", "str2saltedpbkdf2", "postgres_md5":
		if i == 0 {
			return function, verdict.Password
		}
	case "base64", "join", "unwrap", "new", "strip", "chomp", "downcase", "upcase", "shell_escape", "regsubst", "to_json", "md5", "sha1", "sha256", "sha512", "fqdn_rand_string":
		name := t.leaf.Parameter()
		if as := names.SortOf(name); as.Open() || as == verdict.Token {
			return name, verdict.Token
		}
	}
	return "", verdict.Plain
}

// beforeVerb returns the name before the verb of a format that takes argument i: `user=%s
// pw=%s`. The format itself is argument 0.
func beforeVerb(format string, i int) string {
	for at := 0; at < len(format); at++ {
		if format[at] != '%' {
			continue
		}
		if at++; at < len(format) && format[at] == '%' {
			continue
		}
		if i--; i > 0 {
			continue
		}
		before := strings.TrimRight(format[:at-1], "\"' \t")
		if n := len(before); n > 0 && (before[n-1] == '=' || before[n-1] == ':') {
			before = strings.TrimRight(before[:n-1], " \t\"'")
		}
		from := len(before)
		for from > 0 && isNameByte(before[from-1], false) {
			from--
		}
		return before[from:]
	}
	return ""
}
