package syntax

// catalogConstruct is a construct that only has a meaning when a catalog is compiled. The rest of
// the tree is checked as if it were there, and then the tree is discarded.
type catalogConstruct struct{ Span }

func (*catalogConstruct) expr()               {}
func (*catalogConstruct) children(func(Node)) {}

// catalogOnly reports a construct that only has a meaning when a catalog is
// compiled, at most once per statement.
func (p *parser) catalogOnly(offset int, what string) {
	if p.failed || p.manifest == p.statement {
		return
	}
	p.manifest = p.statement
	p.diags.unsupportedf(offset, "NOT_SUPPORTED_WHEN_SCRIPTING", "%s is only available when compiling a catalog", what)
}

// relationship parses an expression or a resource. Arrows between resources are
// only allowed in catalogs.
func (p *parser) relationship() Expr {
	left := p.resource()
	for p.k == inEdge || p.k == inEdgeSub || p.k == outEdge || p.k == outEdgeSub {
		t := p.next()
		p.catalogOnly(t.off, "A '"+t.text+"' expression")
		p.resource()
		left = &catalogConstruct{p.from(left.Pos())}
	}
	return left
}

// resource parses an expression. An expression that resembles a resource is
// only allowed in catalogs, except a statement function with a hash, such as
// notice {a => 1}.
func (p *parser) resource() Expr {
	switch p.k {
	case at:
		p.catalogOnly(p.next().off, "A virtual Resource Statement")
		return &catalogConstruct{p.from(p.nested().Pos())}
	case atAt:
		p.catalogOnly(p.next().off, "An exported Resource Statement")
		return &catalogConstruct{p.from(p.nested().Pos())}
	}
	left := p.expression(precLowest)
	for p.k == lbrace {
		left = p.resourceBody(left)
	}
	return left
}

// nested parses the resource after @ or @@.
func (p *parser) nested() Expr {
	peak := p.enter()
	defer p.leave(peak)
	return p.resource()
}

// resourceBody parses {…} after an expression, and reports the construct.
func (p *parser) resourceBody(left Expr) Expr {
	start := p.next().off
	if !p.attributesFollow() {
		p.expression(precLowest)
		p.expect(colon)
		p.catalogOnly(Anchor(left), "A Resource Statement")
		p.skipBraces()
		return &catalogConstruct{p.from(left.Pos())}
	}
	hash, plain := p.attributes()
	hash.Span = p.from(start)
	name, isName := left.(*QualifiedName)
	switch left := left.(type) {
	case *QualifiedReference:
		if p.typeSet && plain {
			return objectOf(left, hash)
		}
		p.catalogOnly(left.Pos(), "A Resource Defaults Expression")
	case *Access:
		p.catalogOnly(Anchor(left), "A Resource Override")
	default:
		if !isName && !p.failed {
			p.diags.errorf(Anchor(left), "ILLEGAL_RESOURCE",
				"Expression is not valid as a resource, resource-default, or resource-override")
		}
	}
	switch {
	case !isName || p.failed:
		return &catalogConstruct{p.from(left.Pos())}
	case !plain:
		p.diags.errorf(start, "ILLEGAL_RESOURCE", "Syntax error resource body without title or hash with +>")
	case isStatementFunction(name.Name):
		return &Call{Span: p.from(name.Pos()), Function: name, Arguments: []Expr{hash}}
	default:
		p.diags.errorf(name.Pos(), "RESOURCE_WITHOUT_TITLE",
			"This expression is invalid. Did you try declaring a '%s' resource without a title?", name.Name)
	}
	return left
}

// attributesFollow reports whether attributes or an empty body come next,
// rather than the title of a resource.
func (p *parser) attributesFollow() bool {
	if p.k == rbrace || p.k == comma {
		return true
	}
	next := p.peek()
	if p.k == times {
		return next == farrow
	}
	return p.isAttributeName() && (next == farrow || next == parrow)
}

// isAttributeName reports whether the current token can name an attribute.
func (p *parser) isAttributeName() bool {
	return p.k == name || p.k.isKeyword() && p.k != kwTrue && p.k != kwFalse
}

// attributes parses name => value, … and the closing brace as a hash. It also
// reports whether the notation is valid for a hash: without +> and * =>.
func (p *parser) attributes() (h *Hash, plain bool) {
	h, plain = &Hash{}, true
	p.accept(comma) // one is allowed before the first attribute, or alone
	for p.k != rbrace && !p.failed {
		t := p.tok()
		if !p.isAttributeName() && p.k != times {
			p.unexpected()
		}
		plain = plain && p.k != times
		p.next()
		e := &KeyedEntry{Key: &String{span(t), t.text}, At: p.tok().off}
		if p.accept(parrow) && t.kind != times {
			plain = false
		} else if !p.failed && p.tokens[p.i-1].kind != parrow {
			p.expect(farrow)
		}
		e.Value = p.expression(precLowest)
		e.Span = p.from(t.off)
		h.Entries = append(h.Entries, e)
		if p.k != rbrace {
			p.expect(comma)
		}
	}
	p.expect(rbrace)
	return h, plain
}

// collector parses <| query |> or <<| query |>>, and the attributes that it sets.
func (p *parser) collector(left Expr) Expr {
	p.catalogOnly(Anchor(left), "A Collector")
	end := rcollect
	if p.next().kind == llcollect {
		end = rrcollect
	}
	if p.k != end {
		p.expression(precLowest)
	}
	p.expect(end)
	if p.accept(lbrace) {
		p.attributes()
	}
	return &catalogConstruct{p.from(left.Pos())}
}

// manifestDefinition parses a class or a define, or a resource of type class.
func (p *parser) manifestDefinition() Expr {
	t := p.tok()
	if p.k == kwClass && p.peek() == lbrace {
		p.next()
		p.next()
		p.catalogOnly(t.off, "A Resource Statement")
		p.skipBraces()
		return &catalogConstruct{p.from(t.off)}
	}
	p.definitionHead("")
	p.accept(lbrace)
	if t.kind == kwClass {
		p.catalogOnly(t.off, "A Host Class Definition")
	} else {
		p.catalogOnly(t.off, "A 'define' expression")
	}
	p.skipBraces()
	return &catalogConstruct{p.from(t.off)}
}

// nodeDefinition parses a node definition.
func (p *parser) nodeDefinition() Expr {
	t := p.next()
	for p.k != lbrace {
		if p.k == eof || p.k == illegal || p.failed {
			p.unexpected()
			return p.bad()
		}
		p.next()
	}
	p.next()
	p.catalogOnly(t.off, "A Node Definition")
	p.skipBraces()
	return &catalogConstruct{p.from(t.off)}
}

// skipBraces skips to after the brace that closes the current one.
func (p *parser) skipBraces() {
	for depth := 1; depth > 0 && !p.failed; {
		if p.k == eof {
			p.unexpected()
			return
		}
		depth += p.k.nesting()
		p.skip()
	}
}
