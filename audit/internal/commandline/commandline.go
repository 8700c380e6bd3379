package commandline

import (
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/feature"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// Text is a text to search for command lines.
type Text struct {
	S     string
	Names *verdict.Vocabulary
	Has   *alphabet.Contained // the bytes that occur in S
	// Features are the features of S, or nil if they are unknown.
	Features *feature.Set
	// IsScript means that the lines are commands; IsSettings, that the text is no script, no
	// program and no text for people.
	IsScript, IsSettings bool
	Depth                int // number of encodings around the text
	Sink                 Sink
	Words                *Words

	// mentioned are the words that make a line a command line, as far as S contains them.
	mentioned mentioned
}

// mentioned are the words of command lines that a text contains.
type mentioned struct {
	command bool // that of Nagios
	echo    bool // with a blank behind it
	dash    bool // with a blank before it
	keys    bool // some of the keys of YAML that contain a command
	// executing is the message of Puppet about a command.
	executing bool
	options   []string // the beginnings of long options
}

// look notes the words of command lines that the text contains.
func (t *Text) look() {
	m := &t.mentioned
	m.command, m.echo = t.Features.Has(t.S, nagiosCommand), t.Features.Has(t.S, "echo ") && t.Has.Has('|')
	m.dash = t.Has.Has('-') && strings.Contains(t.S, " -")
	m.keys = slices.ContainsFunc(commandKeys, t.Features.May)
	m.executing = strings.Contains(t.S, executing)
	m.options = t.Words.options[:0]
	for _, mark := range optionMarks {
		if t.Features.Has(t.S, mark) {
			m.options = append(m.options, mark)
		}
	}
	t.Words.options = m.options
}

// optionMarks are the beginnings of long options.
var optionMarks = []string{" --", ">--", "CDATA[--"}

// nagiosCommand is the name of a command in the configuration of Nagios.
const nagiosCommand = "command_line"

// Sink takes the results of a search.
type Sink interface {
	// Judge takes a value.
	Judge(assign.Assignment)
	// Part returns the sink for the text that S[start:end] represents, the word of a command.
	Part(start, end int, text string) Sink
	// Write takes a text that a command writes to a file. S[start:end] represents the text.
	Write(start, end int, text, file string)
}

// Words are the words of the current command lines, the outermost first. Their memory is
// reused for the next text.
type Words struct {
	list    []argument
	options []string
}

// SearchScript searches the text as a script or a command.
func (t *Text) SearchScript() { t.script(0, len(t.S)) }

// SearchWord searches a command whose words are in a list. S is the word at the given
// position.
func (t *Text) SearchWord(list []string, at int) {
	words := make([]argument, len(list))
	for i, s := range list {
		words[i] = argument{text: s, start: -1}
	}
	words[at].start, words[at].end = 0, len(t.S)
	t.command(words, nil)
}

// SearchLines searches the command lines in a text: all lines of a script, and single lines
// that look like commands in other texts.
func (t *Text) SearchLines() {
	s := t.S
	if first := s[:lines.End(s, 0)]; strings.HasPrefix(first, "#!") && strings.Contains(first, "env -") {
		t.pipeline(len("#!"), len(first)) // `#!/usr/bin/env -S PGPASSWORD=X psql -f`
	}
	if t.IsScript || isScript(s) {
		t.script(0, len(s))
		return
	}
	t.look()
	t.embedded()
	block := 0 // least indentation of the commands below a key, or 0
	for start, end := range lines.All(s) {
		if t.mentioned.executing && end-start < maxCommand {
			if from, to := executed(s[start:end]); to > 0 {
				t.pipeline(start+from, start+to)
				continue
			}
		}
		if t.mentioned.keys {
			if at, below := yamlCommand(s[start:end]); at >= 0 && end-start < maxCommand {
				t.pipeline(start+at, start+len(strings.TrimRight(s[start:end], "\"' \t\r")))
				continue
			} else if below > 0 {
				block = below
				continue
			}
		}
		if block > 0 && strings.TrimSpace(s[start:end]) != "" {
			if lines.Indent(s[start:end]) < block {
				block = 0
			} else if end-start < maxCommand && !lines.IsComment(strings.TrimSpace(s[start:end])) {
				t.pipeline(start, end)
				continue
			}
		}
		switch line := s[start:end]; {
		case end-start >= maxCommand, t.list(start, end):
		case lines.IsComment(strings.TrimSpace(line)):
		case t.isCommandLine(line) && !verdict.IsSpoken(line):
			from, to := content(line)
			t.pipeline(start+from+commandStart(line[from:to]), start+to)
		default:
			if at := t.calledIn(line); at >= 0 {
				_, to := content(line)
				t.pipeline(start+at, start+to)
			}
		}
	}
	t.itemLists()
}

// content returns the part of a line between the tags of XML that begin and end it.
func content(line string) (from, to int) {
	for to = len(strings.TrimRight(line, " \t\r")); ; {
		inner, isData := strings.CutSuffix(line[:to], "]]>")
		if i := strings.LastIndex(line[:to], "</"); !isData && i >= 0 && strings.IndexByte(line[i:to], '>') == to-i-1 {
			inner = line[:i]
		}
		if inner = strings.TrimRight(inner, " \t"); len(inner) == to {
			break
		}
		to = len(inner)
	}
	if to == len(line) {
		return 0, to
	}
	for {
		at := from + lines.Indent(line[from:to])
		if strings.HasPrefix(line[at:to], cdata) {
			from = at + len(cdata)
			continue
		}
		i := strings.IndexByte(line[at:to], '>')
		if i < 0 || line[at] != '<' || !alphabet.IsLetter(line[at+1]) {
			return from, to
		}
		from = at + i + 1
	}
}

// list handles a command as a list of its words, which begins on line S[start:end], as in
// YAML, JSON and Dockerfiles: `["redis-cli", "-a", "X"]`. A list of strings may end on a
// line below. It reports whether there is such a list.
func (t *Text) list(start, end int) bool {
	s := t.S
	open := strings.IndexByte(s[start:end], '[')
	if open < 0 {
		return false
	}
	open += start
	if !isValue(s[start:open]) && t.isCommandLine(s[start:end]) {
		return false // brackets in a command
	}
	to := end
	if strings.IndexByte(s[open:end], ']') < 0 {
		n := strings.IndexByte(s[open:min(len(s), open+maxCommand)], ']')
		if n < 0 {
			n = end - open
		}
		to = open + n
	}
	if text := s[open:to]; !strings.Contains(text, ",") || strings.IndexByte(text, '-') < 0 {
		return false
	}
	return t.sequence(open+1, to)
}

// isValue reports whether the text before a bracket is empty, the mark of an element, a key,
// or the instruction of a Dockerfile, so that the bracket begins a value.
func isValue(before string) bool {
	before = strings.TrimSpace(before)
	switch before {
	case "", "-", "CMD", "ENTRYPOINT", "RUN", "SHELL", "HEALTHCHECK CMD":
		return true
	}
	name, isAssigned := strings.CutSuffix(before, "=")
	return strings.HasSuffix(before, ":") || isAssigned && verdict.IsName(strings.Trim(name, "$@ "))
}

// sequence handles a command as a list of its words, which begins at start and ends before
// end. It reports whether the list is one of words. A word without quotes ends on its line.
func (t *Text) sequence(start, end int) bool {
	all := &t.Words.list
	outer := len(*all)
	s := t.S
	for i := start; i < end && len(*all)-outer < MaxWords && s[i] != ']'; {
		switch c := s[i]; {
		case c <= ' ' || c == ',':
			i++
		case c == '"' || c == '\'':
			a, ok := assign.Quoted(s, i, i, end)
			if !ok || a.End-a.Start != len(a.Value) {
				i = end // contains escapes
				break
			}
			*all = append(*all, argument{text: a.Value, start: a.Start, end: a.End})
			i = a.End + 1
		default:
			j := i
			for j < end && s[j] != ',' && s[j] != ']' && s[j] != '\n' {
				j++
			}
			word := strings.TrimSpace(s[i:j])
			*all = append(*all, argument{text: word, start: i, end: i + len(word)})
			if i = j; j < end && s[j] == '\n' {
				i = end
			}
		}
	}
	is := t.words((*all)[outer:len(*all):len(*all)])
	*all = (*all)[:outer]
	return is
}

// words handles a command by its words. It reports whether they are those of a command.
func (t *Text) words(words []argument) bool {
	if len(words) > 1 && strings.HasPrefix(words[0].text, "CMD") {
		words = words[1:] // of a health check
	}
	if len(words) < 2 || !verdict.IsName(strings.ReplaceAll(words[0].text, "/", "")) && !isOption(words[0].text) {
		return false
	}
	t.command(words, nil)
	return true
}

// isOption reports whether a word is an option, perhaps with its value: `--host=X`.
func isOption(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return len(name) > 1 && name[0] == '-' && verdict.IsName(name)
}

// itemLists handles commands as lists of YAML with a word in each line:
//
//   - app
//   - --password
//   - X
func (t *Text) itemLists() {
	if !t.IsSettings || !t.Has.HasAll("- \n") || !slices.ContainsFunc(listMarks, func(mark string) bool { return t.Features.Has(t.S, mark) }) {
		return
	}
	all := &t.Words.list
	outer := len(*all)
	indent, hasOption := -1, false
	flush := func() {
		if hasOption {
			t.words((*all)[outer:len(*all):len(*all)])
		}
		*all = (*all)[:outer]
		indent, hasOption = -1, false
	}
	for start, end := range lines.All(t.S) {
		line := strings.TrimRight(t.S[start:end], " \t\r")
		text, isElement := strings.CutPrefix(strings.TrimLeft(line, " "), "- ")
		at := len(line) - len(text)
		if !isElement || text == "" || lines.Indent(line) != indent {
			flush()
		}
		if !isElement || text == "" || len(*all)-outer >= MaxWords {
			continue
		}
		indent = lines.Indent(line)
		w := argument{text: text, start: start + at, end: start + len(line)}
		if c := text[0]; c == '"' || c == '\'' {
			if a, ok := assign.Quoted(t.S, start+at, start+at, end); ok && a.End-a.Start == len(a.Value) {
				w = argument{text: a.Value, start: a.Start, end: a.End}
			}
		}
		hasOption = hasOption || isOption(w.text)
		*all = append(*all, w)
	}
	flush()
}

// listMarks begin an item of a list of YAML that is an option.
var listMarks = []string{"- -", "- \"-", "- '-"}

// isScript reports whether the first line of a text names a shell.
func isScript(s string) bool {
	line := s[:lines.End(s, 0)]
	return strings.HasPrefix(line, "#!") && strings.HasSuffix(strings.TrimRight(line, " -exu\r"), "sh")
}

// isCommandLine reports whether a line may be a command with a secret: it has long options,
// or pipes text to a command.
func (t *Text) isCommandLine(line string) bool {
	m := &t.mentioned
	return m.command && strings.Contains(line, nagiosCommand) || m.echo && strings.Contains(line, "echo ") && strings.IndexByte(line, '|') >= 0 ||
		lines.Mentions(line, m.options...) || beginsCommandLine(line) || isCron(line)
}

// beginsCommandLine reports whether the first word of a line says that it is a command.
func beginsCommandLine(line string) bool {
	if line == "" {
		return false
	}
	switch line[0] {
	case nrpeCommand[0]:
		return strings.HasPrefix(line, nrpeCommand)
	case squidHelper[0]: // and `alias`
		return strings.HasPrefix(line, squidHelper) || strings.HasPrefix(line, "alias ")
	case userParameter[0]:
		return strings.HasPrefix(line, userParameter)
	case 'R':
		return strings.HasPrefix(line, "RUN ")
	case 'E':
		return strings.HasPrefix(line, "Exec")
	case 'n':
		return strings.HasPrefix(line, "net use ")
	}
	return false
}

// programStart returns the position of the first word of a line that may be a program: behind the blanks, and behind the
// signs with which a shell traces a command, `++ mysql -uapp -pX`.
func programStart(line string) int {
	at := lines.Indent(line)
	traced := at
	for traced < len(line) && line[traced] == '+' {
		traced++
	}
	if traced > at && traced < len(line) && line[traced] == ' ' {
		return traced + 1
	}
	return at
}

// executing begins Puppet's message that it runs a command: `Executing: 'X'`, `Executing with uid=app: 'X'`, `Executing
// check 'X'`.
const executing = "Executing"

// executed returns the positions of the command in a line that is Puppet's message about it, or zeros.
func executed(line string) (from, to int) {
	const longestLevel = len("Warning: ")
	at := strings.Index(line, executing)
	if at < 0 || at > longestLevel || at > 0 && !strings.HasSuffix(line[:at], ": ") {
		return 0, 0
	}
	from = at + strings.IndexByte(line[at:], '\'') + 1
	to = len(strings.TrimRight(line, " \r"))
	if from <= at || to <= from || line[to-1] != '\'' {
		return 0, 0
	}
	return from, to - 1
}

// maxLead is the maximum number of words before the program in a line that is no command as a
// whole: the times and the user of a job, the name of a check, the keys of a list.
const maxLead = 9

// calledIn returns the position of a known program that a line calls, whatever else the line is: it
// is the first word, or has a path, or follows a separator. It returns -1 if there is none.
func (t *Text) calledIn(line string) int {
	at, separated := programStart(line), true
	lead := 1 // without options, only the first word is a program
	if t.mentioned.dash && strings.Contains(line, " -") {
		lead = maxLead
	}
	for range lead {
		n := blankIn(line[at:])
		if n < 0 {
			return -1 // without an argument
		}
		word := line[at : at+n]
		from := nameIn(word)
		if name := word[from:]; name != "" && (separated || from > 0 || strings.IndexByte(name, '/') >= 0) {
			if isKnown(name) || lead > 1 && isExecutable(name) && strings.Contains(line[at:], " -") {
				return at + from
			}
		}
		separated = isBeforeCommand(word)
		at += n + lines.Indent(line[at+n:])
	}
	return -1
}

// isKnown reports whether the table has the program that a word of a line calls, or the program has its own
// way to take a secret.
func isKnown(word string) bool {
	return callable().has(program(word))
}

// callable returns the names of the programs that the table has, or that have their own way to take a
// secret.
var callable = sync.OnceValue(func() *nameSet {
	all := new(nameSet)
	for name := range programs() {
		if name != "" {
			all.add(name)
		}
	}
	for name := range strings.FieldsSeq(specialPrograms) {
		all.add(name)
	}
	return all
})

// nameSet is a set of names.
type nameSet struct {
	list map[string]struct{}
	// lengths are the lengths of the names, by their first byte. Most words fail here.
	lengths [256]uint32
}

// add adds a name, which must not be empty.
func (n *nameSet) add(name string) {
	if n.list == nil {
		n.list = map[string]struct{}{}
	}
	n.list[name] = struct{}{}
	n.lengths[name[0]] |= 1 << min(len(name), 31)
}

func (n *nameSet) has(name string) bool {
	if name == "" || n.lengths[name[0]]>>min(len(name), 31)&1 == 0 {
		return false
	}
	_, ok := n.list[name]
	return ok
}

// blankIn returns the position of the first blank or tab in s, or -1.
func blankIn(s string) int {
	for i := range len(s) {
		if alphabet.IsBlank(s[i]) {
			return i
		}
	}
	return -1
}

// nameIn returns the position of the name of a program in a word, behind a separator or a bracket.
func nameIn(word string) int {
	for i := len(word); i > 0; i-- {
		switch word[i-1] {
		case '=', '"', '\'', '`', '(', ',', ':':
			return i
		}
	}
	return 0
}

// isBeforeCommand reports whether a command may follow a word: it ends with a separator, or runs the
// command.
func isBeforeCommand(word string) bool {
	if word == "" {
		return false
	}
	switch word[len(word)-1] {
	case ':', '=', '|', ';', '&', '!', '-', '{':
		return true
	}
	switch word {
	case "spawn", "do", "then", "else":
		return true
	}
	_, wraps := wrappers[word]
	return wraps
}

// isExecutable reports whether a path is that of a script, or of a file in a folder of programs.
func isExecutable(path string) bool {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return false
	}
	switch folder := path[strings.LastIndexByte(path[:i], '/')+1 : i]; folder {
	case "bin", "sbin", "libexec", "plugins":
		return true
	}
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "sh", "py", "pl", "rb", "exe", "bat", "ps1":
		return true
	}
	return false
}

