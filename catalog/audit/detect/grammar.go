package detect

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// grammars looks for the ways in which texts give values to names.
func (t *Text) grammars(has *contained) {
	if t.flow == command {
		t.shell()
		t.expect()
		if t.leaf.Resource != nil && t.leaf.Resource.Type == "Augeas" {
			t.condition()
		}
	} else if t.kind == script || has.byte('-') || has.byte('|') || has.byte('<') || has.byte('\\') {
		t.commands()
	}
	if has.byte('=') || has.byte(':') || has.byte('>') || has.byte(',') || has.byte('(') {
		p := pairs{t: t}
		t.assignments(p.add)
	}
	if (has.byte(' ') || has.byte('\t')) && (t.flow != command || has.byte('\n') || t.forDevice()) {
		t.directives()
	}
	t.lined(has)
	if has.byte('\'') || has.byte('"') || has.byte(';') {
		t.sql()
	}
	if has.byte('\'') || has.byte('"') {
		t.secureStrings()
		if has.byte(':') && t.kind == source {
			for _, mark := range []string{"omniauth :", "provider :"} { // of OmniAuth: an ID, and a secret
				for i := range places(t.S, mark) {
					t.connection(i + len(mark))
				}
			}
		}
		if has.byte('(') {
			t.calls()
		}
	}
	if t.flow == content && (len(t.Encodings) == 0 || t.path != "") {
		t.file()
	}
	if t.flow != command && has.byte(' ') {
		t.sentences()
	}
}

// forDevice reports whether a command is one for a network device.
func (t *Text) forDevice() bool {
	first, _, _ := strings.Cut(t.S, " ")
	return t.scanner.detector.values.devices.has(first)
}

// calls looks for a user and a password that a program hands to a function:
// `smtp.login(user, "X")`, `HTTPBasicAuth("app", "X")`.
func (t *Text) calls() {
	for _, end := range []string{"onnect(", "onnection(", "bind(", "PDO(", "mysqli(", "FTP(", "FTP.open(", "create_superuser(", "create_user("} {
		for at := 0; ; {
			i := strings.Index(t.S[at:], end)
			if i < 0 {
				break
			}
			at += i + len(end)
			t.connection(at)
		}
	}
	for at := 0; ; {
		i := strings.Index(t.S[at:], "redentials")
		if i < 0 {
			break
		}
		at += i + len("redentials")
		if rest := strings.TrimPrefix(t.S[at:], "Impl"); strings.HasPrefix(rest, "(") {
			t.credentials(len(t.S) - len(rest) + 1)
		}
	}
	for _, source := range []string{"['DBI:", "['dbi:", "[\"DBI:", "[\"dbi:"} { // of Perl, first in a list
		for i := range places(t.S, source) {
			t.connection(i + 1)
		}
	}
	t.setters()
	for _, end := range []string{"ogin(", "uth(", "uth=(", "Password(", "Credential(", "Account(", "reateUser(", "addUser("} {
		for at := 0; ; {
			i := strings.Index(t.S[at:], end)
			if i < 0 {
				break
			}
			at += i + len(end)
			next := ")"
			if end == "Credential(" {
				next = "" // a domain may follow
			}
			t.call(at, next)
		}
	}
	for _, end := range []string{"crypt(", "SetPassword("} {
		for at := 0; ; {
			i := strings.Index(t.S[at:], end)
			if i < 0 {
				break
			}
			at += i + len(end)
			t.hashed(at)
		}
	}
}

// hashed looks at the arguments that begin at from of a function that makes a
// hash of a password, or sets it: the first is one, `crypt("X", "$6$…")`.
func (t *Text) hashed(from int) {
	for from < len(t.S) && t.S[from] == '\\' {
		from++ // of a string inside a string
	}
	if from >= len(t.S) || t.S[from] != '"' && t.S[from] != '\'' {
		return
	}
	a, ok := quotedValue(t.S, from, from, min(len(t.S), from+reach))
	if ok {
		a.name, a.sort = "crypt", password
		t.judge(a)
	}
}

// credentials looks at the arguments that begin at from of a function that makes
// credentials of strings: the last is a password, `Credentials("realm", "host",
// "user", "X")`.
func (t *Text) credentials(from int) {
	args, _, closed := strings.Cut(t.S[from:min(len(t.S), from+reach)], ")")
	args = strings.TrimRight(args, " ")
	if !closed || strings.Contains(args, "\n") || strings.Count(args, ",") == 0 || len(args) < 4 {
		return
	}
	quote := args[len(args)-1]
	if quote != '"' && quote != '\'' {
		return
	}
	start := strings.LastIndexByte(args[:len(args)-1], quote) + 1
	if before := strings.TrimRight(args[:max(0, start-1)], " "); !strings.HasSuffix(before, ",") {
		return
	}
	t.judge(assignment{name: "credentials", value: args[start : len(args)-1], start: from + start, end: from + len(args) - 1, quoted: true, sort: password})
}

