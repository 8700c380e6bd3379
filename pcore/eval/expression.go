package eval

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// expression evaluates one expression.
func (s *Scope) expression(n syntax.Expr) (pcore.Value, error) {
	switch n := n.(type) {
	case *syntax.Block:
		return s.block(n)
	case *syntax.Undef:
		return pcore.Undef{}, nil
	case *syntax.Default:
		return pcore.Default{}, nil
	case *syntax.Boolean:
		return pcore.Boolean(n.Value), nil
	case *syntax.Integer:
		return pcore.Integer(n.Value), nil
	case *syntax.Float:
		return pcore.Float(n.Value), nil
	case *syntax.String:
		return pcore.String(n.Value), nil
	case *syntax.ConcatenatedString:
		return s.concatenated(n)
	case *syntax.TextExpression:
		return s.textExpression(n)
	case *syntax.Heredoc:
		return s.heredoc(n)
	case *syntax.Regexp:
		return s.run.regexp(n)
	case *syntax.QualifiedName:
		return pcore.String(n.Name), nil
	case *syntax.QualifiedReference:
		return s.named(n)
	case *syntax.Variable:
		return s.variable(n, n.Name)
	case *syntax.Array:
		return s.array(n)
	case *syntax.Hash:
		return s.hash(n)
	case *syntax.Unary:
		return s.unary(n)
	case *syntax.Binary:
		return s.binary(n)
	case *syntax.Assignment:
		return s.assignment(n)
	case *syntax.Parenthesized:
		return s.evaluate(n.Expr)
	case *syntax.Access:
		return s.access(n)
	case *syntax.Call:
		return s.callExpression(n)
	case *syntax.MethodCall:
		return s.methodCall(n)
	case *syntax.If, *syntax.Unless, *syntax.Case, *syntax.Selector:
		match := s.match // match variables set in a branch end with it
		v, err := s.branch(n)
		s.match = match
		return v, err
	case *syntax.FunctionDefinition, *syntax.TypeAlias, *syntax.TypeMapping:
		return pcore.Undef{}, nil // defined before the evaluation
	case *syntax.RenderString:
		return s.renderString(n)
	case *syntax.Render:
		return s.render(n)
	}
	return nil, fmt.Errorf("a %T cannot be evaluated", n)
}

func (s *Scope) block(n *syntax.Block) (pcore.Value, error) {
	var last pcore.Value = pcore.Undef{}
	for _, statement := range n.Statements {
		v, err := s.evaluate(statement)
		if err != nil {
			return nil, err
		}
		last = v
	}
	return last, nil
}

// guarded evaluates n and then restores the match variables.
func (s *Scope) guarded(n syntax.Expr) (pcore.Value, error) {
	match := s.match
	v, err := s.evaluate(n)
	s.match = match
	return v, err
}

// named returns the named type. The bare TypeReference names no type.
func (s *Scope) named(n *syntax.QualifiedReference) (pcore.Value, error) {
	t, err := typeexpr.Named(n.Name, s.run.types)
	if ref, ok := t.(*pcore.TypeReferenceType); ok && err == nil {
		return nil, fmt.Errorf("%w: %s", typeexpr.ErrUnknownType, ref.Ref())
	}
	return t, err
}

func (s *Scope) variable(n syntax.Node, name string) (pcore.Value, error) {
	v, ok, err := s.Variable(name)
	if err != nil {
		return nil, s.at(n, err)
	}
	if ok {
		return v, nil
	}
	switch {
	case isMatchVariable(name):
		return pcore.Undef{}, nil
	case s.run.evaluator.mode.LaxVariables:
		s.warn(n, fmt.Sprintf("Unknown variable: '%s'.", name))
		return pcore.Undef{}, nil
	}
	return nil, s.failf(n, ErrUnknownVariable, "$%s", name)
}

func isMatchVariable(name string) bool {
	n, err := strconv.Atoi(name)
	return err == nil && strconv.Itoa(n) == name
}

func (s *Scope) array(n *syntax.Array) (pcore.Value, error) {
	elems, err := s.evaluateAll(n.Elements)
	if err != nil {
		return nil, err
	}
	v := pcore.NewArray(elems...)
	return v, s.run.admit(v)
}

