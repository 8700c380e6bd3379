package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Print returns a tree as canonical source text. For a tree that the Parse
// functions returned, parsing the text gives an equal tree. A program ends with
// a line break unless it is empty; a template is printed as a template.
func Print(n Node) string {
	p := &printer{}
	switch n := n.(type) {
	case *Program:
		p.statements(n.Body.Statements)
		if p.b.Len() > 0 {
			p.newline()
		}
	case *EPP:
		p.template(n)
	default:
		p.node(n)
		p.flush()
	}
	return p.b.String()
}

// printer writes a tree as source text.
type printer struct {
	b        strings.Builder
	indent   int
	heredocs []string // texts to write after the next line break, with their end lines
	opened   int      // number of heredocs so far
	text     bool     // in the text of a template rather than in a tag
	rendered bool     // the output ends with such text
}

// write writes code. In the text of a template it opens a tag first.
func (p *printer) write(parts ...string) {
	p.openTag("<% ")
	for _, s := range parts {
		p.b.WriteString(s)
	}
}

// newline ends a line, and writes the texts of the line's heredocs.
func (p *printer) newline() {
	p.write("\n")
	p.write(p.heredocs...)
	p.heredocs = p.heredocs[:0]
	for range p.indent {
		p.write("  ")
	}
}

// flush ends the line if texts of heredocs are pending.
func (p *printer) flush() {
	if len(p.heredocs) > 0 {
		p.newline()
	}
}

// statements writes statements, one per line.
func (p *printer) statements(list []Expr) {
	for i, s := range list {
		if i > 0 && !isTemplateText(s) {
			p.separate(s)
		}
		p.node(s)
	}
}

// separate begins a new statement: on a new line, and after a semicolon if it
// would otherwise continue the previous one.
func (p *printer) separate(s Expr) {
	inText := p.text
	_, parenthesized := first(s).(*Parenthesized)
	switch {
	case continues(s):
		p.write(";")
		if inText {
			p.write(" ")
			return
		}
	case inText && !parenthesized:
		return
	}
	p.newline()
}

// continues reports whether the text of an expression would be parsed as part
// of the text before it.
func continues(e Expr) bool {
	switch e := first(e).(type) {
	case *Unary:
		return e.Op != OpNot
	case *Hash, *Regexp:
		return true
	case *ConcatenatedString:
		// The text before the string decides whether / begins a pattern in
		// ${/…/}.
		t, ok := e.Segments[0].(*TextExpression)
		if !ok && len(e.Segments) > 1 {
			t, ok = e.Segments[1].(*TextExpression)
		}
		return ok && continues(t.Expr)
	}
	return false
}

// first returns the part of an expression at the beginning of its text.
func first(e Expr) Expr {
	for {
		switch n := e.(type) {
		case *Binary:
			e = n.Left
		case *Assignment:
			e = n.Left
		case *Access:
			e = n.Left
		case *Call:
			e = n.Function
		case *MethodCall:
			e = n.Receiver
		case *Selector:
			e = n.Left
		default:
			return e
		}
	}
}

// last returns the part of an expression at the end of its text.
func last(e Expr) Expr {
	for {
		switch n := e.(type) {
		case *Binary:
			e = n.Right
		case *Assignment:
			e = n.Right
		case *Unary:
			e = n.Operand
		case *TypeAlias:
			e = n.Type
		case *TypeMapping:
			e = n.Right
		default:
			return e
		}
	}
}

// block writes { statements }.
func (p *printer) block(n *Block) {
	if len(n.Statements) == 0 {
		p.write("{ }")
		return
	}
	p.write("{")
	p.indent++
	if !isTemplateText(n.Statements[0]) {
		p.newline()
	}
	p.statements(n.Statements)
	p.indent--
	if !p.text {
		p.newline()
	}
	p.write("}")
}

