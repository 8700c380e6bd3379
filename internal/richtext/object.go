package richtext

import (
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/unescape"
	"github.com/pcatdev/pcat/pcore"
)

// Object is a Deferred or another object that was read from its text.
type Object struct {
	Value pcore.Value
	// Literals are the texts and numbers in the arguments or attributes, in the order of the
	// text: keys before their values.
	Literals []Literal
}

// Literal is a String in the text of an object, or a number.
type Literal struct {
	Text string
	// Start and End are the position in the text of the object, without quotes.
	Start, End int

	escapes []escape
}

// escape maps the position at in a literal, behind an escape, to the position from in the text
// of the object.
type escape struct{ at, from int }

// Position returns the position in the text of the object.
func (l *Literal) Position(at int) int {
	from := l.Start + at
	for _, e := range l.escapes {
		if e.at > at {
			break
		}
		from = e.from + at - e.at
	}
	return min(from, l.End)
}

// maxDepth is the maximum depth of values in the text of an object.
const maxDepth = 64

// Parse returns the object that s is the text of. Values that have no text of their own, such as
// a Sensitive or a type, are undef in it.
func Parse(s string) (*Object, bool) {
	if !IsObject(s) {
		return nil, false
	}
	for _, lenient := range []bool{false, true} {
		p := parser{s: s, lenient: lenient}
		if v, ok := p.value(0); ok && p.at == len(s) {
			return &Object{v, p.literals}, true
		}
	}
	return nil, false
}

// parser reads the text of a value.
type parser struct {
	s        string
	at       int
	literals []Literal
	// lenient ends a text in single quotes at a backslash before a quote and a bracket or
	// comma: a text that ends with a backslash is written like that.
	lenient bool
}

// skip skips a text and reports whether it is there.
func (p *parser) skip(text string) bool {
	if !strings.HasPrefix(p.s[p.at:], text) {
		return false
	}
	p.at += len(text)
	return true
}

// value reads a value.
func (p *parser) value(depth int) (pcore.Value, bool) {
	if depth > maxDepth || p.at == len(p.s) {
		return nil, false
	}
	rest := p.s[p.at:]
	switch rest[0] {
	case '\'':
		return p.quoted(p.single)
	case '"':
		return p.quoted(p.double)
	case '[':
		return p.array(depth)
	case '{':
		return p.hash(depth)
	default:
		if n := typeName(rest); n > 0 {
			p.at += n + len("({")
			return p.object(rest[:n], depth)
		}
		return p.other()
	}
}