// Calls reports whether a line of a text begins with a program that the table has, or with Puppet's message that it runs a
// command.
func Calls(s string) bool {
	for start, end := range lines.All(s) {
		line := s[start:end]
		if _, to := executed(line); to > 0 {
			return true
		}
		at := programStart(line)
		if n := blankIn(line[at:]); n > 0 && isKnown(line[at:at+n]) {
			return true
		}
	}
	return false
}

// nrpeCommand begins a line of the Nagios agent: `command[check_x]=…`.
const nrpeCommand = "command["

// squidHelper begins a line of Squid that names a program: `auth_param basic program
// /usr/lib/squid/basic_ldap_auth …`.
const squidHelper = "auth_param "

// userParameter begins a line of the Zabbix agent: a key, a comma, a command.
const userParameter = "UserParameter="

// isCron reports whether a line is a line of a crontab: five times, or one with a name, and a
// command behind them.
func isCron(line string) bool {
	if len(line) <= 12 || line[0] != '*' && line[0] != '@' && (line[0] < '0' || line[0] > '9') {
		return false
	}
	if line[0] == '@' || strings.Contains(line, " /") {
		return strings.Contains(line, " ")
	}
	n := 0
	for word := range strings.FieldsSeq(line) {
		if strings.Trim(word, "0123456789*/,-") != "" && (n < 3 || len(word) < 3 || strings.Trim(word, "0123456789,-") != word || !alphabet.IsLatin(strings.Map(withoutRange, word))) {
			break
		}
		n++
	}
	return n >= 5
}

