package detect

import (
	"path"
	"strings"
	"sync"
)

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
		manual: `md markdown rst adoc asciidoc pod ronn rdoc texi tex 1 2 3 4 5 6 7 8 changelog news authors`,
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
	case base == "readme", base == "changelog", base == "news":
		return manual
	case dot >= 0:
		if k, ok := suffixes()[base[dot+1:]]; ok {
			return k
		}
	}
	if isSourceProgram(text) {
		return source
	}
	return settings
}

// isSourceProgram reports whether the first line of a text names an interpreter that is not
// a shell.
func isSourceProgram(text string) bool {
	line, ok := strings.CutPrefix(text[:lineEnd(text, 0)], "#!")
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
