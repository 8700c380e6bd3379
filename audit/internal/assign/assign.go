package assign

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/feature"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// maxBare is the maximum length of a value without quotes.
const maxBare = 1024

// Text is a text to search.
type Text struct {
	S     string
	Names *verdict.Vocabulary
	// IsProgram means that words without quotes are variables; IsSettings, that the text is
	// neither a program, nor a script, nor a text for people.
	IsProgram, IsSettings bool
	// Features are the features of S, or nil if they are unknown.
	Features *feature.Set
	// File returns the path of the file, or "".
	File func() string

	// unbroken is a part of the text that is too long for a word. It is recorded so that it
	// is read only once.
	unbroken stretch
	snmp     answer // whether it is about SNMP
}

// Find calls yield for each assignment whose name may be the name of a secret. A value has
// the name in a designator beside it.
func (t *Text) Find(yield func(Assignment)) {
	p := pairs{t: t, yield: yield}
	t.each(p.add)
}

// each calls yield for each assignment whose name may be the name of a secret, and for each
// designator or carrier.
func (t *Text) each(yield func(Assignment)) {
	l := assigner{Text: t, yield: yield, in: container{manifest: t.Features.May("Secret") && isSecretManifest(t.S)}}
	comment := "" // end of the comment around the line
	for start, end := range lines.All(t.S) {
		line := strings.TrimSpace(t.S[start:end])
		switch {
		case comment != "":
			if strings.Contains(line, comment) {
				comment = ""
			}
		case strings.HasPrefix(line, "/*") && !strings.Contains(line, "*/"):
			comment = "*/"
		case strings.HasPrefix(line, "/*"):
		case strings.HasPrefix(line, "<!--") && !strings.Contains(line, "-->"):
			comment = "-->"
		case lines.IsComment(line):
			l.start, l.end = start, end
			l.comment()
		default:
			l.start, l.end = start, end
			l.in.line(t, start, end)
			l.item()
			l.line()
		}
	}
}

// assigner finds the assignments in the lines of a text.
type assigner struct {
	*Text
	yield func(Assignment)
	in    container // around the line
	// accounts is a list of accounts in a program. The value of each may be its password.
	accounts container
	list     items // may continue on the line

	start, end int // position of the line
}

// line finds the assignments in the line, each by its separator.
func (l *assigner) line() {
	s, start, end := l.S, l.start, l.end
	for i := start; i < end; i++ {
		switch s[i] {
		case '=':
			l.equals(i)
		case ':':
			if i+2 < end && s[i+1] == ':' && s[i+2] == ' ' && i > start && i-start < verdict.MaxName {
				l.attribute(i)
			}
			if i+1 < end && (s[i+1] == ':' || s[i+1] == '=' || s[i+1] == '/') || i > start && s[i-1] == ':' && s[max(start, i-2)] != '"' {
				continue
			}
			l.assigned(i, i+1, true)
		case '{':
			if i > start && alphabet.IsBlank(s[i-1]) { // a block of HCL
				if name, _, _, ok := NameBefore(s, start, i); ok && l.Names.Container(name) {
					l.in.begin(s, start, i)
				}
			}
		case '>':
			l.element(i)
		case ',':
			l.tuple(i)
		case '(':
			if i+1 < end && (s[i+1] == '"' || s[i+1] == '\'') && l.IsSettings {
				l.called(i)
			}
		}
	}
}

// equals handles the equals sign at i: `k = v`, `k => v`, `k := v`, `k == v`.
func (l *assigner) equals(i int) {
	s, start, end := l.S, l.start, l.end
	if i+1 < end && (s[i+1] == '=' || s[i+1] == '~' && isMatch(s[start:end], i-start)) || i > start && strings.IndexByte("=!<>~", s[i-1]) >= 0 {
		if i > start && (s[i-1] == '=' || s[i-1] == '!') {
			l.compared(i)
		}
		return
	}
	from := i + 1
	if from < end && s[from] == '>' {
		from++
	}
	to := i
	for to > start && strings.IndexByte(":+?.", s[to-1]) >= 0 {
		to--
	}
	l.assigned(to, from, false)
}

