package syntax

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

func (n *Program) children(yield func(Node))            { yield(n.Body) }
func (n *Block) children(yield func(Node))              { each(n.Statements, yield) }
func (n *Undef) children(func(Node))                    {}
func (n *Default) children(func(Node))                  {}
func (n *Boolean) children(func(Node))                  {}
func (n *Integer) children(func(Node))                  {}
func (n *Float) children(func(Node))                    {}
func (n *String) children(func(Node))                   {}
func (n *ConcatenatedString) children(yield func(Node)) { each(n.Segments, yield) }
func (n *TextExpression) children(yield func(Node))     { yield(n.Expr) }
func (n *Heredoc) children(yield func(Node))            { yield(n.Text) }
func (n *Regexp) children(func(Node))                   {}
func (n *QualifiedName) children(func(Node))            {}
func (n *QualifiedReference) children(func(Node))       {}
func (n *Variable) children(func(Node))                 {}
func (n *Array) children(yield func(Node))              { each(n.Elements, yield) }
func (n *Hash) children(yield func(Node))               { each(n.Entries, yield) }
func (n *KeyedEntry) children(yield func(Node))         { yield(n.Key); yield(n.Value) }
func (n *Unary) children(yield func(Node))              { yield(n.Operand) }
func (n *Binary) children(yield func(Node))             { yield(n.Left); yield(n.Right) }
func (n *Assignment) children(yield func(Node))         { yield(n.Left); yield(n.Right) }
func (n *Parenthesized) children(yield func(Node))      { yield(n.Expr) }
func (n *Access) children(yield func(Node))             { yield(n.Left); each(n.Keys, yield) }

func (n *Call) children(yield func(Node)) {
	yield(n.Function)
	each(n.Arguments, yield)
	maybe(n.Lambda, yield)
}

func (n *MethodCall) children(yield func(Node)) {
	yield(n.Receiver)
	maybe(n.Function, yield)
	each(n.Arguments, yield)
	maybe(n.Lambda, yield)
}

func (n *Lambda) children(yield func(Node)) {
	each(n.Parameters, yield)
	yield(n.ReturnType)
	maybe(n.Body, yield)
}

func (n *Parameter) children(yield func(Node)) { yield(n.Type); yield(n.Default) }
func (n *If) children(yield func(Node))        { yield(n.Test); maybe(n.Then, yield); yield(n.Else) }

func (n *Unless) children(yield func(Node)) {
	yield(n.Test)
	maybe(n.Then, yield)
	maybe(n.Else, yield)
}

func (n *Case) children(yield func(Node))          { yield(n.Test); each(n.Options, yield) }
func (n *CaseOption) children(yield func(Node))    { each(n.Values, yield); maybe(n.Body, yield) }
func (n *Selector) children(yield func(Node))      { yield(n.Left); each(n.Entries, yield) }
func (n *SelectorEntry) children(yield func(Node)) { yield(n.Match); yield(n.Value) }

func (n *FunctionDefinition) children(yield func(Node)) {
	each(n.Parameters, yield)
	yield(n.ReturnType)
	maybe(n.Body, yield)
}

func (n *TypeAlias) children(yield func(Node))   { yield(n.Type) }
func (n *TypeMapping) children(yield func(Node)) { maybe(n.Left, yield); yield(n.Right) }
func (n *EPP) children(yield func(Node))         { each(n.Parameters, yield); yield(n.Body) }
func (n *RenderString) children(func(Node))      {}
func (n *Render) children(yield func(Node))      { yield(n.Expr) }
func (n *Definition) children(yield func(Node))  { each(n.Parameters, yield) }
