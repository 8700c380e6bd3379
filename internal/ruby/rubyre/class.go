package rubyre

import (
	"slices"
	"strings"
)

// charClass is a bracketed class, or a part of one. crossing is as in foldSet.
type charClass struct{ runes, crossing runeSet }

// bracket parses a class after its "[". single reports whether the class is one
// character, which is then a literal.
func (p *parser) bracket() (n node, single bool, err error) {
	c, negative, err := p.class()
	if err != nil {
		return nil, false, err
	}
	if !negative {
		if r, ok := c.runes.single(); ok {
			return &literal{[]rune{r}, p.flags.ignoreCase}, true, nil
		}
	}
	n, err = p.classNode(c, negative)
	return n, false, err
}

// classNode returns the class as a node.
func (p *parser) classNode(c charClass, negative bool) (node, error) {
	cost := len(c.runes)
	if p.flags.ignoreCase && !c.runes.small() {
		cost += foldCost
	}
	if err := p.spend(cost); err != nil {
		return nil, err
	}
	if p.flags.ignoreCase {
		return &foldSet{c.runes, c.crossing, negative}, nil
	}
	if negative {
		c.runes = c.runes.negate()
	}
	return &set{c.runes}, nil
}

// class parses a class after its "[", including its "]". The caller negates it.
func (p *parser) class() (c charClass, negative bool, err error) {
	if err := p.enter(); err != nil {
		return c, false, err
	}
	negative = p.accept('^')
	cr := classReader{p: p}
	if p.peek(']') {
		if !slices.Contains(p.src[p.pos+1:], ']') {
			return c, false, p.fail("empty char-class")
		}
		p.pos++
		if err := cr.value(']'); err != nil {
			return c, false, err
		}
	}
	for !p.accept(']') {
		if p.atEnd() {
			return c, false, p.fail("premature end of char-class")
		}
		if err := cr.element(); err != nil {
			return c, false, err
		}
	}
	p.depth--
	return cr.finish(), negative, nil
}

// classReader collects the elements of one class.
type classReader struct {
	p     *parser
	whole *charClass // the part before the last &&, if any
	state classState
	from  rune // the last value, in the states hasValue and inRange

	// The part after the last &&, in pattern order.
	runes, crossing []runeRange
}

// classState describes the element before the next one.
type classState int

const (
	atStart  classState = iota // none, or &&
	hasValue                   // a character that may begin a range
	hasClass                   // a class, which may not begin a range
	inRange                    // a character and "-"
	complete                   // a range
)

// element parses one element.
func (cr *classReader) element() error {
	p := cr.p
	c := p.src[p.pos]
	p.pos++
	switch c {
	case '-':
		return cr.dash()
	case '&':
		if p.accept('&') {
			cr.and()
			return nil
		}
	case '[':
		if p.peek(':') {
			if found, err := cr.posix(); found || err != nil {
				return err
			}
		}
		return cr.nested()
	case '\\':
		return cr.escape()
	}
	return cr.value(c)
}

// value adds a character: a value by itself, or the end of a range.
func (cr *classReader) value(r rune) error {
	if cr.state == inRange {
		if cr.from > r {
			return cr.p.fail("empty range in char class")
		}
		cr.addRange(cr.from, r)
		cr.state = complete
		return nil
	}
	cr.flush()
	cr.from, cr.state = r, hasValue
	return nil
}

// flush adds a pending value that does not begin a range.
func (cr *classReader) flush() {
	if cr.state == hasValue {
		cr.addRange(cr.from, cr.from)
	}
}

func (cr *classReader) addRange(lo, hi rune) {
	cr.runes = append(cr.runes, runeRange{lo, hi})
	cr.crossing = append(cr.crossing, runeRange{lo, hi})
}

// addClass adds the members of another class.
func (cr *classReader) addClass(c charClass) error {
	cr.runes = append(cr.runes, c.runes...)
	cr.crossing = append(cr.crossing, c.crossing...)
	return cr.p.spend(len(c.runes))
}

// classElement adds a class, which cannot end a range.
func (cr *classReader) classElement(c charClass) error {
	if cr.state == inRange {
		return cr.p.fail("char-class value at end of range")
	}
	cr.flush()
	cr.state = hasClass
	return cr.addClass(c)
}

// dash handles "-": it forms a range, or is a literal at either end of the
// class, after a range, and as the end of a range.
func (cr *classReader) dash() error {
	p := cr.p
	ends := p.peek(']') || p.rest(2) == "&&"
	switch {
	case cr.state == hasValue && !ends:
		cr.state = inRange
		return nil
	case cr.state == hasClass && !ends:
		return p.fail("unmatched range specifier in char-class")
	}
	return cr.value('-')
}

// and ends the part before "&&".
func (cr *classReader) and() {
	cr.closePart()
	cr.state = atStart
}

