package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/commandline"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// commands finds the secrets that command lines pass to programs.
type commands struct{ *Text }

func (t commands) search() {
	switch {
	case t.flow == command:
		if list, _ := t.leaf.Element(); list != nil && list.Len() > 1 && len(t.Encodings) == 0 && !strings.Contains(t.S, " ") {
			return // a word of a command; see argv
		}
		t.commandLines().SearchScript()
	case t.kind == script || t.has.Has('-') || t.has.Has('|') || t.has.Has('<') || t.has.Has('\\') || t.has.Has(' ') && commandline.Calls(t.S):
		t.commandLines().SearchLines()
	}
}

// commandLines returns the text as one to search for command lines.
func (t commands) commandLines() *commandline.Text {
	return &commandline.Text{
		S: t.S, Names: t.names(), Has: &t.has, Features: t.features, IsScript: t.kind == script, IsSettings: t.kind == settings,
		Depth: len(t.Encodings), Sink: t, Words: &t.scanner.commands,
	}
}

// Judge judges a value.
func (t commands) Judge(a assign.Assignment) { t.judge(a) }

// Part returns the sink for the text that S[start:end] represents.
func (t commands) Part(start, end int, text string) commandline.Sink {
	return commands{t.part(start, end, text, "shell")}
}

// Write searches a text as the content of a file. S[start:end] represents the text.
func (t commands) Write(start, end int, text, file string) {
	p := t.part(start, end, text, "shell")
	p.path, p.kind = file, kindOf(file, text)
	files{p}.file()
	if end-start < verdict.MaxValue && strings.Contains(text, " ") {
		directives{p}.lines()
	}
}