func (s *Scope) hash(n *syntax.Hash) (pcore.Value, error) {
	b := pcore.NewHashBuilder(len(n.Entries))
	for _, e := range n.Entries {
		k, err := s.evaluate(e.Key)
		if err != nil {
			return nil, err
		}
		v, err := s.evaluate(e.Value)
		if err != nil {
			return nil, err
		}
		b.Set(k, v)
	}
	h := b.Hash()
	return h, s.run.admit(h)
}

func (s *Scope) assignment(n *syntax.Assignment) (pcore.Value, error) {
	v, err := s.evaluate(n.Right)
	if err != nil {
		return nil, err
	}
	return v, s.assign(n.Left, v)
}

// assign assigns v to the variables of the left side.
func (s *Scope) assign(left syntax.Expr, v pcore.Value) error {
	switch left := left.(type) {
	case *syntax.Variable:
		if err := settable(left.Name); err != nil {
			return s.at(left, err)
		}
		return s.at(left, s.Set(left.Name, v))
	case *syntax.Array:
		return s.assignEach(left, v)
	}
	return s.failf(left, errAssignment, "it is neither a variable nor a list of them")
}

// settable returns an error if a program cannot set a variable or parameter with
// this name.
func settable(name string) error {
	switch name {
	case "facts", "trusted", "server_facts":
		return fmt.Errorf("%w: $%s is reserved", errAssignment, name)
	}
	if _, err := strconv.Atoi(name); err == nil {
		return fmt.Errorf("%w: $%s is what the last match found", errAssignment, name)
	}
	return nil
}

