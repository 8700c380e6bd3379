package detect

import (
	"path"
	"slices"
	"strings"
)

// argument is a word of a command line: its text as the shell passes it on, and
// where it stands, quotes included.
type argument struct {
	text       string
	start, end int
	// pieces tells where in the source each byte of text stands; nil when the
	// word has no escapes, and no quotes but for those around it.
	pieces []int
	quote  int // how many bytes the quotes around the word take at its start
	// live tells that the shell puts something in its place: a variable, the
	// output of a command.
	live bool
}

// at returns where in the source the byte of text at i stands.
func (a *argument) at(i int) int {
	switch {
	case i >= len(a.text):
		return a.end
	case a.pieces == nil:
		return a.start + a.quote + i
	}
	return a.pieces[i]
}

// to returns where in the source the part of text before i ends.
func (a *argument) to(i int) int {
	if i <= 0 {
		return a.start
	}
	return a.at(i-1) + 1
}

// The bounds of a command line.
const (
	maxGroup   = 8 // commands in parentheses
	maxWords   = 256
	maxCommand = 16 << 10
)

// shell looks at a command line: each simple command of it, and what is piped
// from one to the next.
func (t *Text) shell() {
	if list, _ := t.leaf.Element(); list != nil && list.Len() > 1 && len(t.Encodings) == 0 && !strings.Contains(t.S, " ") {
		return // a word of a command, see argv
	}
	t.script(0, len(t.S))
}

// commands looks at the command lines in a text that is more than that: all
// lines of a script, and what looks like one elsewhere.
func (t *Text) commands() {
	s := t.S
	if t.kind == script || isScript(s) {
		t.script(0, len(s))
		return
	}
	for start := 0; start < len(s); {
		end := lineEnd(s, start)
		if line := s[start:end]; end-start < maxCommand && (isCommandLine(line) || isItem(line)) && !isComment(strings.TrimSpace(line)) {
			t.pipeline(start+commandStart(line), end)
		} else if open := strings.IndexByte(line, '['); open >= 0 && end-start < maxCommand && strings.Contains(line[open:], ",") && strings.IndexByte(line[open:], '-') > 0 {
			t.sequence(start+open+1, end)
		}
		start = end + 1
	}
}

// sequence looks at a command as a list of its words, as YAML, JSON and
// Dockerfiles have it: `["redis-cli", "-a", "X"]`, which begins at start.
func (t *Text) sequence(start, end int) {
	all := &t.scanner.arguments
	outer := len(*all)
	s := t.S
	for i := start; i < end && len(*all)-outer < maxWords && s[i] != ']'; {
		switch c := s[i]; {
		case c <= ' ' || c == ',':
			i++
		case c == '"' || c == '\'':
			a, ok := quotedValue(s, i, i, end)
			if !ok || a.end-a.start != len(a.value) {
				i = end // escapes are in it
				break
			}
			*all = append(*all, argument{text: a.value, start: a.start, end: a.end})
			i = a.end + 1
		default:
			j := i
			for j < end && s[j] != ',' && s[j] != ']' {
				j++
			}
			word := strings.TrimSpace(s[i:j])
			*all = append(*all, argument{text: word, start: i, end: i + len(word)})
			i = j
		}
	}
	words := (*all)[outer:len(*all):len(*all)]
	if len(words) > 1 && strings.HasPrefix(words[0].text, "CMD") {
		words = words[1:] // of a check of health
	}
	if len(words) > 1 && isOption(strings.ReplaceAll(words[0].text, "/", "")) {
		t.command(words, nil)
	}
	*all = (*all)[:outer]
}

// isScript reports whether a text begins as a script of a shell does.
func isScript(s string) bool {
	line := s[:lineEnd(s, 0)]
	return strings.HasPrefix(line, "#!") && strings.HasSuffix(strings.TrimRight(line, " -exu\r"), "sh")
}

// isCommandLine reports whether a line may hold a command with a secret: it has
// long options, or gives something to a command by a pipe.
func isCommandLine(line string) bool {
	return strings.Contains(line, "command_line") || strings.HasPrefix(line, nrpeCommand) || strings.HasPrefix(line, squidHelper) || strings.HasPrefix(line, userParameter) || strings.Contains(line, "echo ") && strings.Contains(line, "|") || strings.Contains(line, " --") || strings.HasPrefix(line, "RUN ") || strings.HasPrefix(line, "Exec") || isCron(line) || strings.HasPrefix(line, "net use ")
}

