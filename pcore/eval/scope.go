package eval

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// Scope holds variables. Lookup continues in the enclosing scopes. A variable
// can be set only once in a scope, and hides variables of the same name in
// enclosing scopes. A Scope is not safe for concurrent use.
type Scope struct {
	run    *run
	parent *Scope
	source *syntax.Locator
	vars   map[string]pcore.Value
	// match holds the groups of the last match in this scope, or is nil.
	match []pcore.Value
	// output receives the text of a template, or is nil outside of one.
	output *output
	// unset holds the parameters without a value while a default is
	// evaluated.
	unset []*syntax.Parameter
}

// inner returns a new scope enclosed by s.
func (s *Scope) inner() *Scope {
	return &Scope{run: s.run, parent: s, source: s.source, output: s.output}
}

// top returns the outermost scope.
func (s *Scope) top() *Scope {
	for s.parent != nil {
		s = s.parent
	}
	return s
}

// Set sets a variable, named without its `$`. It fails if the
// variable already has a value in this scope.
func (s *Scope) Set(name string, v pcore.Value) error {
	name = strings.TrimPrefix(name, "::")
	if _, ok := s.vars[name]; ok {
		return fmt.Errorf("%w: $%s has a value already", errAssignment, name)
	}
	s.bind(name, v)
	return nil
}

func (s *Scope) bind(name string, v pcore.Value) {
	if s.vars == nil {
		s.vars = make(map[string]pcore.Value)
	}
	s.vars[name] = v
}

// Variable returns the value of a variable, named without its `$`. If it has
// none, ok is false. Variable implements [function.Variables].
func (s *Scope) Variable(name string) (v pcore.Value, ok bool, err error) {
	if isGroup(name) {
		v, ok := s.matched(name)
		return v, ok, nil
	}
	inner := s
	if global, ok := strings.CutPrefix(name, "::"); ok {
		inner, name = s.top(), global
	}
	for ; inner != nil; inner = inner.parent {
		for _, p := range inner.unset {
			if p.Name == name {
				return nil, false, fmt.Errorf("%w: a default tries to illegally access not yet evaluated $%s", errParameter, name)
			}
		}
		if v, ok := inner.vars[name]; ok {
			return v, true, nil
		}
	}
	return s.run.outside(name)
}

// outside returns the value of a variable that is not in any scope.
func (r *run) outside(name string) (v pcore.Value, ok bool, err error) {
	if around := r.evaluator.env.Variables; around != nil {
		if v, ok, err := around.Variable(name); ok || err != nil {
			return v, ok, err
		}
	}
	if name == "module_name" || name == "caller_module_name" {
		return pcore.Undef{}, true, nil // always defined, and undef outside of classes
	}
	return nil, false, nil
}

// isGroup reports whether name is the number of a match group.
func isGroup(name string) bool {
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return false
		}
	}
	return name != ""
}

// matched returns a group of the last match by its number.
func (s *Scope) matched(name string) (pcore.Value, bool) {
	i, err := strconv.Atoi(name)
	if err != nil {
		return nil, false // more than the number of groups
	}
	for ; s != nil; s = s.parent {
		if s.match == nil {
			continue
		}
		if i < len(s.match) {
			return s.match[i], true
		}
		return nil, false
	}
	return nil, false
}
