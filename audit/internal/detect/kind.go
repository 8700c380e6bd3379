package detect

import (
	"path"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// flow is the use of a text.
type flow uint8

const (
	// value is a text whose use is unknown.
	value flow = iota
	// content is the content of a file, or a part of it.
	content
	// command is a command that Puppet runs.
	command
	// environment is a list of environment variables.
	environment
)

// flowOf returns the use of a leaf, by its parameter.
func flowOf(l *leaf.Leaf) flow {
	if l.Kind == leaf.Title && l.Resource.Type == "Exec" {
		return command // a resource with a command of its own does not run its title, but the search is harmless
	}
	if !l.InParameter() {
		return value
	}
	if l.IsInDiff() || l.IsOutput() {
		return content
	}
	switch l.Parameter() {
	case "command", "unless", "onlyif", "refresh", "start", "stop", "restart", "status", "exec", "validate_cmd",
		"command_line", "arguments", "post_command", "pre_command", "prerun", "postrun", "refresh_command", "script", "cmd", "run", "execstart", "postrotate", "prerotate", "firstaction", "lastaction":
		return command
	case "history", "shell_history", "bash_history", "crontab", "crontabs", "cmdline":
		return command // of a fact
	case "environment", "env", "environments":
		return environment
	case "content", "source_content", "data", "template", "body", "text", "line", "lines", "user_data", "userdata", "inline":
		return content
	}
	if d, _ := l.Deferred(); d != nil {
		return content
	}
	if l.Name() == "content" {
		return content // `files => { '/etc/x' => { content => … } }`
	}
	// `proxy_cmd`, `backup_command`, and `ExecStart` in the Hash of a unit.
	name := l.Name()
	if name == "cmdline" || name == "exec" {
		return command
	}
	if strings.HasSuffix(name, "command") && name != "check_command" || strings.HasSuffix(name, "_cmd") || strings.HasPrefix(name, "cmd_") || strings.HasPrefix(name, "ExecSt") {
		return command
	}
	return value
}

// IsCommandLine reports whether a leaf is a command that Puppet or a service runs, so that the
// list of processes shows it. Environments and scripts are none.
func IsCommandLine(l *leaf.Leaf) bool {
	switch l.Parameter() {
	case "script", "postrotate", "prerotate", "firstaction", "lastaction":
		return false
	}
	return flowOf(l) == command
}

// id returns the rule for a secret that is not the value of a parameter as a whole.
func (t *Text) id() string {
	if d, _ := t.leaf.Deferred(); d != nil {
		return "deferred-cleartext-argument"
	}
	if t.flow == command || t.flow == environment {
		return "secret-in-command"
	}
	return "secret-in-content"
}

// kind is the kind of a file, by its name or its first line.
type kind uint8

const (
	// settings is a file that may assign values to names without quotes.
	settings kind = iota
	// source is a program. Words without quotes are variables, functions and types, never
	// secrets.
	source
	// script is a shell script. Its lines are commands.
	script
	// manual is a text for people. Its values are examples, unless they look random.
	manual
)

// suffixes returns the kinds by the suffix of the file name.
var suffixes = sync.OnceValue(func() map[string]kind {
	kinds := map[string]kind{}
	for k, list := range map[kind]string{
		source: `py pyi pyx rb rbs rake gemspec js mjs cjs ts tsx jsx go c h cc cpp cxx hh hpp cs java kt kts scala groovy swift rs lua
			pl pm t php vim el lisp clj cljs hs ml mli erl hrl ex exs r jl m mm d pas f90 awk aug proto asm s zig nim dart v vhd css scss less graphql gql vue svelte xsd wsdl`,
		script: `sh bash ksh zsh bat cmd ps1`,
		manual: `md markdown rst adoc asciidoc pod ronn rdoc texi tex 1 2 3 4 5 6 7 8 changelog news authors po pot mo gmo htm html xhtml twig haml slim`,
	} {
		for suffix := range strings.FieldsSeq(list) {
			kinds[suffix] = k
		}
	}
	return kinds
})

// kindOf returns the kind of a file.
func kindOf(file, text string) kind {
	base := strings.ToLower(path.Base(strings.ReplaceAll(file, `\`, "/")))
	switch dot := strings.LastIndexByte(base, '.'); {
	case isDocument(base), isTranslation(file) && !hasPassword(text):
		return manual
	case strings.HasPrefix(text, "<html>") && strings.HasPrefix(strings.TrimLeft(text[len("<html>"):], " \r\n"), "<pre>"):
		return settings // of a telephone
	case strings.HasSuffix(base, ".ini.php"), strings.HasSuffix(base, ".ini.append.php"):
		return settings // in a comment, so that a web server shows nothing
	case dot >= 0:
		extension := base[dot+1:]
		if k, ok := suffixes()[extension]; ok {
			if k == source && verdict.HasMessages(text) {
				return manual // `'password' => 'Passwort'`
			}
			return k
		}
		if extension != "" && suffixes()[extension[:1]] == manual && alphabet.IsLatin(extension[1:]) {
			return manual // of a section of the manual: `passwd.1ssl`
		}
	}
	switch {
	case isSourceProgram(text):
		return source
	case verdict.IsForPeople(text):
		return manual
	}
	return settings
}

// isDocument reports whether a file is a text for people by a word of its name: `2-changelog`,
// `README-P2P`, `NEWS.Debian`. A file of settings or a program is none: `install.sh`.
func isDocument(base string) bool {
	n, last, says := 0, "", false
	for part := range strings.FieldsFuncSeq(base, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ' ' }) {
		n, last = n+1, part
		switch part {
		case "rst", "adoc", "readme", "changelog", "changes", "news", "install", "copying", "license", "licence", "authors", "copyright", "faq", "howto", "manpage":
			says = true
		}
	}
	if !says {
		return false
	}
	if k, known := suffixes()[last]; known && k != manual && n > 1 {
		return false
	}
	switch last {
	case "conf", "cfg", "cnf", "config", "yaml", "yml", "json", "ini", "toml", "xml", "properties", "env", "sql", "service":
		return false
	}
	return true
}

// hasPassword reports whether a value of a list of settings is unmistakably a password, which no translation is.
func hasPassword(text string) bool {
	const most = 64 << 10
	for line := range strings.Lines(text[:min(len(text), most)]) {
		if _, value, found := strings.Cut(line, " = "); found || strings.Contains(line, ": ") {
			if !found {
				_, value, _ = strings.Cut(line, ": ")
			}
			if value = strings.Trim(value, " \r\n\"',;"); verdict.IsDrawnOrMarked(value) || verdict.IsMarkedWord(value) {
				return true
			}
		}
	}
	return false
}

// isTranslation reports whether a file is a list of translations by its folder.
func isTranslation(file string) bool {
	_, rest, _ := strings.Cut(file, "/")
	for {
		folder, more, found := strings.Cut(rest, "/")
		if !found {
			return false
		}
		switch folder {
		case "locale", "locales", "i18n", "l10n", "translations", "lang", "langs", "LC_MESSAGES":
			return true
		}
		rest = more
	}
}

// isSourceProgram reports whether the first line of a text names an interpreter that is not
// a shell.
func isSourceProgram(text string) bool {
	line, ok := strings.CutPrefix(text[:lines.End(text, 0)], "#!")
	if !ok {
		return false
	}
	for w := range strings.FieldsSeq(line) {
		switch strings.TrimRight(path.Base(w), "0123456789.") {
		case "env":
		case "python", "ruby", "perl", "node", "nodejs", "php", "lua", "tclsh", "expect", "Rscript", "guile":
			return true
		default:
			return false
		}
	}
	return false
}
