package rubyre

import (
	"slices"
	"strings"
)

// flags are the options in effect at a position of the pattern.
type flags struct {
	ignoreCase, dotAll, extended bool
	charset                      charset
}

// charset is the extent of \d, \s, \w, \h, POSIX brackets and \b.
type charset int

const (
	rubyCharset    charset = iota // (?d): escapes are ASCII, brackets and \b Unicode
	asciiCharset                  // (?a): all of them are ASCII
	unicodeCharset                // (?u): all of them are Unicode
)

// Limits of Ruby.
const (
	maxDepth   = 4096
	maxRepeat  = 100000
	maxBackref = 1000
	maxGroups  = 32767
)

// parser parses the output of unescape.
type parser struct {
	source string // the original pattern, for errors
	src    []rune
	pos    int
	flags  flags
	depth  int

	groups []*group         // in order of their opening parentheses; groups[0] is the pattern
	names  map[string][]int // the numbers of the groups parsed so far, by name

	unicode bool // the pattern uses Unicode; see unescape
	ranges  int  // number of ranges of the sets so far
	noPosix bool // no ":]" follows
}

// parse returns the tree of a pattern.
func parse(source string, f flags) (*parser, error) {
	text, unicode, err := unescape(source)
	if err != nil {
		return nil, err
	}
	whole := &group{}
	p := &parser{source: source, src: []rune(text), flags: f, groups: []*group{whole}, names: map[string][]int{}, unicode: unicode}
	whole.body, err = p.alternation()
	if err != nil {
		return nil, err
	}
	if !p.atEnd() {
		return nil, p.fail("unmatched close parenthesis")
	}
	return p, nil
}

func (p *parser) fail(message string) error {
	return &SyntaxError{Source: p.source, Message: message}
}

func (p *parser) unsupported(construct string) error {
	return &UnsupportedError{Source: p.source, Construct: construct}
}

func (p *parser) atEnd() bool { return p.pos == len(p.src) }

// peek reports whether the next character is c.
func (p *parser) peek(c rune) bool { return !p.atEnd() && p.src[p.pos] == c }

// accept consumes the next character if it is c.
func (p *parser) accept(c rune) bool {
	if p.peek(c) {
		p.pos++
		return true
	}
	return false
}

// rest returns at most n of the remaining characters.
func (p *parser) rest(n int) string {
	return string(p.src[p.pos:min(p.pos+n, len(p.src))])
}

// number parses at most limit digits of the base.
func (p *parser) number(base, limit int) (value, digits int) {
	value, digits = scanNumber(p.rest(limit), base, limit)
	p.pos += digits
	return value, digits
}

// digitsLimit exceeds the number of digits of any useful number.
const digitsLimit = 64

// Limits on the sets of one pattern, in ranges; folding a large set counts as
// work too.
const (
	maxRanges = 1 << 20
	foldCost  = 1 << 10
)

// spend counts the ranges of a new set against the limit.
func (p *parser) spend(ranges int) error {
	if p.ranges += ranges; p.ranges > maxRanges {
		return p.unsupported("so many large classes")
	}
	return nil
}

// enter counts a new level of nesting against the limit.
func (p *parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return p.fail("parse depth limit over")
	}
	return nil
}

// skip skips comments and, under (?x), white space.
func (p *parser) skip() error {
	for !p.atEnd() {
		switch c := p.src[p.pos]; {
		case c == '(' && p.rest(3) == "(?#":
			p.pos += 3
			for !p.accept(')') {
				if p.accept('\\') && p.atEnd() || p.atEnd() {
					return p.fail("end pattern in group")
				}
				p.pos++
			}
		case p.flags.extended && c == '#':
			for !p.atEnd() && !p.accept('\n') {
				p.pos++
			}
		case p.flags.extended && strings.ContainsRune(" \t\n\r\f", c):
			p.pos++
		default:
			return nil
		}
	}
	return nil
}

// alternation parses branches up to a closing parenthesis or the end.
func (p *parser) alternation() (node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	var branches []node
	for {
		b, err := p.branch()
		if err != nil {
			return nil, err
		}
		branches = append(branches, b)
		if !p.accept('|') {
			return newAlt(branches...), nil
		}
	}
}

