package syntax

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// check reports the constructs in a tree that are not allowed.
func check(root Node, d *diagnostics, c Config) {
	k := &checker{diagnostics: d, config: c}
	k.child = func(n Node) {
		if n != nil {
			k.visit(n)
		}
	}
	k.visit(root)
}

// checker visits a tree. It checks each node by itself, and its children as far
// as their position in the node matters.
type checker struct {
	*diagnostics
	config  Config
	parents []Node     // from the root to the parent of the visited node
	child   func(Node) // visits a node unless it is nil
}

func (c *checker) visit(n Node) {
	c.node(n)
	c.parents = append(c.parents, n)
	n.children(c.child)
	c.parents = c.parents[:len(c.parents)-1]
}

// at reports an error about a node.
func (c *checker) at(n Node, issue, format string, args ...any) {
	c.errorf(Anchor(n), issue, format, args...)
}

// node checks one node.
func (c *checker) node(n Node) {
	switch n := n.(type) {
	case *Block:
		c.block(n)
	case *Integer:
		if n.overflow != "" {
			c.at(n, "NUMERIC_OVERFLOW", "A Literal Integer resulted in a value outside of Puppet Integer max range, got '%s'", n.overflow)
		}
	case *Variable:
		c.variable(n)
	case *Array:
		c.values(n.Elements...)
	case *Hash:
		c.hash(n)
	case *KeyedEntry:
		c.values(n.Key, n.Value)
	case *Unary:
		c.values(n.Operand)
	case *Parenthesized:
		c.values(n.Expr)
	case *TextExpression:
		c.values(n.Expr)
	case *Render:
		c.values(n.Expr)
	case *Binary:
		c.values(n.Left, n.Right)
	case *Assignment:
		c.assignment(n)
	case *Call:
		c.call(n)
	case *Lambda:
		c.restIsLast(n.Parameters)
	case *Parameter:
		c.parameter(n)
	case *If:
		c.values(n.Test)
	case *Unless:
		c.values(n.Test)
	case *Case:
		c.caseDefaults(n)
	case *CaseOption:
		c.values(n.Values...)
	case *Selector:
		c.selectorDefaults(n)
	case *SelectorEntry:
		c.values(n.Match)
	case *Heredoc:
		c.heredoc(n)
	case *FunctionDefinition:
		c.topLevel(n)
		c.definitionName(n, n.Name)
		c.uniqueParameters(n.Parameters)
	case *TypeAlias:
		c.topLevel(n)
		c.typeAlias(n)
	case *TypeMapping:
		c.topLevel(n)
		c.typeMapping(n)
	case *EPP:
		c.restIsLast(n.Parameters)
		c.noRest(n.Parameters, n)
		c.uniqueParameters(n.Parameters)
	case *Definition:
		c.definitionName(n, n.Name)
		c.noRest(n.Parameters, n)
		c.uniqueParameters(n.Parameters)
		c.reservedParameters(n)
	}
}

// block reports the first statement whose value is dropped.
func (c *checker) block(n *Block) {
	if len(n.Statements) == 0 {
		return
	}
	if name, ok := n.Statements[0].(*QualifiedName); ok && len(n.Statements) == 2 {
		if _, ok := n.Statements[1].(*Hash); ok {
			c.at(n, "RESOURCE_WITHOUT_TITLE",
				"This expression is invalid. Did you try declaring a '%s' resource without a title?", name.Name)
			return
		}
	}
	for _, s := range n.Statements[:len(n.Statements)-1] {
		if idle(s) {
			c.at(s, "IDEM_EXPRESSION_NOT_LAST",
				"This %s has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)", label(s))
			return
		}
	}
}

// idle reports whether an expression has no effect other than its value. The
// effects of a function are unknown, so a call is not idle.
func idle(n Node) bool {
	switch n := n.(type) {
	case nil:
		return true
	case *Binary:
		return n.Op != OpMatch && n.Op != OpNoMatch // these set the match variables
	case *Undef, *Default, *Boolean, *Integer, *Float, *String, *ConcatenatedString, *Heredoc, *Regexp,
		*QualifiedName, *QualifiedReference, *Variable, *Array, *Hash, *Unary, *Access, *Selector:
		return true
	case *Parenthesized:
		return idle(n.Expr)
	case *Block:
		return !slices.ContainsFunc(n.Statements, func(e Expr) bool { return !idle(e) })
	case *If:
		return idle(n.Test) && idle(n.Then) && idle(n.Else)
	case *Unless:
		return idle(n.Test) && idle(n.Then) && (n.Else == nil || idle(n.Else))
	case *Case:
		return idle(n.Test) && !slices.ContainsFunc(n.Options, func(o *CaseOption) bool { return !idle(o) })
	case *CaseOption:
		return !slices.ContainsFunc(n.Values, func(e Expr) bool { return !idle(e) }) && idle(n.Body)
	}
	return false
}

