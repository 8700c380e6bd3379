package detect

import (
	"encoding/base64"
	"strings"
)

// assignment is a name to which a text gives a value: `k = v`, `k: v`,
// `"k": "v"`, `k => v`, `<k>v</k>`, `--k=v`, `k v`.
type assignment struct {
	name  string
	value string // without quotes and escapes
	// start and end tell where the value stands, without quotes.
	start, end int
	// quoted tells that it stood in quotes, loose that only blanks stand
	// between name and value, inline that other text stands before the name.
	quoted, loose, inline bool
	sort                  sort
}

// The bounds of a name, and of a value without quotes.
const (
	maxName = 96
	maxBare = 1024
)

// assignments calls yield for each assignment in t whose name may stand for a
// secret, and for those that name something for a value beside it.
func (t *Text) assignments(yield func(assignment)) {
	s := t.S
	comment := false
	in := container{manifest: isSecretManifest(s)}
	var list items
	for start := 0; start < len(s); {
		end := lineEnd(s, start)
		line := strings.TrimSpace(s[start:end])
		switch {
		case comment:
			comment = !strings.Contains(line, "*/")
		case strings.HasPrefix(line, "/*"):
			comment = !strings.Contains(line, "*/")
		case isComment(line):
		default:
			in.line(t, start, end)
			list.line(t, start, end, yield)
			t.line(start, end, &in, &list, yield)
		}
		start = end + 1
	}
}

// lineEnd returns where the line ends that at stands in: at its line break, or
// at the end of s.
func lineEnd(s string, at int) int {
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(s)
}

// isComment reports whether a line is a comment in any of the usual languages.
func isComment(line string) bool {
	if line == "" {
		return true
	}
	switch line[0] {
	case '#':
		return !strings.HasPrefix(line, "#define ")
	case ';', '!', '%':
		return true
	case '/':
		return isSlashes(line)
	case '-':
		return strings.HasPrefix(line, "-- ")
	case '<':
		return strings.HasPrefix(line, "<!--")
	case '*':
		return strings.HasPrefix(line, "* ") && !strings.HasPrefix(line, "* *")
	case 'r', 'R':
		return len(line) > 4 && strings.EqualFold(line[:4], "rem ")
	}
	return false
}

// isSlashes reports whether two slashes begin a comment, and not a share or an
// address without a scheme.
func isSlashes(line string) bool {
	rest, ok := strings.CutPrefix(line, "//")
	if !ok || rest == "" || isBlank(rest[0]) {
		return ok
	}
	first, _, _ := strings.Cut(rest, " ")
	return !strings.ContainsAny(first, "/")
}

// line looks for assignments in one line.
func (t *Text) line(start, end int, in *container, list *items, yield func(assignment)) {
	s := t.S
	for i := start; i < end; i++ {
		switch s[i] {
		case '=':
			if i+1 < end && (s[i+1] == '=' || s[i+1] == '~') || i > start && strings.IndexByte("=!<>~", s[i-1]) >= 0 {
				if i > start && (s[i-1] == '=' || s[i-1] == '!') {
					t.compared(start, i, end, yield)
				}
				continue
			}
			from := i + 1
			if from < end && s[from] == '>' {
				from++
			}
			before := i
			for before > start && strings.IndexByte(":+?.", s[before-1]) >= 0 {
				before--
			}
			t.assigned(start, before, from, end, false, in, list, yield)
		case ':':
			if i+2 < end && s[i+1] == ':' && s[i+2] == ' ' && i > start && i-start < maxName {
				t.attribute(start, i, end, yield)
			}
			if i+1 < end && (s[i+1] == ':' || s[i+1] == '=' || s[i+1] == '/') || i > start && s[i-1] == ':' && s[max(start, i-2)] != '"' {
				continue
			}
			t.assigned(start, i, i+1, end, true, in, list, yield)
		case '{':
			if i > start && isBlank(s[i-1]) { // a block of HCL
				if name, _, _, ok := nameBefore(s, start, i); ok && t.scanner.detector.names.container(name) {
					in.begin(s, start, i)
				}
			}
		case '>':
			t.element(start, i, end, yield)
		case ',':
			t.tuple(start, i, end, yield)
		case '(':
			if i+1 < end && (s[i+1] == '"' || s[i+1] == '\'') && t.kind == settings {
				t.called(start, i, end, yield)
			}
		}
	}
}

