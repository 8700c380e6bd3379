package syntax

// The precedences of operators, lowest first. Calls, access and method calls
// bind tighter than all of them.
const (
	precLowest = iota
	precOr
	precAnd
	precSelector
	precComparison
	precEquality
	precShift
	precSum
	precProduct
	precMatch
	precIn
	precUnary
)

// infix returns the binary operator of a token and its precedence, which is 0
// if the token is not a binary operator.
func infix(k kind) (Operator, int) {
	switch k {
	case kwOr:
		return OpOr, precOr
	case kwAnd:
		return OpAnd, precAnd
	case greater:
		return OpGreater, precComparison
	case greaterEqual:
		return OpGreaterEqual, precComparison
	case less:
		return OpLess, precComparison
	case lessEqual:
		return OpLessEqual, precComparison
	case isEqual:
		return OpEqual, precEquality
	case notEqual:
		return OpNotEqual, precEquality
	case lshift:
		return OpLeftShift, precShift
	case rshift:
		return OpRightShift, precShift
	case plus:
		return OpPlus, precSum
	case minus:
		return OpMinus, precSum
	case times:
		return OpTimes, precProduct
	case div:
		return OpDivide, precProduct
	case modulo:
		return OpModulo, precProduct
	case match:
		return OpMatch, precMatch
	case noMatch:
		return OpNoMatch, precMatch
	case kwIn:
		return OpIn, precIn
	}
	return "", 0
}

// assignment parses an expression, or left = assignment.
func (p *parser) assignment() Expr {
	outer := p.peak
	p.peak = p.depth
	defer func() { p.peak = max(p.peak, outer) }()
	left := p.relationship()
	op := assignmentOperator(p.k)
	if op == "" {
		return left
	}
	at := p.next().off
	p.grow()
	peak := p.enter()
	right := p.assignment()
	p.leave(peak)
	return &Assignment{Span: p.from(left.Pos()), Op: op, Left: left, Right: right, At: at}
}

// assignmentOperator returns the assignment operator of a token, or "".
func assignmentOperator(k kind) Operator {
	switch k {
	case equals:
		return OpAssign
	case appends:
		return OpAppend
	case deletes:
		return OpDelete
	}
	return ""
}

// expression parses operands and operators of at least the given precedence.
// All operators are left associative.
func (p *parser) expression(precedence int) Expr {
	peak := p.enter()
	defer p.leave(peak)
	return p.operations(p.operand(), precedence)
}

// operations parses the operators after an operand, as expression does.
func (p *parser) operations(left Expr, precedence int) Expr {
	for !p.failed {
		if e := p.postfix(left); e != nil {
			left = e
			continue
		}
		if p.k == question && precedence <= precSelector {
			p.grow()
			left = p.selector(left)
			continue
		}
		op, prec := infix(p.k)
		if prec == 0 || prec < precedence {
			break
		}
		at := p.next().off
		p.grow()
		right := p.expression(prec + 1)
		left = &Binary{Span: p.from(left.Pos()), Op: op, Left: left, Right: right, At: at}
	}
	return left
}

// postfix parses a call, an access or a method call after the operand left. It
// returns nil if none follows.
func (p *parser) postfix(left Expr) Expr {
	switch p.k {
	case lparen:
		p.grow()
		return p.call(left)
	case lbrack:
		p.grow()
		p.next()
		n := &Access{Left: left, Keys: p.keys(key)}
		n.Span = p.from(left.Pos())
		return n
	case dot:
		p.grow()
		return p.methodCall(left)
	case lcollect, llcollect:
		return p.collector(left)
	}
	return nil
}

// call parses (arguments) and an optional lambda.
func (p *parser) call(function Expr) Expr {
	p.next()
	n := &Call{Function: function, Arguments: p.elements(rparen, argument)}
	n.Lambda = p.optionalLambda()
	n.Span = p.from(function.Pos())
	return n
}

// methodCall parses .name, optional (arguments) and an optional lambda.
func (p *parser) methodCall(receiver Expr) Expr {
	n := &MethodCall{Receiver: receiver, At: p.next().off}
	if p.k != name && p.k != kwType {
		p.unexpected()
		return receiver
	}
	t := p.next()
	n.Function = &QualifiedName{span(t), t.text}
	if p.k == lparen {
		n.At = p.next().off
		n.Arguments = p.elements(rparen, methodArgument)
	}
	n.Lambda = p.optionalLambda()
	n.Span = p.from(receiver.Pos())
	return n
}

// elementKind is the context of a list of elements, which decides the allowed
// elements.
type elementKind uint8

const (
	argument       elementKind = iota // of a call
	methodArgument                    // of a method call: no trailing comma
	item                              // of an array: type and function may be words
	key                               // of an access: no assignment
	typeKey                           // of the type of a parameter: a key, but no trailing comma
)