// node writes a node.
func (p *printer) node(n Node) {
	switch n := n.(type) {
	case *Program:
		p.statements(n.Body.Statements)
	case *Block:
		p.block(n)
	case *Undef:
		p.write("undef")
	case *Default:
		p.write("default")
	case *Boolean:
		p.write(strconv.FormatBool(n.Value))
	case *Integer:
		p.integer(n)
	case *Float:
		p.write(formatFloat(n.Value))
	case *String:
		p.write(quote(n.Value))
	case *ConcatenatedString:
		p.concatenated(n)
	case *TextExpression:
		p.interpolation(n.Expr)
	case *Heredoc:
		p.heredoc(n)
	case *Regexp:
		p.regexp(n)
	case *QualifiedName:
		p.write(n.Name)
	case *QualifiedReference:
		p.write(n.Name)
	case *Variable:
		p.variable(n)
	case *Array:
		p.write("[")
		p.list(n.Elements)
		p.write("]")
	case *Hash:
		p.hash(n)
	case *KeyedEntry:
		p.pair(n.Key, n.Value)
	case *Unary:
		p.write(string(n.Op))
		p.node(n.Operand)
	case *Binary:
		p.binary(n.Left, n.Op, n.Right)
	case *Assignment:
		p.binary(n.Left, n.Op, n.Right)
	case *Parenthesized:
		p.write("(")
		p.node(n.Expr)
		p.write(")")
	case *Access:
		p.node(n.Left)
		p.openTag("<%") // after a blank, the bracket would begin a list
		p.write("[")
		p.list(n.Keys)
		p.write("]")
	case *Call:
		p.call(n)
	case *MethodCall:
		p.methodCall(n)
	case *Lambda:
		p.lambda(n)
	case *Parameter:
		p.parameter(n)
	case *If:
		p.ifExpression(n)
	case *Unless:
		p.unless(n)
	case *Case:
		p.caseExpression(n)
	case *CaseOption:
		p.list(n.Values)
		p.write(": ")
		p.block(n.Body)
	case *Selector:
		p.selector(n)
	case *SelectorEntry:
		p.pair(n.Match, n.Value)
	case *FunctionDefinition:
		p.function(n)
	case *TypeAlias:
		p.write("type ", n.Name, " = ")
		p.node(n.Type)
	case *TypeMapping:
		p.write("type ")
		p.binary(n.Left, OpAssign, n.Right)
	case *EPP:
		p.template(n)
	case *RenderString:
		p.renderString(n)
	case *Render:
		p.render(n)
	case *Definition:
		p.definition(n)
	default:
		panic(fmt.Sprintf("syntax: no text for %T", n)) //nolint:forbidigo // all types of Node are above
	}
}

// list writes expressions separated by commas.
func (p *printer) list(list []Expr) {
	for i, e := range list {
		if i > 0 {
			p.write(", ")
		}
		p.node(e)
	}
}

func (p *printer) pair(key, value Expr) {
	p.node(key)
	p.write(" => ")
	p.node(value)
}

func (p *printer) binary(left Expr, op Operator, right Expr) {
	p.node(left)
	p.write(" ", string(op), " ")
	p.node(right)
}

// variable writes $name. An invalid name that is only possible in "${name}" is
// written without the $.
func (p *printer) variable(n *Variable) {
	if variableEnd(n.Name, 0) == len(n.Name) {
		p.write("$")
	}
	p.write(n.Name)
}

func (p *printer) integer(n *Integer) {
	switch {
	case n.overflow != "":
		p.write(n.overflow)
	case n.Radix == 16:
		p.write("0x", strconv.FormatInt(n.Value, 16))
	case n.Radix == 8:
		p.write("0", strconv.FormatInt(n.Value, 8))
	default:
		p.write(strconv.FormatInt(n.Value, 10))
	}
}

