package detect

import (
	"slices"
	"strings"
)

// takesPassword reports whether a command reads a password from its input.
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
		// `--password-stdin`, `--passwd-on-stdin`, `-o password_stdin,reconnect`
		if w := words[i].text; strings.Contains(w, "stdin") && strings.Contains(w, "pass") {
			return true
		}
	}
	return false
}

// reads reports whether a program is one that reads secrets.
func reads(name string) bool {
	return slices.ContainsFunc(programs()[name], func(u usage) bool { return u.input })
}

// piped looks at what echo or printf gives to a command that reads a password.
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
		case "mount", "mount.davfs": // the user stands before it
			from = lastWordOf(secret, `\n`)
			if i+1 < len(before) || from < 0 && i == 1 {
				continue
			}
			from = max(from, 0)
		case "vncpasswd", "smbpasswd", "pdbedit", "passwd":
			// The password twice.
			secret, _, _ = strings.Cut(secret, `\n`)
		}
		as := password
		if program(words[0].text) == "su" {
			as = token // what is piped may be for the command that it runs
		}
		if from < len(secret) {
			t.word(w, program(words[0].text), from, len(secret), as)
		}
	}
}

// lastWordOf returns where the value begins that follows mark, -1 when there is
// none.
func lastWordOf(s, mark string) int {
	i := strings.LastIndex(s, mark)
	if i < 0 {
		return -1
	}
	return i + len(mark)
}

// hereDocument looks at what a line of a script gives to a command, in the lines
// below: S[start:stop] is the line, the script ends at end. A command may read a
// password there, or write the text to a file whose name says what it is. It
// returns where the document ends, and start when there is none.
func (t *Text) hereDocument(start, stop, end int) int {
	line := t.S[start:stop]
	at := strings.Index(line, "<<")
	rest := line[at+2:]
	if strings.HasPrefix(rest, "<") {
		return start // a word, see command
	}
	mark := strings.TrimLeft(rest, "-~ \t\"'\\")
	n := 0
	for n < len(mark) && isWordByte(mark[n]) {
		n++
	}
	mark = mark[:n]
	from := min(stop+1, end)
	to := from
	for mark != "" && to < end && to-from < maxCommand && strings.TrimLeft(t.S[to:min(lineEnd(t.S, to), end)], " \t") != mark {
		to = min(lineEnd(t.S, to)+1, end)
	}
	if mark == "" || to >= end || to == from || to-from >= maxCommand {
		return start
	}
	body := strings.TrimRight(t.S[from:to], "\r\n")
	if target := outputOf(strings.Fields(line)); target != "" {
		t.fileAt(from, from+len(body), t.S[from:to], target)
	}
	words := simple(line[:at])
	if len(words) == 0 || !takesPassword(words) {
		return to
	}
	for start, stop := range linesOf(body) {
		if text := body[start:stop]; !strings.ContainsAny(text, "$`") {
			t.piped(words, []argument{{text: "echo"}, {text: text, start: from + start, end: from + stop}})
		}
		if p := program(words[0].text); p != "chpasswd" && p != "newusers" && p != "debconf-set-selections" {
			break // the password is what is read first
		}
	}
	return to
}

// simple returns the words of the last simple command of a line, without those
// that run it as somebody else.
func simple(line string) []argument {
	line = line[strings.LastIndexAny(line, "|;&(")+1:]
	var words []argument
	for w := range strings.FieldsSeq(line) {
		words = append(words, argument{text: w})
	}
	for len(words) > 1 && program(words[0].text) == "sudo" && words[1].text != "-S" {
		words = skipWrapper(words)
	}
	return words
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
