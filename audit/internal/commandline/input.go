package commandline

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// takesPassword reports whether a command reads a password from its standard input.
func takesPassword(words []argument) bool {
	if reads(program(words[0].text)) {
		return true
	}
	if p := program(words[0].text); (p == "docker" || p == "podman") && len(words) > 3 && words[1].text == "secret" && words[2].text == "create" && words[len(words)-1].text == "-" {
		return true
	}
	if len(words) > 1 && words[1].text == "load-key" {
		return true // of ZFS
	}
	for i := range words {
		switch words[i].text {
		case "davfs": // mounted
			return i > 0 && words[i-1].text == "-t"
		case "--stdin", "--with-token", "--passphrase-fd", "--key-file=-":
			return true
		case "-S":
			return program(words[0].text) == "sudo"
		}
		if i > 0 && isInput(words[i].text) && isSource(words[i-1].text) {
			return true
		}
		// `--password-stdin`, `--passwd-on-stdin`, `-o password_stdin,reconnect`
		if w := words[i].text; strings.Contains(w, "stdin") && strings.Contains(w, "pass") {
			return true
		}
	}
	return false
}

// isInput reports whether a word is the standard input, as the name of a file or a source of passwords.
func isInput(word string) bool {
	switch word {
	case "-", "/dev/stdin", "/dev/fd/0", "stdin", "fd:0", "file:/dev/stdin":
		return true
	}
	return false
}

// isSource reports whether a word says that the next one is the source of a secret: `--key-file`, `private-key`, `-passin`.
func isSource(word string) bool {
	name := strings.TrimLeft(strings.ToLower(word), "-")
	for _, suffix := range []string{"-file", "file", "-fd", "-in"} {
		name = strings.TrimSuffix(name, suffix)
	}
	if strings.Contains(name, "pub") {
		return false
	}
	for _, noun := range []string{"key", "password", "passphrase", "passwd", "pass", "passout", "passin", "secret", "token", "psk", "pin"} {
		if strings.HasSuffix(name, noun) {
			return true
		}
	}
	return false
}

// reads reports whether a program reads secrets from its standard input.
func reads(name string) bool {
	return slices.ContainsFunc(programs()[name], func(u usage) bool { return u.input })
}

// piped handles the output of echo or printf that is piped to a command that reads a
// password.
func (t *Text) piped(words, before []argument) {
	if p := program(before[0].text); p != "echo" && p != "printf" {
		return
	}
	for i := 1; i < len(before); i++ {
		w := &before[i]
		if strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "%") {
			continue
		}
		secret := strings.TrimSuffix(strings.TrimSuffix(w.text, `\n`), "\n")
		from := 0
		switch program(words[0].text) {
		case "chpasswd", "newusers":
			if j := strings.IndexByte(secret, ':'); j >= 0 {
				from = j + 1
			}
		case "debconf-set-selections":
			if from = lastWordOf(secret, " password "); from < 0 {
				continue
			}
		case "mount", "mount.davfs": // the user precedes the password
			from = lastWordOf(secret, `\n`)
			if i+1 < len(before) || from < 0 && i == 1 {
				continue
			}
			from = max(from, 0)
		case "vncpasswd", "smbpasswd", "pdbedit", "passwd":
			t.repeated(words, w, secret)
			continue
		}
		as := verdict.Password
		if program(words[0].text) == "su" {
			as = verdict.Token // the command that su runs may read the pipe
		}
		if from < len(secret) {
			t.word(w, program(words[0].text), from, len(secret), as)
		}
	}
}

// repeated judges the lines of a word, each of which is the password: `X\nX`.
func (t *Text) repeated(words []argument, w *argument, secret string) {
	for from := 0; from < len(secret); {
		line, _, _ := strings.Cut(secret[from:], `\n`)
		if line != "" {
			t.word(w, program(words[0].text), from, from+len(line), verdict.Password)
		}
		from += len(line) + len(`\n`)
	}
}

