package rubyre

import (
	"slices"
	"strings"
)

// group parses a group after its "(".
func (p *parser) group() (item, error) {
	if !p.peek('?') {
		if p.atEnd() {
			return item{}, p.fail("end pattern with unmatched parenthesis")
		}
		return p.capture("")
	}
	p.pos++
	if p.atEnd() {
		return item{}, p.fail("end pattern in group")
	}
	c := p.src[p.pos]
	p.pos++
	switch c {
	case ':':
		body, err := p.body()
		return item{node: body, grouped: true}, err
	case '=', '!':
		return p.look(false, c == '!')
	case '>':
		body, err := p.body()
		return item{node: &atomic{body}}, err
	case '~':
		if _, err := p.body(); err != nil {
			return item{}, err
		}
		return item{}, p.unsupported("absence operator (?~…)")
	case '<':
		if p.atEnd() {
			return item{}, p.fail("end pattern with unmatched parenthesis")
		}
		if p.accept('=') {
			return p.look(true, false)
		}
		if p.accept('!') {
			return p.look(true, true)
		}
		return p.named('>')
	case '\'':
		return p.named('\'')
	case '(':
		return p.cond()
	}
	p.pos--
	return p.options()
}

// body parses the rest of a group and its closing parenthesis.
func (p *parser) body() (node, error) {
	n, err := p.alternation()
	if err != nil {
		return nil, err
	}
	if !p.accept(')') {
		return nil, p.fail("end pattern with unmatched parenthesis")
	}
	return n, nil
}

func (p *parser) look(behind, negative bool) (item, error) {
	body, err := p.body()
	return item{node: &look{behind, negative, body}}, err
}

// capture parses the rest of a capturing group.
func (p *parser) capture(name string) (item, error) {
	if len(p.groups) > maxGroups {
		return item{}, p.fail("too many capture groups are specified")
	}
	g := &group{index: len(p.groups), name: name}
	p.groups = append(p.groups, g)
	if name != "" {
		p.names[name] = append(p.names[name], g.index)
	}
	var err error
	g.body, err = p.body()
	return item{node: g}, err
}

// named parses the name and the rest of a named group.
func (p *parser) named(end rune) (item, error) {
	ref, _, err := p.name(end, false, false)
	if err != nil {
		return item{}, err
	}
	return p.capture(ref.name)
}

// reference is the text between < and > in (?<…>, \k<…> and \g<…>.
type reference struct {
	name   string // "" for a number
	number int    // negative if relative to the current group
}

// name parses a group's name up to end. A number is only allowed in references,
// a recursion level after the name only in \k.
func (p *parser) name(end rune, refers, levels bool) (ref reference, level bool, err error) {
	start := p.pos
	for !p.atEnd() && !p.peek(end) && !p.peek(')') {
		if levels && p.pos > start && (p.peek('+') || p.peek('-')) {
			level = true
			break
		}
		p.pos++
	}
	text := string(p.src[start:p.pos])
	if level {
		p.pos++
		if _, digits := p.number(10, digitsLimit); digits == 0 {
			return ref, true, p.fail("invalid group name <" + p.after(start) + ">")
		}
	}
	switch {
	case text == "" && (p.atEnd() || p.peek(end)):
		return ref, level, p.fail("group name is empty")
	case !p.accept(end):
		return ref, level, p.fail("invalid group name <" + p.after(start) + ">")
	case text[0] != '-' && (text[0] < '0' || text[0] > '9'):
		return reference{name: text}, level, nil
	}
	digits := strings.TrimPrefix(text, "-")
	value, n := scanNumber(digits, 10, digitsLimit)
	if !refers || n == 0 || n != len(digits) || value == 0 {
		return ref, level, p.fail("invalid group name <" + text + ">")
	}
	if value == overflow {
		return ref, level, p.fail("too big number")
	}
	if digits != text {
		value = -value
	}
	return reference{number: value}, level, nil
}

// after returns the pattern from start on.
func (p *parser) after(start int) string { return string(p.src[start:]) }