// branch parses items up to "|", ")" or the end.
func (p *parser) branch() (node, error) {
	var items []node
	var open *literal // the last item, if a plain character may join it
	for {
		if err := p.skip(); err != nil {
			return nil, err
		}
		if p.atEnd() || p.peek('|') || p.peek(')') {
			return newCat(items...), nil
		}
		it, err := p.item()
		if err != nil {
			return nil, err
		}
		switch {
		case it.last:
			return newCat(append(items, it.node)...), nil
		case it.joins && open != nil:
			open.runes = append(open.runes, it.node.(*literal).runes...)
		default:
			items = append(items, it.node)
			open, _ = it.node.(*literal)
			if !it.open {
				open = nil
			}
		}
		quantified, err := p.quantifiers(&items, it.grouped)
		if err != nil {
			return nil, err
		}
		if quantified {
			open = nil
		}
	}
}

// item is the unit that the parser parses before a quantifier.
type item struct {
	node    node
	open    bool // plain characters may join it
	joins   bool // it may join a preceding open literal
	grouped bool // a quantifier applies to all of it, not to its last character
	last    bool // it extends to the end of the branch
}

// char returns the item of a plain character.
func (p *parser) char(r rune) item {
	return item{node: &literal{[]rune{r}, p.flags.ignoreCase}, open: true, joins: true}
}

// item parses one item. The parser must not be at the end of the pattern.
func (p *parser) item() (item, error) {
	c := p.src[p.pos]
	p.pos++
	switch c {
	case '(':
		return p.group()
	case '[':
		n, single, err := p.bracket()
		return item{node: n, open: single}, err
	case '\\':
		return p.escape()
	case '.':
		if p.flags.dotAll {
			return item{node: &set{allRunes()}}, nil
		}
		return item{node: &set{runeSet{{'\n', '\n'}}.negate()}}, nil
	case '^':
		return item{node: &anchor{lineBegin}}, nil
	case '$':
		return item{node: &anchor{lineEnd}}, nil
	case '*', '+', '?':
		return item{}, p.fail("target of repeat operator is not specified")
	case '{':
		p.pos--
		_, ok, err := p.interval()
		if ok {
			err = p.fail("target of repeat operator is not specified")
		}
		if err != nil {
			return item{}, err
		}
		p.pos++
	}
	return p.char(c), nil
}

// quantifier is a parsed *, +, ? or {n,m}.
type quantifier struct {
	min, max         int
	lazy, possessive bool
}

// quantifiers applies the following quantifiers to the last of items, or to its
// last character.
func (p *parser) quantifiers(items *[]node, grouped bool) (found bool, err error) {
	for depth := p.depth; ; depth++ {
		if err := p.skip(); err != nil {
			return false, err
		}
		q, ok, err := p.quantifier()
		if !ok || err != nil {
			return found, err
		}
		if depth >= maxDepth {
			return false, p.fail("parse depth limit over")
		}
		found = true
		target := (*items)[len(*items)-1]
		if lit, ok := target.(*literal); ok && !grouped && len(lit.runes) > 1 {
			n := len(lit.runes) - 1
			target = &literal{[]rune{lit.runes[n]}, lit.fold}
			lit.runes = lit.runes[:n:n]
			*items = append(*items, target)
		}
		(*items)[len(*items)-1] = q.apply(target)
	}
}

// quantifier parses a quantifier, if there is one.
func (p *parser) quantifier() (q quantifier, ok bool, err error) {
	switch {
	case p.accept('*'):
		q = quantifier{min: 0, max: infinite}
	case p.accept('+'):
		q = quantifier{min: 1, max: infinite}
	case p.accept('?'):
		q = quantifier{min: 0, max: 1}
	case p.peek('{'):
		q, ok, err = p.interval()
		// {n}? is an optional {n}; an interval is never possessive.
		if ok && q.min != q.max {
			q.lazy = p.accept('?')
		}
		return q, ok, err
	default:
		return q, false, nil
	}
	q.lazy = p.accept('?')
	q.possessive = !q.lazy && p.accept('+')
	return q, true, nil
}

// interval parses {n}, {n,}, {,m} or {n,m}. Any other text that begins with a
// brace is a literal: then it consumes nothing.
func (p *parser) interval() (q quantifier, ok bool, err error) {
	start := p.pos
	p.pos++
	lo, lows := p.number(10, digitsLimit)
	hi, highs := lo, lows
	if lo > maxRepeat {
		return q, false, p.fail("too big number for repeat range")
	}
	comma := p.accept(',')
	if comma {
		if hi, highs = p.number(10, digitsLimit); hi > maxRepeat {
			return q, false, p.fail("too big number for repeat range")
		}
	}
	if lows+highs == 0 || lows == 0 && !comma || !p.accept('}') {
		p.pos = start
		return q, false, nil
	}
	if highs == 0 {
		hi = infinite
	} else if lo > hi {
		return q, false, p.fail("upper is smaller than lower in repeat range")
	}
	if comma && lo == hi {
		// {2,2}? is lazy, unlike {2}?, but both match the same.
		p.accept('?')
	}
	return quantifier{min: lo, max: hi}, true, nil
}