// values reports each expression that is a definition and so has no value.
func (c *checker) values(list ...Expr) {
	for _, n := range list {
		switch n := n.(type) {
		case *FunctionDefinition, *TypeAlias, *TypeMapping:
			c.at(n, "NOT_RVALUE", "Invalid use of expression. %s does not produce a value", upper(aLabel(n)))
		case *Unary:
			c.values(n.Operand)
		case *Parenthesized:
			c.values(n.Expr)
		case *Render:
			c.values(n.Expr)
		case *Block: // of a Render
			if len(n.Statements) == 1 {
				c.values(n.Statements[0])
			}
		}
	}
}

func (c *checker) variable(n *Variable) {
	switch {
	case n.Name != "" && isDigit(n.Name[0]):
		if !isNumericName(n.Name) {
			c.at(n, "ILLEGAL_NUMERIC_VAR_NAME",
				"Illegal numeric variable name, The given name '%s' must be a decimal value if it starts with a digit 0-9", n.Name)
		}
	case !isVariableName(n.Name):
		c.at(n, "ILLEGAL_VAR_NAME",
			`Illegal variable name, The given name '%s' does not conform to the naming rule /^((::)?[a-z]\w*)*((::)?[a-z_]\w*)$/`, n.Name)
	}
}

// hash reports duplicate keys among the literal keys.
func (c *checker) hash(n *Hash) {
	if len(n.Entries) < 2 {
		return
	}
	seen := make(map[string]bool, len(n.Entries))
	for _, e := range n.Entries {
		key, ok := c.literalKey(nil, e.Key)
		if !ok {
			continue
		}
		if seen[string(key)] {
			c.duplicateKey(e)
		}
		seen[string(key)] = true
	}
}

func (c *checker) duplicateKey(e *KeyedEntry) {
	report := c.errorf
	if c.config.Lax {
		report = c.warnf
	}
	key := c.loc.src[e.Key.Pos():e.Key.End()]
	switch k := e.Key.(type) {
	case *String:
		key = k.Value
	case *QualifiedName:
		key = k.Name
	}
	report(e.At, "DUPLICATE_KEY", "The key '%s' is declared more than once", key)
}

// literalKey appends a text that is identical for equal literals only. It
// returns false if n is not a literal. For Puppet, a type is its name in lower case, and a type with parameters is the
// array of them: Optional[a] and NotUndef[a] are equal.
func (c *checker) literalKey(b []byte, n Expr) ([]byte, bool) {
	switch n := n.(type) {
	case *String:
		return strconv.AppendQuote(b, n.Value), true
	case *QualifiedName:
		return strconv.AppendQuote(b, n.Name), true
	case *Integer:
		return fmt.Appendf(b, "i%d%s", n.Value, n.overflow), true
	case *Float:
		return fmt.Appendf(b, "f%x", math.Float64bits(n.Value)), true
	case *Boolean:
		return fmt.Appendf(b, "%t", n.Value), true
	case *Undef:
		return append(b, "undef"...), true
	case *Default:
		return append(b, "default"...), true
	case *Regexp:
		return fmt.Appendf(b, "r%q", n.Pattern), true
	case *Unary:
		return c.negativeKey(b, n)
	case *QualifiedReference:
		return strconv.AppendQuote(b, strings.ToLower(n.Name)), !c.config.NoLiteralTypes
	case *Access:
		if len(n.Keys) == 1 {
			if _, isArray := n.Keys[0].(*Array); isArray {
				return nil, false
			}
		}
		b, ok := c.literalKeys(b, n.Keys)
		return b, ok && !c.config.NoLiteralTypes
	case *Array:
		return c.literalKeys(b, n.Elements)
	case *Hash:
		entries := make([]string, len(n.Entries)) // in any order
		for i, e := range n.Entries {
			k, ok := c.literalKey(nil, e.Key)
			if !ok {
				return nil, false
			}
			if k, ok = c.literalKey(append(k, '>'), e.Value); !ok {
				return nil, false
			}
			entries[i] = string(k)
		}
		slices.Sort(entries)
		return fmt.Appendf(b, "{%s}", strings.Join(entries, ",")), true
	}
	return nil, false
}

func (c *checker) literalKeys(b []byte, list []Expr) ([]byte, bool) {
	b = append(b, '[')
	for _, e := range list {
		var ok bool
		if b, ok = c.literalKey(b, e); !ok {
			return nil, false
		}
		b = append(b, ',')
	}
	return append(b, ']'), true
}