// isItem reports whether a line is a command of a program that is known, in a
// list of YAML, or stands for one in an alias.
func isItem(line string) bool {
	if strings.HasPrefix(line, "alias ") {
		return true
	}
	item, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "- ")
	if !ok || !strings.Contains(item, " -") {
		return false
	}
	name, _, _ := strings.Cut(item, " ")
	_, known := programs()[program(name)]
	return known
}

// nrpeCommand begins a line of the agent of Nagios: `command[check_x]=…`.
const nrpeCommand = "command["

// squidHelper begins a line of Squid that names a program: `auth_param basic
// program /usr/lib/squid/basic_ldap_auth …`.
const squidHelper = "auth_param "

// userParameter begins a line of the agent of Zabbix: a key, a comma, a command.
const userParameter = "UserParameter="

// isCron tells a line of a crontab.
func isCron(line string) bool {
	return len(line) > 12 && (line[0] == '*' || line[0] == '@' || line[0] >= '0' && line[0] <= '9') && strings.Contains(line, " /")
}

// commandStart returns where in a line the command begins: behind the key of a
// unit, the instruction of a Dockerfile, the times and the user of a crontab.
func commandStart(line string) int {
	if strings.HasPrefix(line, "Exec") {
		if i := strings.IndexByte(line, '='); i > 0 {
			return i + 1 + len(line[i+1:]) - len(strings.TrimLeft(line[i+1:], " \t-@+!:"))
		}
	}
	if strings.HasPrefix(line, "RUN ") {
		return len("RUN ")
	}
	if item := strings.TrimLeft(line, " "); strings.HasPrefix(item, "- ") && item[2] != '-' {
		return len(line) - len(item) + 2
	}
	if i := strings.Index(line, "command_line"); i >= 0 && i < 16 { // of Nagios
		return i + len("command_line")
	}
	if strings.HasPrefix(line, userParameter) {
		return strings.IndexByte(line, ',') + 1
	}
	if strings.HasPrefix(line, squidHelper) {
		if i := strings.Index(line, " program "); i > 0 {
			return i + len(" program ")
		}
	}
	if strings.HasPrefix(line, nrpeCommand) {
		return strings.IndexByte(line, '=') + 1
	}
	if isCron(line) {
		return cronCommand(line)
	}
	return 0
}

// cronCommand returns where the command begins in a line of a crontab: behind the
// times, and the user that the crontabs of the system have there.
func cronCommand(line string) int {
	fields := 5
	if line[0] == '@' {
		fields = 1
	}
	at := 0
	next := func() string {
		for at < len(line) && isBlank(line[at]) {
			at++
		}
		n := strings.IndexAny(line[at:], " \t")
		if n < 0 {
			n = len(line) - at
		}
		return line[at : at+n]
	}
	for range fields {
		at += len(next())
	}
	w := next()
	if _, known := programs()[w]; !known && isOption(w) && at+len(w) < len(line) {
		behind := at
		at += len(w)
		if second := next(); !strings.HasPrefix(second, "-") {
			return at
		}
		return behind
	}
	return at
}

// script looks at the lines of a script, or a command, in S[start:end].
func (t *Text) script(start, end int) {
	s := t.S
	below, open := start, 0 // where the last here-document ends, and how many never do
	for start < end {
		stop := start
		for stop < end && stop-start < maxCommand && (s[stop] != '\n' || stop > start && s[stop-1] == '\\') {
			stop++
		}
		if line := strings.TrimSpace(s[start:stop]); line != "" && line[0] != '#' {
			t.pipeline(start, stop)
			if start >= below && open < maxGroup && strings.Contains(line, "<<") {
				if below = t.hereDocument(start, stop, end); below == start {
					open++
				}
			}
		}
		start = stop + 1
	}
}

// pipeline splits a line into simple commands and looks at each.
func (t *Text) pipeline(start, end int) {
	var rooms [2][maxGroup][]argument
	last, group := rooms[0][:0], rooms[1][:0] // whose output is read, and the commands in parentheses
	// The words of the line, behind those of the lines that this one is inside.
	all := &t.scanner.arguments
	outer := len(*all)
	first := outer // of the command
	flush := func(c byte) {
		words := (*all)[first:len(*all):len(*all)]
		if first = len(*all); len(words) > 0 {
			t.command(words, last)
			if len(group) < maxGroup {
				group = append(group, words)
			}
		}
		last = last[:0]
		switch {
		case c == '(':
			group = group[:0]
		case c == '|' && len(words) > 0:
			last = append(last, words)
		case c == '|':
			last, group = group, last
		}
	}
	for i := start; i < end; {
		switch c := t.S[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\' && i+1 < end && t.S[i+1] == '\n':
			i++
		case c == '|' && i+1 < end && t.S[i+1] != '|' && t.S[i-min(i, 1)] != '|':
			flush('|')
			i++
		case c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '`' || c == '{' && i+1 < end && t.S[i+1] == ' ':
			if c == '|' {
				c = ';' // of two: nothing is piped
			}
			flush(c)
			i++
		case c == '#' && len(*all) > first:
			i = end
		default:
			w := shellWord(t.S, i, end)
			if len(*all)-first < maxWords {
				*all = append(*all, w)
			}
			i = max(w.end, i+1)
		}
	}
	flush(0)
	*all = (*all)[:outer]
}

