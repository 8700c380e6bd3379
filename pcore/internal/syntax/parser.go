package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// Config configures parsing. The zero value parses as Puppet 8 does, with
// strict set to error.
type Config struct {
	// Unchecked accepts constructs that are well formed but not allowed, such as a
	// value that is computed and dropped, for texts whose meaning is checked
	// elsewhere.
	Unchecked bool
	// Lax makes a duplicate key of a hash a warning, as strict set to warning
	// does.
	Lax bool
	// NoLiteralTypes accepts a hash in which the same type is a key twice, as Puppet before 8.5 does.
	NoLiteralTypes bool
	// MaxErrors is the maximum number of errors reported; 0 means 10.
	MaxErrors int
	// MaxDepth is the maximum height of a tree, counted in nested expressions
	// and in operands of a chain such as 1 + 2 + 3; 0 means 1000.
	MaxDepth int

	level int // of texts within heredocs
}

// ParseProgram parses the statements of a manifest with the zero [Config].
func ParseProgram(file, src string) (*Program, error) { return Config{}.ParseProgram(file, src) }

// ParseEPP parses a template with the zero [Config].
func ParseEPP(file, src string) (*EPP, error) { return Config{}.ParseEPP(file, src) }

// ParseProgram parses the statements of a manifest. An error is an [ErrorList].
// Constructs that only have a meaning in a catalog are errors.
func (c Config) ParseProgram(file, src string) (*Program, error) {
	p := c.parser(file, src, false)
	body := p.whole()
	prog := &Program{Span: Span{0, len(src)}, Body: body, Locator: p.diags.loc}
	if err := p.finish(c, prog); err != nil {
		return nil, err
	}
	prog.Warnings = p.diags.warnings
	return prog, nil
}

// ParseExpr parses exactly one expression, such as a type. An error is an
// [ErrorList].
func (c Config) ParseExpr(file, src string) (Expr, error) {
	p := c.parser(file, src, false)
	body := p.whole()
	if n := len(body.Statements); len(p.diags.errors) == 0 && n != 1 {
		if n == 0 {
			p.unexpected()
		} else {
			second := body.Statements[1].Pos()
			p.diags.errorf(second, "SYNTAX_ERROR", "Syntax error: one expression is expected, a second begins here")
		}
	}
	if err := p.finish(c, &Program{Span: Span{0, len(src)}, Body: body}); err != nil {
		return nil, err
	}
	return body.Statements[0], nil
}

// ParseEPP parses a template: text with <% … %>. An error is an [ErrorList].
func (c Config) ParseEPP(file, src string) (*EPP, error) {
	p := c.parser(file, src, true)
	t := &EPP{Span: Span{0, len(src)}, Locator: p.diags.loc}
	if p.k == pipe {
		t.Parameters, t.ParametersGiven = p.lambdaParameters(), true
		if p.failed {
			return nil, p.diags.err()
		}
	}
	t.Body = p.whole()
	if err := p.finish(c, t); err != nil {
		return nil, err
	}
	t.Warnings = p.diags.warnings
	return t, nil
}

// parser builds a tree from tokens. After an error, failed is set and the
// current token has the kind none, which no rule accepts: the rules return
// without consuming more tokens, and the innermost list of statements resumes
// after the statement in error.
type parser struct {
	diags  *diagnostics
	tokens []token
	i      int  // index of the current token
	k      kind // kind of the current token
	failed bool

	depth    int // of the current rule
	peak     int // the depth of the deepest leaf parsed so far within it
	maxDepth int

	statement int // index of the first token of the current statement
	manifest  int // index of the first token of the last statement reported as catalog-only

	typeSet bool // within a TypeSet, where Parent {…} declares a type
}

// parser returns a parser at the first token of src.
func (c Config) parser(file, src string, template bool) *parser {
	if c.MaxErrors <= 0 {
		c.MaxErrors = 10
	}
	if c.MaxDepth <= 0 {
		c.MaxDepth = 1000
	}
	p := &parser{
		diags:    &diagnostics{loc: NewLocator(file, src), limit: c.MaxErrors},
		maxDepth: c.MaxDepth,
		manifest: -1,
	}
	p.tokens = tokenize(p.diags, c.MaxDepth, template)
	p.k = p.tokens[0].kind
	return p
}

