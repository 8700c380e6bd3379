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
	for start, end := range linesOf(s) {
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
	}
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
				if name, _, _, ok := nameBefore(s, start, i); ok && t.names().container(name) {
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
	as := t.sortOf(name)
	told := as
	if as <= hint {
		as = max(as, t.inContext(name, start, first, quoted))
	}
	if as == plain && in.has(first) && !t.names().harmlessChild(name) {
		as = token
	}
	if in.holds(name, t.names()) {
		in.begin(s, start, from)
	}
	if as == plain && name == "type" && quoted && strings.HasPrefix(strings.TrimLeft(s[from:end], " "), `"password"`) {
		yield(assignment{name: "name", value: "password", start: from, end: from}) // of the value beside it
	}
	if as == plain && !t.names().designates(name) || as == never {
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
	if as == plain && t.names().carrier(name) {
		parent := objectName(s, first)
		if parent == "" && strings.EqualFold(name, "default") {
			parent = t.enclosing(start, first) // `variable "db_password" { …`
		}
		if parent != "" {
			if is := t.sortOf(parent); is.secret() {
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

// attribute looks at an attribute of LDIF (RFC 2849) whose value is in base64:
// `userPassword:: X`. The name ends at to.
func (t *Text) attribute(start, to, end int, yield func(assignment)) {
	name, _, _ := strings.Cut(t.S[start:to], ";")
	as := t.sortOf(name)
	if !isOption(name) || !as.secret() {
		return
	}
	text := strings.TrimSpace(t.S[to+2 : end])
	if b, err := base64.StdEncoding.DecodeString(text); err == nil && isText(string(b)) && len(b) > 0 && len(text) <= maxValue {
		at := to + 2 + strings.Index(t.S[to+2:end], text)
		yield(assignment{name: name, sort: as, value: string(b), start: at, end: at + len(text), quoted: true})
	}
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
	if as := t.sortOf(name); as.secret() {
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
	as := t.sortOf(name)
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
	as := t.sortOf(name)
	if !as.open() || !isOption(name) {
		return
	}
	if a, ok := quotedValue(t.S, open+1, open+1, end); ok && a.end+1 < end && t.S[a.end+1] == ')' {
		a.name, a.sort, a.inline = name, as, true
		yield(a)
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
