package commandline

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// Limits for a command line.
const (
	maxGroup   = 8 // commands in parentheses
	MaxWords   = 256
	maxCommand = 16 << 10
)

// script searches the lines of a script or a command in S[start:end].
func (t *Text) script(start, end int) {
	s := t.S
	below, open := start, 0 // end of the last here-document, and number of unterminated ones
	for start < end {
		stop := start
		for stop < end && stop-start < maxCommand && (s[stop] != '\n' || stop > start && s[stop-1] == '\\') {
			stop++
		}
		stop = t.scriptEnd(start, stop, end)
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

// scriptEnd returns the end of the line S[start:stop], which may continue behind a script in quotes that it opens: `sh -c
// 'first line`. The text ends at end.
func (t *Text) scriptEnd(start, stop, end int) int {
	const mark = "-c "
	if stop == end || !t.Has.HasAll(mark) {
		return stop
	}
	at := strings.Index(t.S[start:stop], mark)
	if at < 0 || start+at+len(mark) >= stop || !runsScript(t.S[start:start+at]) {
		return stop
	}
	at += start + len(mark)
	quote := t.S[at]
	if quote != '\'' && quote != '"' || strings.IndexByte(t.S[at+1:stop], quote) >= 0 {
		return stop
	}
	n := strings.IndexByte(t.S[stop:min(end, start+maxCommand)], quote)
	if n < 0 {
		return stop
	}
	return min(lines.End(t.S, stop+n), end)
}

// runsScript reports whether words before the option -c call a shell, and none of them begins a quote or a comment.
func runsScript(before string) bool {
	if strings.ContainsAny(before, "\"'`#;|&$(") {
		return false
	}
	for w := range strings.FieldsSeq(before) {
		if listed("sh bash dash ksh zsh su runuser ssh", program(w)) {
			return true
		}
	}
	return false
}

// pipeline splits a line into simple commands and searches each.
func (t *Text) pipeline(start, end int) {
	var rooms [2][maxGroup][]argument
	last, group := rooms[0][:0], rooms[1][:0] // the commands before a pipe, and the commands in parentheses
	// The words of the line follow the words of the lines around it.
	all := &t.Words.list
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
		if c == '|' && len(last) > 0 && len(words) > 0 && converts(program(words[0].text)) {
			return // the text goes on
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
				c = ';' // part of `||`, which is not a pipe
			}
			flush(c)
			i++
		case c == '#' && len(*all) > first:
			i = end
		default:
			w := shellWord(t.S, i, end)
			if len(*all)-first < MaxWords {
				*all = append(*all, w)
			}
			i = max(w.end, i+1)
		}
	}
	flush(0)
	*all = (*all)[:outer]
}

// word judges text[from:to] of a word as the value of a name.
func (t *Text) word(a *argument, name string, from, to int, as verdict.NameClass) {
	value := a.text[from:to]
	if a.start < 0 || value == "" {
		return // another element of the Array, or a quote that is never closed
	}
	if a.live && strings.ContainsAny(value, "$`") && !strings.Contains(value, "$6$") {
		return
	}
	if redirects(value) || strings.HasPrefix(value, "[-") {
		return // the next option in a usage
	}
	t.Sink.Judge(assign.Assignment{Name: name, Value: value, Start: a.at(from), End: a.to(to), Quoted: true, Class: as})
}

// whole judges a word as the value of a name.
func (t *Text) whole(w *argument, name string, as verdict.NameClass) {
	t.word(w, name, 0, len(w.text), as)
}

// redirects reports whether a word redirects output: `2>/dev/null`.
func redirects(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, "12&"), ">")
}

// command searches one simple command. The commands in before are piped to it.
func (t *Text) command(words []argument, before [][]argument) {
	words = t.variables(words)
	whole := withoutShell(words)
	if len(whole) == 1 && len(words) > 1 && strings.Contains(whole[0].text, " ") {
		t.inner(&whole[0]) // `cmd.exe /c "net user app X"`
		return
	}
	words = whole
	for n := 0; n != len(words); { // `env PGPASSWORD=X sudo psql`
		if n = len(words); n > 1 && t.splitString(words) {
			return
		}
		words = t.variables(withoutWrappers(words))
	}
	if len(words) == 0 || len(words) > 1 && strings.EqualFold(words[0].text, "set") && strings.EqualFold(words[1].text, "/p") {
		return // the value is a prompt: `set /p PASSWORD=Your password: `
	}
	name := program(words[0].text)
	if name == "alias" && len(words) > 1 {
		if alias, _, found := strings.Cut(words[1].text, "="); found {
			t.within(&words[1], len(alias)+1)
		}
	}
	for i := range words {
		t.substituted(&words[i])
	}
	t.options(words)
	t.program(name, words[1:])
	t.written(words, before)
	t.behind(words)
	reader := readerOf(whole)
	reads := len(reader) > 0
	for _, b := range before {
		if reads {
			t.piped(reader, b)
		} else {
			t.pipedElsewhere(words, b)
		}
	}
	for i := 1; i < len(words); i++ {
		w, option := &words[i], words[i-1].text
		switch {
		case strings.Contains(w.text, "/") && listed("--params --parameters --package-parameters --install-arguments", option):
			t.optionsIn(w, 0)
		case strings.Contains(w.text, " ") && (runsElsewhere(name) || listed("-c -e -q -Q -x -Command -command --command --execute --eval", option)):
			t.inner(w) // a quoted command: `sh -c '…'`, `su - x -c "…"`
		}
		switch {
		case w.live && option == "<" && reads:
			t.handed(w, reader)
		case w.live && isSubstitution(w.text, option):
			t.handed(w, words)
		case option == "<<<" && reads && strings.Contains(w.text, ":"):
			t.account(w)
		case option == "<<<" && reads:
			t.whole(w, reader[0].text, verdict.Password)
		}
	}
}

