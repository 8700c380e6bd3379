package syntax

// functionDefinition parses function name(parameters) >> Type {…}.
func (p *parser) functionDefinition() Expr {
	start := p.next().off
	n := &FunctionDefinition{Name: p.definitionName()}
	n.Parameters = p.parameterList()
	n.ReturnType = p.optionalReturnType()
	n.Body = p.block()
	n.Span = p.from(start)
	return n
}

// definitionName parses the name of a definition. The checker validates it.
func (p *parser) definitionName() string {
	switch t := p.tok(); p.k {
	case name, word, classRef:
		return p.next().text
	case kwClass:
		p.failf(t.off, "SYNTAX_ERROR", "'class' keyword not allowed at this location")
	case str:
		p.failf(t.off, "SYNTAX_ERROR", "A quoted string is not valid as a name here")
	default:
		p.unexpected()
	}
	return ""
}

// parameterList parses an optional (parameters).
func (p *parser) parameterList() []*Parameter {
	if p.k != lparen && p.k != wsLparen {
		return nil
	}
	p.next()
	return p.parameters(rparen)
}

// lambdaParameters parses |parameters|.
func (p *parser) lambdaParameters() []*Parameter {
	p.expect(pipe)
	return p.parameters(pipe)
}

// parameters parses parameters up to and including the token end.
func (p *parser) parameters(end kind) []*Parameter {
	var list []*Parameter
	for p.k != end && !p.failed {
		list = append(list, p.parameter())
		if p.k != end {
			p.expect(comma)
		}
	}
	p.expect(end)
	return list
}

func (p *parser) parameter() *Parameter {
	n := &Parameter{}
	start := p.tok().off
	if p.k == classRef {
		n.Type = p.typeReference()
	}
	n.CapturesRest = p.accept(times)
	t := p.expect(variable)
	if p.failed {
		return n
	}
	n.Name, n.At = t.text, t.off
	if p.accept(equals) {
		n.Default = p.expression(precLowest)
	}
	n.Span = p.from(start)
	return n
}

// optionalReturnType parses an optional >> Type.
func (p *parser) optionalReturnType() Expr {
	if !p.accept(rshift) {
		return nil
	}
	if p.k != classRef {
		p.unexpected()
		return nil
	}
	return p.typeReference()
}

// typeReference parses Type or Type[parameters].
func (p *parser) typeReference() Expr {
	t := p.next()
	ref := &QualifiedReference{span(t), t.text}
	if !p.accept(lbrack) {
		return ref
	}
	n := &Access{Left: ref, Keys: p.keys(typeKey)}
	n.Span = p.from(t.off)
	return n
}

// typeKeyword parses a construct that begins with type: a function call, an
// alias or a mapping.
func (p *parser) typeKeyword() Expr {
	t := p.next()
	if p.k == lparen {
		return p.call(&QualifiedName{span(t), t.text})
	}
	if p.k != classRef {
		p.unexpected()
		return p.bad()
	}
	left := p.typeReference()
	switch p.k {
	case kwInherits, lbrace:
		return p.typeDefinition(t, left)
	case equals:
		p.next()
	default:
		p.unexpected()
		return p.bad()
	}
	right := p.aliasedType()
	switch left := left.(type) {
	case *Access:
		return &TypeMapping{Span: p.from(t.off), Left: left, Right: right, At: left.Pos()}
	case *QualifiedReference:
		return &TypeAlias{Span: p.from(t.off), Name: left.Name, Type: right, At: left.Pos()}
	}
	return p.bad()
}

// aliasedType parses the right side of a type alias: a type, an array, or a
// short form of an Object type.
func (p *parser) aliasedType() Expr {
	switch p.k {
	case lbrace:
		h := p.hash()
		return &Access{Span{h.Pos(), h.End() - h.Pos()}, &QualifiedReference{Span{h.Pos(), 0}, "Object"}, []Expr{h}}
	case lbrack, listStart:
		return p.operand()
	case classRef:
	default:
		p.unexpected()
		return p.bad()
	}
	t := p.next()
	ref := &QualifiedReference{span(t), t.text}
	p.typeSet = t.text == "TypeSet"
	defer func() { p.typeSet = false }()
	switch p.k {
	case lbrack:
		p.next()
		n := &Access{Left: ref, Keys: p.keys(key)}
		n.Span = p.from(t.off)
		return n
	case lbrace:
		return objectOf(ref, p.hash())
	}
	return ref
}