// shellWord reads the word that begins at i as a shell does: quotes of both
// kinds and escapes join what they hold to one word.
func shellWord(s string, i, end int) argument {
	plain := i
	for plain < end && strings.IndexByte("\"'\\$()&`;|", s[plain]) < 0 && s[plain] > ' ' {
		plain++
	}
	if plain > i && (plain == end || s[plain] <= ' ' || s[plain] == ';' || s[plain] == '|' || s[plain] == ')') {
		return argument{text: s[i:plain], start: i, end: plain}
	}
	if a, ok := quotedWord(s, i, end); ok {
		return a
	}
	a := argument{start: i}
	var b strings.Builder
	quote := byte(0)
	changed := false
	depth := 0
	for ; i < end; i++ {
		c := s[i]
		switch {
		case quote == 0 && depth == 0 && (c <= ' ' || c == ';' || c == '|' || c == '&' && i+1 < end && s[i+1] <= ' ' || c == '&' && i+1 < end && s[i+1] == '&' || c == ')' || c == '`' && a.start != i):
			a.end = i
			return a.finish(&b, changed)
		case quote == 0 && (c == '"' || c == '\'') && depth == 0:
			quote, changed = c, true
			continue
		case c == quote && quote != 0 && depth == 0:
			quote = 0
			continue
		case c == '\\' && quote != '\'' && i+1 < end:
			if n := s[i+1]; quote == 0 || n == '"' || n == '\\' || n == '$' || n == '`' || n == '\n' {
				changed = true
				i++
				if n == '\n' {
					continue
				}
				c = n
			}
		case c == '$' && quote != '\'' && i+1 < end:
			if n := s[i+1]; n == '(' {
				depth++
				a.live = true
			} else if n == '{' || isLetter(n) || n == '_' {
				a.live = true
			}
		case c == '<' && quote == 0 && i+1 < end && s[i+1] == '(': // a file with the output of a command
			depth++
			a.live = true
		case c == ')' && depth > 0:
			depth--
		}
		b.WriteByte(c)
		a.pieces = append(a.pieces, i)
	}
	a.end = i
	return a.finish(&b, changed)
}

// quotedWord reads the word that begins at i when it is all inside one pair of
// quotes, and nothing in it is escaped or put in.
func quotedWord(s string, i, end int) (a argument, ok bool) {
	quote := s[i]
	if quote != '"' && quote != '\'' {
		return a, false
	}
	j := i + 1
	for j < end && s[j] != quote && (quote == '\'' || s[j] != '\\' && s[j] != '$') {
		j++
	}
	if j >= end || s[j] != quote || j+1 < end && s[j+1] > ' ' && s[j+1] != ';' && s[j+1] != '|' && s[j+1] != ')' {
		return a, false
	}
	return argument{text: s[i+1 : j], start: i, end: j + 1, quote: 1}, true
}

func (a argument) finish(b *strings.Builder, changed bool) argument {
	a.text = b.String()
	if !changed {
		a.pieces = nil
	}
	return a
}

// found tells about text[from:to] of a word.
func (t *Text) word(a *argument, name string, from, to int, as sort) {
	value := a.text[from:to]
	if a.start < 0 {
		return // another element of the Array
	}
	if a.live && strings.ContainsAny(value, "$`") && !strings.Contains(value, "$6$") {
		return
	}
	if redirects(value) {
		return
	}
	t.judge(assignment{name: name, value: value, start: a.at(from), end: a.to(to), quoted: true, sort: as})
}

// redirects reports whether a word says where output goes: `2>/dev/null`.
func redirects(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, "12&"), ">")
}