// negativeKey appends a negative number.
func (c *checker) negativeKey(b []byte, n *Unary) ([]byte, bool) {
	if n.Op != OpMinus || c.config.NoLiteralTypes {
		return nil, false
	}
	switch n.Operand.(type) {
	case *Integer, *Float:
		return c.literalKey(append(b, '-'), n.Operand)
	}
	return nil, false
}

func (c *checker) assignment(n *Assignment) {
	if n.Op != OpAssign {
		c.at(n, "APPENDS_DELETES_NO_LONGER_SUPPORTED",
			"The operator '%s' is no longer supported. See http://links.puppet.com/remove-plus-equals", n.Op)
		return
	}
	c.assignable(n.Left)
	c.values(n.Right)
}

// assignable reports expressions that cannot be on the left of =.
func (c *checker) assignable(n Expr) {
	switch n := n.(type) {
	case *Variable:
		if isNumericName(n.Name) {
			c.at(n, "ILLEGAL_NUMERIC_ASSIGNMENT",
				"Illegal attempt to assign to the numeric match result variable '$%s'. Numeric variables are not assignable", n.Name)
		}
		if strings.Contains(n.Name, "::") {
			c.at(n, "CROSS_SCOPE_ASSIGNMENT",
				"Illegal attempt to assign to '%s'. Cannot assign to variables in other namespaces", n.Name)
		}
	case *Access:
		c.at(n, "ILLEGAL_INDEXED_ASSIGNMENT", "Illegal attempt to assign via [index/key]. Not an assignable reference")
	case *Array:
		for _, e := range n.Elements {
			c.assignable(e)
		}
	default:
		c.at(n, "ILLEGAL_ASSIGNMENT", "Illegal attempt to assign to '%s'. Not an assignable reference", aLabel(n))
	}
}

// call reports a callee that cannot be called.
func (c *checker) call(n *Call) {
	switch f := n.Function.(type) {
	case *QualifiedName, *QualifiedReference:
		return
	case *Access:
		if _, ok := f.Left.(*QualifiedReference); ok {
			return
		}
	case *RenderString:
		c.at(n, "ILLEGAL_EPP_PARAMETERS",
			"Ambiguous EPP parameter expression. Probably missing '<%%-' before parameters to remove leading whitespace")
		return
	}
	c.at(n.Function, "ILLEGAL_EXPRESSION", "Illegal expression. %s is unacceptable as function name in %s",
		upper(aLabel(n.Function)), aLabel(n))
}

func (c *checker) parameter(n *Parameter) {
	if isNumericParameter(n.Name) {
		c.at(n, "ILLEGAL_NUMERIC_PARAMETER",
			"The numeric parameter name '$%s' cannot be used (clashes with numeric match result variables)", n.Name)
	}
	if !isVariableName(n.Name) || strings.Contains(n.Name, "::") {
		c.at(n, "ILLEGAL_PARAM_NAME",
			`Illegal parameter name. The given name '%s' does not conform to the naming rule /^[a-z_]\w*$/`, n.Name)
	}
	if n.Default == nil {
		return
	}
	Walk(n.Default, func(part Node) bool {
		switch part := part.(type) {
		case *Assignment:
			c.at(part, "ILLEGAL_ASSIGNMENT_CONTEXT", "Assignment not allowed here")
			return false
		case *Lambda:
			return false // it has its own variables
		}
		return true
	})
}

// restIsLast reports a *$parameter that is not the last one.
func (c *checker) restIsLast(parameters []*Parameter) {
	for i, p := range parameters {
		if p.CapturesRest && i < len(parameters)-1 {
			c.at(p, "CAPTURES_REST_NOT_LAST", "Parameter $%s is not last, and has 'captures rest'", p.Name)
		}
	}
}

// noRest reports each *$parameter.
func (c *checker) noRest(parameters []*Parameter, of Node) {
	for _, p := range parameters {
		if p.CapturesRest {
			c.at(p, "CAPTURES_REST_NOT_SUPPORTED", "Parameter $%s has 'captures rest' - not supported in %s", p.Name, aLabel(of))
		}
	}
}

func (c *checker) uniqueParameters(parameters []*Parameter) {
	seen := make(map[string]bool, len(parameters))
	for _, p := range parameters {
		if seen[p.Name] {
			c.at(p, "DUPLICATE_PARAMETER", "The parameter '%s' is declared more than once in the parameter list", p.Name)
		}
		seen[p.Name] = true
	}
}