// apply returns n under the quantifier.
func (q quantifier) apply(n node) node {
	if q.min == 1 && q.max == 1 {
		if q.possessive {
			return &atomic{n}
		}
		return n
	}
	if inner, ok := n.(*repeat); ok {
		n = q.merge(inner)
	} else {
		n = &repeat{q.min, q.max, q.lazy, n}
	}
	if q.possessive {
		return &atomic{n}
	}
	return n
}

// The simple quantifiers, as rows and columns of the table in merge.
const (
	opt = iota
	star
	plus
	lazyOpt
	lazyStar
	lazyPlus
	notSimple
)

// simple returns the simple quantifier that equals {least,most}, or notSimple.
func simple(least, most int, lazy bool) int {
	kind := notSimple
	switch {
	case least == 0 && most == 1:
		kind = opt
	case least == 0 && most == infinite:
		kind = star
	case least == 1 && most == infinite:
		kind = plus
	}
	if lazy && kind != notSimple {
		kind += lazyOpt
	}
	return kind
}

// merge returns the quantified node inner under q. Ruby merges two simple
// quantifiers into one, and this affects the semantics: by itself, (?:a??)*
// never matches an "a", but Ruby parses it as a*?.
func (q quantifier) merge(inner *repeat) node {
	outer, in := simple(q.min, q.max, q.lazy), simple(inner.min, inner.max, inner.lazy)
	asIs := &repeat{q.min, q.max, q.lazy, inner}
	if in == notSimple {
		return asIs
	}
	if outer == notSimple {
		// Repeating a greedy a* does not match more.
		if (in == star || in == plus) && q.max > 1 && !q.lazy {
			asIs.max = max(q.min, 1)
		}
		return asIs
	}
	const (
		keepBoth = iota
		keepInner
		toStar
		toLazyStar
		toLazyOpt
		plusLazyOpt // (?:a+)??
		lazyPlusOpt // (?:a+?)?
	)
	table := [notSimple][notSimple]int{
		opt:      {keepInner, toStar, toStar, toLazyOpt, toLazyStar, keepBoth},
		star:     {keepInner, keepInner, keepInner, plusLazyOpt, plusLazyOpt, keepInner},
		plus:     {toStar, toStar, keepInner, keepBoth, plusLazyOpt, keepInner},
		lazyOpt:  {keepInner, toLazyStar, toLazyStar, keepInner, toLazyStar, toLazyStar},
		lazyStar: {keepInner, keepInner, keepInner, keepInner, keepInner, keepInner},
		lazyPlus: {keepBoth, lazyPlusOpt, keepInner, toLazyStar, toLazyStar, keepInner},
	}
	switch table[in][outer] {
	case keepInner:
		return inner
	case toStar:
		return &repeat{0, infinite, false, inner.body}
	case toLazyStar:
		return &repeat{0, infinite, true, inner.body}
	case toLazyOpt:
		return &repeat{0, 1, true, inner.body}
	case plusLazyOpt:
		return &repeat{0, 1, true, &repeat{1, infinite, false, inner.body}}
	case lazyPlusOpt:
		return &repeat{0, 1, false, &repeat{1, infinite, true, inner.body}}
	}
	return asIs
}

// escape parses an escape after its backslash.
func (p *parser) escape() (item, error) {
	// unescape has checked that a character follows.
	c := p.src[p.pos]
	p.pos++
	if kind, ok := escapedAnchor(c, p.flags.charset); ok {
		return item{node: &anchor{kind}}, nil
	}
	if cl, negative, ok := escapedClass(c); ok {
		return item{node: &set{cl.members(negative, p.flags.charset != unicodeCharset)}}, nil
	}
	switch c {
	case 'R':
		return item{node: lineBreak()}, nil
	case 'X':
		return item{node: graphemeCluster()}, p.spend(graphemeCost)
	case 'K':
		return item{node: &keep{}}, nil
	case 'p', 'P':
		if p.accept('{') {
			n, err := p.property(c == 'P')
			return item{node: n}, err
		}
	case 'x', '0':
		return p.rawChar(c), nil
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.numbered(c)
	case 'k':
		if p.peek('<') || p.peek('\'') {
			n, err := p.namedBackref()
			return item{node: n}, err
		}
	case 'g':
		if p.peek('<') || p.peek('\'') {
			n, err := p.call()
			return item{node: n}, err
		}
	}
	return p.char(controlEscape(c)), nil
}