// pipedElsewhere handles the output of echo or printf that is piped to a program that no
// rule knows. It is a secret if it is one word that looks random.
func (t *Text) pipedElsewhere(words, before []argument) {
	if p := program(before[0].text); p != "echo" && p != "printf" {
		return
	}
	t.dialog(words, before)
	if isFilter(program(words[0].text)) {
		return
	}
	operands := slices.DeleteFunc(slices.Clone(before[1:]), func(w argument) bool { return strings.HasPrefix(w.text, "-") })
	if len(operands) != 1 {
		return
	}
	if secret := strings.TrimSuffix(operands[0].text, `\n`); isNameWithMarks(secret) && strings.Count(secret, ".") < 2 {
		t.word(&operands[0], program(words[0].text), 0, len(secret), verdict.Hint)
	}
}

// dialog handles the lines that are piped to a program which reads commands and answers: `enable\nX\nshow run`. The only line
// that looks like a password is one if it is no name, or given twice.
func (t *Text) dialog(words, before []argument) {
	reader := program(words[0].text)
	if reader != "nc" && reader != "openssl" && isFilter(reader) {
		return
	}
	for i := 1; i < len(before); i++ {
		w := &before[i]
		separator := `\n`
		if !strings.Contains(w.text, separator) {
			separator = "\n"
		}
		answer, at, from, n, repeated := "", 0, 0, 0, false
		for line := range strings.SplitSeq(w.text, separator) {
			if n++; verdict.LooksChosen(line) && !strings.ContainsAny(line, "/\\$`=:(){}<>|;&@, ") {
				if answer != "" && answer != line {
					return // a list
				}
				repeated = answer != ""
				answer, at = line, from
			}
			from += len(line) + len(separator)
		}
		if n < 2 || answer == "" || !repeated && !verdict.IsUnmistakable(answer) || n == 2 && at+len(answer)+len(separator) == len(w.text) {
			continue // one line
		}
		for from := 0; from+len(answer) <= len(w.text); {
			i := strings.Index(w.text[from:], answer)
			if i < 0 {
				break
			}
			t.word(w, reader, from+i, from+i+len(answer), verdict.ClassOfArgument(answer))
			from += i + len(answer)
		}
	}
}

// isFilter reports whether a program transforms, compares or stores its standard input.
func isFilter(program string) bool {
	return strings.HasSuffix(program, "sum") || strings.HasSuffix(program, "grep") || strings.HasSuffix(program, "zip") ||
		listed("awk base64 base32 basenc bc cat cut dd diff cmp file fold gpg gpgv head jq yq logger nc od openssl rev sed sort tail tee tr uniq wc xargs xxd xz apt-key sponge sh bash", program)
}

// lastWordOf returns the position after the last occurrence of mark, or -1.
func lastWordOf(s, mark string) int {
	i := strings.LastIndex(s, mark)
	if i < 0 {
		return -1
	}
	return i + len(mark)
}

// hereDocument handles the here-document of line S[start:stop] of a script that ends at
// end. The command may read a password from it, or write it to a file whose name reveals a
// secret. It returns the end of the document, or start if there is none.
func (t *Text) hereDocument(start, stop, end int) int {
	line := t.S[start:stop]
	at := strings.Index(line, "<<")
	rest := line[at+2:]
	if strings.HasPrefix(rest, "<") {
		return start // a here-string; see command
	}
	mark := strings.TrimLeft(rest, "-~ \t\"'\\")
	n := 0
	for n < len(mark) && alphabet.IsWordByte(mark[n]) {
		n++
	}
	mark = mark[:n]
	from := min(stop+1, end)
	to := from
	for mark != "" && to < end && to-from < maxCommand && strings.TrimLeft(t.S[to:min(lines.End(t.S, to), end)], " \t") != mark {
		to = min(lines.End(t.S, to)+1, end)
	}
	if mark == "" || to >= end || to == from || to-from >= maxCommand {
		return start
	}
	body := strings.TrimRight(t.S[from:to], "\r\n")
	if target := outputOf(strings.Fields(line)); target != "" {
		t.writtenAt(from, from+len(body), t.S[from:to], target)
	}
	words := readerOf(simple(line[:at]))
	if len(words) == 0 {
		return to
	}
	for start, stop := range lines.All(body) {
		if text := body[start:stop]; !strings.ContainsAny(text, "$`") {
			t.piped(words, []argument{{text: "echo"}, {text: text, start: from + start, end: from + stop}})
		}
		if p := program(words[0].text); p != "chpasswd" && p != "newusers" && p != "debconf-set-selections" {
			break // the first line is the password
		}
	}
	return to
}

