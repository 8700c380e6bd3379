package detect

import (
	"encoding/base64"
	"strconv"
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
	var in container
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
	if t.scanner.detector.names.container(name) || name == "data" && t.isSecretManifest() {
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

// extent tells where a value stands.
type extent uint8

const (
	inLine   extent = iota // behind its name
	indented               // in the lines below: a block of YAML
	enclosed               // likewise, up to a mark: a here-document, a string of several lines
)

// blockOf returns what s, the rest of a line behind the separator, says about
// the place of the value.
func blockOf(s string, colon bool) extent {
	s = strings.TrimLeft(s, " \t")
	if len(s) == 0 || len(s) > maxName || strings.IndexByte("|>\"'<&!", s[0]) < 0 {
		return inLine
	}
	s = strings.TrimRight(s[properties(s):], " \t\r")
	switch {
	case s == "":
	case s[0] == '|', s[0] == '>':
		header, _, _ := strings.Cut(s, " #")
		if header = strings.TrimRight(header, " "); colon && len(header) <= 3 && strings.Trim(header[1:], "+-123456789") == "" {
			return indented
		}
	case s == `"""`, s == "'''":
		return enclosed
	case !colon && strings.HasPrefix(s, "<<") && isIdentifier(strings.Trim(s[2:], "-~'\"")):
		return enclosed
	}
	return inLine
}

// block returns the value that stands in the line below S[start:end], when that
// is all there is: what has more lines is no password.
func (t *Text) block(start, end int, byIndent bool) assignment {
	s := t.S
	if end >= len(s) {
		return assignment{}
	}
	next := lineEnd(s, end+1)
	line, below := s[end+1:next], ""
	if next < len(s) {
		below = s[next+1 : lineEnd(s, next+1)]
	}
	value, closed := line, false
	for _, quotes := range []string{`"""`, "'''"} {
		value = strings.TrimSuffix(strings.TrimSpace(value), quotes)
		closed = closed || strings.HasPrefix(strings.TrimSpace(below), quotes)
	}
	switch outer := indentOf(s[start:end]); {
	case value == "" || len(value) > maxBare:
		return assignment{}
	case byIndent && (indentOf(line) <= outer || strings.TrimSpace(below) != "" && indentOf(below) > outer):
		return assignment{}
	case !byIndent && !closed && len(value) == len(strings.TrimSpace(line)):
		if _, word, _ := strings.Cut(s[start:end], "<<"); word == "" || strings.TrimSpace(below) != strings.Trim(word, "-~'\" \t\r") {
			return assignment{}
		}
	}
	at := end + 1 + strings.Index(line, value)
	return assignment{value: value, start: at, end: at + len(value), quoted: true}
}

// quotedValue reads a string whose quote stands at q, behind the escapes that
// begin at i, as in JSON inside JSON. The quote that closes it has as many, and
// stands before end.
func quotedValue(s string, i, q, end int) (assignment, bool) {
	quote, escapes := s[q], s[i:q]
	limit := min(end, q+1+maxValue*2)
	for j := q + 1; j < limit; j++ {
		switch {
		case s[j] == '\\' && len(escapes) == 0:
			j++
		case s[j] == quote:
			n := 0
			for j-1-n > q && s[j-1-n] == '\\' {
				n++
			}
			if n != len(escapes) {
				continue
			}
			a := assignment{start: q + 1, end: j - n, quoted: true}
			a.value = unescape(s[a.start:a.end], quote, len(escapes) > 0)
			return a, true
		}
	}
	return assignment{}, false
}

// unescape takes the usual escapes off the inside of a quoted string.
func unescape(s string, quote byte, nested bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		if quote == '\'' {
			return strings.ReplaceAll(s, "''", "'")
		}
		return unescapeXML(s)
	}
	if nested {
		// Each level doubles the escapes.
		s = strings.NewReplacer(`\\\\`, `\`, `\\`, `\`).Replace(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case quote == '\'' && c != '\'' && c != '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == 'n':
			b.WriteByte('\n')
		case c == 't':
			b.WriteByte('\t')
		case c == 'r':
			b.WriteByte('\r')
		case c == 'u' && i+4 < len(s) && isHex(s[i+1:i+5]):
			n, _ := strconv.ParseUint(s[i+1:i+5], 16, 16)
			b.WriteRune(rune(n))
			i += 4
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unescapeXML(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&#34;", `"`, "&amp;", "&").Replace(s)
}

// bareValue reads a value without quotes: the rest of the line, or the word.
func (t *Text) bareValue(i, end int, inline bool) assignment {
	s, ends := t.S, t.scanner.detector.tables.of(bareEnd)
	if i >= end || inline && s[i] == ',' {
		return assignment{} // `"Passphrase:"` ends here, as `guest,password=,uid=0` does
	}
	j := i
	for j < end && j-i <= maxBare {
		c := s[j]
		if ends[c] && (inline && j > i || c == ' ' || c == '\t' || c == '\r' || c == '"') {
			break
		}
		j++
	}
	if j-i > maxBare {
		return assignment{} // no word is as long as that
	}
	if !inline {
		end = min(end, i+maxBare)
		rest := strings.TrimSpace(s[min(j, end):end])
		if rest != "" && !strings.HasPrefix(rest, "-X") && !strings.HasPrefix(rest, "-D") && !strings.HasPrefix(rest, "--") && rest[0] != '#' && rest[0] != ';' && !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "<!--") &&
			!strings.ContainsAny(rest, "=:") && rest[0] != '\\' {
			// More words: a sentence, or a passphrase.
			j = i + len(strings.TrimRight(s[i:end], " \t\r"))
		}
		j = i + len(strings.TrimRight(s[i:j], " \t\r"))
		for j > i && (s[j-1] == ',' || s[j-1] == ';') {
			j--
		}
	}
	if j > i && (s[j-1] == '\'' || s[j-1] == '"') {
		j--
	}
	return assignment{start: i, end: j, value: unescapeXML(s[i:j])}
}

// attribute returns the value of an attribute of a tag.
func attribute(attributes, name string) (string, bool) {
	_, rest, ok := strings.Cut(attributes, name+"=")
	if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", false
	}
	value, _, ok := strings.Cut(rest[1:], rest[:1])
	return value, ok && value != ""
}

// element looks at the end of a tag: `<name>value</…`.
func (t *Text) element(start, at, end int, yield func(assignment)) {
	s := t.S
	open := strings.LastIndexByte(s[max(start, at-maxName):at], '<')
	if open < 0 {
		return
	}
	open += max(start, at-maxName)
	name := s[open+1 : at]
	if name == "" || name[0] == '/' || name[0] == '!' || name[0] == '?' || name[len(name)-1] == '/' {
		return
	}
	name, attributes, _ := strings.Cut(name, " ")
	name = name[strings.LastIndexByte(name, ':')+1:]
	other, ok := attribute(attributes, "name")
	if !ok {
		other, ok = attribute(attributes, "Name")
	}
	if ok && t.scanner.detector.names.sortOf(name) == plain {
		name = lastPart(other) // `<property name="db.password">…`
	}
	as := t.scanner.detector.names.sortOf(name)
	if as == plain && !t.scanner.detector.names.designates(name) || as == never {
		return
	}
	rest := s[at+1 : min(len(s), at+1+maxValue)]
	to := strings.IndexByte(rest, '<')
	if to >= 0 && strings.TrimSpace(rest[:to]) == "" && as > hint {
		// What stands inside the next element belongs to this name.
		yield(assignment{name: "name", value: name, start: at, end: at})
	}
	if to <= 0 || rest[to:min(to+2, len(rest))] != "</" {
		if text, ok := strings.CutPrefix(rest, "<![CDATA["); ok {
			if n := strings.Index(text, "]]>"); n > 0 {
				from := at + 1 + len("<![CDATA[")
				yield(assignment{name: name, sort: as, value: text[:n], start: from, end: from + n, quoted: true})
			}
		}
		return
	}
	text := strings.TrimSpace(rest[:to])
	if text == "" {
		return
	}
	if as == hint { // `<pre-shared-key><key>…`
		before := strings.TrimRight(s[max(0, open-maxName):open], " \t\r\n")
		if around, ok := strings.CutSuffix(before, ">"); ok {
			around = around[strings.LastIndexByte(around, '<')+1:]
			if s := t.scanner.detector.names.sortOf(around); around != "" && around[0] != '/' && s > hint && s != never {
				name, as = around, s
			}
		}
	}
	from := at + 1 + strings.Index(rest[:to], text)
	yield(assignment{name: name, sort: as, value: unescapeXML(text), start: from, end: from + len(text), quoted: true})
}