// elements parses comma-separated elements up to and including the token end.
// Adjacent key => value elements form one hash.
func (p *parser) elements(end kind, as elementKind) []Expr {
	var list []Expr
	var open *Hash // the last element, if it is a hash that may grow
	for p.k != end && !p.failed {
		e, pair := p.element(as)
		switch {
		case pair == nil:
			list, open = append(list, e), nil
		case open == nil:
			open = &Hash{pair.Span, []*KeyedEntry{pair}}
			list = append(list, open)
		default:
			open.Entries = append(open.Entries, pair)
			open.Span = p.from(open.Pos())
		}
		if p.k == end {
			break
		}
		p.expect(comma)
		if p.k == end && (as == methodArgument || as == typeKey) {
			p.unexpected()
		}
	}
	p.expect(end)
	return list
}

// keys parses the keys of an access, at least one, and the closing bracket.
func (p *parser) keys(as elementKind) []Expr {
	if p.k == rbrack {
		p.unexpected()
	}
	return p.elements(rbrack, as)
}

// element parses one element: an expression, or key => value.
func (p *parser) element(as elementKind) (Expr, *KeyedEntry) {
	left := p.wordOr(as == item || p.peek() == farrow)
	if p.k == farrow {
		return nil, p.entry(left)
	}
	if _, ok := left.(*Assignment); ok && (as == key || as == typeKey) {
		p.unexpected()
	}
	return left, nil
}

// entry parses => value after the key.
func (p *parser) entry(key Expr) *KeyedEntry {
	n := &KeyedEntry{Key: key, At: p.expect(farrow).off}
	n.Value = p.wordOr(true)
	n.Span = p.from(key.Pos())
	return n
}

// wordOr parses an assignment or, where allowed and unless the next token makes
// it a keyword, one of the words type and function as a string.
func (p *parser) wordOr(allowed bool) Expr {
	if allowed && (p.k == kwType || p.k == kwFunction) {
		switch p.peek() {
		case farrow, comma, rbrack, rbrace, rparen:
			t := p.next()
			return &String{span(t), t.text}
		}
	}
	return p.assignment()
}

// selector parses ? match => value, or ? { match => value, … }.
func (p *parser) selector(left Expr) Expr {
	p.next()
	n := &Selector{Left: left}
	if !p.accept(selBrace) {
		n.Entries = []*SelectorEntry{p.selectorEntry()}
	} else {
		for {
			n.Entries = append(n.Entries, p.selectorEntry())
			if p.k == rbrace || p.failed {
				break
			}
			p.expect(comma)
			if p.k == rbrace {
				break
			}
		}
		p.expect(rbrace)
	}
	n.Span = p.from(left.Pos())
	return n
}

func (p *parser) selectorEntry() *SelectorEntry {
	n := &SelectorEntry{Match: p.expression(precLowest)}
	n.At = p.expect(farrow).off
	n.Value = p.expression(precLowest)
	n.Span = p.from(n.Match.Pos())
	return n
}

// operand parses an expression without operators, or a prefix operator and its
// operand.
func (p *parser) operand() Expr {
	switch t := p.tok(); p.k {
	case not:
		return p.unary(OpNot)
	case minus:
		return p.unary(OpMinus)
	case times:
		return p.unary(OpSplat)
	case lparen, wsLparen:
		p.next()
		n := &Parenthesized{Expr: p.assignment()}
		p.expect(rparen)
		n.Span = p.from(t.off)
		return n
	case lbrack, listStart:
		p.next()
		n := &Array{Elements: p.elements(rbrack, item)}
		n.Span = p.from(t.off)
		return n
	case lbrace:
		return p.hash()
	case kwIf:
		return p.ifExpression()
	case kwUnless:
		return p.unlessExpression()
	case kwCase:
		return p.caseExpression()
	case kwFunction:
		return p.functionDefinition()
	case kwType:
		return p.typeKeyword()
	case kwClass, kwDefine:
		return p.manifestDefinition()
	case kwNode:
		return p.nodeDefinition()
	case kwPrivate, kwAttr:
		p.next()
		p.diags.errorf(t.off, "RESERVED_WORD", "Use of reserved word: %s, must be quoted if intended to be a String value", t.text)
		return &String{span(t), t.text}
	case renderExpr:
		return p.render()
	case dqPre:
		return p.concatenated()
	case heredocAt:
		return p.heredoc()
	default:
		return p.literal()
	}
}

// literal parses an expression of one token.
func (p *parser) literal() Expr {
	var e Expr
	switch t := p.tok(); p.k {
	case variable:
		e = &Variable{span(t), t.text}
	case name:
		e = &QualifiedName{span(t), t.text}
	case classRef:
		e = &QualifiedReference{span(t), t.text}
	case str, word:
		e = &String{span(t), t.text}
	case number:
		e = p.number(t)
	case regex:
		e = &Regexp{span(t), t.text}
	case kwUndef:
		e = &Undef{span(t)}
	case kwDefault:
		e = &Default{span(t)}
	case kwTrue, kwFalse:
		e = &Boolean{span(t), p.k == kwTrue}
	case renderString:
		e = &RenderString{span(t), t.text}
	default:
		p.unexpected()
		return p.bad()
	}
	p.next()
	return e
}