func (s *Scope) assignEach(left *syntax.Array, v pcore.Value) error {
	if h, ok := v.(*pcore.Hash); ok {
		return s.assignKeys(left, h)
	}
	values, ok := v.(*pcore.Array)
	if !ok {
		values = pcore.NewArray(v)
	}
	if values.Len() != len(left.Elements) {
		return s.failf(left, errAssignment, "there are %d variables and %d values", len(left.Elements), values.Len())
	}
	for i, target := range left.Elements {
		if err := s.assign(target, values.At(i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scope) assignKeys(left *syntax.Array, h *pcore.Hash) error {
	for _, target := range left.Elements {
		key, ok := targetKey(target)
		if !ok {
			return s.failf(target, errAssignment, "values of a hash can be assigned to variables only")
		}
		v, ok := h.Get(key)
		if !ok {
			return s.failf(left, errAssignment, "the hash has no value for the key %s", key)
		}
		if err := s.assign(target, v); err != nil {
			return err
		}
	}
	return nil
}

// targetKey returns the key of the value that a hash has for a target: the name of a
// variable, or the array of such keys for a list.
func targetKey(target syntax.Expr) (pcore.Value, bool) {
	switch target := target.(type) {
	case *syntax.Variable:
		return pcore.String(target.Name), true
	case *syntax.Array:
		keys := make([]pcore.Value, len(target.Elements))
		for i, e := range target.Elements {
			var ok bool
			if keys[i], ok = targetKey(e); !ok {
				return nil, false
			}
		}
		return pcore.NewArray(keys...), true
	default:
		return nil, false
	}
}

func (s *Scope) branch(n syntax.Expr) (pcore.Value, error) {
	switch n := n.(type) {
	case *syntax.If:
		return s.either(n.Test, true, n.Then, n.Else)
	case *syntax.Unless:
		if n.Else == nil {
			return s.either(n.Test, false, n.Then, nil)
		}
		return s.either(n.Test, false, n.Then, n.Else)
	case *syntax.Case:
		return s.caseExpression(n)
	case *syntax.Selector:
		return s.selector(n)
	}
	return nil, fmt.Errorf("a %T is no branch", n)
}

// either evaluates then if the truth of test is wanted, and otherwise other,
// which may be nil.
func (s *Scope) either(test syntax.Expr, wanted bool, then *syntax.Block, other syntax.Expr) (pcore.Value, error) {
	v, err := s.evaluate(test)
	switch {
	case err != nil:
		return nil, err
	case isTrue(v) == wanted:
		return s.evaluate(then)
	case other != nil:
		return s.evaluate(other)
	}
	return pcore.Undef{}, nil
}

func (s *Scope) caseExpression(n *syntax.Case) (pcore.Value, error) {
	test, err := s.evaluate(n.Test)
	if err != nil {
		return nil, err
	}
	var byDefault *syntax.Block
	for _, option := range n.Options {
		for _, value := range option.Values {
			if isDefault(value) {
				byDefault = option.Body
				continue
			}
			ok, err := s.matchesOption(test, value)
			if err != nil {
				return nil, err
			}
			if ok {
				return s.evaluate(option.Body)
			}
		}
	}
	if byDefault == nil {
		return pcore.Undef{}, nil
	}
	return s.evaluate(byDefault)
}

func (s *Scope) selector(n *syntax.Selector) (pcore.Value, error) {
	test, err := s.evaluate(n.Left)
	if err != nil {
		return nil, err
	}
	var byDefault syntax.Expr
	for _, entry := range n.Entries {
		if isDefault(entry.Match) {
			byDefault = entry.Value
			continue
		}
		ok, err := s.matchesOption(test, entry.Match)
		if err != nil {
			return nil, err
		}
		if ok {
			return s.evaluate(entry.Value)
		}
	}
	if byDefault == nil {
		return nil, s.at(n.Left, fmt.Errorf("no matching entry for selector parameter of type %s", typeName(test)))
	}
	return s.evaluate(byDefault)
}

func isDefault(n syntax.Expr) bool {
	_, ok := unwrap(n).(*syntax.Default)
	return ok
}

// matchesOption reports whether test matches an option of a case or selector. A
// splat contributes each of its elements.
func (s *Scope) matchesOption(test pcore.Value, option syntax.Expr) (bool, error) {
	patterns, err := s.evaluateAll([]syntax.Expr{option})
	if err != nil {
		return false, err
	}
	if err := s.compared(test); err != nil {
		return false, err
	}
	for _, p := range patterns {
		if ok, err := s.matches(p, test); ok || err != nil {
			return ok, s.at(option, err)
		}
	}
	return false, nil
}

// evaluate returns the value of n. It enforces the limits.
func (s *Scope) evaluate(n syntax.Expr) (pcore.Value, error) {
	r := s.run
	if r.depth >= maxDepth {
		return nil, s.at(n, errDepth)
	}
	if err := r.spend(1); err != nil {
		return nil, s.at(n, err)
	}
	r.depth++
	v, err := s.expression(n)
	r.depth--
	if err != nil {
		return nil, s.at(n, err)
	}
	return v, nil
}

// evaluateAll returns the values of the nodes, with splats expanded.
func (s *Scope) evaluateAll(nodes []syntax.Expr) ([]pcore.Value, error) {
	values := make([]pcore.Value, 0, len(nodes))
	for _, n := range nodes {
		n = unwrap(n)
		v, err := s.evaluate(n)
		if err != nil {
			return nil, err
		}
		if !isSplat(n) {
			values = append(values, v)
			continue
		}
		list := v.(*pcore.Array)
		err = s.run.holdElements(list.Len())
		if err == nil {
			err = s.run.spend(list.Len())
		}
		if err != nil {
			return nil, s.at(n, err)
		}
		values = slices.AppendSeq(values, list.Values())
	}
	return values, nil
}

func isSplat(n syntax.Expr) bool {
	u, ok := n.(*syntax.Unary)
	return ok && u.Op == syntax.OpSplat
}

// unwrap removes parentheses.
func unwrap(n syntax.Expr) syntax.Expr {
	for {
		p, ok := n.(*syntax.Parenthesized)
		if !ok {
			return n
		}
		n = p.Expr
	}
}

// isTrue reports whether v is neither undef nor false.
func isTrue(v pcore.Value) bool {
	switch v := v.(type) {
	case pcore.Undef:
		return false
	case pcore.Boolean:
		return bool(v)
	default:
		return true
	}
}
