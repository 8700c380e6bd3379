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
// here is only an error of [Regexp.Match], so that the value can still be
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

// compile returns the compiled expression.
func (v *Regexp) compile() (*rubyre.Regexp, error) {
	v.once.Do(func() { v.compiled, v.err = rubyre.Compile(v.source) })
	return v.compiled, v.err
}

// Match reports whether s contains a match. It returns an error if the
// expression cannot be compiled or takes too long.
func (v *Regexp) Match(s string) (bool, error) {
	r, err := v.compile()
	if err != nil {
		return false, err
	}
	return r.MatchString(s)
}

// FindSubmatchIndex returns the positions of the first match in s and of its groups, in pairs
// as in package regexp, -1 for a group that takes no part. It returns nil if there is no match,
// and an error as Match does.
func (v *Regexp) FindSubmatchIndex(s string) ([]int, error) {
	r, err := v.compile()
	if err != nil {
		return nil, err
	}
	return r.FindSubmatchIndex(s, 0)
}

// kind returns kindRegexp.
func (*Regexp) kind() Kind { return kindRegexp }

func (v *Regexp) String() string { return format(v) }

func (*Regexp) value() {}
