package syntax

// Node is a node of the syntax tree.
type Node interface {
	// Pos returns the byte offset in the source where the text of the node begins.
	Pos() int
	// End returns the byte offset after the text of the node.
	End() int

	// children calls yield for each child in source order, and may yield nil for
	// an absent child.
	children(yield func(Node))
}

// Expr is a node that has a value, possibly undef: an expression, a statement
// or a definition.
type Expr interface {
	Node
	expr()
}

// Span is the source range of a node: Length bytes starting at Offset, which
// counts from 0. In a heredoc with a margin, a span includes the margins of its
// lines.
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
	// Body contains the statements; it is never nil.
	Body *Block
	// Locator converts the offsets of the nodes to lines and columns.
	Locator *Locator
	// Warnings lists constructs that are allowed but doubtful, in the order
	// found.
	Warnings ErrorList
}

// Block is a sequence of statements: the body of a lambda, of a branch or of a
// program. Its value is that of the last statement, or undef if it is empty.
type Block struct {
	Span
	Statements []Expr
}

// Undef is the literal undef.
type Undef struct{ Span }

// Default is the literal default.
type Default struct{ Span }

// Boolean is the literal true or false.
type Boolean struct {
	Span
	Value bool
}

// Integer is an unsigned integer literal: 10, 0x1f or 017.
type Integer struct {
	Span
	Value int64
	// Radix is 10, 16 or 8, depending on the notation.
	Radix int

	// overflow is the text of a number that is too large for Value.
	overflow string
}

// Float is a number with a fraction or an exponent: 1.5 or 3e5.
type Float struct {
	Span
	Value float64
}

// String is text without interpolation: 'text', "text", or a bare word with
// dashes. In Value, the escapes are replaced.
type String struct {
	Span
	Value string
}

// ConcatenatedString is "text $x ${expression}". The segments are *String and
// *TextExpression; at least one is a *TextExpression, and no *String is empty.
type ConcatenatedString struct {
	Span
	Segments []Expr
}

// TextExpression is ${expression} or $x within a string: the value converted to
// text.
type TextExpression struct {
	Span
	Expr Expr
}

// Heredoc is @(TAG) and its text, a *String or a *ConcatenatedString.
type Heredoc struct {
	Span
	// Syntax names the language of the text, such as json in @(TAG:json).
	Syntax string
	Text   Expr
}

// Regexp is /pattern/. Pattern uses Ruby's notation, with \/ replaced by /; its
// syntax is not checked.
type Regexp struct {
	Span
	Pattern string
}

// QualifiedName is a lower-case name such as my::function: a string, or the
// name of the function in a call.
type QualifiedName struct {
	Span
	Name string
}

// QualifiedReference is an upper-case name such as My::Type: a type.
type QualifiedReference struct {
	Span
	Name string
}

// Variable is $name, $a::b or $0. Name excludes the $.
type Variable struct {
	Span
	Name string
}

// Array is [1, 2]. Adjacent key => value elements form one *Hash.
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

// Operator is an operator in source notation.
type Operator string

// The operators in order of precedence, highest first. OpMinus is both unary
// and binary: its unary form binds tighter than OpIn, as does OpSplat, which
// has the same notation as OpTimes. OpAssign comes last.
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

// OpSplat is the unary * that expands a list into arguments or elements.
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

// Assignment is $x = value or [$a, $b] = value; with OpAppend or OpDelete it is
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

// Call is name(arguments) |parameters| {…}, or name arguments for a statement
// function such as notice. Function is a *QualifiedName or, to create a value
// of a type, a *QualifiedReference or an *Access to one.
type Call struct {
	Span
	Function  Expr
	Arguments []Expr
	Lambda    *Lambda // nil if absent
}

// MethodCall is x.name(arguments) |parameters| {…}: it calls the function name
// with x before the arguments.
type MethodCall struct {
	Span
	Receiver  Expr
	Function  *QualifiedName
	Arguments []Expr
	Lambda    *Lambda // nil if absent
	// At is the offset of the ( or, if there is none, of the dot.
	At int
}

// Lambda is |parameters| >> Type {…}.
type Lambda struct {
	Span
	Parameters []*Parameter
	ReturnType Expr // nil if absent
	Body       *Block
}

// Parameter is Type $name = default, or *$name for the remaining arguments.
type Parameter struct {
	Span
	Name         string
	Type         Expr // nil if absent
	Default      Expr // nil if absent
	CapturesRest bool
	// At is the offset of the $.
	At int
}

// If is the expression if x {…} elsif y {…} else {…}.
type If struct {
	Span
	Test Expr
	Then *Block
	Else Expr // nil, a *Block, or the *If of an elsif
}

// Unless is the expression unless x {…} else {…}.
type Unless struct {
	Span
	Test Expr
	Then *Block
	Else *Block // nil if absent
}

// Case is the expression case x { 1, 2: {…} default: {…} }.
type Case struct {
	Span
	Test    Expr
	Options []*CaseOption
}

// CaseOption is one option of a Case.
type CaseOption struct {
	Span
	Values []Expr
	Body   *Block
	// At is the offset of the colon.
	At int
}

// Selector is the expression x ? { 1 => 'a', default => 'b' }.
type Selector struct {
	Span
	Left    Expr
	Entries []*SelectorEntry
}

// SelectorEntry is one entry of a Selector.
type SelectorEntry struct {
	Span
	Match, Value Expr
	// At is the offset of the =>.
	At int
}

// FunctionDefinition is the definition function name(parameters) >> Type {…}.
type FunctionDefinition struct {
	Span
	Name       string
	Parameters []*Parameter
	ReturnType Expr // nil if absent
	Body       *Block
}

// TypeAlias is type Name = Type. The short forms of an Object type, {…} and
// Parent {…}, are expanded to Object[{…, parent => Parent}].
type TypeAlias struct {
	Span
	Name string
	Type Expr
	// At is the offset of the name.
	At int
}

// TypeMapping is type Runtime[…] = Type, which maps type names of a runtime
// system to Puppet types.
type TypeMapping struct {
	Span
	Left  *Access
	Right Expr
	// At is the offset of Runtime.
	At int
}

// EPP is an EPP template.
type EPP struct {
	Span
	// Parameters is the list in <%- |$x| -%>. ParametersGiven reports whether
	// the template has such a list, even an empty one.
	Parameters      []*Parameter
	ParametersGiven bool
	// Body is never nil.
	Body *Block
	// Locator converts the offsets of the nodes to lines and columns.
	Locator *Locator
	// Warnings lists constructs that are allowed but doubtful, in the order
	// found.
	Warnings ErrorList
}

// RenderString is template text outside of tags.
type RenderString struct {
	Span
	Text string
}

// Render is <%= expression %>, or <%= {statements} %> with a *Block.
type Render struct {
	Span
	Expr Expr
}

// Definition is the head of a class or a define: everything except its body,
// which is skipped.
type Definition struct {
	Span
	// Kind is "class" or "define".
	Kind string
	// Name is the full name, prefixed with the names of the enclosing classes.
	Name       string
	Parameters []*Parameter
	// Inherits is the name of the parent class, or "".
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

// Anchor returns the offset at which an error about n is reported: the field At
// of a node that has one, such as the offset of an operator, otherwise in
// general the start of the node.
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
