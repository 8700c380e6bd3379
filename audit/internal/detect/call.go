package detect

import (
	"path"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/internal/secret"
)

// calls finds a user and a password among the arguments of a function: `smtp.login(user,
// "X")`, `HTTPBasicAuth("app", "X")`.
type calls struct{ *Text }

func (t calls) search() {
	if !t.has.Has('\'') && !t.has.Has('"') {
		return
	}
	t.secureStrings()
	if t.kind == source && t.has.Has(':') {
		for _, mark := range []string{"omniauth :", "provider :"} { // of OmniAuth: an ID and a secret
			for i := range t.occurrences(mark) {
				t.connection(i + len(mark))
			}
		}
	}
	if t.has.Has('(') {
		t.functions()
	}
	if t.kind == source {
		t.accounts()
	} else if t.kind == settings && t.has.Has('[') {
		t.pairs()
	}
	for _, call := range []string{"basic_auth, ", "basic_auth '", "basic_auth \""} { // of Ruby, without parentheses
		for i := range t.occurrences(call) {
			t.logon(i + len("basic_auth "))
		}
	}
}

// functions handles the arguments of each function.
func (t calls) functions() {
	for i := range lines.Occurrences(t.S, "(") {
		t.function(t.S[:i], i+1)
	}
	for _, source := range []string{"['DBI:", "['dbi:", "[\"DBI:", "[\"dbi:"} { // of Perl, as the first element of a list
		for i := range t.occurrences(source) {
			t.connection(i + 1)
		}
	}
	t.setters()
}

// function searches the arguments of a function, which begin at from. The text before ends
// with the name of the function.
func (t calls) function(before string, from int) {
	switch {
	case endsWith(before, "onnect", "onnection", "onnector", "bind", "PDO", "PDO->__construct", "mysqli", "mysqli->__construct", "FTP", "FTP.open", "create_superuser", "create_user"):
		t.connection(from)
	case endsWith(before, "redentials", "redentialsImpl"):
		t.credentials(from)
	case endsWith(before, "redential"):
		t.call(from, "") // a domain may follow
	case endsWith(before, "encrypt", "decrypt"):
		if list := t.arguments(from); len(list) > 1 && list[len(list)-1].quoted {
			t.given("key", list[len(list)-1].start, list[len(list)-1].end, verdict.Token)
		}
	case endsWith(before, "crypt", "SetPassword"):
		t.hashed(from)
	}
	if endsWith(before, "ogin", "uth", "uth=", "Password", "Account", "reateUser", "addUser") {
		t.call(from, ")")
	}
	if logsOn(before) {
		t.logon(from)
	}
}

// accounts finds an account and its password among the strings of a list or a call, whatever its name:
// `('switch1', 'cisco', 'push', 'X')`. The password must look like one, and be strong.
func (t calls) accounts() {
	const strong = 8 // points
	for i := range len(t.S) {
		if c := t.S[i]; c != '(' && c != '[' || i+1 == len(t.S) || t.S[i+1] != '"' && t.S[i+1] != '\'' {
			continue
		}
		list := t.arguments(i + 1)
		t.assignedTo(i, list)
		if len(list) == 2 && list[1].quoted && t.isCredentials(i) && verdict.ClassOfPair(list[0].text, list[1].text) == verdict.Password && !t.commented(i) {
			t.given("credentials", list[1].start, list[1].end, verdict.Password)
			continue
		}
		for k := 1; k < len(list); k++ {
			a, b := list[k-1], list[k]
			if a.quoted && b.quoted && verdict.IsDistinguished(a.text) && !verdict.IsDistinguished(b.text) && isCredential(b.text) && !t.commented(b.start) {
				t.given("bind", b.start, b.end, verdict.ClassOfPair(a.text, b.text)) // `LDAP_BIND = ('cn=app,dc=example', 'X')`
				continue
			}
			if k > 1 && t.isAccountOf(list[k-2], a, b) {
				t.given("account", b.start, b.end, verdict.Password)
				continue
			}
			if !a.quoted || !b.quoted || a.text == "" || !verdict.IsName(a.text) && !strings.Contains(a.text, "://") || a.text == b.text {
				continue
			}
			if (verdict.FollowsRules(b.text) && !verdict.IsRelated(a.text, b.text) || len(list) == 2 && verdict.IsSpokenPhrase(b.text)) && !t.commented(b.start) && !strings.ContainsAny(b.text, "/:=<>(){}[]$") && secret.Strength(b.text) >= strong {
				t.given("account", b.start, b.end, verdict.Token)
			}
		}
	}
}

