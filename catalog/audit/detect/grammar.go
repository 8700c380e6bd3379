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

// hashes reports whether a function makes the hash of the password that is its
// first argument.
func hashes(function string) bool {
	switch function {
	case "password_hash", "hashpw", "hash_password", "make_password", "generate_password_hash":
		return true
	}
	return false
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