// assigned looks at a separator that ends at from, the name before it ending at
// to.
func (t *Text) assigned(start, to, from, end int, colon bool, in *container, list *items, yield func(assignment)) {
	s := t.S
	name, first, quoted, ok := nameBefore(s, start, to)
	if !ok {
		return
	}
	if colon && !quoted && from < end && !isBlank(s[from]) && s[from] != '"' && s[from] != '\'' && s[from] != '\\' {
		return // `a:b` without quotes or blanks is a time, an address, a path
	}
	if !colon && isAccount(name) {
		t.accountAfter(from, end, yield)
		return
	}
	as := t.scanner.detector.names.sortOf(name)
	told := as
	if as <= hint {
		as = max(as, t.inContext(name, start, first, quoted))
	}
	if as == plain && in.has(first) && !t.scanner.detector.names.harmlessChild(name) {
		as = token
	}
	if in.holds(name, t.scanner.detector.names) {
		in.begin(s, start, from)
	}
	if as == plain && name == "type" && quoted && strings.HasPrefix(strings.TrimLeft(s[from:end], " "), `"password"`) {
		yield(assignment{name: "name", value: "password", start: from, end: from}) // of the value beside it
	}
	if as == plain && !t.scanner.detector.names.designates(name) || as == never {
		return
	}
	if isRooted(name) {
		return // what follows the name of a file
	}
	if q := s[first]; (q == '"' || q == '\'') && !quoted && strings.HasPrefix(strings.TrimLeft(s[from:end], " "), s[first:first+1]) {
		return // the end of a string, as of a prompt: `"Password: "`
	}
	inline := !isPrefix(s[start:first])
	if inline && name == "PASS" {
		return // the verdict of a test
	}
	if as == plain && t.scanner.detector.names.carrier(name) {
		parent := objectName(s, first)
		if parent == "" && strings.EqualFold(name, "default") {
			parent = t.enclosing(start, first) // `variable "db_password" { …`
		}
		if parent != "" {
			if is := t.scanner.detector.names.sortOf(parent); is > hint && is != never {
				name, as = parent, is
			}
		}
	}
	a := t.valueAfter(from, end, inline)
	switch blockOf(s[from:end], colon) {
	case indented:
		a = t.block(start, end, true)
	case enclosed:
		a = t.block(start, end, false)
	case inLine:
	}
	if _, _, ok := scheme(name, a.value+" x"); ok && inline && !a.quoted {
		// `header = Authorization: Basic …`
		if rest := t.valueAfter(a.end, end, true); !rest.quoted && rest.value != "" {
			a.value, a.end = s[a.start:rest.end], rest.end
		}
	}
	a.name, a.sort, a.inline = name, as, inline
	if at := first + strings.Index(s[first:to], name); at > first && at < to && !colon && !a.quoted && a.end < end && s[a.end] == s[at-1] && (s[at-1] == '"' || s[at-1] == '\'') {
		// The string around both: `"NAME=value"`. In a program words are
		// more often those of a test, or of a message.
		if t.kind == source && a.sort.open() {
			a.sort = token
		}
		a.quoted = a.sort != hint
	}
	if inline && colon && !a.quoted && a.end > a.start && a.sort.open() && letters(a.value) && (isProse(s[max(start, first-maxName):first]) || nextIsWord(s[a.end:min(end, a.end+maxName)])) {
		return // a sentence
	}
	if !inline && colon && !quoted && !a.quoted && a.end > a.start && a.sort.open() && letters(a.value) && nextIsWord(s[a.end:min(end, a.end+maxName)]) && strings.Contains(s[a.end:end], ". ") {
		return // `Password: changes every 90 days. Ask …`
	}
	if a.value != "" {
		yield(a)
		return
	}
	if as == plain || a.quoted {
		return
	}
	if rest := strings.TrimSpace(s[min(from, end):end]); rest == "" && colon && !inline && as > hint {
		list.begin(name, as, s[start:end])
	} else if rest != "" && (told == as || t.kind != source) {
		t.elements(name, as, from, yield)
	}
}

