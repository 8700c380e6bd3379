// Package lazyregexp compiles the regular expressions of a package when they are first used: pcat starts for
// each of many files, and most runs need none of them.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled when it is first used. The zero value is that of the
// empty text. It is safe for concurrent use.
type Regexp struct {
	text  string
	once  sync.Once
	value *regexp.Regexp
}

// New returns the expression in text. It does so little that the compiler does it: a variable made of it
// costs nothing when a program starts.
func New(text string) *Regexp { return &Regexp{text: text} }

// Get returns the compiled expression. It panics when the text is not valid, as [regexp.MustCompile] does.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.value = regexp.MustCompile(r.text) })
	return r.value
}
