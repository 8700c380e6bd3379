package pcore

import (
	"errors"
	"fmt"
	"sync"

	"github.com/pcatdev/pcat/pcore/rubyre"
)

// Regexp is a regular expression in Ruby's syntax. The zero value is the empty
// one. It is compiled when it is first used.
type Regexp struct {
	source string

	once     sync.Once
	compiled *rubyre.Regexp
	err      error
}

// NewRegexp returns the regular expression with the given source, which stands
// between the slashes in the language. The source is not looked at: see
// [ParseRegexp].
func NewRegexp(source string) *Regexp { return &Regexp{source: source} }

// ParseRegexp returns the regular expression with the given source, and an
// error when Ruby would refuse it. A construct that Ruby knows, and that cannot
// be carried over to Go, is no error here but of [Regexp.Compile]: the value is
// carried through all the same.
func ParseRegexp(source string) (*Regexp, error) {
	var bad *rubyre.SyntaxError
	if err := rubyre.Check(source); errors.As(err, &bad) {
		return nil, fmt.Errorf("the regular expression cannot be read: %w", err)
	}
	return NewRegexp(source), nil
}

// Source returns the text of the expression without slashes.
func (v *Regexp) Source() string { return v.source }

// Compile returns what runs the expression. The errors are those of package
// rubyre, *rubyre.SyntaxError and *rubyre.UnsupportedError among them.
func (v *Regexp) Compile() (*rubyre.Regexp, error) {
	v.once.Do(func() { v.compiled, v.err = rubyre.Compile(v.source) })
	return v.compiled, v.err
}

// Match reports whether the expression is found in s. It is an error when the
// expression cannot be run, or takes too long.
func (v *Regexp) Match(s string) (bool, error) {
	r, err := v.Compile()
	if err != nil {
		return false, err
	}
	return r.MatchString(s)
}

// Kind returns KindRegexp.
func (*Regexp) Kind() Kind { return KindRegexp }

func (v *Regexp) String() string { return format(v) }

func (*Regexp) value() {}