// inContext returns what the text around says about a name that says little by
// itself: `api key = X`, `PRAGMA key = 'X'`, the `community` in a file of SNMP.
func (t *Text) inContext(name string, start, first int, quoted bool) sort {
	switch name {
	case "key", "Key":
		if s := t.scanner.detector.names.sortOf(lastWord(t.enclosing(start, first)) + " key"); s > hint && s != never {
			return s
		}
		if quoted {
			return plain
		}
		if strings.Contains(t.target(), "tac") {
			return password // of TACACS+, in a file of its own
		}
		if first <= start+1 || !isBlank(t.S[first-1]) {
			return plain
		}
		before, at, _, ok := nameBefore(t.S, start, first-1)
		if ok && isPrefix(t.S[start:at]) {
			if as := t.scanner.detector.names.sortOf(before + " key"); as > hint && as != never {
				return as
			}
		}
	case "community":
		if strings.Contains(t.target(), "snmp") {
			return password
		}
	}
	return plain
}

// enclosing returns the name of what a member stands in that begins at first, in
// the line that begins at start: the name before the brace that is open, the
// line of YAML that is indented less, the section. Empty when it is far: no more
// than the reach of a value is looked at.
func (t *Text) enclosing(start, first int) string {
	s, limit := t.S, max(0, first-reach)
	if strings.IndexByte(s[limit:first], '{') < 0 && strings.IndexByte(s[limit:first], '\n') < 0 {
		return ""
	}
	depth := 0
	for i := first - 1; i >= limit; i-- {
		switch s[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth < 0 {
				line := limit + strings.LastIndexByte(s[limit:i], '\n') + 1
				name, _, _, _ := nameBefore(s, line, line+len(strings.TrimRight(s[line:i], " :=>")))
				return name
			}
		}
	}
	indent := indentOf(s[start:min(first, start+reach)])
	for end := start - 1; end > limit; {
		begin := limit + strings.LastIndexByte(s[limit:end], '\n') + 1
		line := strings.TrimRight(s[begin:end], " \t\r")
		if name, ok := strings.CutSuffix(line, ":"); ok && indentOf(line) < indent {
			return strings.TrimSpace(name)
		}
		if n := len(line); n > 2 && line[0] == '[' && line[n-1] == ']' {
			return line[1 : n-1]
		}
		end = begin - 1
	}
	return ""
}

// attribute looks at an attribute of LDIF (RFC 2849) whose value is in base64:
// `userPassword:: X`. The name ends at to.
func (t *Text) attribute(start, to, end int, yield func(assignment)) {
	name, _, _ := strings.Cut(t.S[start:to], ";")
	as := t.scanner.detector.names.sortOf(name)
	if !isOption(name) || as <= hint || as == never {
		return
	}
	text := strings.TrimSpace(t.S[to+2 : end])
	if b, err := base64.StdEncoding.DecodeString(text); err == nil && isText(string(b)) && len(b) > 0 && len(text) <= maxValue {
		at := to + 2 + strings.Index(t.S[to+2:end], text)
		yield(assignment{name: name, sort: as, value: string(b), start: at, end: at + len(text), quoted: true})
	}
}

// objectName returns the name of the object whose first member begins at first:
// `"dbPassword": {"value": …`, or the same in YAML; empty when it has none.
func objectName(s string, first int) string {
	from := max(0, first-maxName-reach)
	before := strings.TrimRight(s[from:first], " \t\r\n")
	if inner, ok := strings.CutSuffix(before, "{"); ok {
		before = strings.TrimRight(inner, " \t\r\n")
	} else if !strings.Contains(s[from+len(before):first], "\n") {
		return ""
	}
	if !strings.HasSuffix(before, ":") {
		return ""
	}
	name, _, _, _ := nameBefore(before, strings.LastIndexByte(before, '\n')+1, len(before)-1)
	return name
}