// assigned handles a separator that ends at from, after a name that ends at to.
func (l *assigner) assigned(to, from int, colon bool) {
	s, end := l.S, l.end
	if colon && to > l.start+1 && strings.IndexByte("!$&", s[to-1]) >= 0 && alphabet.IsAlnum(s[to-2]) && from < end && alphabet.IsBlank(s[from]) {
		to-- // the mark of a telephone for who may change the setting
	}
	name, first, quoted, ok := NameBefore(s, l.start, to)
	if !ok {
		return
	}
	if property, ok := strings.CutPrefix(name, "-D"); ok && !colon && l.Names.ClassOf(name) == verdict.Plain {
		name, first = property, first+len("-D") // of Java: `-Dbasicauth=`
	}
	if colon && !quoted && from < end && !alphabet.IsBlank(s[from]) && s[from] != '"' && s[from] != '\'' && s[from] != '\\' {
		l.slashOption(name, first, from)
		l.tight(name, first, from)
		return // `a:b` without quotes or blanks is a time, an address or a path
	}
	if colon && !quoted && alphabet.IsNumber(name) {
		if of, at, ok := l.numbered(first); ok {
			name, first = of, at
		}
	}
	if !colon && isAccount(name) {
		l.accountAfter(from)
		return
	}
	if !colon && verdict.IsVariable(name) {
		l.accountOf(name, from)
	}
	alone := l.Names.ClassOf(name)
	as := l.classHere(alone, name, first, quoted)
	if colon && !quoted && as != verdict.Plain && l.isPublic(name, first) {
		return
	}
	if l.in.holds(name, l.Names) {
		l.in.begin(s, l.start, from)
	} else if !quoted && l.Names.HasAccounts(name) {
		l.accounts.beginWith("{([", s, l.start, from)
	}
	if as == verdict.Plain && name == "type" && quoted && strings.HasPrefix(strings.TrimLeft(s[from:end], " "), `"password"`) {
		l.yield(Assignment{Name: "name", Value: "password", Start: from, End: from}) // of the value beside it
	}
	if as == verdict.Plain && (l.IsSettings || l.IsProgram) && !l.Names.HarmlessChild(name) && l.looksChosen(from) {
		as = verdict.Token
	}
	if as == verdict.Plain && !l.Names.Designates(name) && !(colon && l.Names.Container(name)) || as == verdict.Never {
		return
	}
	inline := !isPrefix(s[l.start:first])
	switch {
	case verdict.IsRooted(name):
		return // text after the name of a file
	case asks(s[max(l.start, first-verdict.MaxName):first]):
		return // the value is a prompt
	case (s[first] == '"' || s[first] == '\'') && !quoted && strings.HasPrefix(strings.TrimLeft(s[from:end], " "), s[first:first+1]):
		return // the end of a string, such as a prompt: `"Password: "`
	case !quoted && from < end && (s[from] == '"' || s[from] == '\'') && strings.Count(s[l.start:first], s[from:from+1])%2 == 1 && !strings.Contains(s[max(l.start, first-lines.Reach):first], "="+s[from:from+1]) && !(from+1 < end && s[from+1] == s[from]):
		return // likewise: `grep '^password=' FILE`
	case colon && !quoted && opensString(s[max(l.start, first-lines.Reach):first], s[from:min(end, from+lines.Reach)]):
		return // likewise: `"New password: " and "Again: "`
	case inline && name == "PASS":
		return // the result of a test
	}
	if as == verdict.Plain && l.Names.Carrier(name) {
		if inline && !quoted && strings.IndexByte(s[l.start:first], '[') >= 0 {
			return // of a condition of PAM: `[success=end default=ignore]`
		}
		name, as = l.carried(name, first)
	}
	a := l.valueOf(name, from, colon, inline)
	if !colon && a.Quoted && l.IsProgram && !l.parallel(&a, first) {
		return
	}
	a.Name, a.Class, a.Inline = name, as, inline
	if !colon && !a.Quoted && l.inString(&a, first, to) {
		if l.IsProgram && a.Class.Open() {
			a.Class = verdict.Token // words in a program belong to a test or a message
		}
		a.Quoted = a.Class != verdict.Hint
	}
	switch {
	case colon && !quoted && l.isSentence(&a, first), colon && inline && l.isSentence(&a, first):
		return
	case a.Value != "" && as == verdict.Hint && alone == verdict.Plain && first < l.accounts.end:
		if quoted || verdict.FollowsRules(a.Value) || strings.ContainsAny(a.Value, "!#%^*?~$") { // `alice = "X"` of HCL may be an ID
			l.account(a, name)
		}
	case a.Value != "":
		l.yield(a)
	case as == verdict.Plain && !l.Names.Container(name) || a.Quoted:
	default:
		rest := strings.TrimSpace(s[min(from, end):end])
		if rest == "" && colon && !inline && (as > verdict.Hint || l.Names.Container(name)) {
			l.list.begin(name, max(as, verdict.Token), s[l.start:end])
		} else if rest != "" && as != verdict.Plain && (alone == as || !l.IsProgram) {
			l.elements(name, as, from)
		}
	}
}