// withoutRange removes the marks between the names of days and months in a crontab.
func withoutRange(r rune) rune {
	if r == '-' || r == ',' {
		return -1
	}
	return r
}

// commandStart returns the position of the command in a line: after the key of a unit, the
// instruction of a Dockerfile, or the times and the user of a crontab.
func commandStart(line string) int {
	if at := programStart(line); at > lines.Indent(line) {
		return at
	}
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
	if i := strings.Index(line, nagiosCommand); i >= 0 && i < 16 {
		return i + len(nagiosCommand)
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

// cronCommand returns the position of the command in a line of a crontab: after the times,
// and the user in a system crontab.
func cronCommand(line string) int {
	fields := 5
	if line[0] == '@' {
		fields = 1
	}
	at := 0
	next := func() string {
		for at < len(line) && alphabet.IsBlank(line[at]) {
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
	if _, known := programs()[w]; !known && verdict.IsName(w) && at+len(w) < len(line) {
		behind := at
		at += len(w)
		if second := next(); !strings.HasPrefix(second, "-") {
			return at
		}
		return behind
	}
	return at
}

// commandKeys are keys and elements that contain a command in configuration files.
var commandKeys = []string{"command", "commands", "script", "shell", "cmd", "run", "exec", "entrypoint"}

// embedded finds the commands in a text that is no script.
func (t *Text) embedded() {
	if !t.IsSettings {
		return
	}
	if t.Has.Has('<') {
		t.elements()
	}
	if t.Has.Has('"') && t.Has.Has(':') {
		t.members()
	}
	if t.Has.HasAll(`"|:`) {
		t.changed()
	}
}

// changed finds the commands in quotes that change passwords, as elements of lists: `["echo app:X | chpasswd"]`.
func (t *Text) changed() {
	const mark, open = `| chpasswd"`, `"echo `
	for i := range lines.Occurrences(t.S, mark) {
		from := max(0, i-lines.Reach)
		if n := strings.LastIndexByte(t.S[from:i], '"'); n >= 0 && strings.HasPrefix(t.S[from+n:], open) {
			t.pipeline(from+n+1, i+len(mark)-1)
		}
	}
}

// elements finds the commands that are the content of an element of XML.
func (t *Text) elements() {
	s := t.S
	for _, key := range commandKeys {
		end := 0 // of the last command
		element := "<" + key + ">"
		if !t.Features.May(element) {
			continue
		}
		for i := range lines.Occurrences(s, element) {
			start := i + len(key) + 2
			if i < end {
				continue
			}
			limit, mark := min(len(s), start+maxCommand), "</"
			if text := strings.TrimLeft(s[start:limit], " \t\r\n"); strings.HasPrefix(text, cdata) {
				start, mark = limit-len(text)+len(cdata), "]]>"
			}
			if n := strings.Index(s[start:limit], mark); n >= 0 {
				end = start + n
				t.script(start, end)
			}
		}
	}
}

// cdata begins a section of XML without markup, which ends with `]]>`.
const cdata = "<![CDATA["

// members finds the commands that are the value of a key of YAML or JSON.
func (t *Text) members() {
	s := t.S
	for _, key := range commandKeys {
		end := 0 // of the last command
		member := `"` + key + `"`
		if !t.Features.May(member) {
			continue
		}
		for i := range lines.Occurrences(s, member) {
			from := i + len(key) + 2
			if i < end {
				continue
			}
			rest := strings.TrimLeft(s[from:min(len(s), from+verdict.MaxName)], " \t")
			if rest == "" || rest[0] != ':' {
				continue
			}
			if value := strings.TrimLeft(rest[1:], " \t"); value != "" && value[0] == '"' {
				q := min(len(s), from+verdict.MaxName) - len(value)
				if a, ok := assign.Quoted(s, q, q, len(s)); ok && strings.Contains(a.Value, " ") {
					end = a.End
					t.pipeline(a.Start, a.End)
				}
			}
		}
	}
}

// yamlCommand returns the position of the command in a line of YAML, `command: X`, or -1.
// If the command is a block below the line, block is its least indentation.
func yamlCommand(line string) (at, block int) {
	item := strings.TrimLeft(line, " -")
	indent := len(line) - len(item)
	key, rest, found := strings.Cut(item, ":")
	if !found || !slices.Contains(commandKeys, key) {
		return -1, 0
	}
	value := strings.TrimLeft(rest, " ")
	switch {
	case value == "" || len(value) == len(rest) || value[0] == '[' || value[0] == '{':
		return -1, 0
	case value[0] == '|' || value[0] == '>':
		return -1, indent + 1
	case value[0] == '"' || value[0] == '\'':
		value = value[1:]
	}
	return len(line) - len(value), 0
}
