package typeexpr

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// direct is a fast parser for the most common types, names with literals in
// brackets. It creates values without intermediate tokens or trees. It gives up
// on everything else, including errors: [Parse] then uses the full parser,
// which supports the whole language and reports errors. So it may reject any
// text, but the types it returns must be the same.
type direct struct {
	text     string
	pos      int
	depth    int
	resolver Resolver
	// stack holds the parameters and elements of all open brackets.
	stack []pcore.Value
}

// maxDirect is the maximum nesting of brackets; package syntax, which has its
// own limit, handles deeper ones.
const maxDirect = 50

// parseDirect returns the type of a text, and false if the text is not one of
// the common ones.
func parseDirect(text string, r Resolver) (pcore.Type, bool) {
	p := direct{text: text, resolver: r}
	p.blanks()
	v, ok := p.value()
	if !ok {
		return nil, false
	}
	p.blanks()
	t, isType := v.(pcore.Type)
	return t, isType && p.pos == len(text)
}

// next returns the next byte, or 0 at the end.
func (p *direct) next() byte { return p.at(0) }

// at returns the byte n bytes ahead, or 0 past the end.
func (p *direct) at(n int) byte {
	if p.pos+n < len(p.text) {
		return p.text[p.pos+n]
	}
	return 0
}

func (p *direct) blanks() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return
		}
	}
}

// value parses an expression. The caller checks the text after it; operators
// are not supported.
func (p *direct) value() (pcore.Value, bool) {
	switch c := p.next(); {
	case c >= 'A' && c <= 'Z':
		return p.reference()
	case c >= 'a' && c <= 'z':
		return p.word()
	case isDigit(c):
		return p.number(p.pos)
	case c == '-':
		start := p.pos
		p.pos++
		return p.number(start)
	}
	switch p.next() {
	case '\'', '"':
		return p.quoted()
	case '/':
		return p.regexp()
	case '[':
		return p.array()
	case '{':
		return p.hash()
	}
	return nil, false
}

// reference parses the name of a type and its parameters.
func (p *direct) reference() (pcore.Value, bool) {
	start := p.pos
	for {
		if c := p.next(); c < 'A' || c > 'Z' {
			return nil, false // a name that ends with ::
		}
		p.letters()
		if !strings.HasPrefix(p.text[p.pos:], "::") {
			break
		}
		p.pos += 2
	}
	name := p.text[start:p.pos]
	if p.next() == '[' {
		return p.access(name, start)
	}
	t, err := Named(name, p.resolver)
	if errors.Is(err, ErrUnknownType) {
		return pcore.NewTypeReferenceType(name), true
	}
	return t, err == nil
}

// access parses the parameters of a type and returns the type with them.
func (p *direct) access(name string, start int) (pcore.Value, bool) {
	base := len(p.stack)
	if !p.elements() || len(p.stack) == base || p.next() == '[' {
		return nil, false
	}
	keys := p.stack[base:]
	p.stack = p.stack[:base]
	t, err := Named(name, p.resolver)
	if errors.Is(err, ErrUnknownType) {
		return pcore.NewTypeReferenceType(p.text[start:p.pos]), true
	}
	if err != nil {
		return nil, false
	}
	v, err := parameterize(t, keys, p.resolver)
	return v, err == nil
}

// array parses an array.
func (p *direct) array() (pcore.Value, bool) {
	base := len(p.stack)
	if !p.elements() {
		return nil, false
	}
	a := pcore.NewArray(slices.Clone(p.stack[base:])...)
	p.stack = p.stack[:base]
	return a, true
}

// elements parses a list in brackets and leaves its elements on the stack.
// Adjacent key => value elements form one hash.
func (p *direct) elements() bool {
	if !p.open() {
		return false
	}
	if p.stack == nil {
		p.stack = make([]pcore.Value, 0, 8)
	}
	pairs := 0 // at the top of the stack
	for p.next() != ']' {
		v, ok := p.value()
		if !ok {
			return false
		}
		p.stack = append(p.stack, v)
		p.blanks()
		if p.arrow() {
			if !p.entryValue() {
				return false
			}
			pairs++
		} else if pairs > 0 {
			return false // a hash that is not last, which is rare
		}
		if !p.comma(']') {
			return false
		}
	}
	if pairs > 0 {
		h := p.popHash(pairs)
		p.stack = append(p.stack, h)
	}
	return p.shut()
}

// hash parses {key => value, …}.
func (p *direct) hash() (pcore.Value, bool) {
	if !p.open() {
		return nil, false
	}
	pairs := 0
	for p.next() != '}' {
		key, ok := p.value()
		if !ok {
			return nil, false
		}
		p.stack = append(p.stack, key)
		p.blanks()
		if !p.arrow() || !p.entryValue() || !p.comma('}') {
			return nil, false
		}
		pairs++
	}
	return p.popHash(pairs), p.shut()
}

