package detect

import (
	"path"
	"strings"
)

// kind tells what grammar a text has, as far as the name of its file or its
// first line tell.
type kind uint8

const (
	// settings is anything that may give values to names without quotes.
	settings kind = iota
	// source is a program: words without quotes are variables, functions and
	// types, never secrets.
	source
	// script is a program of a shell: its lines are commands.
	script
	// manual is a text for people: what it shows is an example, unless it
	// looks made by a machine.
	manual
)

// sourceSuffixes and manualSuffixes are the last parts of names of files.
const (
	sourceSuffixes = ` py pyi pyx rb rbs rake gemspec js mjs cjs ts tsx jsx go c h cc cpp cxx hh hpp cs java kt kts scala groovy swift rs lua
		pl pm t php vim el lisp clj cljs hs ml mli erl hrl ex exs r jl m mm d pas f90 awk aug proto asm s zig nim dart v vhd css scss less graphql gql vue svelte xsd wsdl `
	manualSuffixes = ` md markdown rst adoc asciidoc pod ronn rdoc texi tex 1 2 3 4 5 6 7 8 changelog news authors `
)

// scriptSuffixes are those of the programs of shells.
const scriptSuffixes = ` sh bash ksh zsh bat cmd ps1 `

// interpreters are those whose programs are sources; the words of a shell's are
// strings.
const interpreters = ` python python2 python3 ruby perl node nodejs php lua tclsh expect Rscript guile `

// kindOf tells what a text is that becomes the file of that name.
func kindOf(file, text string) kind {
	base := strings.ToLower(path.Base(strings.ReplaceAll(file, `\`, "/")))
	suffix := base[strings.LastIndexByte(base, '.')+1:]
	switch {
	case file == "" || suffix == "" || strings.Contains(suffix, " "):
	case suffix != base && strings.Contains(sourceSuffixes, " "+suffix+" ") || strings.Contains(sourceSuffixes, "\t"+suffix+" "):
		return source
	case suffix != base && strings.Contains(scriptSuffixes, " "+suffix+" "):
		return script
	case suffix != base && strings.Contains(manualSuffixes, " "+suffix+" "), base == "readme", base == "changelog", base == "news":
		return manual
	}
	if line, ok := strings.CutPrefix(text[:lineEnd(text, 0)], "#!"); ok {
		for w := range strings.FieldsSeq(line) {
			if name := path.Base(w); name != "env" {
				if strings.Contains(interpreters, " "+strings.TrimRight(name, "0123456789.")+" ") {
					return source
				}
				break
			}
		}
	}
	return settings
}