// parallel replaces the first value of several by the one of the last name, which begins at first: `user, pw = 'app', 'X'`. It
// reports whether that is a string. A value that is the only one stays, such as the default of a parameter.
func (l *assigner) parallel(a *Assignment, first int) bool {
	names, isList := strings.CutSuffix(strings.TrimSpace(l.S[l.start:first]), ",")
	if !isList {
		return true
	}
	last := *a
	for name := range strings.SplitSeq(names, ",") {
		if !verdict.IsIdentifier(strings.TrimLeft(strings.TrimSpace(name), "$@")) {
			return true
		}
		next, more := strings.CutPrefix(strings.TrimLeft(l.S[min(last.End+1, l.end):l.end], " "), ",")
		next = strings.TrimSpace(next)
		if !more || next == "" || isParameter(next) {
			return true
		}
		from := last.End + 1 + strings.Index(l.S[last.End+1:l.end], next)
		if next[0] != '"' && next[0] != '\'' {
			return false
		}
		value, ok := Quoted(l.S, from, from, l.end)
		if !ok {
			return false
		}
		last.Value, last.Start, last.End = value.Value, value.Start, value.End
	}
	*a = last
	return true
}

// isParameter reports whether the text behind a value and a comma is another parameter or argument: `mode='r')`, `$port)`.
func isParameter(s string) bool {
	name, _, given := strings.Cut(s, "=")
	return given && verdict.IsIdentifier(strings.TrimLeft(strings.TrimSpace(name), "$@*")) ||
		strings.HasSuffix(s, ",") || strings.Count(s, ")") > strings.Count(s, "(")
}

// asks reports whether the text before a variable is the command of Windows that reads its value: `set /p X=Password: `.
func asks(before string) bool {
	before = strings.ToLower(strings.TrimRight(before, " \t\""))
	return strings.HasSuffix(before, "/p") && strings.HasSuffix(strings.TrimRight(strings.TrimSuffix(before, "/p"), " \t"), "set")
}

// numbered returns the name before the number of a value, which begins at first, if the line has nothing else before:
// `Unseal Key 1: X`.
func (l *assigner) numbered(first int) (name string, start int, ok bool) {
	const longest = 32
	before := strings.TrimSpace(l.S[l.start:first])
	if item, ok := strings.CutPrefix(before, "- "); ok {
		before = item
	}
	if before == "" || len(before) > longest || !alphabet.IsLetters(strings.ReplaceAll(before, " ", "")) {
		return "", 0, false
	}
	return before, l.start + lines.Indent(l.S[l.start:first]), true
}

