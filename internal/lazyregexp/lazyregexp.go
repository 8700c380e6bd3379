// Package lazyregexp compiles the regular expressions of a package on first
// use: pcat is often started once per file, and most runs need none of them.
//
// Only the moment of compilation belongs here; Ruby's expressions are in package rubyre.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled on first use. The zero value
// is the empty expression. It is safe for concurrent use.
type Regexp struct {
	text  string
	once  sync.Once
	value *regexp.Regexp
}

// New returns the expression in text, which it does not validate. It is simple
// enough for the compiler to initialize a package variable statically, at no
// cost at program start.
func New(text string) *Regexp { return &Regexp{text: text} }

// Get returns the compiled expression. Like [regexp.MustCompile], it panics if
// the expression is invalid.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.value = regexp.MustCompile(r.text) })
	return r.value
}
