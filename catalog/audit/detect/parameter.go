package detect

import (
	"iter"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

// parameter looks at a value of a resource whose place tells what it is: by the
// key it stands under, by what a sibling says, by the element before it.
func (t *Text) parameter() {
	if !t.leaf.InParameter() {
		return
	}
	if t.flow == command && t.argv() {
		return
	}
	name, as := t.told()
	if as == plain {
		t.arguments(name)
		t.check()
	}
	if !as.may() {
		return
	}
	if list, _ := t.leaf.Element(); list != nil && as == password && strings.EqualFold(name, "secrets") {
		as = token // words are more often what secrets are called
	}
	if list, _ := t.leaf.Element(); list != nil && t.sortOf(t.S) > hint && letters(strings.NewReplacer("-", "", "_", "").Replace(t.S)) {
		return // the name of a secret, in a list of such names
	}
	if t.leaf.Number && !as.open() {
		return
	}
	id := "plain-secret-parameter"
	if d, _ := t.leaf.Deferred(); d != nil {
		id = "deferred-cleartext-argument"
	}
	a := assignment{name: name, value: t.S, end: len(t.S), quoted: true, sort: as}
	if strings.TrimSpace(a.value) != a.value {
		a.value = strings.TrimSpace(a.value)
		a.start = strings.Index(t.S, a.value)
		a.end = a.start + len(a.value)
	}
	if inner, n, ok := scheme(name, a.value); ok {
		a.value, a.start, a.sort = inner, a.start+n, token
	}
	a.unveil()
	if t.basic(a) || t.speaksAgainst(&a) || strings.Contains(a.value, "\n") {
		return
	}
	if decoded, ok := textOf(a.value); ok && a.sort != hint {
		h := t.Hit(id, a.start, a.end, decoded, rule.Likely)
		h.Name, h.Encodings = name, []string{"base64"}
		t.scanner.emit(h)
		return
	}
	t.named(id, a.start, a.end, name, a.value, confidenceOf(a.sort, a.value))
}

// condition looks at what `onlyif` of Augeas compares the nodes of a tree with:
// `match /files/etc/x/password[. = 'X'] size == 0`, `get …/password != 'X'`.
func (t *Text) condition() {
	var words []word
	for i := range places(t.S, "=") {
		behind := t.S[i+1 : min(len(t.S), i+1+maxName)]
		if value := strings.TrimLeft(behind, " "); value == "" || value[0] != '\'' && value[0] != '"' {
			continue
		}
		if words = wordsIn(words[:0], t.S, i+1, i+1+len(behind)); len(words) == 0 {
			continue
		}
		path := strings.TrimRight(t.S[max(0, i-maxName):i], " !=.[")
		for _, text := range []string{"/#text", "#text", "#attribute/value"} {
			path = strings.TrimRight(strings.TrimSuffix(path, text), "[/")
		}
		name := lastPart(path)
		if as := t.sortOf(name); as.secret() {
			t.given(name, words[0].start, words[0].end, as)
		}
	}
}

// check looks at the arguments of a check of Nagios, which exclamation marks
// separate: there stand users and passwords, and nothing says which is which.
func (t *Text) check() {
	if t.leaf.Name() != "check_command" && t.leaf.Name() != "event_handler" {
		return
	}
	start, as, snmp := 0, hint, false
	for arg := range strings.SplitSeq(t.S, "!") {
		if start == 0 && logsIn(arg) {
			as = token
		}
		if start > 0 {
			t.given("argument", start, start+len(arg), as)
			if snmp {
				as = hint // the community stands first
			}
		}
		snmp = snmp || strings.Contains(arg, "snmp")
		start += len(arg) + 1
	}
}

// logsIn reports whether a check has to log in where it looks.
func logsIn(check string) bool {
	if strings.HasSuffix(check, "_int") || strings.HasSuffix(check, "_v3") {
		return false // of an interface
	}
	for _, what := range []string{"snmp", "sql", "oracle", "mongo", "ldap", "wmi", "imap", "smtp", "radius", "vmware", "esx", "ipmi"} {
		if strings.Contains(check, what) {
			return true
		}
	}
	return false
}

// told returns the name that the place gives the value, and what it says.
func (t *Text) told() (string, sort) {
	l, names := t.leaf, t.names()
	if before, ok := t.before(); ok {
		return before, names.sortOf(before)
	}
	if call, i := l.Deferred(); call != nil && l.Name() == "" {
		return t.passed(call, i)
	}
	name := l.Name()
	key := names.key(name)
	as := key.sort
	if key.carrier {
		if other, s := t.designated(); s.secret() {
			return other, s
		}
		i := 0
		for parent := range l.Names {
			if i++; i == 2 {
				if s := names.sortOf(parent); s.secret() {
					return parent, s // `db_password => { value => … }`
				}
				break
			}
		}
	}
	if as == plain && name != "" && !key.harmless {
		if parent, s := t.contained(); s != plain {
			return parent, s
		}
	}
	if as == hint && name == "community" && t.isDevice() {
		return name, password
	}
	if as == hint && name == "salt" && t.resourceType() == "User" {
		return name, never // of the hash beside it
	}
	if as == hint && lastWord(name) == strings.ToLower(name) {
		if s := t.ofParent(name); s != plain {
			return name, s
		}
	}
	return name, as
}

// isDevice reports whether the Hash around tells of something that is asked by
// SNMP: it has an address or a version.
func (t *Text) isDevice() bool {
	h := t.leaf.Hash()
	if h == nil || strings.Trim(t.S, "0123456789:") == "" { // of BGP
		return false
	}
	for _, key := range []string{"ip", "address", "host", "hostname", "version", "snmp_version", "ipaddress"} {
		if _, ok := h.GetString(key); ok {
			return true
		}
	}
	return false
}

// passed returns what the place of an argument of a call says: in the format of
// sprintf, the name before its verb; in a function that makes one text of
// another, the name of what the call is the value of.
func (t *Text) passed(call *pcore.Deferred, i int) (string, sort) {
	names := t.names()
	function := call.Name()[strings.LastIndexByte(call.Name(), ':')+1:]
	switch function {
	case "sprintf", "format":
		if i == 0 || i > maxWords {
			return "", plain
		}
		format, _ := call.Arguments().At(0).(pcore.String)
		name := beforeVerb(string(format), i)
		return name, names.sortOf(name)
	case "password", "postgresql_password", "mysql_password", "pw_hash", "bcrypt", "crypt", "htpasswd", "ht_sha1", "ht_crypt",
		"str2saltedsha512", "str2saltedpbkdf2", "postgres_md5":
		if i == 0 {
			return function, password
		}
	case "base64", "join", "unwrap", "new", "strip", "chomp", "downcase", "upcase", "shell_escape", "regsubst", "to_json", "md5", "sha1", "sha256", "sha512", "fqdn_rand_string":
		name := t.leaf.Parameter()
		if as := names.sortOf(name); as.open() || as == token {
			return name, token
		}
	}
	return "", plain
}

// beforeVerb returns the name before the verb of a format that takes the
// argument at position i, the format itself being that at 0: `user=%s pw=%s`.
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

// ofParent returns what a name says together with what it belongs to: the `pin`
// in the Hash `hsm`, the `key` of a `Radius_server`.
func (t *Text) ofParent(name string) sort {
	names := t.names()
	i := 0
	for parent := range t.leaf.Names {
		if i++; i == 2 {
			if s := names.sortOf(lastWord(parent) + "_" + name); s.secret() {
				return s
			}
		}
	}
	if t.leaf.Resource == nil {
		return plain
	}
	what := t.leaf.Resource.Type
	switch {
	case what == "Class":
		what = t.leaf.Resource.Title
	case i > 1:
		return plain
	}
	for w := range strings.FieldsFuncSeq(what, func(r rune) bool { return r == '_' || r == ':' }) {
		if s := names.sortOf(strings.ToLower(w) + "_" + name); s.secret() {
			return s
		}
	}
	return plain
}

// before returns the element that names this one: the first of a pair, or an
// option whose argument this is.
func (t *Text) before() (string, bool) {
	list, i := t.leaf.Element()
	if list == nil || i == 0 {
		return "", false
	}
	s, ok := list.At(i - 1).(pcore.String)
	if !ok || len(s) > maxName {
		return "", false
	}
	name := string(s)
	switch {
	case strings.HasPrefix(name, "--") && !strings.Contains(name, "="), strings.HasPrefix(name, "-") && len(name) > 4 && isIdentifier(name[1:]):
		return strings.TrimLeft(name, "-"), t.sortOf(name) != plain
	case list.Len() == 2 && i == 1 && isIdentifier(strings.ReplaceAll(name, "-", "_")):
		s := t.sortOf(name)
		switch lastWord(t.leaf.Name()) {
		case "cred", "creds", "credentials", "login", "account":
			if s == plain {
				return "credentials", true // of a user
			}
		}
		return name, s.secret()
	}
	return "", false
}

// designated returns what a sibling, or the title of the resource, says that
// the value is: `setting => 'db_password', value => …`.
func (t *Text) designated() (string, sort) {
	names := t.names()
	h := t.leaf.Hash()
	if h == nil {
		return "", plain
	}
	ofRegistry := t.resourceType() == "Registry::Value"
	for k, v := range members(h) {
		key, _ := k.(pcore.String)
		text, _ := v.(pcore.String)
		if key == "type" && text == "password" {
			return string(text), password // of a question, a field of a form
		}
		if text == "" || len(text) > maxName || !names.designator(string(key)) && (key != "value" || !ofRegistry) {
			continue
		}
		name := lastPart(string(text))
		if s := names.sortOf(name); s != plain {
			return name, s
		}
	}
	if t.leaf.Resource != nil && h == t.leaf.Resource.Parameters {
		name := lastPart(t.leaf.Resource.Title)
		return name, names.sortOf(name)
	}
	return "", plain
}

// lastPart returns the last part of a path of settings: `database/password`,
// `HKLM\…\DefaultPassword`, `/etc/x.ini [db] password`.
func lastPart(s string) string {
	s = strings.TrimRight(s, "=: ") // `-Djavax.net.ssl.keyStorePassword=`
	i := strings.LastIndexAny(s, `/\] :=`)
	return s[i+1:]
}

// contained returns the key of the Hash around, when it says that all members
// are secrets: `tokens => { agent => … }`.
func (t *Text) contained() (string, sort) {
	i := 0
	for name := range t.leaf.Names {
		if i++; i == 2 {
			if lastWord(name) == "users" && t.isMapOfText() {
				return name, token
			}
			k := t.names().key(name)
			if k.container || k.sort.secret() && lastWord(name) == "keys" {
				if strings.HasPrefix(lastWord(name), "passw") {
					return name, password
				}
				return name, token
			}
			break
		}
	}
	return "", plain
}

// isMapOfText reports whether the Hash around has nothing but Strings.
func (t *Text) isMapOfText() bool {
	h := t.leaf.Hash()
	if h == nil {
		return false
	}
	for _, v := range members(h) {
		if _, ok := v.(pcore.String); !ok {
			return false
		}
	}
	return true
}

// maxSiblings is how many members of a Hash are asked about one of them, so that
// a large Hash does not take the square of its size.
const maxSiblings = 256

// members yields the first members of a Hash.
func members(h *pcore.Hash) iter.Seq2[pcore.Value, pcore.Value] {
	return func(yield func(k, v pcore.Value) bool) {
		n := 0
		for k, v := range h.All() {
			if n++; n > maxSiblings || !yield(k, v) {
				return
			}
		}
	}
}

// argv looks at a command that is given as an Array, when the text is an
// element of it, and reports whether it is. As on a command line, no more than
// maxWords are looked at: each of them with all the others.
func (t *Text) argv() bool {
	list, at := t.leaf.Element()
	if list == nil || at == 0 {
		return false
	}
	if program, _ := list.At(0).(pcore.String); strings.Contains(string(program), " ") {
		return false // each is a command of its own
	}
	if at >= maxWords {
		return true
	}
	words := make([]argument, min(list.Len(), maxWords))
	for i := range words {
		s, _ := list.At(i).(pcore.String)
		words[i] = argument{text: string(s), start: -1}
	}
	words[at].start, words[at].end = 0, len(t.S)
	t.command(words, nil)
	return true
}