// objectOf expands Parent {…}: the parent becomes an entry of the hash, unless
// it is Object or TypeSet, which have this notation themselves.
func objectOf(parent *QualifiedReference, h *Hash) Expr {
	whole := Span{parent.Pos(), h.End() - parent.Pos()}
	if parent.Name == "Object" || parent.Name == "TypeSet" {
		return &Access{whole, parent, []Expr{h}}
	}
	at := Span{parent.Pos(), 0}
	h.Entries = append(h.Entries, &KeyedEntry{Span: parent.Span, Key: &QualifiedName{at, "parent"}, Value: parent, At: h.Pos()})
	return &Access{whole, &QualifiedReference{at, "Object"}, []Expr{h}}
}

// typeDefinition reports type Name {…}, a form that Puppet reserves but does
// not implement.
func (p *parser) typeDefinition(keyword *token, left Expr) Expr {
	if _, ok := left.(*QualifiedReference); !ok {
		p.unexpected()
		return p.bad()
	}
	if p.accept(kwInherits) {
		p.expect(classRef)
	}
	faults := p.diags.count()
	p.block()
	if p.diags.count() == faults {
		p.diags.errorf(keyword.off, "UNSUPPORTED_EXPRESSION",
			"Expressions of type a Type Definition are not supported in this version of Puppet; write type Name = Object[{…}]")
	}
	return p.bad()
}

// ParseDefinitions parses the heads of all classes and defines of a manifest,
// including nested ones, and skips everything else. An error is an [ErrorList];
// the heads that could be parsed are returned even then.
func (c Config) ParseDefinitions(file, src string) ([]*Definition, error) {
	p := c.parser(file, src, false)
	var list []*Definition
	for p.k != eof && len(p.diags.errors) < p.diags.limit {
		p.statement = p.i
		if p.definitionFollows() {
			list = p.appendDefinition(list, "")
		} else {
			p.skip()
		}
		if p.failed {
			p.resync(eof)
		}
	}
	if !c.Unchecked {
		for _, d := range list {
			check(d, p.diags, c)
		}
	}
	return list, p.diags.err()
}

// definitionFollows reports whether the current token begins a class or a
// define, rather than a resource of type class or an attribute of that name.
func (p *parser) definitionFollows() bool {
	if p.k != kwClass && p.k != kwDefine {
		return false
	}
	switch p.peek() {
	case name, word, classRef:
		return true
	}
	return false
}

// skip consumes a token outside of a definition head.
func (p *parser) skip() {
	if t := p.next(); t.kind == illegal {
		p.diags.report(t.err)
	}
}

// appendDefinition parses a definition and appends it and the definitions in
// its body.
func (p *parser) appendDefinition(list []*Definition, namespace string) []*Definition {
	d := p.definitionHead(namespace)
	if p.failed {
		return list
	}
	list = append(list, d)
	p.next()
	peak := p.enter()
	defer p.leave(peak)
	for depth := 1; depth > 0 && !p.failed; {
		if p.k == eof {
			p.unexpected()
		} else if p.definitionFollows() {
			list = p.appendDefinition(list, d.Name+"::")
		} else {
			depth += p.k.nesting()
			p.skip()
		}
	}
	return list
}

// definitionHead parses a class or define up to, but not including, the brace
// of its body.
func (p *parser) definitionHead(namespace string) *Definition {
	t := p.next()
	d := &Definition{Kind: t.text, Name: namespace + p.definitionName()}
	d.Parameters = p.parameterList()
	if t.kind == kwClass && p.accept(kwInherits) {
		if p.k == kwDefault {
			d.Inherits = p.next().text
		} else {
			d.Inherits = p.definitionName()
		}
	}
	if p.k != lbrace {
		p.unexpected()
	}
	d.Span = p.from(t.off)
	return d
}
