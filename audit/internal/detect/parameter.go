package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/commandline"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/pcore"
)

// parameters judges a value of a resource by its location: its key, a sibling, or the element
// before it; and a title by the type of its resource.
type parameters struct{ *Text }

func (t parameters) search() {
	if t.leaf.Kind == leaf.Title && t.leaf.Resource.Type == "Snmp_community" {
		t.given("community", 0, len(t.S), verdict.Password)
	}
	if t.leaf.Kind == leaf.Title && strings.HasPrefix(t.resourceType(), "Registry") {
		const folder = `\ValidCommunities\`
		if i := strings.LastIndex(t.S, folder); i >= 0 {
			t.given("community", i+len(folder), len(t.S), verdict.Password)
		}
	}
	if t.leaf.Kind != leaf.Value || !t.unchanged() {
		return
	}
	if !t.leaf.InParameter() || isRelation(t.leaf.Parameter()) {
		return
	}
	if t.flow == command && t.argv() {
		return
	}
	name, as := t.named()
	pair, from := unquoted(t.S)
	if account, secret, found := strings.Cut(pair, ":"); found && as != verdict.Never && len(pair) < verdict.MaxName && t.names().IsUser(name) && verdict.ClassOfPair(account, secret) == verdict.Password && !strings.ContainsAny(secret, "/:@ ") {
		end := from + len(pair)
		t.given(name, end-len(secret), end, verdict.ClassOfArgument(secret))
		return
	}
	if as == verdict.Plain {
		directives(t).arguments(name)
		t.check()
		if t.has.Has(' ') && t.has.Has('.') && strings.Contains(t.S, " .") && t.names().Carrier(name) {
			setting, _ := t.designated()
			lineFormats(t).tempauthUser(setting, 0, len(t.S))
		}
	}
	if as != verdict.Plain && t.has.Has(' ') {
		if _, known := directiveLocations()[strings.ToLower(name)]; known {
			directives(t).arguments(name) // `cachemgr_passwd => 'X shutdown'`
			return
		}
	}
	besideUser := as == verdict.Hint && name == "key" && t.hasUser()
	if besideUser {
		as = verdict.Token
	}
	if !as.May() {
		return
	}
	if list, _ := t.leaf.Element(); list != nil && as == verdict.Password && strings.EqualFold(name, "secrets") {
		as = verdict.Token // words are more often the names of secrets
	}
	if list, _ := t.leaf.Element(); list != nil && t.classOf(t.S) > verdict.Hint && alphabet.IsLatinName(t.S) {
		return // the name of a secret, in a list of such names
	}
	if t.leaf.Number && !as.Open() {
		return
	}
	id := "plain-secret-parameter"
	if d, _ := t.leaf.Deferred(); d != nil {
		id = "deferred-cleartext-argument"
	}
	a := assign.Assignment{Name: name, Value: t.S, End: len(t.S), Quoted: true, Class: as, Account: besideUser}
	if strings.TrimSpace(a.Value) != a.Value {
		a.Value = strings.TrimSpace(a.Value)
		a.Start = strings.Index(t.S, a.Value)
		a.End = a.Start + len(a.Value)
	}
	if inner, n, ok := verdict.CutScheme(name, a.Value); ok {
		a.Value, a.Start, a.Class = inner, a.Start+n, verdict.Token
	}
	a.Unveil()
	if t.basic(a) || strings.Contains(a.Value, "\n") {
		return
	}
	t.weigh(id, a, verdict.InParameter)
}

// isRelation reports whether a parameter refers to resources.
func isRelation(name string) bool {
	switch name {
	case "before", "require", "notify", "subscribe":
		return true
	}
	return false
}

// named returns the name that the location gives to the value, and the class of the name.
func (t parameters) named() (string, verdict.NameClass) {
	l, names := t.leaf, t.names()
	if before, ok := t.before(); ok {
		return before, names.ClassOf(before)
	}
	if call, i := l.Deferred(); call != nil && l.Name() == "" {
		return t.passed(call, i)
	}
	name := l.Name()
	key := names.Key(name)
	as := key.Class
	if key.Carrier {
		if other, s := t.designated(); s.Secret() {
			return other, s
		}
		if parent := t.parent(); names.ClassOf(parent).Secret() {
			return parent, names.ClassOf(parent) // `db_password => { value => … }`
		}
		if (name == "value" || name == "data" || name == "secret_string") && t.isInStore() {
			return name, verdict.Token
		}
	}
	if as == verdict.Plain && name != "" && !key.Harmless {
		if parent, s := t.contained(); s != verdict.Plain {
			return parent, s
		}
	}
	if as == verdict.Hint && verdict.HasWord(name, "community") && (t.isDevice() || strings.Contains(strings.ToLower(t.resourceType()), "snmp")) {
		return name, verdict.Password
	}
	if as == verdict.Plain && name == "p" && verdict.LooksChosen(t.S) && t.isBesideUser() {
		return name, verdict.Password
	}
	if as == verdict.Hint && name == "salt" && t.resourceType() == "User" {
		return name, verdict.Never // the salt of the hash beside it
	}
	if name == "key" && t.isPublicKey() {
		return name, verdict.Never
	}
	if as == verdict.Hint && verdict.LastWord(name) == strings.ToLower(name) {
		if s := t.ofParent(name); s != verdict.Plain {
			return name, s
		}
	}
	if r := l.Resource; as <= verdict.Hint && r != nil && l.Text == r.Title {
		return name, verdict.Plain // the name of the resource
	}
	if (as == verdict.Plain || as == verdict.Hint) && name != "" && (!key.Harmless || as == verdict.Hint) {
		return name, t.atEdge(name, as)
	}
	return name, as
}

// atEdge returns the class of a name that says nothing or little, by its neighbours: an element of
// a list of keys must look random, and so must a value beside secrets; with a name that may be that
// of a secret, or as a passphrase, it must look like a token.
func (t parameters) atEdge(name string, as verdict.NameClass) verdict.NameClass {
	last := verdict.LastWord(name)
	if list, _ := t.leaf.Element(); list != nil && last == "keys" {
		return verdict.Hint
	}
	const shortest, longest = 8, 128
	switch {
	case as == verdict.Plain && len(t.S) >= shortest && len(t.S) <= longest/2 && !t.has.Has('/') && !t.has.Has(':') && !t.has.Has('(') && t.siblings() >= fewestOfList && t.isAmongPasswords():
		return verdict.ClassOfArgument(t.S)
	case as == verdict.Plain && t.isOfLogin(name):
		return verdict.Token
	case last == "pin" && len(t.S) >= shortest/2 && t.besideSecrets():
		return verdict.Password
	case as == verdict.Plain && (t.has.Has('=') || strings.HasPrefix(t.S, "-")):
		return as // an option, an assignment
	case as == verdict.Plain && !t.has.Has(' ') && !t.has.Has('/') && !t.has.Has(':') && !t.has.Has('[') && verdict.FollowsRules(t.S) && t.inResourceWithSecrets() && !t.isCopied():
		return verdict.Token
	case len(t.S) < shortest || len(t.S) > longest || t.S[0] == '/' || t.has.Within(&lowerBytes) || !t.besideSecrets():
		return as
	}
	of := as
	switch {
	case isOfService(last) && t.has.Has(' ') || isCipher(last) && (t.has.Has(':') || t.has.Has(',')):
		return as
	case as == verdict.Hint, verdict.IsPhrase(t.S), verdict.IsPassphrase(t.S):
		of = verdict.Token
	case !t.has.Has(' ') && verdict.IsRandom(t.S) && !t.names().Verifies(name):
		of = verdict.Hint
	}
	if of != as && t.isCopied() {
		return as // see package taint
	}
	return of
}

// isOfService reports whether a name ends with an action on a service, whose value is a command: `service_reload`.
func isOfService(last string) bool {
	switch last {
	case "reload", "restart", "start", "stop", "status", "command":
		return true
	}
	return false
}

// isCipher reports whether a name ends with a word for the ciphers of TLS or SSH, whose value is a list: `HIGH:!aNULL`.
func isCipher(last string) bool {
	switch last {
	case "cipher", "ciphers", "ciphersuite", "ciphersuites", "suites", "protocol", "protocols", "macs", "kex", "algorithms", "kexalgorithms":
		return true
	}
	return false
}

// isOfLogin reports whether a text follows the rules for passwords, and its Hash has the host and the account of a login:
// `{host => 'ftp.example.com', login => 'app', x => 'X'}`.
func (t parameters) isOfLogin(name string) bool {
	h := t.leaf.Hash()
	if h == nil || !hasDrawn(&t.has) || !verdict.FollowsRules(t.S) || !verdict.IsUnmistakable(t.S) || strings.ContainsAny(t.S, "/:@ []=") || verdict.HasWord(name, "name") {
		return false
	}
	host, account := false, ""
	for k, v := range members(h) {
		key, _ := k.(pcore.String)
		text, _ := v.(pcore.String)
		switch last := verdict.LastWord(string(key)); {
		case last == "host" || last == "server" || last == "hostname":
			host = true
		case strings.HasSuffix(last, "user") || last == "username" || last == "login" || last == "account":
			account = string(text)
		case t.names().Key(string(key)).Class.Secret():
			return false
		}
	}
	return host && account != "" && verdict.IsPasswordOf(account, t.S)
}

// fewestOfList is the minimum number of texts of a list of passwords whose name does not say that it is one.
const fewestOfList = 3

// siblings returns the number of elements of the list, or of members of the Hash, around the text.
func (t parameters) siblings() int {
	if list, _ := t.leaf.Element(); list != nil {
		return list.Len()
	}
	if h := t.leaf.Hash(); h != nil && h != t.leaf.Resource.Parameters {
		return h.Len()
	}
	return 0
}

// lowerBytes are the bytes of a word in lower case.
var lowerBytes = alphabet.Contained{0, (1<<26 - 1) << ('a' - 64)}

// isPublicKey reports whether the `key` of a resource or Hash is a public one by its type,
// whole or cut: that of an SSH key, or of the resource.
func (t parameters) isPublicKey() bool {
	switch t.resourceType() {
	case "Ssh_authorized_key", "Sshkey":
		return t.leaf.Parameter() == "key"
	}
	h := t.leaf.Hash()
	if h == nil {
		return false
	}
	v, _ := h.GetString("type")
	typ, _ := v.(pcore.String)
	for _, prefix := range []string{"ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"} {
		if strings.HasPrefix(string(typ), prefix) {
			return true
		}
	}
	return false
}

// before returns the element that names this one: the first element of a pair, or the
// option whose argument this is.
func (t parameters) before() (string, bool) {
	list, i := t.leaf.Element()
	if list == nil || i == 0 {
		return "", false
	}
	s, ok := list.At(i - 1).(pcore.String)
	if !ok || len(s) > verdict.MaxName {
		return "", false
	}
	name := string(s)
	switch {
	case i > 1 && t.isRowOfAccount(list, i, name):
		return "password", true // `['L1', '192.0.2.1', 'root', 'X']`
	case name == "--user" || name == "-u" || name == "--proxy-user" || name == "--auth" || name == "--login":
		user, secret, found := strings.Cut(t.S, ":")
		return "user", found && verdict.ClassOfPair(user, secret) == verdict.Password // see search
	case strings.HasPrefix(name, "--") && !strings.Contains(name, "="), strings.HasPrefix(name, "-") && len(name) > 4 && verdict.IsIdentifier(name[1:]):
		return strings.TrimLeft(name, "-"), t.classOf(name) != verdict.Plain
	case list.Len() == 2 && i == 1 && verdict.IsIdentifier(strings.ReplaceAll(name, "-", "_")):
		s := t.classOf(name)
		switch verdict.LastWord(t.leaf.Name()) {
		case "cred", "creds", "credentials", "login", "account":
			if s == verdict.Plain {
				return "credentials", true // of a user
			}
		case "users", "accounts", "logins":
			if s == verdict.Plain && t.leaf.IsNested() && verdict.LooksLikePasswordOf(name, t.S) {
				return "password", true
			}
		default:
			if host := t.leaf.Name(); s == verdict.Plain && strings.Contains(host, ".") && verdict.IsHost(host) && verdict.IsPasswordOf(name, t.S) {
				return "password", true // `'smtp.example.com' => ['app', 'X']`
			}
		}
		return name, s.Secret()
	}
	return "", false
}

// isRowOfAccount reports whether an element of a list is the password of the account before it, on the host that precedes
// the account, or of an account that most systems have.
func (t parameters) isRowOfAccount(list *pcore.Array, i int, account string) bool {
	if !t.leaf.IsNested() || !verdict.IsName(account) || !verdict.IsPasswordOf(account, t.S) || !verdict.IsUnmistakable(t.S) {
		return false
	}
	for k := range min(i-1, maxOperands) {
		if s, _ := list.At(k).(pcore.String); verdict.IsServer(string(s)) {
			return true
		}
	}
	return verdict.IsUsualAccount(account)
}

// argv searches a command that is an Array if the text is one of its elements, and reports
// whether it is. Like a command line, the command is limited to maxWords words, because
// each word is checked against all others.
func (t parameters) argv() bool {
	list, at := t.leaf.Element()
	if list == nil || at == 0 {
		return false
	}
	if program, _ := list.At(0).(pcore.String); strings.Contains(string(program), " ") {
		return false // each element is a command
	}
	if at >= commandline.MaxWords {
		return true
	}
	words := make([]string, min(list.Len(), commandline.MaxWords))
	for i := range words {
		s, _ := list.At(i).(pcore.String)
		words[i] = string(s)
	}
	commands(t).commandLines().SearchWord(words, at)
	return true
}

// passed returns the name that a call gives to its argument, and its class: in a format of
// sprintf, the name before the verb; for a function that transforms a text, the name of the
// parameter.
func (t parameters) passed(call *pcore.Deferred, i int) (string, verdict.NameClass) {
	names := t.names()
	function := call.Name()[strings.LastIndexByte(call.Name(), ':')+1:]
	switch function {
	case "sprintf", "format":
		if i == 0 || i > commandline.MaxWords {
			return "", verdict.Plain
		}
		format, _ := call.Arguments().At(0).(pcore.String)
		name := commandline.BeforeVerb(string(format), i)
		return name, names.ClassOf(name)
	case "password", "postgresql_password", "mysql_password", "pw_hash", "bcrypt", "crypt", "htpasswd", "ht_sha1", "ht_crypt",
		"str2saltedsha512", "str2saltedpbkdf2", "postgres_md5":
		if i == 0 {
			return function, verdict.Password
		}
	case "base64", "join", "unwrap", "new", "strip", "chomp", "downcase", "upcase", "shell_escape", "regsubst", "to_json", "md5", "sha1", "sha256", "sha512", "fqdn_rand_string":
		name := t.leaf.Parameter()
		if as := names.ClassOf(name); as.Open() || as == verdict.Token {
			return name, verdict.Token
		}
	}
	return "", verdict.Plain
}

// check searches the arguments of a Nagios check, which are separated by exclamation marks.
// They include users and passwords, but have no names.
func (t parameters) check() {
	if name := t.leaf.Name(); name != "check_command" && name != "event_handler" {
		return
	}
	start, as, snmp := 0, verdict.Hint, false
	for arg := range strings.SplitSeq(t.S, "!") {
		if start == 0 && logsIn(arg) {
			as = verdict.Token
		}
		if start > 0 {
			t.given("argument", start, start+len(arg), as)
			if snmp {
				as = verdict.Hint // the community is the first argument
			}
		}
		snmp = snmp || strings.Contains(arg, "snmp")
		start += len(arg) + 1
	}
}

// logsIn reports whether a check logs in to the host.
func logsIn(check string) bool {
	if strings.HasSuffix(check, "_int") || strings.HasSuffix(check, "_v3") {
		return false // a check of an interface
	}
	return lines.Mentions(check, "snmp", "sql", "oracle", "mongo", "ldap", "wmi", "imap", "smtp", "radius", "vmware", "esx", "ipmi")
}

// unquoted returns a text without the quotes around all of it, and where that begins.
func unquoted(s string) (text string, from int) {
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1], 1
	}
	return s, 0
}