// assignedTo judges the elements of the list behind the bracket at i that are assigned to variables for passwords: `($db, $u, $p) =
// ('shop', 'app', 'X')`.
func (t calls) assignedTo(i int, list []operand) {
	before, assigned := strings.CutSuffix(strings.TrimRight(t.S[max(0, i-verdict.MaxName):i], " "), "=")
	before, isList := strings.CutSuffix(strings.TrimRight(before, " "), ")")
	open := strings.LastIndexByte(before, '(')
	if !assigned || !isList || open < 0 {
		return
	}
	names := strings.Split(before[open+1:], ",")
	if len(names) != len(list) {
		return
	}
	hasUser := false
	for k, name := range names {
		name = strings.Trim(name, "$@ \n\t")
		short := hasUser && (name == "p" || name == "pw")
		if as := t.classOf(name); list[k].quoted && (short || as.Open()) {
			t.given(name, list[k].start, list[k].end, verdict.Password)
		}
		hasUser = hasUser || name == "u" || name == "usr" || t.names().IsUser(name)
	}
}

// pairs finds a list of two strings in a file of settings, a usual account and its password: `["sa", "X"]`.
func (t calls) pairs() {
	ofAccounts := t.isOfAccounts()
	for i := range lines.Occurrences(t.S, "[") {
		at := i + 1
		for at < len(t.S) && t.S[at] == ' ' {
			at++
		}
		if list := t.row(i, at, ofAccounts); list != nil {
			t.given("account", list[1].start, list[1].end, verdict.Password)
			continue
		}
		if at == len(t.S) || t.S[at] != '"' && t.S[at] != '\'' {
			continue
		}
		list := t.arguments(at)
		if len(list) == 2 && list[0].quoted && list[1].quoted && verdict.IsUsualAccount(list[0].text) && !t.commented(i) && verdict.IsPasswordOf(list[0].text, list[1].text) {
			t.given("account", list[1].start, list[1].end, verdict.ClassOfPair(list[0].text, list[1].text))
		}
		if len(list) > 2 && t.isAccountOf(list[0], list[1], list[2]) {
			t.given("account", list[2].start, list[2].end, verdict.Password)
		}
	}
}

