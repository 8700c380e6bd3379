package syntax

// Node is a part of a tree.
type Node interface {
	// Pos returns the byte offset in the source where the text of the node begins.
	Pos() int
	// End returns the byte offset after the text of the node.
	End() int

	// children calls yield for each child in the order of the text. A child
	// that may be absent is nil then, so that equal nodes have equal children
	// at the same places.
	children(yield func(Node))
	// same tells whether other, a node of the same type, has the same values
	// apart from positions and children.
	same(other Node) bool
}

// Expr is a node that gives a value, if only undef: an expression, a statement
// or a definition.
type Expr interface {
	Node
	expr()
}

// Span is where the text of a node stands: Length bytes from Offset on, from 0.
// In a heredoc with a margin a span covers the margins within.
type Span struct {
	Offset, Length int
}

// Pos returns the offset of the first byte.
func (s Span) Pos() int { return s.Offset }

// End returns the offset after the last byte.
func (s Span) End() int { return s.Offset + s.Length }

// Program is a whole source text.
type Program struct {
	Span
	// Body has the statements; it is never nil.
	Body *Block
	// Locator tells lines and columns of the nodes.
	Locator *Locator
	// Warnings are what is allowed but doubtful, in the order found.
	Warnings ErrorList
}

// Block is a sequence of statements: the body of a lambda, of a branch or of a
// program. It gives the value of the last one, undef when it is empty.
type Block struct {
	Span
	Statements []Expr
}

// Undef is undef.
type Undef struct{ Span }

// Default is default.
type Default struct{ Span }

// Boolean is true or false.
type Boolean struct {
	Span
	Value bool
}

// Integer is a whole number without a sign: 10, 0x1f or 017.
type Integer struct {
	Span
	Value int64
	// Radix is 10, 16 or 8, as the number was written.
	Radix int

	// overflow is the text of a number that is too big for Value.
	overflow string
}

// Float is a number with a fraction or an exponent: 1.5, 3e5.
type Float struct {
	Span
	Value float64
}

// String is text without interpolation: 'text', "text", or a bare word with
// dashes. Value has the escapes replaced.
type String struct {
	Span
	Value string
}

// ConcatenatedString is "text $x ${expression}". The segments are *String and
// *TextExpression; there is at least one of the latter, and no empty String.
type ConcatenatedString struct {
	Span
	Segments []Expr
}

// TextExpression is ${expression} or $x within a string: the value as text.
type TextExpression struct {
	Span
	Expr Expr
}

// Heredoc is @(TAG) and its text, which is a *String or a *ConcatenatedString.
type Heredoc struct {
	Span
	// Syntax names the language of the text, as json in @(TAG:json).
	Syntax string
	Text   Expr
}

// Regexp is /pattern/. Pattern is in Ruby's notation, with \/ replaced by /; it
// is not checked.
type Regexp struct {
	Span
	Pattern string
}

// QualifiedName is a lower-case name as my::function: a string, or the name of
// the function in a call.
type QualifiedName struct {
	Span
	Name string
}

// QualifiedReference is an upper-case name as My::Type: a type.
type QualifiedReference struct {
	Span
	Name string
}

// Variable is $name, $a::b or $0. The name has no $.
type Variable struct {
	Span
	Name string
}

// Array is [1, 2]. Adjacent key => value elements are one *Hash.
type Array struct {
	Span
	Elements []Expr
}

// Hash is {key => value}, or key => value among arguments or elements.
type Hash struct {
	Span
	Entries []*KeyedEntry
}

// KeyedEntry is key => value.
type KeyedEntry struct {
	Span
	Key, Value Expr
	// At is the offset of the =>.
	At int
}

// Operator is an operator as it is written.
type Operator string

// The operators, in the order of their precedence, highest first. OpMinus is
// unary and binary: its unary form binds tighter than OpIn, and so does OpSplat,
// which is written like OpTimes. OpAssign comes last.
const (
	OpNot          Operator = "!"
	OpIn           Operator = "in"
	OpMatch        Operator = "=~"
	OpNoMatch      Operator = "!~"
	OpTimes        Operator = "*"
	OpDivide       Operator = "/"
	OpModulo       Operator = "%"
	OpMinus        Operator = "-"
	OpPlus         Operator = "+"
	OpLeftShift    Operator = "<<"
	OpRightShift   Operator = ">>"
	OpEqual        Operator = "=="
	OpNotEqual     Operator = "!="
	OpGreater      Operator = ">"
	OpGreaterEqual Operator = ">="
	OpLess         Operator = "<"
	OpLessEqual    Operator = "<="
	OpAnd          Operator = "and"
	OpOr           Operator = "or"
	OpAssign       Operator = "="
	OpAppend       Operator = "+=" // always an error
	OpDelete       Operator = "-=" // always an error
)

// OpSplat is the unary * that unfolds a list into arguments or elements.
const OpSplat = OpTimes

// Unary is !x, -x or *x.
type Unary struct {
	Span
	Op      Operator
	Operand Expr
}

// Binary is x op y, for every operator from OpIn to OpOr.
type Binary struct {
	Span
	Op          Operator
	Left, Right Expr
	// At is the offset of the operator.
	At int
}

// Assignment is $x = value, [$a, $b] = value; with OpAppend and OpDelete it is
// an error.
type Assignment struct {
	Span
	Op          Operator
	Left, Right Expr
	// At is the offset of the operator.
	At int
}

// Parenthesized is (x).
type Parenthesized struct {
	Span
	Expr Expr
}

// Access is x[key, …]: an index, a slice, or the parameters of a type.
type Access struct {
	Span
	Left Expr
	Keys []Expr
}