// reservedParameters reports parameters that every resource already has.
func (c *checker) reservedParameters(n *Definition) {
	for _, p := range n.Parameters {
		if p.Name == "name" || p.Name == "title" {
			c.at(p, "RESERVED_PARAMETER", "The parameter $%s redefines a built in parameter in the %s", p.Name, label(n))
		}
	}
}

func (c *checker) caseDefaults(n *Case) {
	c.values(n.Test)
	found := false
	for _, o := range n.Options {
		for _, v := range o.Values {
			if _, ok := v.(*Default); ok {
				if found {
					c.duplicateDefault(v, n)
				}
				found = true
			}
		}
	}
}

func (c *checker) selectorDefaults(n *Selector) {
	c.values(n.Left)
	found := 0
	for _, e := range n.Entries {
		if _, ok := e.Match.(*Default); ok {
			if found++; found == 2 {
				c.duplicateDefault(e.Match, n)
			}
		}
	}
}

func (c *checker) duplicateDefault(n, of Node) {
	c.at(n, "DUPLICATE_DEFAULT", "This %s already has a 'default' entry - this is a duplicate", label(of))
}

// topLevel reports a definition that is not a top-level statement of the
// program.
func (c *checker) topLevel(n Node) {
	var parent, grandparent Node
	if k := len(c.parents); k > 0 {
		parent = c.parents[k-1]
		if k > 1 {
			grandparent = c.parents[k-2]
		}
	}
	switch b := parent.(type) {
	case nil:
		return
	case *Block:
		switch grandparent.(type) {
		case nil, *Program:
			return
		case *If, *Unless, *Render:
			if len(b.Statements) == 1 {
				break
			}
			c.notTop(n)
			return
		default:
			c.notTop(n)
			return
		}
	}
	c.at(n, "NOT_TOP_LEVEL", "Classes, definitions, and nodes may only appear at toplevel or inside other classes")
}

func (c *checker) notTop(n Node) {
	c.at(n, "NOT_ABSOLUTE_TOP_LEVEL", "%s may only appear at toplevel", upper(aLabel(n)))
}

// definitionName checks the name of a function, class or define.
func (c *checker) definitionName(n Node, name string) {
	if !isDeclaredName(name, 'a', 'z') {
		c.badName(n, name)
	}
	if isReservedTypeName(name) {
		c.at(n, "RESERVED_TYPE_NAME",
			"The name: '%s' is already defined by Puppet and can not be used as the name of %s.", name, aLabel(n))
	}
	if name == "plan" {
		c.warnf(Anchor(n), "FUTURE_RESERVED_WORD", "Use of future reserved word: '%s'", name)
	}
}

func (c *checker) badName(n Node, name string) {
	c.at(n, "ILLEGAL_DEFINITION_NAME", "Unacceptable name. The name '%s' is unacceptable as the name of %s", name, aLabel(n))
}

func (c *checker) typeAlias(n *TypeAlias) {
	if !isDeclaredName(n.Name, 'A', 'Z') {
		c.badName(n, n.Name)
	}
	if !isTypeReference(n.Type) {
		c.at(n.Type, "ILLEGAL_EXPRESSION", "Illegal expression. %s is unacceptable as a type reference in %s",
			upper(aLabel(n.Type)), aLabel(n))
	}
}

// isTypeReference reports whether n is Type or Type[…].
func isTypeReference(n Expr) bool {
	if a, ok := n.(*Access); ok {
		n = a.Left
	}
	_, ok := n.(*QualifiedReference)
	return ok
}

// typeMapping checks that a name maps to a type and a pattern to a replacement.
func (c *checker) typeMapping(n *TypeMapping) {
	left, ok := n.Left.Left.(*QualifiedReference)
	switch {
	case !ok || left.Name != "Runtime":
		c.at(n, "UNSUPPORTED_EXPRESSION", "Expressions of type %s are not supported in this version of Puppet", aLabel(n))
	case len(n.Left.Keys) == 2 && isReplacement(n.Left.Keys[1]):
		if !isReplacement(n.Right) {
			c.at(n, "ILLEGAL_TYPE_MAPPING", "Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, got %s", upper(aLabel(n)))
		}
	case isReplacement(n.Right) || !isTypeReference(n.Right):
		c.at(n, "ILLEGAL_TYPE_MAPPING", "Illegal type mapping. Expected a Type on the left side, got %s", upper(aLabel(n)))
	}
}

// isReplacement reports whether n is [/pattern/, 'replacement'].
func isReplacement(n Expr) bool {
	a, ok := n.(*Array)
	if !ok || len(a.Elements) != 2 {
		return false
	}
	_, isPattern := a.Elements[0].(*Regexp)
	_, isString := a.Elements[1].(*String)
	return isPattern && isString
}