// slashOption handles an option of Windows with its argument, beside others or in capitals: `/L2TP:yes /PSK:X`. The
// name begins at first, and the argument at from.
func (l *assigner) slashOption(name string, first, from int) {
	option, ok := strings.CutPrefix(name, "/")
	if !ok || l.IsProgram || !alphabet.IsLatinName(option) || first > l.start && !alphabet.IsBlank(l.S[first-1]) {
		return
	}
	if as := l.Names.ClassOf(option); as.Secret() && (option == strings.ToUpper(option) || l.besideOption(first, from)) {
		a := l.valueAfter(from, l.end, true)
		a.Name, a.Class, a.Inline = option, as, true
		if a.Value != "" {
			l.yield(a)
		}
	}
}

// besideOption reports whether another option of Windows is near the one whose name begins at first and whose argument
// begins at from.
func (l *assigner) besideOption(first, from int) bool {
	const reach, mark = 256, " /"
	before, after := l.S[max(l.start, first-reach):max(l.start, first-1)], l.S[from:min(l.end, from+reach)]
	return strings.Contains(before, mark) || strings.HasPrefix(before, "/") || strings.Contains(after, mark)
}

// classHere returns the class of a name in its context. alone is the class of the name
// without it.
func (l *assigner) classHere(alone verdict.NameClass, name string, first int, quoted bool) verdict.NameClass {
	as := alone
	if as <= verdict.Hint {
		as = max(as, l.ClassInContext(name, l.start, first, quoted))
	}
	if as == verdict.Plain && l.in.has(first) && !l.Names.HarmlessChild(name) {
		as = verdict.Token
	}
	if as == verdict.Plain && len(name) > 2 && strings.EqualFold(name[:2], "x-") && (!l.Names.Identifies(name) || verdict.HasWord(name, "session") || verdict.HasWord(name, "auth")) {
		as = verdict.Hint // a header of their own
	}
	if as == verdict.Plain && (quoted || l.IsSettings) && first < l.accounts.end && !l.Names.HarmlessChild(name) {
		as = verdict.Hint // an account; see assigned
	}
	return as
}

// carried returns the name for a carrier that begins at first, and its class. The name is
// that of the surrounding object: `"db_password": {"value": …`, `variable "db_password" {
// default = …`. Without such a name, it is the name of the carrier.
func (l *assigner) carried(name string, first int) (string, verdict.NameClass) {
	parent := elementBefore(l.S[max(l.start, first-verdict.MaxName):first])
	if parent == "" {
		parent = objectName(l.S, first)
	}
	if parent == "" && strings.EqualFold(name, "default") {
		parent = l.enclosing(l.start, first)
	}
	if as := l.Names.ClassOf(parent); as.Secret() {
		return parent, as
	}
	return name, verdict.Plain
}

// valueOf returns the value of a name that begins after from.
func (l *assigner) valueOf(name string, from int, colon, inline bool) Assignment {
	switch blockOf(l.S[from:l.end], colon) {
	case indented:
		return l.block(l.start, l.end, true)
	case enclosed:
		return l.block(l.start, l.end, false)
	case inLine:
	}
	if end := l.memberEnd(from); colon && end < l.end {
		if a := l.valueAfter(from, end, false); a.Value != "" {
			return a
		}
	}
	a := l.valueAfter(from, l.end, inline)
	if !inline && !a.Quoted {
		l.closeMap(&a)
	}
	if _, _, ok := verdict.CutScheme(name, a.Value+" x"); ok && inline && !a.Quoted {
		// `header = Authorization: Basic …`
		if rest := l.valueAfter(a.End, l.end, true); !rest.Quoted && rest.Value != "" {
			a.Value, a.End = l.S[a.Start:rest.End], rest.End
		}
	}
	return a
}