// setters looks at functions that are called for the secret that is their only
// argument: `ds.setPassword("X")`, `LDAPPWD('X')`, `Secret.fromString("X")`.
func (t *Text) setters() {
	for i := range places(t.S, "(") {
		if i+2 >= len(t.S) || t.S[i+1] != '"' && t.S[i+1] != '\'' || i == 0 || !isLetter(t.S[i-1]) {
			continue
		}
		from := i
		for from > 0 && i-from < maxName && (isWordByte(t.S[from-1]) || t.S[from-1] == '.') {
			from--
		}
		name := t.S[from:i]
		if strings.HasSuffix(name, "Secret.fromString") {
			name = "Secret"
		} else {
			name = name[strings.LastIndexByte(name, '.')+1:]
			rest, setter := strings.CutPrefix(name, "set")
			if !setter && !hashes(name) && name != strings.ToUpper(name) && (t.kind != settings || t.flow != content) {
				continue // in a file of settings it is an option: `password("X")` of syslog-ng
			}
			name = rest
		}
		as, last := token, ")"
		if hashes(name) {
			as, last = password, "" // an algorithm may follow
		} else if !t.scanner.detector.names.sortOf(name).open() {
			continue
		}
		args := t.S[i+2 : min(len(t.S), i+2+reach)]
		if value, after, ok := strings.Cut(args[:lineEnd(args, 0)], t.S[i+1:i+2]); ok && strings.HasPrefix(after, last) {
			t.judge(assignment{name: name, value: value, start: i + 2, end: i + 2 + len(value), quoted: true, sort: as})
		}
	}
}

// hashes reports whether a function makes the hash of the password that is its
// first argument.
func hashes(function string) bool {
	switch function {
	case "password_hash", "hashpw", "hash_password", "make_password", "generate_password_hash":
		return true
	}
	return false
}

// secureStrings looks at what PowerShell makes a secret of, wherever in an
// expression: `(ConvertTo-SecureString 'X' -AsPlainText …)`.
func (t *Text) secureStrings() {
	const mark = "ConvertTo-SecureString"
	for at := 0; ; {
		i := strings.Index(t.S[at:], mark)
		if i < 0 {
			return
		}
		at += i + len(mark)
		t.securedBefore(at - len(mark))
		end := min(len(t.S), at+reach)
		words := wordsIn(nil, t.S, at, at+lineEnd(t.S[at:end], 0))
		for j, w := range words {
			if strings.HasPrefix(w.text, "-") && !w.quoted {
				continue
			}
			if w.quoted && j < 3 {
				t.judge(assignment{name: mark, value: w.text, start: w.start, end: w.end, quoted: true, sort: password})
			}
			break
		}
	}
}

// securedBefore looks at what a pipe gives to what begins at i: `'X' | …`.
func (t *Text) securedBefore(i int) {
	before, piped := strings.CutSuffix(strings.TrimRight(t.S[max(0, i-reach):i], " "), "|")
	before = strings.TrimRight(before, " ")
	if !piped || len(before) < 3 {
		return
	}
	quote := before[len(before)-1]
	if quote != '"' && quote != '\'' {
		return
	}
	if from := strings.LastIndexByte(before[:len(before)-1], quote) + 1; from > 0 {
		start := max(0, i-reach) + from
		t.judge(assignment{name: "ConvertTo-SecureString", value: before[from : len(before)-1], start: start, end: start + len(before) - 1 - from, quoted: true, sort: password})
	}
}

// call looks at the arguments that begin at from: the second is a string, behind
// which next stands.
func (t *Text) call(from int, next string) {
	args := t.S[from:min(len(t.S), from+reach)]
	args = args[:lineEnd(args, 0)]
	first, rest, ok := strings.Cut(args, ",")
	second := strings.TrimLeft(rest, " ")
	if !ok || len(second) < 2 || strings.ContainsAny(first, "()") || second[0] != '"' && second[0] != '\'' {
		return
	}
	secret, after, ok := strings.Cut(second[1:], second[:1])
	if !ok || !strings.HasPrefix(after, next) {
		return
	}
	start := from + len(args) - len(second) + 1
	t.judge(assignment{name: "login", value: secret, start: start, end: start + len(secret), quoted: true, sort: password})
}