// finish checks the tree unless there are errors already, and returns the
// errors.
func (p *parser) finish(c Config, root Node) error {
	if len(p.diags.errors) == 0 && !c.Unchecked {
		check(root, p.diags, c)
	}
	return p.diags.err()
}

// tok returns the current token.
func (p *parser) tok() *token { return &p.tokens[p.i] }

// peek returns the kind of the token after the current one.
func (p *parser) peek() kind {
	if p.failed || p.i+1 >= len(p.tokens) {
		return none
	}
	return p.tokens[p.i+1].kind
}

// next consumes the current token and returns it.
func (p *parser) next() *token {
	t := &p.tokens[p.i]
	if !p.failed && t.kind != eof {
		p.i++
		p.k = p.tokens[p.i].kind
	}
	return t
}

// accept consumes the current token if it has kind k, and reports whether it
// did.
func (p *parser) accept(k kind) bool {
	if p.k != k {
		return false
	}
	p.next()
	return true
}

// expect consumes a token of kind k; any other is a syntax error.
func (p *parser) expect(k kind) *token {
	if p.k != k {
		p.unexpected()
	}
	return p.next()
}

// lastEnd returns the end of the token before the current one.
func (p *parser) lastEnd() int {
	if p.i == 0 {
		return 0
	}
	return p.tokens[p.i-1].end
}

// from returns the span from an offset to the end of the last token consumed.
func (p *parser) from(start int) Span { return Span{start, max(p.lastEnd()-start, 0)} }

// fail reports an error and makes the rules return.
func (p *parser) fail(e *Error) {
	if !p.failed {
		p.failed, p.k = true, none
		p.diags.report(e)
	}
}

// failf reports an error at an offset and makes the rules return.
func (p *parser) failf(offset int, issue, format string, args ...any) {
	if !p.failed {
		p.fail(p.diags.make(offset, issue, fmt.Sprintf(format, args...)))
	}
}

// unexpected reports that no rule accepts the current token here.
func (p *parser) unexpected() {
	if p.failed {
		return
	}
	switch t := p.tok(); t.kind {
	case illegal:
		p.fail(t.err)
	case eof:
		p.failf(t.off, "SYNTAX_ERROR", endOfInput)
	case dqMid, dqPost:
		p.failf(t.off, "SYNTAX_ERROR", "Syntax error at '}'")
	default:
		text, _, _ := strings.Cut(t.text, "\n")
		p.failf(t.off, "SYNTAX_ERROR", "Syntax error at '%s'", text)
	}
}

// enter begins a rule that may contain itself. Pass its result to leave.
func (p *parser) enter() (peak int) {
	peak = p.peak
	p.depth++
	p.peak = p.depth
	p.limit(p.depth)
	return peak
}

// leave ends a rule.
func (p *parser) leave(peak int) {
	p.depth--
	p.peak = max(p.peak, peak)
}

// grow records that the expression parsed so far becomes a child of a new node.
func (p *parser) grow() {
	p.peak++
	p.limit(p.peak)
}

// limit reports an error if the height exceeds the maximum.
func (p *parser) limit(height int) {
	if height > p.maxDepth && !p.failed {
		p.failf(p.tok().off, "NESTING_TOO_DEEP", "Expressions are nested more than %d deep", p.maxDepth)
	}
}

// whole parses statements to the end of the input.
func (p *parser) whole() *Block {
	b := &Block{Statements: p.statements(eof, nil)}
	b.Span = Span{0, len(p.diags.loc.src)}
	if len(b.Statements) > 0 {
		first := b.Statements[0].Pos()
		b.Span = Span{first, b.Statements[len(b.Statements)-1].End() - first}
	}
	return b
}

// block parses { statements }.
func (p *parser) block() *Block {
	start := p.expect(lbrace).off
	b := &Block{Statements: p.statements(rbrace, nil)}
	p.expect(rbrace)
	b.Span = p.from(start)
	return b
}