// memberEnd returns the end of the value without quotes that begins after from, if it is a
// member of a map in braces on its line, `{user: app, password: X}`, or else the end of the
// line.
func (l *assigner) memberEnd(from int) int {
	s := l.S
	if !l.IsSettings || from >= l.end || !opensMap(s[max(l.start, from-reachOfBraces/4):from]) {
		return l.end
	}
	depth := 0
	for i := from; i < min(l.end, from+maxBare); i++ {
		switch s[i] {
		case '"', '\'', '`', '\\':
			return l.end
		case '{', '[':
			depth++
		case ',':
			if depth == 0 {
				return i
			}
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return l.end
}

// closeMap removes the braces at the end of a value without quotes that close maps which are
// open before it, and are not closed after it.
func (l *assigner) closeMap(a *Assignment) {
	s := l.S
	if !l.IsSettings || a.End <= a.Start || s[a.End-1] != '}' && s[a.End-1] != ']' {
		return
	}
	before := s[max(0, a.Start-lines.Reach):a.Start]
	after := s[min(len(s), a.End):min(len(s), a.End+lines.Reach)]
	open := opened(before) - closed(after)
	i := a.End
	for i > a.Start && (alphabet.IsBlank(s[i-1]) || s[i-1] == ']' || s[i-1] == '}' && open > 0) && !isBalanced(s[a.Start:i]) {
		if i--; s[i] == '}' {
			open--
		}
	}
	if i < a.End && i > a.Start && opensMap(before) && strings.Contains(s[i:a.End], "}") {
		a.End = a.Start + len(strings.TrimRight(s[a.Start:i], " \t"))
		a.Value = decode.XML(s[a.Start:a.End])
	}
}

// opened returns the number of braces that s opens but does not close.
func opened(s string) int {
	n, depth := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case '}':
			depth++
		case '{':
			depth--
			n = max(n, -depth)
		}
	}
	return n
}

// closed returns the number of braces that s closes but does not open.
func closed(s string) int {
	n, depth := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
			n = max(n, -depth)
		}
	}
	return n
}

// isBalanced reports whether the bracket at the end of s, if there is one, has a counterpart
// in s.
func isBalanced(s string) bool {
	switch s[len(s)-1] {
	case '}':
		return strings.Count(s, "}") <= strings.Count(s, "{")
	case ']':
		return strings.Count(s, "]") <= strings.Count(s, "[")
	}
	return false
}

// opensMap reports whether a brace that is open at the end of s begins a map: it is not that
// of a template.
func opensMap(s string) bool {
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case '}', ']':
			depth++
		case '{', '[':
			if depth--; depth < 0 {
				return s[i] == '{' && !strings.HasPrefix(s[i:], "{%") && (i == 0 || strings.IndexByte("{$%#@", s[i-1]) < 0)
			}
		}
	}
	return false
}

// inString reports whether a name, between first and to, and its value are in one string:
// `"NAME=value"`.
func (l *assigner) inString(a *Assignment, first, to int) bool {
	s := l.S
	at := first + strings.Index(s[first:to], a.Name)
	return at > first && at < to && a.End < l.end && s[a.End] == s[at-1] && (s[at-1] == '"' || s[at-1] == '\'')
}

// isSentence reports whether a name and a value separated by a colon are parts of a
// sentence: `Password: changes every 90 days. Ask …`. The name begins at first.
func (l *assigner) isSentence(a *Assignment, first int) bool {
	if a.Quoted || a.End <= a.Start || !a.Class.Open() || !alphabet.IsLatin(a.Value) {
		return false
	}
	more := nextIsWord(l.S[a.End:min(l.end, a.End+verdict.MaxName)])
	if a.Inline {
		before := l.S[max(l.start, first-verdict.MaxName):first]
		return more || isDenied(before) || verdict.IsProse(before)
	}
	return more && strings.Contains(l.S[a.End:l.end], ". ")
}

// isDenied reports whether the words before a name say that its value is not there: `no
// password: aborting`, `Forgot your password: call 1234`. They begin a line, a string or a
// sentence, and nothing is between them and the name: in `tls: no, password: walrus` and in
// `tls=no password: walrus`, the word is the value of another name.
func isDenied(before string) bool { return denied.Get().MatchString(before) }

var denied = lazyregexp.New(`(?i)(?:^[\t #/*;-]*|["'] *|\. +)(?:(?:no|missing|without)|(?:forgot|forgotten|lost)(?:[\t ]+(?:your|my|the))?)[\t ]+$`)

