package detect

import "strings"

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
	for start := 0; start < len(body); {
		stop := lineEnd(body, start)
		if text := body[start:stop]; !strings.ContainsAny(text, "$`") {
			t.piped(words, []argument{{text: "echo"}, {text: text, start: from + start, end: from + stop}})
		}
		if p := program(words[0].text); p != "chpasswd" && p != "newusers" && p != "debconf-set-selections" {
			break // the password is what is read first
		}
		start = stop + 1
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

// written looks at what echo or printf writes to a file: `echo X > FILE`, also
// by way of another program.
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
				t.fileAt(w.start, w.end, strings.ReplaceAll(w.text, `\n`, "\n"), target)
			}
		}
	}
}

// fileAt looks at S[start:end], which spells the text of a file of that name.
func (t *Text) fileAt(start, end int, text, name string) {
	if len(t.Encodings) >= maxDepth {
		return
	}
	p := t.part(start, end, text, "shell")
	p.path, p.kind = name, kindOf(name, text)
	p.file()
	if end-start < maxValue && strings.Contains(text, " ") {
		p.directives()
	}
}

// outputOf returns the name of the file to which a command writes, empty when it
// is not told.
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