// statements parses statements up to but not including a token of kind end.
// They need no separator; a semicolon between two is allowed. If first is not
// nil, it is the beginning of the first statement, parsed already.
func (p *parser) statements(end kind, first Expr) []Expr {
	var list []Expr
	outer := p.statement
	for first != nil || p.k != end && p.k != eof && !p.failed {
		p.statement = p.i
		list = p.appendStatement(list, first)
		first = nil
		if p.k == semicolon {
			p.next()
			if p.k == end || p.k == eof {
				p.unexpected()
			}
		}
		if p.failed {
			p.resync(end)
		}
	}
	p.statement = outer
	return list
}

// appendStatement parses a statement. If the previous one is the name of a
// statement function, the new one is its argument, or several arguments
// separated by commas.
func (p *parser) appendStatement(list []Expr, first Expr) []Expr {
	if first == nil {
		first = p.assignment()
	}
	args := []Expr{first}
	firstComma := p.tok().off
	for p.accept(comma) {
		args = append(args, p.assignment())
	}
	if p.failed {
		return list
	}
	var name *QualifiedName
	if len(list) > 0 {
		name, _ = list[len(list)-1].(*QualifiedName)
	}
	if name != nil && isStatementFunction(name.Name) {
		list[len(list)-1] = &Call{Span: p.from(name.Pos()), Function: name, Arguments: args}
		return list
	}
	if len(args) == 1 {
		return append(list, args[0])
	}
	if name != nil {
		p.diags.errorf(firstComma, "ILLEGAL_ARGUMENT_LIST",
			"attempt to pass argument list to the function '%s' which cannot be called without parentheses", name.Name)
	} else {
		p.diags.errorf(firstComma, "ILLEGAL_ARGUMENT_LIST", "illegal comma separated argument list")
	}
	return list
}

// isStatementFunction reports whether a function may be called without
// parentheses around its arguments.
func isStatementFunction(name string) bool {
	switch name {
	case "require", "realize", "include", "contain", "tag",
		"debug", "info", "notice", "warning", "err",
		"fail", "import", "break", "next", "return":
		return true
	}
	return false
}

// resync resumes after an error: after the next semicolon, before the end of
// the block, or at the next line, in each case outside of brackets opened in
// the statement in error.
func (p *parser) resync(end kind) {
	if len(p.diags.errors) >= p.diags.limit {
		return
	}
	depth := 0
	for _, t := range p.tokens[p.statement:p.i] {
		depth = max(0, depth+t.kind.nesting())
	}
	p.failed = false
	for start := p.i; ; p.i++ {
		t := p.tok()
		p.k = t.kind
		switch {
		case t.kind == eof:
			return
		case t.kind == illegal && p.i > start:
			p.diags.report(t.err)
		case depth > 0 || p.i == p.statement:
		case t.kind == end:
			return
		case t.kind == semicolon:
			p.next()
			return
		case t.bol && t.kind.nesting() >= 0:
			return
		}
		depth = max(0, depth+t.kind.nesting())
	}
}

// bad returns a placeholder for an expression that could not be parsed. An
// error is reported in this case, and the tree is discarded.
func (p *parser) bad() Expr { return &Undef{Span{p.tok().off, 0}} }

// number returns the node for a number.
func (p *parser) number(t *token) Expr {
	n := &Integer{Span: span(t), Radix: 10}
	digits := t.text
	switch second := byteAt(digits, 1); {
	case second == 'x' || second == 'X':
		n.Radix, digits = 16, digits[2:]
	case strings.ContainsAny(digits, ".eE"):
		value, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			p.diags.errorf(t.off, "NUMERIC_OVERFLOW", "A Literal Float is outside of Puppet Float range, got '%s'", digits)
		}
		return &Float{Span: span(t), Value: value}
	case digits[0] == '0' && len(digits) > 1:
		n.Radix, digits = 8, digits[1:]
	}
	value, err := strconv.ParseInt(digits, n.Radix, 64)
	if err != nil {
		n.overflow = t.text
	}
	n.Value = value
	return n
}

// span returns the span of a token.
func span(t *token) Span { return Span{t.off, t.end - t.off} }
