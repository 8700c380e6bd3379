// Package lazyregexp compiles the regular expressions of a package when they are first used: pcat starts for
// each of many files, and most runs need none of them.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the expression in text, compiled at its first call. It panics when text
// is not valid, as [regexp.MustCompile] does. It is safe for concurrent use.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