// formatFloat returns a text for a float that parses as the same float and not
// as an integer.
func formatFloat(f float64) string {
	text := strings.Replace(strconv.FormatFloat(f, 'g', -1, 64), "e+", "e", 1)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// quote returns a string literal in single quotes or, if a character is better
// written as an escape, in double quotes.
func quote(text string) string {
	for _, r := range text {
		if isEscaped(r) {
			return `"` + escape(text, `"`, false) + `"`
		}
	}
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// isEscaped reports whether a character is written as an escape.
func isEscaped(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// escape returns text with escapes, for a string that a character in ends would
// terminate. In a heredoc, line breaks and tabs are unchanged.
func escape(text, ends string, heredoc bool) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\' || r == '$' || strings.ContainsRune(ends, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n' && heredoc, r == '\t' && heredoc:
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case isEscaped(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (p *printer) concatenated(n *ConcatenatedString) {
	p.write(`"`)
	for _, s := range n.Segments {
		if text, ok := s.(*String); ok {
			p.write(escape(text.Value, `"`, false))
		} else {
			p.node(s)
		}
	}
	p.write(`"`)
}

// interpolation writes ${expression}. The texts of heredocs in the expression
// come before the closing brace, because the string continues on the same line.
func (p *printer) interpolation(e Expr) {
	opened := p.opened
	p.write("${")
	p.node(e)
	if p.opened > opened {
		p.flush()
	}
	p.write("}")
}

// heredoc writes the tag of a heredoc. The text follows at the end of the line.
func (p *printer) heredoc(n *Heredoc) {
	var text string
	quoted, escaped := false, false
	switch t := n.Text.(type) {
	case *String:
		text = t.Value
		escaped = strings.ContainsFunc(text, func(r rune) bool { return isEscaped(r) && r != '\n' && r != '\t' })
		if escaped {
			text = escape(text, "", true)
		}
	case *ConcatenatedString:
		quoted, escaped = true, true
		text = heredocText(t)
	}
	join := ""
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
		join = "- "
	}
	tag := freeTag(text)
	p.heredocs = append(p.heredocs, text+join+tag+"\n")
	p.opened++
	p.write("@(")
	if quoted {
		p.write(`"`, tag, `"`)
	} else {
		p.write(tag)
	}
	if n.Syntax != "" {
		p.write(":", n.Syntax)
	}
	if escaped {
		p.write("/")
	}
	p.write(")")
}

// heredocText returns the text of a heredoc with interpolations.
func heredocText(n *ConcatenatedString) string {
	body := &printer{}
	for _, s := range n.Segments {
		if text, ok := s.(*String); ok {
			body.write(escape(text.Value, "", true))
		} else {
			body.node(s)
		}
	}
	return body.b.String()
}

// freeTag returns a tag that is not at the end of any line of a text.
func freeTag(text string) string {
	const tag = "END"
	used := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		line = strings.TrimRightFunc(line, isBlank)
		word := strings.TrimRight(line, "0123456789")
		if strings.HasSuffix(word, tag) {
			used[line[len(word):]] = true
		}
	}
	suffix := ""
	for n := 2; used[suffix]; n++ {
		suffix = strconv.Itoa(n)
	}
	return tag + suffix
}

// regexp writes /pattern/. A pattern with line breaks may not be on the line of
// a heredoc.
func (p *printer) regexp(n *Regexp) {
	if strings.Contains(n.Pattern, "\n") {
		p.flush()
	}
	p.write("/", strings.ReplaceAll(n.Pattern, "/", `\/`), "/")
}

func (p *printer) hash(n *Hash) {
	p.write("{")
	for i, e := range n.Entries {
		if i > 0 {
			p.write(", ")
		}
		p.node(e)
	}
	p.write("}")
}

func (p *printer) call(n *Call) {
	p.node(n.Function)
	if k := len(n.Arguments); k > 0 && endsTemplate(n.Arguments[k-1]) {
		p.write(" ")
		p.list(n.Arguments)
		return
	}
	p.write("(")
	p.list(n.Arguments)
	p.write(")")
	p.optionalLambda(n.Lambda)
}

func (p *printer) methodCall(n *MethodCall) {
	p.node(n.Receiver)
	p.write(".", n.Function.Name)
	if len(n.Arguments) > 0 || n.Lambda == nil {
		p.write("(")
		p.list(n.Arguments)
		p.write(")")
	}
	p.optionalLambda(n.Lambda)
}

func (p *printer) optionalLambda(n *Lambda) {
	if n != nil {
		p.write(" ")
		p.lambda(n)
	}
}

func (p *printer) lambda(n *Lambda) {
	p.pipes(n.Parameters)
	p.write(" ")
	p.returnType(n.ReturnType)
	p.block(n.Body)
}

// pipes writes |parameters|.
func (p *printer) pipes(list []*Parameter) {
	p.write("|")
	p.parameters(list)
	// After a call without a lambda, the | would begin one.
	if n := len(list); n > 0 && list[n-1].Default != nil && takesLambda(list[n-1].Default) {
		p.write(",")
	}
	p.write("|")
}

// takesLambda reports whether a lambda could follow the text of an expression.
func takesLambda(e Expr) bool {
	switch n := last(e).(type) {
	case *Call:
		return n.Lambda == nil
	case *MethodCall:
		return n.Lambda == nil
	}
	return false
}

func (p *printer) parameters(list []*Parameter) {
	for i, n := range list {
		if i > 0 {
			p.write(", ")
		}
		p.parameter(n)
	}
}

func (p *printer) parameter(n *Parameter) {
	if n.Type != nil {
		p.node(n.Type)
		p.write(" ")
	}
	if n.CapturesRest {
		p.write("*")
	}
	p.write("$", n.Name)
	if n.Default != nil {
		p.write(" = ")
		p.node(n.Default)
	}
}

func (p *printer) returnType(n Expr) {
	if n != nil {
		p.write(">> ")
		p.node(n)
		p.write(" ")
	}
}

func (p *printer) ifExpression(n *If) {
	p.write("if ")
	p.node(n.Test)
	p.write(" ")
	p.block(n.Then)
	switch otherwise := n.Else.(type) {
	case *If:
		p.write(" els")
		p.ifExpression(otherwise)
	case *Block:
		p.write(" else ")
		p.block(otherwise)
	}
}

func (p *printer) unless(n *Unless) {
	p.write("unless ")
	p.node(n.Test)
	p.write(" ")
	p.block(n.Then)
	if n.Else != nil {
		p.write(" else ")
		p.block(n.Else)
	}
}

func (p *printer) caseExpression(n *Case) {
	p.write("case ")
	p.node(n.Test)
	p.write(" {")
	p.indent++
	for _, o := range n.Options {
		p.newline()
		p.node(o)
	}
	p.indent--
	p.newline()
	p.write("}")
}

func (p *printer) selector(n *Selector) {
	p.node(n.Left)
	if len(n.Entries) == 1 && endsTemplate(n.Entries[0].Value) {
		p.write(" ? ")
		p.node(n.Entries[0])
		return
	}
	p.write(" ? {")
	for i, e := range n.Entries {
		if i > 0 {
			p.write(",")
		}
		p.write(" ")
		p.node(e)
	}
	p.write(" }")
}

func (p *printer) function(n *FunctionDefinition) {
	p.write("function ", n.Name, "(")
	p.parameters(n.Parameters)
	p.write(") ")
	p.returnType(n.ReturnType)
	p.block(n.Body)
}

// definition writes the head of a class or a define, with an empty body.
func (p *printer) definition(n *Definition) {
	p.write(n.Kind, " ", n.Name, "(")
	p.parameters(n.Parameters)
	p.write(") ")
	if n.Inherits != "" {
		p.write("inherits ", n.Inherits, " ")
	}
	p.write("{ }")
}