// isOfAccounts reports whether the file has accounts, by its name: `accounts.json`.
func (t calls) isOfAccounts() bool {
	stem, _, _ := strings.Cut(path.Base(strings.ReplaceAll(t.target(), `\`, "/")), ".")
	return t.names().HasAccounts(stem)
}

// row returns the elements of the list behind the bracket at i, whose first element is at position at, if they are an account and
// its password in a list of accounts: `mysql_users: [[app, "X", 3]]`.
func (t calls) row(i, at int, ofAccounts bool) []operand {
	if at == len(t.S) || !alphabet.IsAlnum(t.S[at]) && t.S[at] != '"' && t.S[at] != '\'' || i > 0 && alphabet.IsWordByte(t.S[i-1]) {
		return nil
	}
	comma := strings.IndexByte(t.S[at:min(len(t.S), at+verdict.MaxName)], ',')
	if comma < 0 {
		return nil
	}
	account := strings.Trim(t.S[at:at+comma], "\"' ")
	if !verdict.IsName(account) {
		return nil
	}
	list := t.arguments(at)
	if len(list) < 2 || !list[1].quoted || list[1].start < at || !verdict.IsPasswordOf(account, list[1].text) || strings.ContainsAny(list[1].text, "(){}[]<>$@:") {
		return nil
	}
	if !ofAccounts && !t.names().HasAccounts(t.assignText().Enclosing(at)) {
		return nil
	}
	return list
}

// isAccountOf reports whether three strings are a host, an account on it and its password, which looks like one:
// `Dial("db.example.com:7000", "app", "X")`.
func (t calls) isAccountOf(host, account, secret operand) bool {
	if !host.quoted || !account.quoted || !secret.quoted || strings.ContainsAny(secret.text, "/:<>(){}[]$ ") || verdict.IsRelated(account.text, secret.text) || t.commented(secret.start) {
		return false
	}
	return verdict.IsServer(host.text) && verdict.IsName(account.text) && (verdict.FollowsRules(secret.text) || verdict.IsNotProse(secret.text))
}

// isCredentials reports whether the bracket at i begins the value of a name for an account and its password:
// `LENDING_AUTH = (`.
func (t calls) isCredentials(i int) bool {
	before, assigned := strings.CutSuffix(strings.TrimRight(t.S[max(0, i-verdict.MaxName):i], " \t"), "=")
	switch before = strings.TrimRight(before, " \t"); verdict.LastWord(before) {
	case "auth", "basic", "login", "credentials", "creds", "account", "pair":
		return assigned
	}
	return false
}

// logsOn reports whether the name of a function at the end of s says that it logs on, or joins a
// domain.
func logsOn(s string) bool {
	from := len(s)
	for from > 0 && len(s)-from < verdict.MaxName && alphabet.IsWordByte(s[from-1]) {
		from--
	}
	name := strings.ToLower(s[from:])
	switch {
	case strings.Contains(name, "username"), strings.Contains(name, "_pw"), strings.Contains(name, "login"), strings.Contains(name, "logon"), strings.HasPrefix(name, "auth"), strings.HasSuffix(name, "auth"):
		return true
	case strings.Contains(name, "bind"):
		return strings.Contains(name, "ldap") || strings.Contains(name, "simple") || strings.HasSuffix(name, "bind_s")
	}
	return strings.Contains(name, "join") && strings.Contains(name, "domain")
}

// logon handles the arguments of a function that logs on, which begin at from. The last string
// behind another argument is the password, unless it is a name with its domain. Other strings,
// and a single one, must look like a password.
func (t calls) logon(from int) {
	if t.kind == source && t.commented(from) {
		return // an example
	}
	list := t.arguments(from)
	last := -1
	for i, a := range list {
		if a.quoted && i > 0 && isCredential(a.text) {
			last = i
		}
	}
	for i, a := range list {
		as := verdict.ClassOfArgument(a.text)
		if i == last {
			as = verdict.Password
		}
		if a.quoted && (i > 0 || len(list) == 1) && isCredential(a.text) {
			t.given("login", a.start, a.end, as)
		}
	}
}

// isCredential reports whether an argument of a function that logs on may be a password: it is no path, no
// name with its domain, and no sentence.
func isCredential(s string) bool {
	_, domain, _ := strings.Cut(s, "@")
	return !strings.ContainsAny(s, `\/=`) && (!strings.Contains(s, " ") || verdict.IsSpokenPhrase(s)) && !(strings.Contains(domain, ".") && verdict.IsHost(domain))
}

// operand is an argument of a function: a string, if it is quoted, or another expression.
type operand struct {
	text       string
	start, end int
	quoted     bool
}

// maxOperands is the maximum number of arguments that are read of a call.
const maxOperands = 8

// arguments returns the first arguments of a function, which begin at from. They may continue on
// the next lines.
func (t calls) arguments(from int) (list []operand) {
	limit := min(len(t.S), from+lines.Reach)
	depth, only := 0, true // only: the argument consists of one string
	a := operand{start: from}
	for i := from; i < limit; i++ {
		c := t.S[i]
		switch {
		case c == '"' || c == '\'':
			q, ok := assign.Quoted(t.S, i, i, limit)
			if !ok {
				return list
			}
			a.quoted = depth == 0 && only && !a.quoted
			only = a.quoted
			a.text, a.start, a.end = q.Value, q.Start, q.End
			i = q.End
		case c == '(' || c == '[' || c == '{':
			depth++
			a.quoted, only = false, false
		case depth > 0 && (c == ')' || c == ']' || c == '}'):
			depth--
		case c == ')' || c == ']' || c == '}' || c == ';':
			return append(list, a)
		case c == ',' && depth == 0:
			if list = append(list, a); len(list) == maxOperands {
				return list
			}
			a, only = operand{start: i + 1}, true
		case c == '\n' && depth == 0 && a.quoted && i+1 < limit && t.S[i+1] > ' ':
			return append(list, a) // of a call without parentheses
		case c > ' ' && depth == 0 && !(i+1 < limit && alphabet.IsLetter(c) && (t.S[i+1] == '"' || t.S[i+1] == '\'')):
			a.quoted, only = false, false
		}
	}
	if limit == len(t.S) && a.quoted {
		list = append(list, a)
	}
	return list
}

func endsWith(s string, ends ...string) bool {
	for _, end := range ends {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// hashed handles the arguments of a function that hashes or sets a password, which begin at
// from. The first argument is the password: `crypt("X", "$6$…")`.
func (t calls) hashed(from int) {
	for from < len(t.S) && t.S[from] == '\\' {
		from++ // of a nested string
	}
	if from >= len(t.S) || t.S[from] != '"' && t.S[from] != '\'' {
		return
	}
	a, ok := assign.Quoted(t.S, from, from, min(len(t.S), from+lines.Reach))
	if ok {
		a.Name, a.Class = "crypt", verdict.Password
		t.judge(a)
	}
}

// credentials handles the arguments of a function that creates credentials, which begin at
// from. The last argument is a password: `Credentials("realm", "host", "user", "X")`.
func (t calls) credentials(from int) {
	if list := t.arguments(from); len(list) > 1 && list[len(list)-1].quoted {
		last := list[len(list)-1]
		t.given("credentials", last.start, last.end, verdict.Password)
	}
}

// setters finds functions whose only argument is a secret: `ds.setPassword("X")`,
// `LDAPPWD('X')`, `Secret.fromString("X")`.
func (t calls) setters() {
	for i := range lines.Occurrences(t.S, "(") {
		if i+2 >= len(t.S) || t.S[i+1] != '"' && t.S[i+1] != '\'' || i == 0 || !alphabet.IsLetter(t.S[i-1]) {
			continue
		}
		from := i
		for from > 0 && i-from < verdict.MaxName && (alphabet.IsWordByte(t.S[from-1]) || t.S[from-1] == '.') {
			from--
		}
		name := t.S[from:i]
		if strings.HasSuffix(name, "Secret.fromString") {
			name = "Secret"
		} else {
			name = name[strings.LastIndexByte(name, '.')+1:]
			rest, setter := strings.CutPrefix(name, "set")
			if !setter && !makesHash(name) && name != strings.ToUpper(name) && (t.kind != settings || t.flow != content) {
				continue // in a file of settings, it is an option: `password("X")` of syslog-ng
			}
			name = rest
		}
		as, last := verdict.Token, ")"
		if makesHash(name) {
			as, last = verdict.Password, "" // an algorithm may follow
		} else if !t.classOf(name).Open() {
			continue
		}
		if value, after, ok := strings.Cut(lines.Rest(t.S, i+2), t.S[i+1:i+2]); ok && strings.HasPrefix(after, last) {
			t.given(name, i+2, i+2+len(value), as)
		}
	}
}

// secureStrings finds the string that PowerShell converts to a SecureString, anywhere in an
// expression: `(ConvertTo-SecureString 'X' -AsPlainText …)`.
func (t calls) secureStrings() {
	const mark = "ConvertTo-SecureString"
	for i := range t.occurrences(mark) {
		at := i + len(mark)
		t.securedBefore(i)
		words := lines.Words(nil, t.S, at, at+len(lines.Rest(t.S, at)))
		for j, w := range words {
			if strings.HasPrefix(w.Text, "-") && !w.Quoted {
				continue
			}
			if w.Quoted && j < 3 {
				t.given(mark, w.Start, w.End, verdict.Password)
			}
			break
		}
	}
}

// securedBefore handles the string that is piped into the command at i: `'X' | …`.
func (t calls) securedBefore(i int) {
	before, piped := strings.CutSuffix(strings.TrimRight(t.S[max(0, i-lines.Reach):i], " "), "|")
	before = strings.TrimRight(before, " ")
	if !piped || len(before) < 3 {
		return
	}
	quote := before[len(before)-1]
	if quote != '"' && quote != '\'' {
		return
	}
	if from := strings.LastIndexByte(before[:len(before)-1], quote) + 1; from > 0 {
		start := max(0, i-lines.Reach) + from
		t.given("ConvertTo-SecureString", start, start+len(before)-1-from, verdict.Password)
	}
}

// call handles arguments that begin at from. The second is a string, followed by next.
func (t calls) call(from int, next string) {
	args := lines.Rest(t.S, from)
	first, rest, ok := strings.Cut(args, ",")
	second := strings.TrimLeft(rest, " ")
	if !ok || len(second) < 2 || strings.ContainsAny(first, "()") || second[0] != '"' && second[0] != '\'' {
		return
	}
	value, after, ok := strings.Cut(second[1:], second[:1])
	if !ok || !strings.HasPrefix(after, next) {
		return
	}
	start := from + len(args) - len(second) + 1
	t.given("login", start, start+len(value), verdict.Password)
}

// bind handles the arguments of a function that binds to a directory, which begin at from, and reports whether it is one: the
// string behind the name of an account is its password.
func (t calls) bind(from int) bool {
	args := lines.Rest(t.S, from)
	if !lines.Mentions(args, ",dc=", ",DC=", ",o=", ",ou=") {
		return false
	}
	list := t.arguments(from)
	for i := range max(len(list)-1, 0) {
		if name, a := list[i], list[i+1]; name.quoted && strings.Contains(name.text, "=") && strings.Contains(name.text, ",") && a.quoted && isCredential(a.text) {
			t.given("bind", a.start, a.end, verdict.Password)
			return true
		}
	}
	return false
}

// connection handles the arguments of a function that opens a connection, which begin at
// from. The third is a password: `connect("dbi:…", "user", "X")`, `ldap_bind($c, 'cn=x',
// 'X')`.
func (t calls) connection(from int) {
	args := lines.Rest(t.S, from)
	if t.bind(from) {
		return
	}
	at := 0
	for range 2 {
		i := strings.IndexByte(args[at:], ',')
		if i < 0 || strings.ContainsAny(args[at:at+i], "(=") && !strings.ContainsAny(args[at:at+i], "\"'") {
			return
		}
		at += i + 1
	}
	third := strings.TrimLeft(args[at:], " ")
	if third == "" || third[0] != '"' && third[0] != '\'' {
		return
	}
	value, after, ok := strings.Cut(third[1:], third[:1])
	if strings.Contains(value, "://") {
		t.call(from, ",") // user, password, address
		return
	}
	if after = strings.TrimLeft(after, " "); !ok || after != "" && after[0] != ')' && after[0] != ',' && after[0] != ']' {
		return
	}
	start := from + len(args) - len(third) + 1
	t.given("connect", start, start+len(value), verdict.Password)
}