// rawChar parses \xHH or an octal escape. It does not join another literal.
func (p *parser) rawChar(c rune) item {
	var v int
	if c == 'x' {
		v, _ = p.number(16, 2)
	} else {
		v, _ = p.number(8, 2)
	}
	return item{node: &literal{[]rune{rune(v)}, p.flags.ignoreCase}}
}

// numbered parses \1 and the like: a back-reference, or an octal escape if
// there is no such group yet.
func (p *parser) numbered(c rune) (item, error) {
	p.pos--
	start := p.pos
	n, _ := p.number(10, digitsLimit)
	if n <= maxBackref && (n < len(p.groups) || n <= 9) {
		return item{node: &backref{groups: []int{n}, fold: p.flags.ignoreCase, numbered: true}}, nil
	}
	p.pos = start
	if c >= '8' {
		p.pos++
		return p.char(c), nil
	}
	v, _ := p.number(8, 3)
	return item{node: &literal{[]rune{rune(v)}, p.flags.ignoreCase}}, nil
}

// controlEscape returns the character that \c denotes.
func controlEscape(c rune) rune {
	if i := strings.IndexRune("ntrfabev", c); i >= 0 {
		return rune("\n\t\r\f\a\b\x1b\v"[i])
	}
	return c
}

// escapedAnchor returns the anchor that \c denotes.
func escapedAnchor(c rune, cs charset) (anchorKind, bool) {
	switch c {
	case 'A':
		return textBegin, true
	case 'z':
		return textEnd, true
	case 'Z':
		return textSemiEnd, true
	case 'G':
		return searchBegin, true
	case 'b':
		if cs == asciiCharset {
			return asciiBound, true
		}
		return wordBound, true
	case 'B':
		if cs == asciiCharset {
			return notASCIIBound, true
		}
		return notWordBound, true
	}
	return 0, false
}

// escapedClass returns the class that \c denotes.
func escapedClass(c rune) (cl class, negative, ok bool) {
	switch c {
	case 'd', 'D':
		return classDigit, c == 'D', true
	case 's', 'S':
		return classSpace, c == 'S', true
	case 'w', 'W':
		return classWord, c == 'W', true
	case 'h', 'H':
		return classXDigit, c == 'H', true
	}
	return 0, false, false
}

// lineBreak returns the node for \R.
func lineBreak() node {
	return &atomic{newAlt(
		&literal{runes: []rune("\r\n")},
		&set{newSet(runeRange{'\n', '\r'}, runeRange{0x85, 0x85}, runeRange{0x2028, 0x2029})},
	)}
}

// graphemeCost is the approximate number of ranges in a \X.
const graphemeCost = 1 << 12

// graphemeCluster returns the node for \X, as defined by UAX #29 of Unicode 13.
func graphemeCluster() node {
	of := func(ranges []runeRange) node { return &set{runeSet(ranges)} }
	many := func(n node) node { return &repeat{0, infinite, false, n} }
	some := func(n node) node { return &repeat{1, infinite, false, n} }

	zwj := runeRange{0x200d, 0x200d}
	control := newSet(append(slices.Clone(graphemeControl[:]), runeRange{'\n', '\n'}, runeRange{'\r', '\r'})...)
	after := newSet(append(slices.Concat(graphemeExtend[:], graphemeSpacingMark[:]), zwj)...)
	l, v, t := of(graphemeL[:]), of(graphemeV[:]), of(graphemeT[:])
	lv, lvt := of(graphemeLV[:]), of(graphemeLVT[:])
	pictographic := of(graphemePictographic[:])
	core := newAlt(
		newCat(many(l), newAlt(some(v), newCat(lv, many(v)), lvt), many(t)),
		some(l),
		some(t),
		&repeat{2, 2, false, of(graphemeRegionalIndicator[:])},
		newCat(pictographic, many(newCat(many(of(graphemeExtend[:])), of([]runeRange{zwj}), pictographic))),
		&set{control.negate()},
	)
	return &atomic{newAlt(
		&literal{runes: []rune("\r\n")},
		&set{control},
		newCat(many(of(graphemePrepend[:])), core, many(&set{after})),
		&set{allRunes()},
	)}
}