// attribute handles an attribute of LDIF (RFC 2849) with a base64 value: `userPassword::
// X`. The name ends at to.
func (l *assigner) attribute(to int) {
	s := l.S
	name, _, _ := strings.Cut(s[l.start:to], ";")
	as := l.Names.ClassOf(name)
	if !verdict.IsName(name) || !as.Secret() {
		return
	}
	text := strings.TrimSpace(s[to+2 : l.end])
	if b, err := base64.StdEncoding.DecodeString(text); err == nil && decode.IsText(string(b)) && len(b) > 0 && len(text) <= verdict.MaxValue {
		at := to + 2 + strings.Index(s[to+2:l.end], text)
		l.yield(Assignment{Name: name, Class: as, Value: string(b), Start: at, End: at + len(text), Quoted: true})
	}
}

// isAccount reports whether the value of name is a user, perhaps with a password.
func isAccount(name string) bool {
	return name == "user" || name == "login" || strings.HasSuffix(name, "_USER")
}

// accountAfter handles `user=NAME:X`. The secret may be a passphrase up to the end of the line.
func (l *assigner) accountAfter(from int) {
	a := l.valueAfter(from, l.end, true)
	separator := ":"
	if !strings.Contains(a.Value, separator) {
		separator = "%" // of SMB
	}
	user, secret, found := strings.Cut(a.Value, separator)
	if !found || !isAccountName(user) || secret == "" || len(a.Value) != a.End-a.Start {
		return
	}
	start := a.End - len(secret)
	if rest := strings.TrimRight(l.S[start:l.end], " \t\r"); verdict.IsPassphrase(rest) {
		secret = rest
	}
	l.yield(Assignment{Name: "user", Value: secret, Start: start, End: start + len(secret), Quoted: true, Class: verdict.ClassOfPair(user, secret)})
}

// isAccountName reports whether s can be the name of an account: `app`, `praxis-nord`.
func isAccountName(s string) bool {
	return s != "" && len(s) <= verdict.MaxName && verdict.IsIdentifier(strings.Map(withoutNameMarks, s))
}

func withoutNameMarks(r rune) rune {
	if strings.ContainsRune("-.@", r) {
		return -1
	}
	return r
}

// accountOf handles a variable of the environment whose value is an account and a secret, whatever its
// name: `MVN_UPLOAD=app:X`.
func (l *assigner) accountOf(name string, from int) {
	colon := strings.IndexByte(l.S[from:l.end], ':')
	if colon <= 0 || !isAccountName(l.S[from:from+colon]) {
		return
	}
	a := l.valueAfter(from, l.end, true)
	if user, secret, found := strings.Cut(a.Value, ":"); found && verdict.FollowsRules(secret) && !strings.ContainsAny(secret, "/:@") && len(a.Value) == a.End-a.Start && secret != user {
		l.yield(Assignment{Name: name, Value: secret, Start: a.End - len(secret), End: a.End, Quoted: true, Class: verdict.Token})
	}
}

// compared handles a comparison of a header in a configuration: `if ($http_x_auth_token !=
// "X")`. The second byte of the operator is at i.
func (l *assigner) compared(i int) {
	if l.IsProgram {
		return
	}
	name, _, _, ok := NameBefore(l.S, l.start, i-1)
	if !ok {
		return
	}
	const long = 16
	if a := l.valueAfter(i+1, l.end, true); a.Quoted {
		as := l.Names.ClassOf(name)
		switch {
		case as.Secret():
		case as == verdict.Never || len(a.Value) < long || !verdict.IsRandom(a.Value):
			return
		default:
			as = verdict.Hint
		}
		a.Name, a.Class, a.Inline = name, min(as, verdict.Token), true
		l.yield(a)
	}
}

// nextIsWord reports whether s begins with blanks and a word of letters.
func nextIsWord(s string) bool {
	rest := strings.TrimLeft(s, " \t")
	word, _, _ := strings.Cut(rest, " ")
	return len(rest) < len(s) && alphabet.IsLetters(strings.Trim(word, ".,;:)")) && word != "" && !strings.HasSuffix(word, ":")
}