// typeName returns the length of the name of a type that the text of an object begins with, or
// 0 if s begins with none.
func typeName(s string) int {
	n := 0
	for n < len(s) && (s[n] == ':' || s[n] == '_' || s[n] >= '0' && s[n] <= '9' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 || s[0] < 'A' || s[0] > 'Z' || !strings.HasPrefix(s[n:], "({'") {
		return 0
	}
	return n
}

// object reads the attributes of an object.
func (p *parser) object(typ string, depth int) (pcore.Value, bool) {
	b := pcore.NewHashBuilder(0)
	for n := 0; !p.skip("})"); n++ {
		if n > 0 && !p.skip(", ") || !strings.HasPrefix(p.s[p.at:], "'") {
			return nil, false
		}
		known := len(p.literals)
		name, isName := p.quoted(p.single)
		isName = isName && p.skip(" => ")
		isText := typ == deferred && name == pcore.String("name")
		if p.literals = p.literals[:min(known, len(p.literals))]; !isName {
			return nil, false
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		if isText {
			p.literals = p.literals[:known] // the name of a function is no argument
		}
		if b.Set(name, v); b.Len() != n+1 {
			return nil, false // a repeated attribute
		}
	}
	attributes := b.Hash()
	if typ != deferred {
		return pcore.NewObject(pcore.NewTypeReferenceType(typ), attributes), true
	}
	v, _ := attributes.GetString("name")
	name, ok := v.(pcore.String)
	v, _ = attributes.GetString("arguments")
	arguments, _ := v.(*pcore.Array)
	if arguments == nil {
		arguments = pcore.NewArray()
	}
	return pcore.NewDeferred(string(name), arguments), ok
}

// array reads an Array.
func (p *parser) array(depth int) (pcore.Value, bool) {
	var list []pcore.Value
	p.at++
	for !p.skip("]") {
		if len(list) > 0 && !p.skip(", ") {
			return nil, false
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		list = append(list, v)
	}
	return pcore.NewArray(list...), true
}

// hash reads a Hash.
func (p *parser) hash(depth int) (pcore.Value, bool) {
	b := pcore.NewHashBuilder(0)
	p.at++
	for n := 0; !p.skip("}"); n++ {
		if n > 0 && !p.skip(", ") {
			return nil, false
		}
		k, isKey := p.value(depth + 1)
		if !isKey || !p.skip(" => ") {
			return nil, false
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		if b.Set(k, v); b.Len() != n+1 {
			return nil, false // a repeated key
		}
	}
	return b.Hash(), true
}

// quoted reads a String whose escapes are read by a function.
func (p *parser) quoted(read func(*Literal, *strings.Builder) bool) (pcore.Value, bool) {
	p.at++
	l := Literal{Start: p.at}
	var b strings.Builder
	if !read(&l, &b) {
		return nil, false
	}
	l.Text, l.End = b.String(), p.at-1
	p.literals = append(p.literals, l)
	return pcore.String(l.Text), true
}

// escaped adds the text of an escape of n bytes.
func (p *parser) escaped(l *Literal, b *strings.Builder, text string, n int) {
	b.WriteString(text)
	p.at += n
	l.escapes = append(l.escapes, escape{b.Len(), p.at})
}

// single reads up to the end of a text in single quotes, in which only quotes are escaped.
func (p *parser) single(l *Literal, b *strings.Builder) bool {
	for p.at < len(p.s) {
		switch c := p.s[p.at]; {
		case c == '\\' && strings.HasPrefix(p.s[p.at+1:], "'") && !(p.lenient && p.ends(p.at+2)):
			p.escaped(l, b, "'", 2)
		case c == '\'':
			p.at++
			return true
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	return false
}

// ends reports whether what follows a value begins at a position.
func (p *parser) ends(at int) bool {
	return at < len(p.s) && strings.IndexByte(",]} ", p.s[at]) >= 0
}

// double reads up to the end of a text in double quotes.
func (p *parser) double(l *Literal, b *strings.Builder) bool {
	for p.at < len(p.s) {
		c := p.s[p.at]
		switch {
		case c == '"':
			p.at++
			return true
		case c != '\\':
			b.WriteByte(c)
			p.at++
			continue
		}
		text, n := unescaped(p.s[p.at:])
		if n == 0 {
			return false
		}
		p.escaped(l, b, text, n)
	}
	return false
}

// unescaped returns the text and the length of the escape that s begins with.
func unescaped(s string) (text string, n int) {
	if digits, ok := strings.CutPrefix(s, `\u{`); ok {
		digits, _, ok = strings.Cut(digits[:min(len(digits), 8)], "}")
		r, err := strconv.ParseUint(digits, 16, 21)
		if !ok || err != nil {
			return "", 0
		}
		return string(rune(r)), len(`\u{}`) + len(digits)
	}
	if len(s) < 2 {
		return "", 0
	}
	if c := unescape.Letter(s[1]); c != 0 {
		return string(rune(c)), 2
	}
	return s[1:2], 2
}

// other reads a value that is neither text nor a container, up to its end outside of brackets
// and texts.
func (p *parser) other() (pcore.Value, bool) {
	start, depth := p.at, 0
	for p.at < len(p.s) {
		switch c := p.s[p.at]; c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case '\'', '"', '/':
			if n := strings.IndexByte(p.s[p.at+1:], c); n >= 0 {
				p.at += n + 1
			}
		}
		if depth < 0 || depth == 0 && (p.s[p.at] == ',' || strings.HasPrefix(p.s[p.at:], " => ")) {
			break
		}
		p.at++
	}
	text := p.s[start:p.at]
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		p.literals = append(p.literals, Literal{Text: text, Start: start, End: p.at})
		return pcore.Integer(n), true
	}
	switch text {
	case "":
		return nil, false
	case "true", "false":
		return pcore.Boolean(text == "true"), true
	case "default":
		return pcore.Default{}, true
	}
	return pcore.Undef{}, true
}