// connection looks at the arguments that begin at from of a function that opens
// a connection: the third is a password, `connect("dbi:…", "user", "X")`,
// `ldap_bind($c, 'cn=x', 'X')`.
func (t *Text) connection(from int) {
	args := t.S[from:min(len(t.S), from+reach)]
	args = args[:lineEnd(args, 0)]
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
	secret, after, ok := strings.Cut(third[1:], third[:1])
	if strings.Contains(secret, "://") {
		t.call(from, ",") // user, password, address
		return
	}
	if after = strings.TrimLeft(after, " "); !ok || after != "" && after[0] != ')' && after[0] != ',' && after[0] != ']' {
		return
	}
	start := from + len(args) - len(third) + 1
	t.judge(assignment{name: "connect", value: secret, start: start, end: start + len(secret), quoted: true, sort: password})
}

// reach is how far a value may stand from the member that names it.
const reach = 300

// pairs puts `name: X` and `value: Y` together, in either order.
type pairs struct {
	t      *Text
	name   assignment // the last that names something secret
	value  assignment // the last value without a name
	secret sort
}

func (p *pairs) add(a assignment) {
	names := p.t.scanner.detector.names
	if as := names.sortOf(a.value); names.designator(a.name) && as > hint && as != never && len(a.value) < maxName && (strings.ContainsAny(a.value, "._-/: ") || !random(a.value) || inWords(a.value)) {
		if p.value.name != "" && a.start-p.value.end < reach/3 && !p.between(p.value.end, a.start) {
			p.pair(p.value, a.value, as)
		} else {
			p.name, p.secret = a, as
		}
		p.value = assignment{}
		return
	}
	if names.carrier(a.name) {
		if p.name.name != "" && a.start-p.name.end < reach && !p.between(p.name.end, a.start) {
			p.pair(a, p.name.value, p.secret)
		} else {
			p.value = a
		}
		p.name = assignment{}
		if a.sort == plain {
			return
		}
	}
	if a.sort != plain {
		p.t.judge(a)
	}
}

// inWords reports whether a name is written in words that only their case tells
// apart, the last of which is a word for a secret: `SmtpPassword`.
func inWords(s string) bool {
	list := words(s)
	last := list[len(list)-1]
	return letters(s) && len(s) <= 40 && len(last) >= 5 && len(s) >= 4*len(list)
}

// between reports whether the one who wrote the text put the two apart: an
// empty line, or the beginning of the next element.
func (p *pairs) between(from, to int) bool {
	s := p.t.S[from:to]
	return closes(s) || strings.Contains(s, "\n\n") || strings.Contains(s, "\n- ") || strings.Contains(s, "},") || strings.Contains(s, "/>")
}

// closes reports whether s, which begins inside an element of XML, ends more than
// that: what it stands in as well, so that what follows belongs to another.
func closes(s string) bool {
	depth := 1
	for i := strings.IndexByte(s, '<'); i >= 0 && i+1 < len(s); {
		if s[i+1] == '/' {
			depth--
		} else if isLetter(s[i+1]) {
			depth++
		}
		if depth < 0 {
			return true
		}
		n := strings.IndexByte(s[i+1:], '<')
		if n < 0 {
			break
		}
		i += 1 + n
	}
	return false
}

func (p *pairs) pair(a assignment, name string, as sort) {
	a.name, a.sort = name, as
	p.t.judge(a)
}

// judge tells about an assignment when its value is a secret.
func (t *Text) judge(a assignment) {
	if t.scanner.stop {
		return
	}
	if inner, n, ok := scheme(a.name, a.value); ok {
		a.start += n
		a.value, a.sort = inner, token
		if a.start > a.end {
			a.start = a.end - len(inner)
		}
	} else if n := encoder(a.value); n > 0 {
		a.value, a.start = a.value[n:], a.start+n
	} else if !a.quoted && (t.kind == source || isCode(a.value) && !(a.sort > hint && t.scanner.detector.values.isDottedPhrase(a.value)) || a.sort != phrase && strings.ContainsAny(a.value, " \t") && (a.loose || !t.scanner.detector.values.isPassphrase(a.value))) {
		return
	}
	if strings.Contains(a.value, "\n") && !isFolded(a.value) {
		return // from the end of one string to the beginning of another
	}
	if t.kind == manual && a.sort.open() || a.loose && !a.quoted && t.afterProse(a.start) {
		a.sort = token // an example, unless a machine made it
	}
	a.unveil()
	if t.basic(a) {
		return
	}
	if inExpression(t.S, a.start) {
		return
	}
	if t.speaksAgainst(&a) {
		return
	}
	t.assignedSecret(a)
}