// tuple handles a pair in brackets: `define('NAME', 'value')` of PHP, `{name, <<"value">>}`
// of Erlang. The brackets contain only the pair.
func (l *assigner) tuple(comma int) {
	s, start, end := l.S, l.start, l.end
	name, first, quoted, ok := NameBefore(s, start, comma)
	if ok && quoted && s[first] == '[' && l.IsSettings {
		l.row(name, comma)
		return
	}
	for first > start && alphabet.IsBlank(s[first-1]) {
		first--
	}
	quoted = quoted || strings.HasSuffix(s[start:max(start, first)], "Set(") && s[first] == '$' // of Perl
	if !ok || first == start || s[first-1] != '{' && (s[first-1] != '(' && s[first-1] != ',' || !quoted) {
		return // an argument without quotes is a variable
	}
	before := s[start:first]
	if len(before) > len("array(") && strings.EqualFold(before[len(before)-len("array("):], "array(") {
		return // a list of PHP, with other pairs
	}
	as := l.Names.ClassOf(name)
	isAccount := as == verdict.Plain && quoted && first < l.accounts.end
	if !isAccount && as < verdict.Hint || as == verdict.Never {
		return
	}
	a := l.valueAfter(comma+1, end, true)
	if l.IsProgram && strings.IndexByte(a.Value, '_') > 0 && alphabet.IsLatinName(a.Value) && a.Value == strings.ToLower(a.Value) {
		return // a list of names
	}
	if quoted && !isCall(before) && l.namesSecret(a.Value) && l.namesSecret(strings.ToLower(name)) && strings.ContainsRune(name, '-') {
		return // likewise: `('db-password', 'registry-token')`
	}
	if isAccount {
		if rest := strings.TrimLeft(s[min(len(s), a.End+1):end], " "); rest != "" && (rest[0] == ')' || rest[0] == ']') {
			l.account(a, name)
		}
		return
	}
	if !a.Quoted || a.Value == "" || as == verdict.Hint && !verdict.IsPrinted(a.Value) && !verdict.FollowsRules(a.Value) && !verdict.IsRandom(a.Value) {
		return
	}
	if as == verdict.Hint && verdict.FollowsRules(a.Value) {
		as = verdict.Token
	}
	rest := strings.TrimLeft(s[a.End:end], "\\\"'`> \t")
	if rest == "" || rest[0] != ')' && rest[0] != '}' && !(rest[0] == ',' && strings.HasSuffix(strings.TrimRight(s[start:first], " ("), "EnvironmentVariable")) {
		return
	}
	a.Name, a.Class, a.Inline = name, as, true
	l.yield(a)
}

// row handles a pair in square brackets, `["X-Api-Key", "X"]`. The value must look like a secret, because lists of names have
// brackets, too.
func (l *assigner) row(name string, comma int) {
	const long = 16
	as := l.Names.ClassOf(name)
	if as == verdict.Plain && len(name) > 2 && strings.EqualFold(name[:2], "x-") {
		as = verdict.Hint
	}
	a := l.valueAfter(comma+1, l.end, true)
	if !a.Quoted || !as.May() || !verdict.FollowsRules(a.Value) && (len(a.Value) < long || !verdict.IsRandom(a.Value)) {
		return
	}
	if rest := strings.TrimLeft(l.S[min(len(l.S), a.End+1):l.end], " \t"); rest != "" && rest[0] == ']' {
		a.Name, a.Class, a.Inline = name, min(as, verdict.Token), true
		l.yield(a)
	}
}

// isCall reports whether the text before an argument is the bracket of a call, `define(`, and not that of a list.
func isCall(before string) bool {
	name, ok := strings.CutSuffix(before, "(")
	if !ok || name == "" || !alphabet.IsWordByte(name[len(name)-1]) {
		return false
	}
	return !slices.ContainsFunc(constructors, func(c string) bool { return len(before) >= len(c) && strings.EqualFold(before[len(before)-len(c):], c) })
}