// entryValue parses the value of an entry onto the stack, after its key.
func (p *direct) entryValue() bool {
	p.blanks()
	v, ok := p.value()
	p.stack = append(p.stack, v)
	p.blanks()
	return ok
}

// popHash removes pairs of keys and values from the stack and returns their
// hash.
func (p *direct) popHash(pairs int) *pcore.Hash {
	base := len(p.stack) - 2*pairs
	b := pcore.NewHashBuilder(pairs)
	for i := base; i < len(p.stack); i += 2 {
		b.Set(p.stack[i], p.stack[i+1])
	}
	p.stack = p.stack[:base]
	return b.Hash()
}

// open consumes an opening bracket.
func (p *direct) open() bool {
	p.pos++
	p.depth++
	p.blanks()
	return p.depth <= maxDirect
}

// shut consumes a closing bracket.
func (p *direct) shut() bool {
	p.pos++
	p.depth--
	return true
}

// comma consumes the comma after an element; it is optional before the closing
// bracket end.
func (p *direct) comma(end byte) bool {
	switch p.next() {
	case end:
		return true
	case ',':
		p.pos++
		p.blanks()
		return true
	}
	return false
}

// arrow consumes =>, if it is next.
func (p *direct) arrow() bool {
	if p.next() != '=' || p.at(1) != '>' {
		return false
	}
	p.pos += 2
	return true
}

// letters consumes word characters.
func (p *direct) letters() {
	for p.pos < len(p.text) && isWordByte(p.text[p.pos]) {
		p.pos++
	}
}

// word parses a keyword that is a value, or a name, which is a string.
func (p *direct) word() (pcore.Value, bool) {
	start := p.pos
	p.letters()
	if c := p.next(); c == ':' || c == '-' {
		return nil, false // the name may continue
	}
	switch name := p.text[start:p.pos]; name {
	case "undef":
		return pcore.Undef{}, true
	case "default":
		return pcore.Default{}, true
	case "true":
		return pcore.Boolean(true), true
	case "false":
		return pcore.Boolean(false), true
	case "type":
		// As the key of a hash, a keyword is a string.
		p.blanks()
		return pcore.String(name), p.next() == '=' && p.at(1) == '>'
	case "and", "attr", "case", "class", "define", "else", "elsif", "function", "if", "in", "inherits", "node",
		"or", "private", "unless":
		return nil, false
	default:
		return pcore.String(name), true
	}
}

// number parses a decimal number without an exponent. start is the position of
// its sign, if any, which has been consumed.
func (p *direct) number(start int) (pcore.Value, bool) {
	digits := p.pos
	p.digits()
	if p.pos == digits || p.text[digits] == '0' && p.pos > digits+1 {
		return nil, false // octal
	}
	if p.next() == '.' && isDigit(p.at(1)) {
		p.pos++
		p.digits()
		f, err := strconv.ParseFloat(p.text[start:p.pos], 64)
		return pcore.Float(f), err == nil && !p.numberGoesOn()
	}
	n, err := strconv.ParseInt(p.text[start:p.pos], 10, 64)
	return pcore.Integer(n), err == nil && !p.numberGoesOn()
}

func (p *direct) digits() {
	for isDigit(p.next()) {
		p.pos++
	}
}

// numberGoesOn reports whether more text belongs to the number, such as an x or
// an exponent.
func (p *direct) numberGoesOn() bool { return isWordByte(p.next()) || p.next() == '.' }

// quoted parses a string without escapes or interpolation.
func (p *direct) quoted() (pcore.Value, bool) {
	quote := p.next()
	start := p.pos + 1
	for p.pos = start; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == quote:
			s := p.text[start:p.pos]
			p.pos++
			// After an empty string, the language may take a quote as text.
			return pcore.String(s), s != "" || p.next() != quote && p.next() != '\\'
		case c == '\\' || c == '$' && quote == '"' || c >= 0x80: // a byte >= 0x80 may be invalid UTF-8
			return nil, false
		}
	}
	return nil, false
}

// regexp parses /pattern/.
func (p *direct) regexp() (pcore.Value, bool) {
	start := p.pos + 1
	for p.pos = start; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '/':
			pattern := strings.ReplaceAll(p.text[start:p.pos], `\/`, `/`)
			p.pos++
			return pcore.NewRegexp(pattern), true
		case c == '*' && p.pos == start || c >= 0x80: // a comment, or possibly invalid UTF-8
			return nil, false
		case c == '\\':
			p.pos++
			if p.next() >= 0x80 {
				return nil, false
			}
		}
	}
	return nil, false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_'
}
