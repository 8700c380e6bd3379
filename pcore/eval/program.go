package eval

import "github.com/pcatdev/pcat/internal/syntax"

// Program is a parsed program, which can be evaluated many times. It is immutable
// and safe for concurrent use; make one with [Parse].
type Program struct{ parsed *syntax.Program }

// Parse parses a program as Puppet 8 does. file names the source in errors; it
// may be empty. The error is of type [SyntaxErrors].
func Parse(file, src string) (*Program, error) {
	p, err := syntax.ParseProgram(file, src)
	if err != nil {
		return nil, err
	}
	return &Program{p}, nil
}

// Template is a parsed EPP template, which can be evaluated many times. It is
// immutable and safe for concurrent use; make one with [ParseTemplate].
type Template struct{ parsed *syntax.EPP }

// ParseTemplate parses an EPP template as Puppet 8 does. file names the source in
// errors; it may be empty. The error is of type [SyntaxErrors].
func ParseTemplate(file, src string) (*Template, error) {
	t, err := syntax.ParseEPP(file, src)
	if err != nil {
		return nil, err
	}
	return &Template{t}, nil
}

// DeclaresParameters reports whether the template has a list of parameters, even
// an empty one. Without a list, it accepts any parameter.
func (t *Template) DeclaresParameters() bool { return t.parsed.ParametersGiven }

// SyntaxError is an error in the text of a program or template, with its File,
// Line and Column from 1, and Message. Its method Detail shows the source line.
type SyntaxError = syntax.Error

// SyntaxErrors are the errors in one text, a slice of *[SyntaxError].
type SyntaxErrors = syntax.ErrorList