// namesSecret reports whether a value of a list is the name of a secret, in several words: `registry-token`.
func (l *assigner) namesSecret(s string) bool {
	return strings.ContainsAny(s, "-_.") && s == strings.ToLower(s) && alphabet.IsLatin(strings.Map(withoutNameMarks, strings.ReplaceAll(s, "_", ""))) && l.Names.ClassOf(s).Secret()
}

// called handles `password("X")`, a setting of syslog-ng and other programs.
func (l *assigner) called(open int) {
	s, start, end := l.S, l.start, l.end
	name, first, _, ok := NameBefore(s, start, open)
	if !ok || first+len(name) != open || strings.Contains(name, ".") || first > start && strings.IndexByte(">:", s[first-1]) >= 0 {
		return // also a method: `x.password("X")`, `$x->password("X")`, `X::password("X")`
	}
	as := l.Names.ClassOf(name)
	if !as.Open() || !verdict.IsName(name) {
		return
	}
	if a, ok := Quoted(s, open+1, open+1, end); ok && a.End+1 < end && s[a.End+1] == ')' {
		a.Name, a.Class, a.Inline = name, as, true
		l.yield(a)
	}
}

// opensString reports whether a string in double quotes that before opens ends where after begins.
func opensString(before, after string) bool {
	return strings.HasPrefix(strings.TrimLeft(after, " "), `"`) && strings.Count(before, `"`)%2 == 1 && !strings.Contains(before, `\"`)
}

// account handles the value of an account in a list of accounts, which is its password if it looks like
// one.
func (l *assigner) account(a Assignment, name string) {
	if a.Quoted && (verdict.ClassOfPair(name, a.Value) == verdict.Password || verdict.IsRandom(a.Value) || verdict.IsCamelPhrase(a.Value)) {
		a.Name, a.Class = name, verdict.Password
		l.yield(a)
	}
}

// looksChosen reports whether the value that begins after from is a string that follows the rules for
// passwords and has a sign that no name has.
func (l *assigner) looksChosen(from int) bool {
	const shortest = 10
	rest := l.S[from:min(l.end, from+verdict.MaxName)]
	if len(rest) < shortest || !strings.ContainsAny(rest, verdict.Marks) {
		return false
	}
	a := l.valueAfter(from, l.end, true)
	return a.Quoted && strings.ContainsAny(a.Value, verdict.Marks) && !strings.ContainsAny(a.Value, " \t/\\<>{}()[]|$%@=&,;:") && verdict.FollowsRules(a.Value)
}

// isMatch reports whether `=~` at i of a line is the operator that compares with a pattern. Behind a plain name, a tilde and a letter
// or a digit are the beginning of a value: `SECRET=~X`.
func isMatch(line string, i int) bool {
	rest := line[i+len("=~") : min(len(line), i+verdict.MaxName)]
	word, _, _ := strings.Cut(rest, " ")
	if word == "" || !alphabet.IsAlnum(word[0]) || strings.Contains(word, "/") {
		return true
	}
	if last := strings.TrimLeft(word, "msyqtr"); last == "" || len(last) < len(word) && !alphabet.IsAlnum(last[0]) {
		return true // `m!X!`, `s{X}{Y}`
	}
	from := i
	for from > 0 && i-from < verdict.MaxName && IsNameByte(line[from-1], false) {
		from--
	}
	return from == i || from > 0 && strings.IndexByte("$@%\"'{[", line[from-1]) >= 0
}

// isPublic reports whether a name, which begins at first, is that of a public key or the like by the word before it: `public key: X`.
func (l *assigner) isPublic(name string, first int) bool {
	before := strings.TrimRight(l.S[max(l.start, first-verdict.MaxName):first], " ")
	word := before[strings.LastIndexAny(before, " \t")+1:]
	return strings.EqualFold(word, "public") && l.Names.ClassOf("public_"+name) == verdict.Never
}