// Call is name(arguments) |parameters| {…}, or name arguments for one of the
// statement functions, as notice. Function is a *QualifiedName, or a type that
// is to make a value: a *QualifiedReference or an *Access to one.
type Call struct {
	Span
	Function  Expr
	Arguments []Expr
	Lambda    *Lambda // nil without
}

// MethodCall is x.name(arguments) |parameters| {…}: the function name with x
// before its arguments.
type MethodCall struct {
	Span
	Receiver  Expr
	Function  *QualifiedName
	Arguments []Expr
	Lambda    *Lambda // nil without
	// At is the offset of the ( or, without arguments, of the dot.
	At int
}

// Lambda is |parameters| >> Type {…}.
type Lambda struct {
	Span
	Parameters []*Parameter
	ReturnType Expr // nil without
	Body       *Block
}

// Parameter is Type $name = default, or *$name for the rest of the arguments.
type Parameter struct {
	Span
	Name         string
	Type         Expr // nil without
	Default      Expr // nil without
	CapturesRest bool
	// At is the offset of the $.
	At int
}

// If is if x {…} elsif y {…} else {…}.
type If struct {
	Span
	Test Expr
	Then *Block
	Else Expr // nil, a *Block, or the *If of an elsif
}

// Unless is unless x {…} else {…}.
type Unless struct {
	Span
	Test Expr
	Then *Block
	Else *Block // nil without
}

// Case is case x { 1, 2: {…} default: {…} }.
type Case struct {
	Span
	Test    Expr
	Options []*CaseOption
}

// CaseOption is one of the choices of a Case.
type CaseOption struct {
	Span
	Values []Expr
	Body   *Block
	// At is the offset of the colon.
	At int
}

// Selector is x ? { 1 => 'a', default => 'b' }.
type Selector struct {
	Span
	Left    Expr
	Entries []*SelectorEntry
}

// SelectorEntry is one of the choices of a Selector.
type SelectorEntry struct {
	Span
	Match, Value Expr
	// At is the offset of the =>.
	At int
}

// FunctionDefinition is function name(parameters) >> Type {…}.
type FunctionDefinition struct {
	Span
	Name       string
	Parameters []*Parameter
	ReturnType Expr // nil without
	Body       *Block
}

// TypeAlias is type Name = Type. The short forms of an Object type, {…} and
// Parent {…}, are written out as Object[{…, parent => Parent}].
type TypeAlias struct {
	Span
	Name string
	Type Expr
	// At is the offset of the name.
	At int
}

// TypeMapping is type Runtime[…] = Type: how names of a runtime system become
// names of types.
type TypeMapping struct {
	Span
	Left  *Access
	Right Expr
	// At is the offset of Runtime.
	At int
}

// EPP is a template.
type EPP struct {
	Span
	// Parameters are those of <%- |$x| -%>. ParametersGiven tells whether there
	// was such a list, if only an empty one.
	Parameters      []*Parameter
	ParametersGiven bool
	// Body is never nil.
	Body *Block
	// Locator tells lines and columns of the nodes.
	Locator *Locator
	// Warnings are what is allowed but doubtful, in the order found.
	Warnings ErrorList
}

// RenderString is text of a template outside of tags.
type RenderString struct {
	Span
	Text string
}

// Render is <%= expression %>, or <%= {statements} %> with a *Block.
type Render struct {
	Span
	Expr Expr
}

// Definition is the head of a class or a define: all but its body, which is
// skipped.
type Definition struct {
	Span
	// Kind is "class" or "define".
	Kind string
	// Name is the full name, with the names of the classes around it.
	Name       string
	Parameters []*Parameter
	// Inherits is the name of the parent of a class, or "".
	Inherits string
}

func (*Block) expr()              {}
func (*Undef) expr()              {}
func (*Default) expr()            {}
func (*Boolean) expr()            {}
func (*Integer) expr()            {}
func (*Float) expr()              {}
func (*String) expr()             {}
func (*ConcatenatedString) expr() {}
func (*TextExpression) expr()     {}
func (*Heredoc) expr()            {}
func (*Regexp) expr()             {}
func (*QualifiedName) expr()      {}
func (*QualifiedReference) expr() {}
func (*Variable) expr()           {}
func (*Array) expr()              {}
func (*Hash) expr()               {}
func (*Unary) expr()              {}
func (*Binary) expr()             {}
func (*Assignment) expr()         {}
func (*Parenthesized) expr()      {}
func (*Access) expr()             {}
func (*Call) expr()               {}
func (*MethodCall) expr()         {}
func (*If) expr()                 {}
func (*Unless) expr()             {}
func (*Case) expr()               {}
func (*Selector) expr()           {}
func (*FunctionDefinition) expr() {}
func (*TypeAlias) expr()          {}
func (*TypeMapping) expr()        {}
func (*RenderString) expr()       {}
func (*Render) expr()             {}

// Anchor returns the offset at which an error about a node is reported. That is
// its start, but for an operation it is the operator, and for a method call the
// dot or the parenthesis.
func Anchor(n Node) int {
	switch n := n.(type) {
	case *Binary:
		return n.At
	case *Assignment:
		return n.At
	case *MethodCall:
		return n.At
	case *KeyedEntry:
		return n.At
	case *SelectorEntry:
		return n.At
	case *CaseOption:
		return n.At
	case *Parameter:
		return n.At
	case *TypeAlias:
		return n.At
	case *TypeMapping:
		return n.At
	case *Access:
		return Anchor(n.Left)
	case *Call:
		return Anchor(n.Function)
	case *Selector:
		return Anchor(n.Left)
	case *TextExpression:
		return Anchor(n.Expr)
	}
	return n.Pos()
}
