package eval

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/syntax"
)

// Scope is where variables are found: those of its own, then those of the
// scopes around it. A variable is set once in a scope, and hides one of the
// same name around it. A Scope must not be used by several goroutines at once.
type Scope struct {
	run    *run
	parent *Scope
	source *syntax.Locator
	vars   map[string]pcore.Value
	// match is what the last match in this scope found, nil when none did.
	match []pcore.Value
	// output is where a template writes, nil outside of one.
	output *output
	// unset are parameters that have no value yet while the default of one
	// of them is evaluated.
	unset []*syntax.Parameter
}

// inner returns a scope within s.
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

// Set gives a variable, named without its `$`, a value. The error, which is
// [ErrAssignment], tells that it has one already in this scope.
func (s *Scope) Set(name string, v pcore.Value) error {
	name = strings.TrimPrefix(name, "::")
	if _, ok := s.vars[name]; ok {
		return fmt.Errorf("%w: $%s has a value already", ErrAssignment, name)
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

// Variable returns the value of a variable, named without its `$`. ok is false
// when it has none. It implements [function.Variables].
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
				return nil, false, fmt.Errorf("%w: a default tries to illegally access not yet evaluated $%s", ErrParameter, name)
			}
		}
		if v, ok := inner.vars[name]; ok {
			return v, true, nil
		}
	}
	return s.run.outside(name)
}

// outside returns the value of a variable that no scope has.
func (r *run) outside(name string) (v pcore.Value, ok bool, err error) {
	if around := r.evaluator.env.Variables; around != nil {
		if v, ok, err := around.Variable(name); ok || err != nil {
			return v, ok, err
		}
	}
	if name == "module_name" || name == "caller_module_name" {
		return pcore.Undef{}, true, nil // known everywhere, and nothing outside of classes
	}
	return nil, false, nil
}

// isGroup reports whether a variable is a group of the last match.
func isGroup(name string) bool {
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return false
		}
	}
	return name != ""
}

// matched returns the group of that number of the last match.
func (s *Scope) matched(name string) (pcore.Value, bool) {
	i, err := strconv.Atoi(name)
	if err != nil {
		return nil, false // there are not as many
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