// simple returns the words of the last simple command of a line.
func simple(line string) []argument {
	line = line[strings.LastIndexAny(line, "|;&(")+1:]
	var words []argument
	for i := 0; i < len(line) && len(words) < MaxWords; {
		if line[i] <= ' ' {
			i++
			continue
		}
		w := shellWord(line, i, len(line))
		words = append(words, w)
		i = max(w.end, i+1)
	}
	for len(words) > 1 && isVariable(words[0].text) {
		words = words[1:]
	}
	return words
}

// isVariable reports whether a word sets a variable for a command: `LC_ALL=C`.
func isVariable(word string) bool {
	name, _, found := strings.Cut(word, "=")
	return found && verdict.IsIdentifier(name)
}

// handed handles a process substitution whose output is read as a file: `kinit < <(echo
// X)`.
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

// isSubstitution reports whether a word is a process substitution in place of a file with a secret: `file:<(echo X)`,
// `--password-file=<(echo X)`, `account import <(echo X)`.
func isSubstitution(word, before string) bool {
	name, _, found := strings.Cut(word, "<(")
	switch {
	case !found:
		return false
	case name == "":
		return isSource(before) || before == "import"
	}
	return name == "file:" || strings.HasSuffix(name, "=") && isSource(name[:len(name)-1])
}

// written handles text that echo or printf writes to a file, directly or through another
// program: `echo X > FILE`.
func (t *Text) written(words []argument, before [][]argument) {
	list := make([]string, 0, 4)
	for i := range words {
		if w := words[i].text; len(list) > 0 || strings.HasPrefix(w, ">") || program(w) == "tee" {
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		return
	}
	target := outputOf(list)
	if target == "" {
		return
	}
	for _, by := range append(before, words) {
		if p := program(by[0].text); p != "echo" && p != "printf" {
			continue
		}
		for i := 1; i < min(len(by), maxGroup); i++ { // more words are a sentence
			w := &by[i]
			if strings.HasPrefix(w.text, ">") {
				break
			}
			if !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "%") && !w.live && w.start >= 0 {
				t.writtenAt(w.start, w.end, strings.ReplaceAll(w.text, `\n`, "\n"), target)
			}
		}
	}
}

// outputOf returns the name of the file that a command writes, or "" if it is unknown.
func outputOf(words []string) string {
	for i, w := range words {
		name := strings.TrimLeft(w, ">|")
		switch {
		case w == "":
			continue
		case program(w) == "tee", w[0] == '>' && name == "":
			for _, next := range words[i+1:] {
				if !strings.HasPrefix(next, "-") {
					name = next
					break
				}
			}
		case w[0] != '>':
			continue
		}
		name = strings.Trim(name, "\"'")
		if !strings.ContainsAny(name, "/.\\") || strings.HasPrefix(name, "&") || name == "/dev/null" || strings.ContainsAny(name, "$<|;") || program(w) == "tee" && name == w {
			return ""
		}
		return name
	}
	return ""
}

// writtenAt handles a text that a command writes to a file. S[start:end] represents the
// text.
func (t *Text) writtenAt(start, end int, text, file string) {
	if t.Depth < decode.MaxDepth {
		t.Sink.Write(start, end, text, file)
	}
}