// command looks at one simple command; before are those whose output it reads.
func (t *Text) command(words []argument, before [][]argument) {
	for len(words) > 0 {
		name, value, found := strings.Cut(words[0].text, "=")
		if !found || !isIdentifier(name) {
			break
		}
		if as := t.scanner.detector.names.sortOf(name); as != plain && as != never {
			t.word(&words[0], name, len(words[0].text)-len(value), len(words[0].text), as)
		}
		if strings.Contains(value, " -") || len(value) > 0 && value[0] == '-' {
			t.optionsIn(&words[0], len(name)+1) // `DAEMON_OPTS="…"`
		}
		t.substituted(&words[0]) // `hash=$(openssl passwd X)`
		words = words[1:]
	}
	if len(words) > 1 && strings.EqualFold(words[0].text, "/c") {
		words = words[1:] // what Windows hands to its shell
	}
	if len(words) > 2 && strings.HasPrefix(words[0].text, "$") && words[1].text == "=" {
		words = words[2:] // of PowerShell
	}
	if len(words) > 2 && program(words[0].text) == "cmd" && strings.EqualFold(words[1].text, "/c") {
		words = words[2:]
	}
	whole := words
	for len(words) > 1 {
		switch program(words[0].text) {
		case "sudo", "env", "nohup", "time", "exec", "nice", "ionice", "timeout", "runuser", "su", "chroot", "xargs", "command", "setsid", "stdbuf", "gosu", "doas":
			words = skipWrapper(words)
			continue
		}
		break
	}
	if len(words) == 0 {
		return
	}
	if program(words[0].text) == "alias" && len(words) > 1 {
		if name, _, found := strings.Cut(words[1].text, "="); found {
			t.within(&words[1], len(name)+1)
		}
	}
	for i := range words {
		t.substituted(&words[i])
	}
	t.options(words)
	t.program(program(words[0].text), words[1:])
	t.written(words, before)
	t.behind(words)
	if len(before) > 0 && takesPassword(whole) {
		for _, b := range before {
			t.piped(words, b)
		}
	}
	for i := range words {
		if i > 0 && strings.Contains(words[i].text, "/") && listed("--params --parameters --package-parameters --install-arguments", words[i-1].text) {
			t.optionsIn(&words[i], 0)
		}
		// A command in quotes: `sh -c '…'`, `su - x -c "…"`.
		if i > 0 && strings.Contains(words[i].text, " ") && (program(words[0].text) == "ssh" || listed("-c -e -q -Q -x -Command -command --command --execute --eval", words[i-1].text)) {
			t.inner(&words[i])
		}
		if i > 0 && words[i].live && (words[i-1].text == "<" && takesPassword(whole) || strings.HasPrefix(words[i].text, "file:<(")) {
			t.handed(&words[i], whole)
		}
		if i > 0 && words[i-1].text == "<<<" && takesPassword(whole) {
			if strings.Contains(words[i].text, ":") {
				t.account(&words[i])
			} else {
				t.word(&words[i], words[0].text, 0, len(words[i].text), password)
			}
		}
	}
}

// optionsIn looks at the options in text[from:] of a word.
func (t *Text) optionsIn(a *argument, from int) {
	start, end := a.at(from), a.to(len(a.text))
	if a.start < 0 || end-start != len(a.text)-from {
		return // escapes are in it: the places would be wrong
	}
	list := []argument{{}} // in place of the program
	for i := start; i < end && len(list) < maxWords; {
		if c := t.S[i]; c <= ' ' || c == '\'' || c == '"' {
			i++
			continue
		}
		w := shellWord(t.S, i, end)
		list = append(list, w)
		i = max(w.end, i+1)
	}
	t.options(list)
}

// handed looks at what the output of a command is read for, which stands in
// place of a file: `kinit < <(echo X)`.
func (t *Text) handed(a *argument, reader []argument) {
	_, inner, found := strings.Cut(t.S[max(a.start, 0):max(a.end, 0)], "<(")
	if !found || a.start < 0 {
		return
	}
	var words []argument
	for i, end := a.end-len(inner), a.end-1; i < end && len(words) < maxGroup; {
		if t.S[i] <= ' ' {
			i++
			continue
		}
		w := shellWord(t.S, i, end)
		words = append(words, w)
		i = max(w.end, i+1)
	}
	if len(words) > 1 {
		t.piped(reader, words)
	}
}

// within looks at the command in text[from:] of a word.
func (t *Text) within(a *argument, from int) {
	if start, end := a.at(from), a.to(len(a.text)); a.start >= 0 && end-start == len(a.text)-from && len(t.Encodings) < maxDepth {
		t.pipeline(start, end)
	}
}