func (p *parser) unary(op Operator) Expr {
	start := p.next().off
	n := &Unary{Op: op, Operand: p.expression(precUnary)}
	n.Span = p.from(start)
	return n
}

// hash parses { key => value, … }.
func (p *parser) hash() *Hash {
	start := p.expect(lbrace).off
	n := &Hash{}
	if p.k != rbrace {
		p.entries(n, p.wordOr(true))
	}
	p.expect(rbrace)
	n.Span = p.from(start)
	return n
}

// entries parses the entries of a hash, up to but not including the closing
// brace. The first key is already parsed.
func (p *parser) entries(n *Hash, key Expr) {
	for {
		n.Entries = append(n.Entries, p.entry(key))
		if p.k == rbrace || p.failed {
			return
		}
		p.expect(comma)
		if p.k == rbrace {
			return
		}
		key = p.wordOr(true)
	}
}

// concatenated parses a string with interpolations.
func (p *parser) concatenated() Expr {
	n := &ConcatenatedString{}
	start := p.tok().off
	for !p.failed {
		t := p.next()
		if t.text != "" {
			n.Segments = append(n.Segments, &String{span(t), t.text})
		}
		if t.kind == dqPost {
			break
		}
		e := p.assignment()
		n.Segments = append(n.Segments, &TextExpression{Span{e.Pos(), e.End() - e.Pos()}, e})
		if p.k != dqMid && p.k != dqPost {
			p.unexpected()
		}
	}
	n.Span = p.from(start)
	return n
}

// heredoc parses the tokens of a heredoc. Its span is that of its tag.
func (p *parser) heredoc() Expr {
	t := p.next()
	n := &Heredoc{Span: span(t), Syntax: t.text}
	if p.k == dqPre {
		n.Text = p.concatenated()
	} else {
		text := p.expect(str)
		n.Text = &String{span(text), text.text}
	}
	return n
}

// render parses the contents of <%= … %>: an expression, or statements in
// braces.
func (p *parser) render() Expr {
	start := p.next().off
	n := &Render{}
	if p.k == lbrace {
		n.Expr = p.hashOrBlock()
	} else {
		n.Expr = p.expression(precLowest)
	}
	p.expect(eppEnd)
	n.Span = p.from(start)
	return n
}

// hashOrBlock parses an expression that begins with a hash, or statements in
// braces. The token after the first expression decides between them.
func (p *parser) hashOrBlock() Expr {
	if p.peek() == rbrace {
		return p.expression(precLowest)
	}
	start := p.next().off
	first := p.wordOr(true)
	if p.k != farrow {
		b := &Block{Statements: p.statements(rbrace, first)}
		p.expect(rbrace)
		b.Span = p.from(start)
		return b
	}
	h := &Hash{}
	p.entries(h, first)
	p.expect(rbrace)
	h.Span = p.from(start)
	return p.operations(h, precLowest)
}

// optionalLambda parses an optional lambda.
func (p *parser) optionalLambda() *Lambda {
	if p.k != pipe {
		return nil
	}
	start := p.tok().off
	n := &Lambda{Parameters: p.lambdaParameters()}
	n.ReturnType = p.optionalReturnType()
	n.Body = p.block()
	n.Span = p.from(start)
	return n
}

// ifExpression parses an if or elsif with all its branches.
func (p *parser) ifExpression() Expr {
	start := p.next().off
	n := &If{Test: p.expression(precLowest), Then: p.block()}
	switch {
	case p.k == kwElsif:
		peak := p.enter()
		n.Else = p.ifExpression()
		p.leave(peak)
	case p.accept(kwElse):
		n.Else = p.block()
	}
	n.Span = p.from(start)
	return n
}

func (p *parser) unlessExpression() Expr {
	start := p.next().off
	n := &Unless{Test: p.expression(precLowest), Then: p.block()}
	if p.accept(kwElse) {
		n.Else = p.block()
	}
	n.Span = p.from(start)
	return n
}

func (p *parser) caseExpression() Expr {
	start := p.next().off
	n := &Case{Test: p.expression(precLowest)}
	p.expect(lbrace)
	for {
		n.Options = append(n.Options, p.caseOption())
		if p.k == rbrace || p.failed {
			break
		}
	}
	p.expect(rbrace)
	n.Span = p.from(start)
	return n
}

func (p *parser) caseOption() *CaseOption {
	n := &CaseOption{Values: []Expr{p.expression(precLowest)}}
	for p.accept(comma) {
		n.Values = append(n.Values, p.expression(precLowest))
	}
	n.At = p.expect(colon).off
	n.Body = p.block()
	n.Span = p.from(n.Values[0].Pos())
	return n
}