// isAccount reports whether name stands for a user, and perhaps a password.
func isAccount(name string) bool {
	return name == "user" || name == "login" || strings.HasSuffix(name, "_USER")
}

// accountAfter looks at `user=NAME:X`.
func (t *Text) accountAfter(from, end int, yield func(assignment)) {
	a := t.valueAfter(from, end, true)
	separator := ":"
	if !strings.Contains(a.value, separator) {
		separator = "%" // of SMB
	}
	user, secret, found := strings.Cut(a.value, separator)
	if found && isIdentifier(user) && secret != "" && len(a.value) == a.end-a.start {
		yield(assignment{name: "user", value: secret, start: a.end - len(secret), end: a.end, quoted: true, sort: token})
	}
}

// compared looks at what a configuration compares a header with, whose second
// equals sign stands at i: `if ($http_x_auth_token != "X")`.
func (t *Text) compared(start, i, end int, yield func(assignment)) {
	if t.kind == source {
		return
	}
	name, _, _, ok := nameBefore(t.S, start, i-1)
	if !ok {
		return
	}
	if as := t.scanner.detector.names.sortOf(name); as > hint && as != never {
		if a := t.valueAfter(i+1, end, true); a.quoted {
			a.name, a.sort, a.inline = name, token, true
			yield(a)
		}
	}
}

// nextIsWord reports whether a word of letters follows behind a blank.
func nextIsWord(s string) bool {
	rest := strings.TrimLeft(s, " \t")
	word, _, _ := strings.Cut(rest, " ")
	return len(rest) < len(s) && isLetters(strings.Trim(word, ".,;:)")) && word != "" && !strings.HasSuffix(word, ":")
}

// tuple looks at a pair in brackets: `define('NAME', 'value')` of PHP,
// `{name, <<"value">>}` of Erlang. Nothing but the pair stands in them.
func (t *Text) tuple(start, comma, end int, yield func(assignment)) {
	s := t.S
	name, first, quoted, ok := nameBefore(s, start, comma)
	for first > start && isBlank(s[first-1]) {
		first--
	}
	quoted = quoted || strings.HasSuffix(s[start:max(start, first)], "Set(") && s[first] == '$' // of Perl
	if !ok || first == start || s[first-1] != '{' && (s[first-1] != '(' && s[first-1] != ',' || !quoted) {
		return // in the arguments of a call, a word without quotes is a variable
	}
	as := t.scanner.detector.names.sortOf(name)
	if as < hint || as == never {
		return
	}
	a := t.valueAfter(comma+1, end, true)
	if !a.quoted || a.value == "" || as == hint && !printed(a.value) {
		return
	}
	rest := strings.TrimLeft(s[a.end:end], "\\\"'`> \t")
	if rest == "" || rest[0] != ')' && rest[0] != '}' && !(rest[0] == ',' && strings.HasSuffix(strings.TrimRight(s[start:first], " ("), "EnvironmentVariable")) {
		return
	}
	a.name, a.sort, a.inline = name, as, true
	yield(a)
}

// called looks at `password("X")`, as syslog-ng and others have settings.
func (t *Text) called(start, open, end int, yield func(assignment)) {
	name, first, _, ok := nameBefore(t.S, start, open)
	if !ok || first+len(name) != open || first > start && t.S[first-1] == '.' {
		return
	}
	as := t.scanner.detector.names.sortOf(name)
	if !as.open() || !isOption(name) {
		return
	}
	if a, ok := quotedValue(t.S, open+1, open+1, end); ok && a.end+1 < end && t.S[a.end+1] == ')' {
		a.name, a.sort, a.inline = name, as, true
		yield(a)
	}
}