// variables judges the variables that are set for a command, and returns the words after
// them: `PGPASSWORD=X psql`.
func (t *Text) variables(words []argument) []argument {
	for len(words) > 0 {
		w := &words[0]
		name, value, found := strings.Cut(w.text, "=")
		if !found || !verdict.IsIdentifier(name) {
			break
		}
		if as := t.Names.ClassOf(name); as.May() && !strings.HasPrefix(value, "(") { // a list has its own rule
			t.word(w, name, len(w.text)-len(value), len(w.text), as)
		}
		if strings.Contains(value, " -") || strings.HasPrefix(value, "-") {
			t.optionsIn(w, len(name)+1) // `DAEMON_OPTS="…"`
		}
		t.substituted(w) // `hash=$(openssl passwd X)`
		words = words[1:]
	}
	return words
}

// withoutShell returns a command without the Windows shell that runs it, and without a
// PowerShell variable that its output is assigned to.
func withoutShell(words []argument) []argument {
	if len(words) > 1 && strings.EqualFold(words[0].text, "/c") {
		words = words[1:]
	}
	if len(words) > 2 && strings.HasPrefix(words[0].text, "$") && words[1].text == "=" {
		words = words[2:]
	}
	if len(words) > 2 && program(words[0].text) == "cmd" && strings.EqualFold(words[1].text, "/c") {
		words = words[2:]
	}
	return words
}

// within searches the command in text[from:] of a word.
func (t *Text) within(a *argument, from int) {
	if start, end := a.at(from), a.to(len(a.text)); a.start >= 0 && end-start == len(a.text)-from && t.Depth < decode.MaxDepth {
		t.pipeline(start, end)
	}
}

// behind searches a command that another command runs elsewhere: after `--`, or in a
// container.
func (t *Text) behind(words []argument) {
	words = elsewhere(words)
	if len(words) == 0 || slices.ContainsFunc(words, func(w argument) bool { return w.text == "--" || w.text == "exec" }) {
		return // each nested command would be searched once for each command around it
	}
	t.command(words, nil)
}

// substituted searches the command of a command substitution in a word: `$(openssl passwd
// X)`.
func (t *Text) substituted(a *argument) {
	if !a.live || a.start < 0 {
		return
	}
	word := t.S[a.start:a.end]
	if strings.Count(word, "$(")+strings.Count(word, "<(") > maxGroup {
		return // each nested command would be searched once for each command around it
	}
	i := strings.Index(word, "$(")
	if i < 0 {
		i = strings.Index(word, "<(")
	}
	if i >= 0 {
		if j := strings.LastIndexByte(word, ')'); j > i && t.Depth < decode.MaxDepth {
			t.pipeline(a.start+i+2, a.start+j)
		}
	}
}

// inner searches a command inside a word.
func (t *Text) inner(a *argument) {
	if t.Depth >= decode.MaxDepth || a.start < 0 {
		return
	}
	p := *t
	p.S, p.Features, p.Depth, p.Sink = a.text, nil, t.Depth+1, t.Sink.Part(a.start, a.end, a.text)
	p.script(0, len(p.S))
}

// program returns the name of the program that a word calls, in lower case.
func program(s string) string {
	if from, ok := plainName(s); ok {
		return strings.TrimSuffix(s[from:], ".exe")
	}
	s = strings.ReplaceAll(s, `\`, "/")
	return strings.TrimSuffix(strings.ToLower(path.Base(s)), ".exe")
}

// plainName returns the position of the last part of a path, if it needs no conversion: it is neither
// empty nor has it capitals, other characters than those of ASCII, or a backslash.
func plainName(s string) (from int, ok bool) {
	for from = len(s); from > 0 && s[from-1] != '/'; from-- {
		if c := s[from-1]; c == '\\' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf {
			return 0, false
		}
	}
	return from, from < len(s)
}

// converts reports whether a program passes its input on in another form.
func converts(program string) bool {
	return listed("xxd base64 tr rev cat tee", program)
}