// unveil takes off the encoding that WebSphere and Liberty have for passwords,
// which hides them from a glance only: each byte is changed in the same bits.
func (a *assignment) unveil() {
	const mark, bits = "{xor}", '_'
	if len(a.value) <= len(mark) || a.value[0] != '{' || !strings.EqualFold(a.value[:len(mark)], mark) {
		return
	}
	b, err := base64.StdEncoding.DecodeString(a.value[len(mark):])
	if err != nil {
		return
	}
	for i := range b {
		b[i] ^= bits
	}
	if isText(string(b)) {
		a.value = string(b)
	}
}

// encoder returns the length of the mark that a value begins with which says
// that it is a password as it is: `{noop}X` of Spring, `{PLAIN}X` of Dovecot.
func encoder(value string) int {
	if value == "" || value[0] != '{' {
		return 0
	}
	for _, mark := range []string{"{noop}", "{plain}", "{clear}", "{cleartext}"} {
		if len(value) > len(mark) && strings.EqualFold(value[:len(mark)], mark) {
			return len(mark)
		}
	}
	return 0
}

// inExpression reports whether s at i stands in braces of a template: an
// argument of what is filled in there.
func inExpression(s string, i int) bool {
	before := s[max(0, i-maxName):i]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return strings.LastIndex(before, "{{") > strings.LastIndex(before, "}}")
}

// afterProse reports whether the line before that of at is a part of a sentence,
// which the next line ends.
func (t *Text) afterProse(at int) bool {
	from := max(0, at-maxCommand/8)
	start := from + strings.LastIndexByte(t.S[from:at], '\n')
	if start <= from {
		return false
	}
	before := t.S[from+strings.LastIndexByte(t.S[from:start], '\n')+1 : start]
	return len(before) < 512 && strings.Count(strings.TrimSpace(before), " ") >= 5 && isProse(before)
}

func (t *Text) assignedSecret(a assignment) {
	id := t.id()
	if a.inline && t.inConnectionString(a) {
		id = "connection-string"
	}
	if decoded, ok := textOf(a.value); ok && a.sort != hint {
		if t.scanner.detector.values.marked(decoded) != none {
			return
		}
		h := t.Hit(id, a.start, a.end, decoded, rule.Likely)
		h.Name = a.name
		h.Encodings = append(h.Encodings[:len(h.Encodings):len(h.Encodings)], "base64")
		t.scanner.emit(h)
		return
	}
	t.named(id, a.start, a.end, a.name, a.value, confidenceOf(a.sort, a.value))
}

// inConnectionString reports whether a stands among pairs that semicolons
// separate.
func (t *Text) inConnectionString(a assignment) bool {
	before := t.S[max(0, a.start-maxName):a.start]
	i := strings.LastIndexByte(before, ';')
	return i >= 0 && !strings.ContainsAny(before[i:], "\n\"") && strings.Count(before[i:], "=") == 1
}

// scheme takes the scheme off what a header of authorization holds.
func scheme(name, value string) (rest string, n int, ok bool) {
	if !strings.Contains(strings.ToLower(name), "authorization") && !strings.HasPrefix(strings.ToLower(name), "auth") {
		return "", 0, false
	}
	first, rest, found := strings.Cut(value, " ")
	if !found {
		return "", 0, false
	}
	switch strings.ToLower(first) {
	case "bearer", "token", "apikey", "splunk", "basic", "key", "bot", "genie-token", "genierkey", "digest", "negotiate", "ntlm":
		return strings.TrimSpace(rest), len(first) + 1, true
	}
	return "", 0, false
}

// basic finds the password in the base64 of `user:password`, as Basic
// authentication and Docker's configuration have it.
func (t *Text) basic(a assignment) bool {
	low := strings.ToLower(a.name)
	if !strings.Contains(low, "auth") && !strings.Contains(low, "cred") && !strings.Contains(low, "userp") && low != "login" {
		return false
	}
	plain, ok := textOf(a.value)
	if !ok {
		return t.userpass(a)
	}
	_, secret, found := strings.Cut(plain, ":")
	if !found || strings.ContainsAny(secret, "\n") || t.scanner.against(secret, password) != none {
		return false
	}
	h := t.Hit(t.id(), a.start, a.end, secret, rule.Certain)
	h.Name = a.name
	h.Encodings = append(h.Encodings[:len(h.Encodings):len(h.Encodings)], "base64")
	t.scanner.emit(h)
	return true
}

