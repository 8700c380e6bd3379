package syntax

import "math"

// Walk calls visit for n and, if visit returns true, for each of its children,
// recursively and in source order. It skips absent children.
func Walk(n Node, visit func(Node) bool) {
	var walk func(Node)
	walk = func(n Node) {
		if n != nil && visit(n) {
			n.children(walk)
		}
	}
	walk(n)
}

// Equal reports whether two trees represent the same text, ignoring positions
// and layout. Either may be nil.
func Equal(a, b Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if !a.same(b) {
		return false
	}
	var ac, bc []Node
	a.children(func(c Node) { ac = append(ac, c) })
	b.children(func(c Node) { bc = append(bc, c) })
	if len(ac) != len(bc) {
		return false
	}
	for i := range ac {
		if !Equal(ac[i], bc[i]) {
			return false
		}
	}
	return true
}

// each yields each node of a list.
func each[N Node](nodes []N, yield func(Node)) {
	for _, n := range nodes {
		yield(n)
	}
}

// maybe yields a node that may be nil.
func maybe[T any, N interface {
	*T
	Node
}](n N, yield func(Node)) {
	if n == nil {
		yield(nil)
	} else {
		yield(n)
	}
}

// is reports whether two nodes have the same type and test, if not nil, accepts
// them as equal.
func is[N Node](n N, other Node, test func(n, other N) bool) bool {
	o, ok := other.(N)
	return ok && (test == nil || test(n, o))
}

func (n *Program) children(yield func(Node)) { yield(n.Body) }
func (n *Program) same(o Node) bool          { return is(n, o, nil) }

func (n *Block) children(yield func(Node)) { each(n.Statements, yield) }
func (n *Block) same(o Node) bool          { return is(n, o, nil) }

func (n *Undef) children(func(Node)) {}
func (n *Undef) same(o Node) bool    { return is(n, o, nil) }

func (n *Default) children(func(Node)) {}
func (n *Default) same(o Node) bool    { return is(n, o, nil) }

func (n *Boolean) children(func(Node)) {}
func (n *Boolean) same(o Node) bool {
	return is(n, o, func(n, o *Boolean) bool { return n.Value == o.Value })
}

func (n *Integer) children(func(Node)) {}
func (n *Integer) same(o Node) bool {
	return is(n, o, func(n, o *Integer) bool {
		return n.Value == o.Value && n.Radix == o.Radix && n.overflow == o.overflow
	})
}

func (n *Float) children(func(Node)) {}
func (n *Float) same(o Node) bool {
	return is(n, o, func(n, o *Float) bool { return math.Float64bits(n.Value) == math.Float64bits(o.Value) })
}

func (n *String) children(func(Node)) {}
func (n *String) same(o Node) bool {
	return is(n, o, func(n, o *String) bool { return n.Value == o.Value })
}

func (n *ConcatenatedString) children(yield func(Node)) { each(n.Segments, yield) }
func (n *ConcatenatedString) same(o Node) bool          { return is(n, o, nil) }

func (n *TextExpression) children(yield func(Node)) { yield(n.Expr) }
func (n *TextExpression) same(o Node) bool          { return is(n, o, nil) }

func (n *Heredoc) children(yield func(Node)) { yield(n.Text) }
func (n *Heredoc) same(o Node) bool {
	return is(n, o, func(n, o *Heredoc) bool { return n.Syntax == o.Syntax })
}

func (n *Regexp) children(func(Node)) {}
func (n *Regexp) same(o Node) bool {
	return is(n, o, func(n, o *Regexp) bool { return n.Pattern == o.Pattern })
}

func (n *QualifiedName) children(func(Node)) {}
func (n *QualifiedName) same(o Node) bool {
	return is(n, o, func(n, o *QualifiedName) bool { return n.Name == o.Name })
}

func (n *QualifiedReference) children(func(Node)) {}
func (n *QualifiedReference) same(o Node) bool {
	return is(n, o, func(n, o *QualifiedReference) bool { return n.Name == o.Name })
}

func (n *Variable) children(func(Node)) {}
func (n *Variable) same(o Node) bool {
	return is(n, o, func(n, o *Variable) bool { return n.Name == o.Name })
}

func (n *Array) children(yield func(Node)) { each(n.Elements, yield) }
func (n *Array) same(o Node) bool          { return is(n, o, nil) }

func (n *Hash) children(yield func(Node)) { each(n.Entries, yield) }
func (n *Hash) same(o Node) bool          { return is(n, o, nil) }

func (n *KeyedEntry) children(yield func(Node)) { yield(n.Key); yield(n.Value) }
func (n *KeyedEntry) same(o Node) bool          { return is(n, o, nil) }

