package eval

import (
	"slices"

	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// Program is a parsed program, which can be evaluated many times. It is immutable
// and safe for concurrent use; make one with [Parse].
type Program struct {
	parsed *syntax.Program
	text   string
}

// Parse parses a program as Puppet 8 does. file names the source in errors; it
// may be empty. The error wraps [ErrSyntax].
func Parse(file, src string) (*Program, error) {
	p, err := syntax.ParseProgram(file, src)
	if err != nil {
		return nil, err
	}
	return &Program{p, src}, nil
}

// Incomplete reports whether a program ends too early: in the middle of an
// expression, a string, a heredoc or a comment. A prompt can then read another line.
func Incomplete(src string) bool {
	_, err := syntax.Config{Unchecked: true}.ParseProgram("", src)
	return syntax.Incomplete(err)
}

// Variables are the names, without `$`, of the variables that a program mentions.
type Variables struct {
	// Used are all of them, each once, in the order of first use.
	Used []string
	// Defined are those that the program assigns, and the parameters of its lambdas
	// and functions.
	Defined []string
	// Dynamic reports that the program calls getvar, which can read any variable.
	Dynamic bool
}

// Variables returns the variables that the program mentions.
func (p *Program) Variables() Variables {
	var vars Variables
	add := func(names []string, name string) []string {
		if slices.Contains(names, name) {
			return names
		}
		return append(names, name)
	}
	syntax.Walk(p.parsed, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Variable:
			vars.Used = add(vars.Used, n.Name)
		case *syntax.Parameter:
			vars.Defined = add(vars.Defined, n.Name)
		case *syntax.Assignment:
			syntax.Walk(n.Left, func(n syntax.Node) bool {
				if v, ok := n.(*syntax.Variable); ok {
					vars.Defined = add(vars.Defined, v.Name)
				}
				return true
			})
		case *syntax.QualifiedName:
			vars.Dynamic = vars.Dynamic || n.Name == "getvar"
		}
		return true
	})
	return vars
}

// Element is an element of an array that is written as a literal.
type Element struct {
	// Text is the source text.
	Text string
	// Variable is the name of a variable, without `$`, if the element is that variable
	// or, with a constant Key, one of its entries: `$x`, `$x[key]`, `$x['key']`.
	Variable, Key string
}

// Elements returns the elements of a program that consists of one literal array, or
// nil for any other program.
func (p *Program) Elements() []Element {
	if len(p.parsed.Body.Statements) != 1 {
		return nil
	}
	array, ok := p.parsed.Body.Statements[0].(*syntax.Array)
	if !ok {
		return nil
	}
	elements := make([]Element, len(array.Elements))
	for i, n := range array.Elements {
		elements[i] = newElement(n, p.text[n.Pos():n.End()])
	}
	return elements
}

func newElement(n syntax.Expr, text string) Element {
	e := Element{Text: text}
	access, ok := n.(*syntax.Access)
	if ok && len(access.Keys) == 1 {
		switch key := access.Keys[0].(type) {
		case *syntax.String:
			e.Key = key.Value
		case *syntax.QualifiedName:
			e.Key = key.Name
		default:
			return e
		}
		n = access.Left
	}
	if v, ok := n.(*syntax.Variable); ok {
		e.Variable = v.Name
	} else {
		e.Key = ""
	}
	return e
}

// Template is a parsed EPP template, which can be evaluated many times. It is
// immutable and safe for concurrent use; make one with [ParseTemplate].
type Template struct{ parsed *syntax.EPP }

// ParseTemplate parses an EPP template as Puppet 8 does. file names the source in
// errors; it may be empty. The error wraps [ErrSyntax].
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

// ErrSyntax is wrapped by the errors in the text of a program, a template or a file of a
// module. The text of such an error has the location of the first fault; its method
// Unwrap() []error returns all faults, and Detail() string shows their lines.
var ErrSyntax = syntax.ErrSyntax