// userpass finds the password in `user:password` under such a name.
func (t *Text) userpass(a assignment) bool {
	user, secret, found := strings.Cut(a.value, ":")
	if !found || !isIdentifier(strings.ReplaceAll(user, "-", "_")) || strings.ContainsAny(secret, " /:") || !strings.ContainsAny(secret, "0123456789!#%^*+=?") && !t.scanner.detector.values.isPhrase(secret) ||
		t.scanner.against(secret, password) != none {
		return false
	}
	from := a.end - len(secret)
	t.named(t.id(), from, a.end, a.name, secret, rule.Likely)
	return true
}

// textOf returns what s is the base64 of, when that is a line of text.
func textOf(s string) (string, bool) {
	trimmed := strings.TrimRight(s, "=")
	if len(trimmed) < 8 || len(s) > maxValue || !isBase64(s) || len(s)-len(trimmed) > 0 && len(s)%4 != 0 {
		return "", false
	}
	e := base64.RawStdEncoding
	if strings.ContainsAny(trimmed, "-_") {
		e = base64.RawURLEncoding
	}
	b, err := e.DecodeString(trimmed)
	if err != nil {
		return "", false
	}
	for _, c := range b {
		if (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return "", false
		}
	}
	return strings.TrimRight(string(b), "\n"), true
}

// isCode reports whether an unquoted value is an expression of a language.
func isCode(s string) bool {
	switch s {
	case "await", "new", "this", "self", "function", "lambda", "typeof", "return", "import", "require", "yield", "async", "not", "and", "or", "in", "is":
		return true
	}
	if n := len(s); n > 1 && s[n-1] == '.' && letters(s[:n-1]) {
		return true // the end of a sentence
	}
	for _, index := range []string{"['", "[\"", "[:"} {
		if i := strings.Index(s, index); i > 1 && isIdentifier(strings.TrimLeft(s[:i], "$@&*")) {
			return true
		}
	}
	if strings.ContainsAny(s, "()") && !strings.ContainsAny(s, "!#%^*@~") {
		return true
	}
	if strings.Contains(s, "->") || strings.Contains(s, "=>") || strings.Contains(s, "::") && !strings.ContainsAny(s, "0123456789") {
		return true
	}
	// `self.config.token`, `request.headers`
	if strings.Count(s, ".") >= 1 && strings.Trim(s, ".") == s {
		for part := range strings.SplitSeq(s, ".") {
			if !letters(strings.ReplaceAll(part, "_", "")) || part != strings.ToLower(part) {
				return false
			}
		}
		return true
	}
	return false
}

func confidenceOf(s sort, value string) rule.Confidence {
	if s == hint || s.open() && !machineMade(value) {
		return rule.Possible
	}
	return rule.Likely
}

// isLabel reports whether a value is what a field for secrets is called, in
// letters only: a translation, a caption.
func (d *Detector) isLabel(s string) bool {
	if len(s) > 40 {
		return false
	}
	if s == strings.ToUpper(s) && isIdentifier(s) && strings.Contains(s, "_") {
		as := d.names.sortOf(s)
		return as > hint && as != never // the name of a variable
	}
	found := false
	before := ""
	if strings.IndexByte(s, '-') > 0 && isTitle(s) {
		s = strings.ReplaceAll(s, "-", " ") // `Client-Secret`
	}
	for w := range strings.FieldsSeq(s) {
		w = strings.Trim(w, ".:;=?!*()[]{}<>\"'")
		if article, noun, ok := strings.Cut(w, "'"); ok && len(article) <= 5 {
			w = noun // `d'accès`
		}
		if !isLetters(w) {
			return false
		}
		if low := strings.ToLower(w); before != "" && d.names.pairs[before+" "+low] > hint {
			found = true // `Mot de passe`
		}
		before = strings.ToLower(w)
		if as := d.names.sortOf(w); as > hint && as != never {
			found = true
		}
	}
	return found
}

// isTitle reports whether each word between dashes begins with a capital.
func isTitle(s string) bool {
	for w := range strings.SplitSeq(s, "-") {
		if first, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(first) {
			return false
		}
	}
	return true
}

// isLetters reports whether s has letters only, of any script.
func isLetters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}
