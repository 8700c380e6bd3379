package syntax

// kind is the kind of a token.
type kind uint8

const (
	none kind = iota // no token: the current kind after a parser failed
	eof
	illegal // text that cannot be scanned; token.err has the reason
	unknown // a character that begins no token

	// Literals.
	name      // notice, my::function
	word      // a-word, _private: a string without quotes
	classRef  // Integer, My::Type
	number    // 1, 0x1f, 1.5e3
	str       // 'text', "text"
	regex     // /pattern/
	variable  // $x, and the name in "${x}"
	dqPre     // the text of "text${ before the first interpolation
	dqMid     // the text between two interpolations
	dqPost    // the text after the last interpolation
	heredocAt // @(TAG); a str or dqPre follows

	// Templates.
	renderString // text outside of tags
	renderExpr   // <%=
	eppEnd       // %> or -%> after <%=

	// Keywords.
	kwAnd
	kwAttr
	kwCase
	kwClass
	kwDefault
	kwDefine
	kwElse
	kwElsif
	kwFalse
	kwFunction
	kwIf
	kwIn
	kwInherits
	kwNode
	kwOr
	kwPrivate
	kwTrue
	kwType
	kwUndef
	kwUnless

	// Punctuation.
	lbrack    // [ after a non-blank: an index
	listStart // [ after a blank or at the start: always a list
	rbrack
	lbrace
	selBrace // { after ?
	rbrace
	lparen
	wsLparen // ( first on its line: never begins arguments
	rparen
	comma
	semicolon
	colon
	dot
	question
	pipe
	at
	atAt
	farrow // =>
	parrow // +>
	tilde

	// Operators.
	equals
	appends // +=
	deletes // -=
	isEqual
	notEqual
	match
	noMatch
	greater
	greaterEqual
	less
	lessEqual
	lshift
	rshift
	plus
	minus
	times
	div
	modulo
	not

	// Manifest-only operators.
	lcollect   // <|
	rcollect   // |>
	llcollect  // <<|
	rrcollect  // |>>
	inEdge     // ->
	inEdgeSub  // ~>
	outEdge    // <-
	outEdgeSub // <~
)

// token is one token of a source.
type token struct {
	kind kind
	bol  bool   // the first on its line
	off  int    // start offset in the source
	end  int    // end offset
	text string // its text; for strings, with the escapes replaced
	err  *Error // of an illegal token
}

// keyword returns the kind of a keyword, or the kind name.
func keyword(text string) kind {
	switch text {
	case "and":
		return kwAnd
	case "attr":
		return kwAttr
	case "case":
		return kwCase
	case "class":
		return kwClass
	case "default":
		return kwDefault
	case "define":
		return kwDefine
	case "else":
		return kwElse
	case "elsif":
		return kwElsif
	case "false":
		return kwFalse
	case "function":
		return kwFunction
	case "if":
		return kwIf
	case "in":
		return kwIn
	case "inherits":
		return kwInherits
	case "node":
		return kwNode
	case "or":
		return kwOr
	case "private":
		return kwPrivate
	case "true":
		return kwTrue
	case "type":
		return kwType
	case "undef":
		return kwUndef
	case "unless":
		return kwUnless
	}
	return name
}

// isKeyword reports whether k is a keyword, including the literals true and
// false.
func (k kind) isKeyword() bool { return k >= kwAnd && k <= kwUnless }

// regexMayFollow reports whether a / after a token of kind k begins a regular
// expression. After an operand it is a division. A } does not count as an
// operand, because a regular expression may follow it in the options of a case.
func (k kind) regexMayFollow() bool {
	switch k {
	case rparen, rbrack, rrcollect, rcollect,
		name, word, classRef, number, str, regex, variable, dqPre, dqMid, dqPost, heredocAt, kwTrue, kwFalse:
		return false
	}
	return true
}

// nesting returns the change of the bracket depth by a token: 1, -1 or 0.
func (k kind) nesting() int {
	switch k {
	case lbrack, listStart, lbrace, selBrace, lparen, wsLparen:
		return 1
	case rbrack, rbrace, rparen:
		return -1
	}
	return 0
}