func (n *Unary) children(yield func(Node)) { yield(n.Operand) }
func (n *Unary) same(o Node) bool {
	return is(n, o, func(n, o *Unary) bool { return n.Op == o.Op })
}

func (n *Binary) children(yield func(Node)) { yield(n.Left); yield(n.Right) }
func (n *Binary) same(o Node) bool {
	return is(n, o, func(n, o *Binary) bool { return n.Op == o.Op })
}

func (n *Assignment) children(yield func(Node)) { yield(n.Left); yield(n.Right) }
func (n *Assignment) same(o Node) bool {
	return is(n, o, func(n, o *Assignment) bool { return n.Op == o.Op })
}

func (n *Parenthesized) children(yield func(Node)) { yield(n.Expr) }
func (n *Parenthesized) same(o Node) bool          { return is(n, o, nil) }

func (n *Access) children(yield func(Node)) { yield(n.Left); each(n.Keys, yield) }
func (n *Access) same(o Node) bool          { return is(n, o, nil) }

func (n *Call) children(yield func(Node)) {
	yield(n.Function)
	each(n.Arguments, yield)
	maybe(n.Lambda, yield)
}
func (n *Call) same(o Node) bool { return is(n, o, nil) }

func (n *MethodCall) children(yield func(Node)) {
	yield(n.Receiver)
	maybe(n.Function, yield)
	each(n.Arguments, yield)
	maybe(n.Lambda, yield)
}
func (n *MethodCall) same(o Node) bool { return is(n, o, nil) }

func (n *Lambda) children(yield func(Node)) {
	each(n.Parameters, yield)
	yield(n.ReturnType)
	maybe(n.Body, yield)
}
func (n *Lambda) same(o Node) bool { return is(n, o, nil) }

func (n *Parameter) children(yield func(Node)) { yield(n.Type); yield(n.Default) }
func (n *Parameter) same(o Node) bool {
	return is(n, o, func(n, o *Parameter) bool { return n.Name == o.Name && n.CapturesRest == o.CapturesRest })
}

func (n *If) children(yield func(Node)) { yield(n.Test); maybe(n.Then, yield); yield(n.Else) }
func (n *If) same(o Node) bool          { return is(n, o, nil) }

func (n *Unless) children(yield func(Node)) {
	yield(n.Test)
	maybe(n.Then, yield)
	maybe(n.Else, yield)
}
func (n *Unless) same(o Node) bool { return is(n, o, nil) }

func (n *Case) children(yield func(Node)) { yield(n.Test); each(n.Options, yield) }
func (n *Case) same(o Node) bool          { return is(n, o, nil) }

func (n *CaseOption) children(yield func(Node)) { each(n.Values, yield); maybe(n.Body, yield) }
func (n *CaseOption) same(o Node) bool          { return is(n, o, nil) }

func (n *Selector) children(yield func(Node)) { yield(n.Left); each(n.Entries, yield) }
func (n *Selector) same(o Node) bool          { return is(n, o, nil) }

func (n *SelectorEntry) children(yield func(Node)) { yield(n.Match); yield(n.Value) }
func (n *SelectorEntry) same(o Node) bool          { return is(n, o, nil) }

func (n *FunctionDefinition) children(yield func(Node)) {
	each(n.Parameters, yield)
	yield(n.ReturnType)
	maybe(n.Body, yield)
}
func (n *FunctionDefinition) same(o Node) bool {
	return is(n, o, func(n, o *FunctionDefinition) bool { return n.Name == o.Name })
}

func (n *TypeAlias) children(yield func(Node)) { yield(n.Type) }
func (n *TypeAlias) same(o Node) bool {
	return is(n, o, func(n, o *TypeAlias) bool { return n.Name == o.Name })
}

func (n *TypeMapping) children(yield func(Node)) { maybe(n.Left, yield); yield(n.Right) }
func (n *TypeMapping) same(o Node) bool          { return is(n, o, nil) }

func (n *EPP) children(yield func(Node)) { each(n.Parameters, yield); yield(n.Body) }
func (n *EPP) same(o Node) bool {
	return is(n, o, func(n, o *EPP) bool { return n.ParametersGiven == o.ParametersGiven })
}

func (n *RenderString) children(func(Node)) {}
func (n *RenderString) same(o Node) bool {
	return is(n, o, func(n, o *RenderString) bool { return n.Text == o.Text })
}

func (n *Render) children(yield func(Node)) { yield(n.Expr) }
func (n *Render) same(o Node) bool          { return is(n, o, nil) }

func (n *Definition) children(yield func(Node)) { each(n.Parameters, yield) }
func (n *Definition) same(o Node) bool {
	return is(n, o, func(n, o *Definition) bool {
		return n.Kind == o.Kind && n.Name == o.Name && n.Inherits == o.Inherits
	})
}