func (cr *classReader) closePart() {
	cr.flush() // an open range, as in [a-[b]], is dropped
	part := charClass{newSet(cr.runes...), newSet(cr.crossing...)}
	cr.runes, cr.crossing = nil, nil
	if cr.whole != nil {
		part.runes = part.runes.intersect(cr.whole.runes)
		part.crossing = part.crossing.intersect(cr.whole.crossing)
	}
	cr.whole = &part
}

func (cr *classReader) finish() charClass {
	cr.closePart()
	return *cr.whole
}

// nested parses a class within the class.
func (cr *classReader) nested() error {
	inner, negative, err := cr.p.class()
	if err != nil {
		return err
	}
	if negative {
		inner = charClass{inner.runes.negate(), inner.crossing.negate()}
	}
	// A nested class keeps the state: in [a-[b]] the range stays open.
	return cr.addClass(inner)
}

// posixLimit exceeds the length of [:^xdigit:]; Ruby does not look further for
// a misspelled name.
const posixLimit = 24

// posix parses [:name:] or [:^name:], if there is one at the position.
func (cr *classReader) posix() (found bool, err error) {
	p := cr.p
	if !cr.posixEnds() {
		return false, nil
	}
	rest := string(p.src[p.pos+1 : min(p.pos+1+posixLimit, len(p.src))])
	name, _, _ := strings.Cut(rest, ":")
	negative := strings.HasPrefix(name, "^")
	c, known := posixClass(strings.TrimPrefix(name, "^"))
	if !strings.HasPrefix(rest[len(name):], ":]") {
		known = false
	}
	if !known {
		if i := strings.IndexAny(rest, ":]"); i >= 0 && i <= 20 && strings.HasPrefix(rest[i:], ":]") {
			return true, p.fail("invalid POSIX bracket type")
		}
		return false, nil
	}
	p.pos += 1 + len([]rune(name)) + len(":]")
	ascii := p.flags.charset == asciiCharset
	s := c.members(negative, ascii)
	if c == classWord || c == classASCII || ascii {
		return true, cr.classElement(charClass{runes: s})
	}
	return true, cr.classElement(charClass{s, s})
}

// posixEnds reports whether ":]" comes before any unescaped "]".
func (cr *classReader) posixEnds() bool {
	src := cr.p.src
	if cr.p.noPosix {
		return false
	}
	for i := cr.p.pos + 1; i < len(src); i++ {
		switch {
		case src[i] == ':' && i+1 < len(src) && src[i+1] == ']':
			return true
		case src[i] == ']':
			return false
		case src[i] == '\\':
			i++
		}
	}
	cr.p.noPosix = true
	return false
}

// escape parses the rest of an escape in a class, after the backslash.
func (cr *classReader) escape() error {
	p := cr.p
	c := p.src[p.pos]
	p.pos++
	if cl, negative, ok := escapedClass(c); ok {
		s := cl.members(negative, p.flags.charset != unicodeCharset)
		if cl == classWord {
			return cr.classElement(charClass{runes: s})
		}
		return cr.classElement(charClass{s, s})
	}
	switch c {
	case 'p', 'P':
		if p.accept('{') {
			s, err := p.propertyRunes()
			if err != nil {
				return err
			}
			if (c == 'P') != s.negative {
				s.runes = s.runes.negate()
			}
			if s.ascii {
				return cr.classElement(charClass{runes: s.runes})
			}
			return cr.classElement(charClass{s.runes, s.runes})
		}
	case 'x':
		v, _ := p.number(16, 2)
		return cr.value(rune(v))
	case '0', '1', '2', '3', '4', '5', '6', '7':
		p.pos--
		v, _ := p.number(8, 3)
		return cr.value(rune(v))
	}
	return cr.value(controlEscape(c))
}

// propertySet is the set of a \p{…}.
type propertySet struct {
	runes    runeSet
	negative bool // \p{^…}
	ascii    bool // \p{ASCII}, which is closed under case folding
}

// propertyRunes parses a property's name after "\p{".
func (p *parser) propertyRunes() (s propertySet, err error) {
	s.negative = p.accept('^')
	start := p.pos
	for !p.atEnd() && !strings.ContainsRune("}(){|", p.src[p.pos]) {
		p.pos++
	}
	name := string(p.src[start:p.pos])
	if p.atEnd() {
		name = ""
	}
	var supported, known bool
	if p.accept('}') {
		s.runes, supported, known = property(name)
	}
	switch {
	case supported:
		s.ascii = squeeze(name) == "ascii"
		return s, nil
	case known:
		return s, p.unsupported("property \\p{" + name + "}")
	}
	return s, p.fail("invalid character property name {" + name + "}")
}

// property parses a property outside of a class, after "\p{" or "\P{".
func (p *parser) property(negative bool) (node, error) {
	s, err := p.propertyRunes()
	if err != nil {
		return nil, err
	}
	negative = negative != s.negative
	if s.ascii {
		if negative {
			s.runes = s.runes.negate()
		}
		return &set{s.runes}, nil
	}
	return p.classNode(charClass{s.runes, s.runes}, negative)
}
