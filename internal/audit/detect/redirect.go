package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/decode"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// written handles text that echo or printf writes to a file, directly or through another
// program: `echo X > FILE`.
func (t commands) written(words []argument, before [][]argument) {
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

// fileAt searches a text as the content of the file name. S[start:end] represents the text.
func (t commands) fileAt(start, end int, text, name string) {
	if len(t.Encodings) >= decode.MaxDepth {
		return
	}
	p := t.part(start, end, text, "shell")
	p.path, p.kind = name, kindOf(name, text)
	files{p}.file()
	if end-start < verdict.MaxValue && strings.Contains(text, " ") {
		directives{p}.lines()
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
