package pcore

import (
	"errors"
	"fmt"
	"sync"

	"github.com/pcatdev/pcat/internal/ruby/rubyre"
)

// Regexp is a regular expression in Ruby syntax. The zero value is the empty
// expression. It is compiled on first use.
type Regexp struct {
	source string

	once     sync.Once
	compiled *rubyre.Regexp
	err      error
}

// NewRegexp returns the regular expression with the given source, the text
// between the slashes in the language. It does not check the source: see
// [ParseRegexp].
func NewRegexp(source string) *Regexp { return &Regexp{source: source} }

// ParseRegexp returns the regular expression with the given source, or an error
// if it is invalid in Ruby. A construct that is valid in Ruby but not supported
// here is only an error of [Regexp.Compile], so that the value can still be
// preserved.
func ParseRegexp(source string) (*Regexp, error) {
	var bad *rubyre.SyntaxError
	if err := rubyre.Check(source); errors.As(err, &bad) {
		return nil, fmt.Errorf("the regular expression cannot be read: %w", err)
	}
	return NewRegexp(source), nil
}

// Source returns the source of the expression, without slashes.
func (v *Regexp) Source() string { return v.source }

// Compile returns the compiled expression. The errors are those of package
// rubyre, such as *rubyre.SyntaxError and *rubyre.UnsupportedError.
func (v *Regexp) Compile() (*rubyre.Regexp, error) {
	v.once.Do(func() { v.compiled, v.err = rubyre.Compile(v.source) })
	return v.compiled, v.err
}

// Match reports whether s contains a match. It returns an error if the
// expression cannot be compiled or takes too long.
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