// behind looks at the command that another runs somewhere else: behind `--`, and
// in a container.
func (t *Text) behind(words []argument) {
	at := 0
	for i := range words {
		if words[i].text == "--" {
			at = i + 1
			break
		}
	}
	switch program(words[0].text) {
	case "docker", "podman", "lxc", "nerdctl", "docker-compose":
		for i := 1; i+2 < len(words) && at == 0; i++ {
			if words[i].text != "exec" {
				continue
			}
			for i++; i < len(words) && strings.HasPrefix(words[i].text, "-"); i++ {
				if listed("-e --env -u --user -w --workdir --index -n", words[i].text) {
					i++
				}
			}
			at = i + 1 // behind the name of the container
		}
	}
	if at == 0 || at >= len(words) || slices.ContainsFunc(words[at:], func(w argument) bool { return w.text == "--" || w.text == "exec" }) {
		return // each of many would be looked at again for those before it
	}
	t.command(words[at:], nil)
}

// substituted looks at the command whose output a word is: `$(openssl passwd X)`.
func (t *Text) substituted(a *argument) {
	if !a.live || a.start < 0 {
		return
	}
	word := t.S[a.start:a.end]
	if strings.Count(word, "$(")+strings.Count(word, "<(") > maxGroup {
		return // each is looked at again for those around it
	}
	i := strings.Index(word, "$(")
	if i < 0 {
		i = strings.Index(word, "<(")
	}
	if i >= 0 {
		if j := strings.LastIndexByte(word, ')'); j > i && len(t.Encodings) < maxDepth {
			t.pipeline(a.start+i+2, a.start+j)
		}
	}
}

// inner looks at a command inside a word.
func (t *Text) inner(a *argument) {
	if len(t.Encodings) >= maxDepth || a.start < 0 {
		return
	}
	p := t.part(a.start, a.end, a.text, "shell")
	p.script(0, len(p.S))
}

// skipWrapper leaves out a program that runs another, with its options.
func skipWrapper(words []argument) []argument {
	words = words[1:]
	for len(words) > 0 {
		w := words[0].text
		if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") && !isNumber(strings.TrimRight(w, "smh")) {
			break
		}
		takes := w == "-u" || w == "-g" || w == "-n" || w == "-c" && len(words) > 1
		if w == "-c" || strings.Contains(w, "=") {
			break
		}
		words = words[1:]
		if takes && len(words) > 0 {
			words = words[1:]
		}
	}
	return words
}

func program(s string) string {
	s = strings.ReplaceAll(s, `\`, "/")
	return strings.TrimSuffix(strings.ToLower(path.Base(s)), ".exe")
}

// options looks at options whose name tells what they take: `--password X`,
// `--token=X`, `-storepass X`, `/pass:X`.
func (t *Text) options(words []argument) {
	names := t.scanner.detector.names
	first := 1
	if words[0].text != "" && words[0].text[0] == '-' {
		first = 0 // nothing but options
	}
	for i := first; i < len(words); i++ {
		w := &words[i]
		if len(w.text) < 3 || w.text[0] != '-' && w.text[0] != '/' && !strings.Contains(w.text, "=") {
			continue
		}
		option, value, joined := strings.Cut(w.text, "=")
		if !joined && w.text[0] == '/' {
			option, value, joined = strings.Cut(w.text, ":")
		}
		name := strings.TrimLeft(option, "-/")
		if !isOption(name) {
			continue
		}
		if _, last, found := strings.Cut(name, ":"); found {
			name = last // `http:password=…`
		}
		as := names.sortOf(name)
		if as == plain || as == never {
			continue
		}
		if joined {
			t.word(w, name, len(w.text)-len(value), len(w.text), as)
			continue
		}
		if as == hint && w.text[0] == '-' && i+1 < len(words) && strings.Contains(words[i+1].text, ":") && strings.Contains(strings.ToLower(name), "auth") {
			t.account(&words[i+1])
			continue
		}
		if as == hint || w.text[0] != '-' || len(name) < 3 && name != "pw" && !strings.HasPrefix(w.text, "--") || i+1 >= len(words) {
			continue
		}
		if next := &words[i+1]; !strings.HasPrefix(next.text, "-") || machineMade(next.text) && len(next.text) > 8 {
			t.word(next, name, 0, len(next.text), as)
			i++
		}
	}
}

// isOption reports whether s can be the name of an option, a variable or a
// header.
func isOption(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isWordByte(c) && c != '-' && c != '.' && c != ':' && c < 0x80 {
			return false
		}
	}
	return s != ""
}