// nameBefore returns the name that ends at to, behind blanks, quotes, and the
// bracket of an index; first is where it or what surrounds it begins.
func nameBefore(s string, start, to int) (name string, first int, quoted, ok bool) {
	i := to
	for i > start && isBlank(s[i-1]) {
		i--
	}
	for i > start && (s[i-1] == ']' || s[i-1] == ')' || s[i-1] == '}' && strings.IndexByte(s[max(start, i-maxName):i], '{') > 0) {
		i-- // of an index: `$Conf{Passwd}`
	}
	for i > start && (s[i-1] == '"' || s[i-1] == '\'' || s[i-1] == '`') {
		i--
		quoted = true
	}
	for i > start && s[i-1] == '\\' {
		i--
	}
	end := i
	for i > start && end-i < maxName && isNameByte(s[i-1], quoted) {
		i--
	}
	if i == end {
		return "", 0, false, false
	}
	name = s[i:end]
	if i > start && s[i-1] == '/' && !quoted {
		// A path of names, as in the annotations of Kubernetes.
		for i > start && end-i < maxName && (isNameByte(s[i-1], false) || s[i-1] == '/') {
			i--
		}
		name = s[i:end]
	}
	for i > start && (s[i-1] == '"' || s[i-1] == '\'' || s[i-1] == '\\' || s[i-1] == '`' || s[i-1] == '[' || s[i-1] == '$' || s[i-1] == '@') {
		i--
	}
	return name, i, quoted, true
}

func isNameByte(c byte, quoted bool) bool {
	return isAlnum(c) || c == '_' || c == '-' || c == '.' || c >= 0x80 || quoted && (c == ' ' || c == '/' || c == ':')
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isPrefix reports whether what stands before a name on its line leaves the
// line to it: keywords of shells and languages, marks of lists and quotes.
func isPrefix(s string) bool {
	if len(s) > maxName {
		return false
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return true
	}
	for w := range strings.FieldsSeq(s) {
		switch strings.Trim(w, "{[(,'\"$@") {
		case "", "-", "export", "set", "let", "var", "const", "declare", "readonly", "local", "ENV", "ARG", "env", "#define",
			"static", "final", "public", "private", "protected", "String", "string", "self", "this", "my", "our", "setenv", "Environment=", "-x", "-r", "val", "def":
		default:
			return false
		}
	}
	return true
}

// valueAfter returns the value that begins behind from. Inline, it ends with
// the word.
func (t *Text) valueAfter(from, end int, inline bool) assignment {
	s := t.S
	i := from
	for i < end && isBlank(s[i]) {
		i++
	}
	if i >= end {
		return assignment{}
	}
	// YAML's tags and Erlang's binaries stand before the value.
	if strings.HasPrefix(s[i:end], "<<\"") {
		i += 2
	}
	if s[i] == '!' || s[i] == '&' {
		i += properties(s[i:end])
	}
	if i+1 < end && (s[i] == 'b' || s[i] == 'r' || s[i] == 'u' || s[i] == 'f') && (s[i+1] == '"' || s[i+1] == '\'') {
		i++
	}
	for _, quotes := range []string{`"""`, "'''"} {
		if strings.HasPrefix(s[i:end], quotes) {
			i += 2 // a string of TOML, Python or Grafana
		}
	}
	escapes := i
	for escapes < end && s[escapes] == '\\' {
		escapes++
	}
	if escapes < end && (s[escapes] == '"' || s[escapes] == '\'' || s[escapes] == '`' && escapes == i) {
		if a, ok := quotedValue(s, i, escapes, end); ok {
			if s[escapes] == '`' && strings.Contains(a.value, " ") {
				return assignment{} // the output of a command
			}
			return a
		}
	}
	if s[i] == '"' || s[i] == '\'' {
		i++ // a quote that nothing closes
	}
	if s[i:min(i+1, end)] == "{" && !strings.HasPrefix(s[i:end], "{{") && encoder(s[i:end]) == 0 || s[i:min(i+1, end)] == "[" {
		return assignment{}
	}
	return t.bareValue(i, end, inline)
}

// properties returns the length of the properties that YAML puts before a value:
// the name of an anchor, the tag of a type of its own, `&pw !!str X`.
func properties(s string) int {
	at := 0
	for {
		word, _, found := strings.Cut(s[at:], " ")
		if !found || !strings.HasPrefix(word, "!!") && (len(word) < 2 || word[0] != '&' || !isIdentifier(word[1:])) {
			return at
		}
		at += len(word) + 1
	}
}