// namedBackref parses \k<name>, \k<n>, \k<-n>, and their forms with a level.
func (p *parser) namedBackref() (*backref, error) {
	ref, level, err := p.name(p.closer(), true, true)
	if err != nil {
		return nil, err
	}
	b := &backref{fold: p.flags.ignoreCase, level: level}
	if ref.name != "" {
		b.groups = slices.Clone(p.names[ref.name])
		if len(b.groups) == 0 {
			return nil, p.fail("undefined name <" + ref.name + "> reference")
		}
		return b, nil
	}
	n := p.absolute(ref.number)
	if n <= 0 {
		return nil, p.fail("invalid backref number/name")
	}
	b.numbered, b.groups = true, []int{n}
	return b, nil
}

// closer consumes < or ' and returns the matching closing character.
func (p *parser) closer() rune {
	c := p.src[p.pos]
	p.pos++
	if c == '<' {
		return '>'
	}
	return c
}

// absolute returns the absolute number of a group.
func (p *parser) absolute(n int) int {
	if n < 0 {
		return len(p.groups) + n
	}
	return n
}

// call parses \g<name>, \g<n>, \g<-n>, \g<+n> or \g<0>.
func (p *parser) call() (node, error) {
	end := p.closer()
	if p.rest(2) == "0"+string(end) {
		p.pos += 2
		return &call{}, nil
	}
	ahead := p.accept('+')
	ref, _, err := p.name(end, true, false)
	if err != nil {
		return nil, err
	}
	switch {
	case ref.name != "":
		return &call{name: ref.name}, nil
	case ahead:
		return &call{index: len(p.groups) - 1 + ref.number}, nil
	}
	if n := p.absolute(ref.number); n > 0 {
		return &call{index: n}, nil
	}
	return nil, p.fail("invalid backref number/name")
}

// cond parses a conditional after "(?(".
func (p *parser) cond() (item, error) {
	if p.atEnd() {
		return item{}, p.fail("invalid conditional pattern")
	}
	c := &cond{}
	switch digit := p.src[p.pos]; {
	case '0' <= digit && digit <= '9':
		ref, _, err := p.name(')', true, false)
		if err != nil {
			return item{}, err
		}
		c.group, c.numbered = ref.number, true
	case digit == '<' || digit == '\'':
		ref, err := p.namedBackref()
		if err != nil {
			return item{}, err
		}
		if ref.level {
			return item{}, p.unsupported("condition with a recursion level")
		}
		c.group, c.numbered = ref.groups[0], ref.numbered
		if !p.accept(')') {
			return item{}, p.fail("undefined group option")
		}
	default:
		return item{}, p.fail("invalid conditional pattern")
	}
	body, err := p.body()
	if err != nil {
		return item{}, err
	}
	c.yes, c.no = body, &cat{}
	if choice, ok := body.(*alt); ok {
		c.yes, c.no = choice.items[0], choice.items[1]
		c.tooMany = len(choice.items) > 2
	}
	return item{node: c}, nil
}

// options parses (?imx-imx) or (?imx-imx:…), from the first letter on.
func (p *parser) options() (item, error) {
	f := p.flags
	for on, first := true, true; ; first = false {
		if p.atEnd() {
			return item{}, p.fail("end pattern in group")
		}
		c := p.src[p.pos]
		p.pos++
		switch {
		case c == ')' && !first:
			n, err := p.under(f, p.alternation)
			if _, choice := n.(*alt); choice {
				n = &group{body: n} // no longer an outermost choice
			}
			return item{node: n, last: true}, err
		case c == ':' && !first:
			n, err := p.under(f, p.body)
			return item{node: &group{body: n}}, err
		case c == '-':
			on = false
		case c == 'i':
			f.ignoreCase = on
		case c == 'm':
			f.dotAll = on
		case c == 'x':
			f.extended = on
		case c == 'a' && on:
			f.charset = asciiCharset
		case c == 'u' && on:
			f.charset = unicodeCharset
		case c == 'd' && on:
			f.charset = rubyCharset
		default:
			return item{}, p.fail("undefined group option")
		}
	}
}

// under calls read with the options f.
func (p *parser) under(f flags, read func() (node, error)) (node, error) {
	before := p.flags
	p.flags = f
	defer func() { p.flags = before }()
	return read()
}
