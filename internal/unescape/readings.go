package unescape

import (
	"html"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Reading is one way to read a text from a position on: as what an escape spells.
type Reading struct {
	text   [LongestText]byte
	size   uint8
	depth  uint8
	levels levels
	// End is the position after the escape.
	End int
}

// Text returns what the escape spells. It is empty for a line break that belongs to the
// encoding.
func (r *Reading) Text() []byte { return r.text[:r.size] }

// Readings are all ways to read a text in which any character may be escaped, in any
// language, by escapes inside each other. It does not decode the text, because the same
// characters are an escape in one language and plain in another: `\%41` is an escaped `A`
// behind a backslash, or in a crontab an escaped `%` before `41`. The zero value reads an
// empty text, and its memory can be reused. It is not safe for concurrent use.
type Readings struct {
	text  []byte
	inert *[256]bool // bytes that begin no escape
	base  int
	known [deepest][nearby]known
}

// known are the readings at a position. A position has another number in each text.
type known struct {
	position int
	list     []Reading
}

const (
	// deepest is the number of escapes inside each other that are read: three, and one
	// that encloses them.
	deepest = 4
	// LongestText is the maximum length of the text of an escape, in bytes: two characters.
	LongestText = 8
	// nearby is the number of positions whose readings are kept.
	nearby = 1024
	// LongestEscape is the maximum length in bytes of an escape with the escapes in it. A
	// character beyond the Basic Multilingual Plane takes 432 bytes in JSON that is escaped
	// three times.
	LongestEscape = 600
	// MostBreaks is the maximum number of line breaks that are part of an encoding and follow
	// each other: one of each of the escapes inside each other.
	MostBreaks = 3
)

// language is a way to escape characters.
type language uint8

const (
	backslashed language = iota // JSON, YAML, Puppet, Ruby, Python, C, shells, crontabs, LDAP, SQL and CSS
	percented                   // URLs
	entities                    // XML and HTML
	printable                   // quoted-printable
	plussed                     // a plus sign for a blank, in URLs
	apostrophes                 // doubled in Puppet, YAML and SQL, or closed, quoted and opened in shells
	quotes                      // doubled in CSV
	percents                    // doubled in units of systemd and in format strings
	dollars                     // doubled in Makefiles and Compose files
	backticked                  // PowerShell
	careted                     // cmd
	numLanguages
)

// levels count, in four bits for each language, how often a character is escaped in it. The
// two characters of a doubled one are alike. The characters of any other
// escape may be escaped in different ways, as an encoder that mixes languages writes them.
type levels uint64

func (l levels) of(in language) levels { return l >> (4 * in) & 15 }

// with returns the higher levels of both.
func (l levels) with(other levels) levels {
	if l == other || other == 0 {
		return l
	}
	if l == 0 {
		return other
	}
	var all levels
	for in := range numLanguages {
		all |= max(l.of(in), other.of(in)) << (4 * in)
	}
	return all
}

// alike reports whether two characters may be one that is doubled in a language: they are
// escaped equally often in it. Percent and dollar signs may be doubled once more, because some
// programs double only those that would have an effect: `%%%3c`. If one of them is escaped in
// another language, which hides it from a language outside of that, they may differ more.
func (l levels) alike(other levels, in language) bool {
	low, high := l, other
	if low.of(in) > high.of(in) {
		low, high = high, low
	}
	more := levels(0)
	if in == percents || in == dollars {
		more = 1
	}
	return low.of(in)+more >= high.of(in) || low&^(15<<(4*in)) != 0
}

// Properties of a byte in an escape.
const (
	isHex = 1 << iota
	isHexUpper
	isOctal
	isDecimal
	isLetterOrDigit
	isIntroducer
)

// The properties of digits.
const (
	hexUpper = isHex | isHexUpper | isLetterOrDigit
	decimal  = hexUpper | isDecimal
	octal    = decimal | isOctal
)

var properties = [256]uint8{
	'0': octal, '1': octal, '2': octal, '3': octal, '4': octal, '5': octal, '6': octal, '7': octal,
	'8': decimal, '9': decimal,
	'A': hexUpper, 'B': hexUpper, 'C': hexUpper, 'D': hexUpper, 'E': hexUpper, 'F': hexUpper,
	'a': isHex | isLetterOrDigit, 'b': isHex | isLetterOrDigit, 'c': isHex | isLetterOrDigit, 'd': isHex | isLetterOrDigit, 'e': isHex | isLetterOrDigit, 'f': isHex | isLetterOrDigit,
	'G': isLetterOrDigit, 'H': isLetterOrDigit, 'I': isLetterOrDigit, 'J': isLetterOrDigit, 'K': isLetterOrDigit, 'L': isLetterOrDigit, 'M': isLetterOrDigit, 'N': isLetterOrDigit, 'O': isLetterOrDigit, 'P': isLetterOrDigit,
	'Q': isLetterOrDigit, 'R': isLetterOrDigit, 'S': isLetterOrDigit, 'T': isLetterOrDigit, 'U': isLetterOrDigit, 'V': isLetterOrDigit, 'W': isLetterOrDigit, 'X': isLetterOrDigit, 'Y': isLetterOrDigit, 'Z': isLetterOrDigit,
	'g': isLetterOrDigit, 'h': isLetterOrDigit, 'i': isLetterOrDigit, 'j': isLetterOrDigit, 'k': isLetterOrDigit, 'l': isLetterOrDigit, 'm': isLetterOrDigit, 'n': isLetterOrDigit, 'o': isLetterOrDigit, 'p': isLetterOrDigit,
	'q': isLetterOrDigit, 'r': isLetterOrDigit, 's': isLetterOrDigit, 't': isLetterOrDigit, 'u': isLetterOrDigit, 'v': isLetterOrDigit, 'w': isLetterOrDigit, 'x': isLetterOrDigit, 'y': isLetterOrDigit, 'z': isLetterOrDigit,
	'`': isIntroducer, '^': isIntroducer,
	'\\': isIntroducer, '%': isIntroducer, '&': isIntroducer, '=': isIntroducer, '+': isIntroducer, '\'': isIntroducer, '"': isIntroducer, '$': isIntroducer,
}

// inStrings are the bytes that begin no escape in a document of JSON: those that end a
// string, or an escape of the document itself.
var inStrings = [256]bool{'"': true, '\\': true}

var nothing = [256]bool{}

// Read begins to read another text. Of a document in JSON, only strings without escapes of
// JSON are read: a quote or a backslash is no part of any reading.
func (r *Readings) Read(text []byte, inJSON bool) {
	r.base += len(r.text) + 1
	r.text, r.inert = text, &nothing
	if inJSON {
		r.inert = &inStrings
	}
}

// IsIntroducer reports whether escapes may begin with c.
func IsIntroducer(c byte) bool { return properties[c]&isIntroducer != 0 }

// Begins reports whether an escape may begin at a position. False is certain.
func (r *Readings) Begins(i int) bool {
	c := r.text[i]
	if properties[c]&isIntroducer == 0 || r.inert[c] {
		return false
	}
	if i+1 == len(r.text) {
		return c == '+'
	}
	next := r.text[i+1]
	is := properties[next]
	switch c {
	case '%':
		return is&(isHex|isIntroducer) != 0 || next|0x20 == 'u'
	case '&':
		return is&(isLetterOrDigit|isIntroducer) != 0 || next == '#'
	case '=':
		return is&(isHexUpper|isIntroducer) != 0 || isBlank(next) || next == '\n' || next == '\r'
	case '"', '\'', '$':
		return is&isIntroducer != 0
	case '`':
		return is&isLetterOrDigit == 0 || backtickLetters[next] != 0 || next == 'u'
	case '^':
		return is&isLetterOrDigit == 0
	}
	return true
}

// At returns the escapes that begin at a position. The list is valid until readings far away
// are requested.
func (r *Readings) At(i int) []Reading { return r.at(i, deepest) }

// at is At for at most depth escapes inside each other.
func (r *Readings) at(i, depth int) []Reading {
	if depth == 0 || i >= len(r.text) || !r.Begins(i) {
		return nil
	}
	k := &r.known[depth-1][i%nearby]
	if k.position == r.base+i+1 {
		return k.list
	}
	e := escape{r: r, start: i, inner: depth - 1, list: k.list[:0]}
	e.from(part{r.text[i], i + 1, 0, 0})
	for e.next < len(e.list) { // the list grows; its escapes may be introducers
		f := e.list[e.next]
		e.next++
		if f.size == 1 && int(f.depth) < depth && properties[f.text[0]]&isIntroducer != 0 {
			e.from(part{f.text[0], f.End, f.depth, f.levels})
		}
	}
	k.position, k.list = r.base+i+1, e.list
	return e.list
}

// part is a character of an escape, which may be escaped itself.
type part struct {
	char   byte
	end    int
	depth  uint8
	levels levels
}

// escape collects the escapes that begin at start.
type escape struct {
	r     *Readings
	start int
	inner int // number of escapes inside each other in them
	list  []Reading
	next  int // position in list of the first one that may be the introducer of others
}

// from adds the escapes with an introducer.
func (e *escape) from(first part) {
	switch first.char {
	case '\\':
		e.backslash(first)
	case '%':
		e.percent(first)
	case '&':
		e.entity(first)
	case '=':
		e.printable(first)
	case '+':
		e.addByte(' ', first, plussed)
	case '\'':
		e.doubled(first, apostrophes)
		e.shell(first)
	case '"':
		e.doubled(first, quotes)
	case '$':
		e.doubled(first, dollars)
	case '`':
		e.backtick(first)
	case '^':
		e.caret(first)
	}
}

// add adds an escape in a language that ends with last and spells text.
func (e *escape) add(text []byte, last part, in language) {
	if len(text) > LongestText || last.end-e.start > LongestEscape {
		return
	}
	f := Reading{size: uint8(len(text)), depth: last.depth + 1, levels: last.levels + 1<<(4*in), End: last.end}
	copy(f.text[:], text)
	for k := range e.list {
		l := &e.list[k]
		if l.End != f.End || l.text != f.text || l.size != f.size {
			continue
		}
		if f.depth < l.depth {
			*l, e.next = f, min(e.next, k)
		}
		return
	}
	e.list = append(e.list, f)
}

func (e *escape) addByte(c byte, last part, in language) { e.add([]byte{c}, last, in) }

func (e *escape) addRune(c rune, last part, in language) {
	if !utf8.ValidRune(c) {
		return
	}
	var b [utf8.UTFMax]byte
	e.add(utf8.AppendRune(b[:0], c), last, in)
}

// addCode adds an escape that spells a byte, or the character with this number.
func (e *escape) addCode(c byte, last part, in language) {
	e.addByte(c, last, in)
	if c >= utf8.RuneSelf {
		e.addRune(rune(c), last, in)
	}
}

// each calls yield with the ways to read the character after a part, until it returns false.
// A line break that is part of an encoding may be before the character. It reports whether to
// continue.
func (e *escape) each(after part, yield func(part) bool) bool {
	return e.behind(after, MostBreaks, yield)
}

// behind is each for at most some line breaks.
func (e *escape) behind(after part, breaks int, yield func(part) bool) bool {
	i := after.end
	if i >= len(e.r.text) || i-e.start > LongestEscape {
		return true
	}
	if c := e.r.text[i]; !e.r.inert[c] && !yield(part{c, i + 1, after.depth, after.levels}) {
		return false
	}
	list := e.r.at(i, e.inner)
	for k := range list {
		f := &list[k]
		more := true
		switch {
		case f.size == 0 && breaks > 0:
			more = e.behind(part{after.char, f.End, max(after.depth, f.depth), after.levels}, breaks-1, yield)
		case f.size == 1:
			more = yield(part{f.text[0], f.End, max(after.depth, f.depth), after.levels.with(f.levels)})
		}
		if !more {
			return false
		}
	}
	return true
}

// char calls yield with the ways to read the character after a part as c.
func (e *escape) char(after part, c byte, yield func(part)) {
	e.each(after, func(p part) bool {
		if p.char == c {
			yield(p)
		}
		return true
	})
}

// same calls yield with the ways to read the character after a part as that of first, in
// which it must be escaped as often in the language.
func (e *escape) same(after, first part, in language, yield func(part)) {
	e.sameBehind(after, first, in, MostBreaks, yield)
}

// sameBehind is same for at most some line breaks.
func (e *escape) sameBehind(after, first part, in language, breaks int, yield func(part)) {
	i := after.end
	if i >= len(e.r.text) || i-e.start > LongestEscape {
		return
	}
	if c := e.r.text[i]; c == first.char && first.levels.alike(0, in) && !e.r.inert[c] {
		yield(part{c, i + 1, after.depth, after.levels})
	}
	list := e.r.at(i, e.inner)
	for k := range list {
		f := &list[k]
		switch {
		case f.size == 0 && breaks > 0:
			e.sameBehind(part{after.char, f.End, max(after.depth, f.depth), after.levels}, first, in, breaks-1, yield)
		case f.size == 1 && f.text[0] == first.char && first.levels.alike(f.levels, in):
			yield(part{f.text[0], f.End, max(after.depth, f.depth), after.levels.with(f.levels)})
		}
	}
}

// number is a number that was read, with the last of its digits.
type number struct {
	value rune
	last  part
}

// mostNumbers is the maximum number of ways to read digits that are followed.
const mostNumbers = 16

// numbers calls yield with the numbers of least to most digits after a part.
func (e *escape) numbers(after part, property uint8, least, most int, yield func(number)) {
	base := rune(16)
	switch property {
	case isOctal:
		base = 8
	case isDecimal:
		base = 10
	}
	var lists [2][mostNumbers]number
	now, next := append(lists[0][:0], number{0, after}), lists[1][:0]
	for n := 1; n <= most && len(now) > 0; n++ {
		for _, before := range now {
			e.each(before.last, func(p part) bool {
				if properties[p.char]&property == 0 || len(next) == mostNumbers {
					return true
				}
				value := before.value*base + rune(hexValues[p.char]&15)
				if !slices.ContainsFunc(next, func(m number) bool { return m.last.end == p.end && m.value == value }) {
					next = append(next, number{value, p})
				}
				return true
			})
		}
		if n >= least {
			for _, m := range next {
				yield(m)
			}
		}
		now, next = next, now[:0]
	}
}

// letterEscapes maps the letters after a backslash to their characters.
var letterEscapes = [256]byte{
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'a': '\a', 'e': 0x1b, 'v': '\v', 's': ' ',
}

// backslash adds the escapes with a backslash in any language.
func (e *escape) backslash(first part) {
	e.each(first, func(p part) bool {
		switch c := p.char; {
		case c == '\\':
			e.addByte(c, p, backslashed)
		case letterEscapes[c] != 0:
			e.addByte(letterEscapes[c], p, backslashed)
		case c == '\n' || c == '\r':
			e.continued(p, backslashed)
			e.addByte(c, p, backslashed)
		case c == 'x':
			e.braced(p, backslashed)
			e.numbers(p, isHex, 2, 2, func(m number) { e.addCode(byte(m.value), m.last, backslashed) })
		case c == 'u':
			e.unit(first, p, backslashed)
			e.braced(p, backslashed)
		case c == 'U':
			e.numbers(p, isHex, 8, 8, func(m number) { e.addRune(m.value, m.last, backslashed) })
		case '0' <= c && c <= '7':
			before := first
			before.depth, before.levels = p.depth, p.levels
			e.numbers(before, isOctal, 1, 3, func(m number) { // a digit after it may be another character
				if m.value <= 0xff {
					e.addCode(byte(m.value), m.last, backslashed)
				}
			})
		case c == '+':
			e.addByte(c, p, backslashed)
			e.numbers(p, isHex, 6, 6, func(m number) { e.addRune(m.value, m.last, backslashed) })
		case properties[c]&isLetterOrDigit == 0 && c < utf8.RuneSelf:
			e.addByte(c, p, backslashed)
		}
		if properties[p.char]&isHex != 0 {
			e.bare(first, p)
		}
		return true
	})
}

// bare adds hexadecimal digits right after a backslash: two in LDAP, four in SQL, and up to
// six in CSS, where a blank may end them.
func (e *escape) bare(first, digit part) {
	before := first
	before.depth, before.levels = digit.depth, digit.levels
	for size := 1; size <= 6; size++ {
		e.numbers(before, isHex, size, size, func(m number) {
			switch size {
			case 1: // only a blank ends it
			case 2:
				e.addCode(byte(m.value), m.last, backslashed)
			default:
				e.addRune(m.value, m.last, backslashed)
			}
			if after, ok := e.blank(m.last, 0); ok {
				e.addRune(m.value, after, backslashed)
			}
		})
	}
}

// backtickLetters maps the letters after a backtick to their characters.
var backtickLetters = [256]byte{
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'a': '\a', 'e': 0x1b, 'v': '\v',
}

// backtick adds the escapes of PowerShell.
func (e *escape) backtick(first part) {
	e.each(first, func(p part) bool {
		switch c := p.char; {
		case backtickLetters[c] != 0:
			e.addByte(backtickLetters[c], p, backticked)
		case c == 'u':
			e.braced(p, backticked)
		case isLineEnd(c):
			e.continued(p, backticked)
		case properties[c]&isLetterOrDigit == 0 && c < utf8.RuneSelf:
			e.addByte(c, p, backticked)
		}
		return true
	})
}

// caret adds the escapes of cmd.
func (e *escape) caret(first part) {
	e.each(first, func(p part) bool {
		switch c := p.char; {
		case isLineEnd(c):
			e.continued(p, careted)
		case properties[c]&isLetterOrDigit == 0 && c < utf8.RuneSelf:
			e.addByte(c, p, careted)
		}
		return true
	})
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// continued adds a line break after a character that continues the line, with and without the indentation of the
// next line.
func (e *escape) continued(p part, in language) {
	e.add(nil, p, in)
	if p.char == '\r' {
		e.char(p, '\n', func(p part) { e.continued(p, in) })
	}
	for breaks := MostBreaks; ; {
		next, ok := e.blank(p, 0)
		if !ok && breaks > 0 {
			next, ok = e.blank(p, 1)
			breaks--
		}
		if !ok {
			break
		}
		p = next
	}
	e.add(nil, p, in)
}

// blank returns the blank behind a part and at most some line breaks.
func (e *escape) blank(after part, breaks int) (next part, ok bool) {
	e.behind(after, breaks, func(p part) bool {
		if ok = isBlank(p.char); ok {
			next = p
		}
		return !ok
	})
	return next, ok
}

// unit adds an escape in four hexadecimal digits after the letter u, or in two such escapes
// for a surrogate pair.
func (e *escape) unit(first, letter part, in language) {
	e.numbers(letter, isHex, 4, 4, func(high number) {
		if !utf16.IsSurrogate(high.value) {
			e.addRune(high.value, high.last, in)
			return
		}
		e.each(high.last, func(next part) bool {
			if next.char == first.char {
				e.char(next, letter.char, func(letter part) {
					e.numbers(letter, isHex, 4, 4, func(low number) {
						if pair := utf16.DecodeRune(high.value, low.value); pair != utf8.RuneError {
							e.addRune(pair, low.last, in)
						}
					})
				})
			}
			return true
		})
	})
}

// braced adds `\u{1F600}` and `\x{fc}`.
func (e *escape) braced(letter part, in language) {
	e.char(letter, '{', func(p part) {
		e.numbers(p, isHex, 1, 6, func(m number) {
			e.char(m.last, '}', func(last part) { e.addRune(m.value, last, in) })
		})
	})
}

// percent adds `%41`, `%u0041` as JavaScript once wrote it, and `%%`.
func (e *escape) percent(first part) {
	e.doubled(first, percents)
	e.hexadecimal(first, percented, isHex)
	for _, letter := range []byte{'u', 'U'} {
		e.char(first, letter, func(p part) { e.unit(first, p, percented) })
	}
}

// hexadecimal adds an escape with two hexadecimal digits.
func (e *escape) hexadecimal(first part, in language, property uint8) {
	e.numbers(first, property, 2, 2, func(m number) { e.addCode(byte(m.value), m.last, in) })
}

// doubled adds a character that is escaped by another one.
func (e *escape) doubled(first part, in language) {
	e.same(first, first, in, func(last part) { e.addByte(first.char, last, in) })
}

// shell adds an apostrophe between quotes in a shell: `'\”` and `'"'"'`.
func (e *escape) shell(first part) {
	e.sequence(first, first, `\''`)
	e.sequence(first, first, `"'"'`)
}

// sequence adds an apostrophe that is spelled by first and the characters of rest, of which
// apostrophes are escaped as often as first.
func (e *escape) sequence(after, first part, rest string) {
	switch {
	case rest == "":
		e.addByte('\'', after, apostrophes)
	case rest[0] == '\'':
		e.same(after, first, apostrophes, func(next part) { e.sequence(next, first, rest[1:]) })
	default:
		e.each(after, func(next part) bool {
			if next.char == rest[0] {
				e.sequence(next, first, rest[1:])
			}
			return true
		})
	}
}

// The lengths of the longest digits and the longest name of an entity.
const (
	longestNumber = 8
	longestName   = len("CounterClockwiseContourIntegral")
)

// entity adds `&amp;`, `&#38;` and `&#x26;`.
func (e *escape) entity(first part) {
	e.char(first, '#', e.numbered)
	var lists [2][mostNames]name
	now, next := append(lists[0][:0], name{last: first}), lists[1][:0]
	for n := 0; n <= longestName && len(now) > 0; n++ {
		for _, before := range now {
			e.each(before.last, func(p part) bool {
				switch {
				case p.char == ';':
					e.named(string(before.text[:n]), p)
				case properties[p.char]&isLetterOrDigit != 0 && n < longestName && len(next) < mostNames:
					longer := before
					longer.text[n], longer.last = p.char, p
					if !slices.ContainsFunc(next, func(m name) bool { return m.text == longer.text && m.last.end == p.end }) {
						next = append(next, longer)
					}
				}
				return true
			})
		}
		now, next = next, now[:0]
	}
}

// name is the beginning of the name of an entity, with the last of its characters.
type name struct {
	text [longestName]byte
	last part
}

// mostNames is the maximum number of ways to read a name that are followed.
const mostNames = 8

// named adds the entity of a name that ends with a semicolon.
func (e *escape) named(name string, last part) {
	whole := "&" + name + ";"
	if text := html.UnescapeString(whole); text != whole {
		e.add([]byte(text), last, entities)
	}
}

// numbered adds an entity with a number.
func (e *escape) numbered(sign part) {
	yield := func(m number) {
		e.char(m.last, ';', func(last part) { e.addRune(m.value, last, entities) })
	}
	e.numbers(sign, isDecimal, 1, longestNumber, yield)
	for _, letter := range []byte{'x', 'X'} {
		e.char(sign, letter, func(x part) { e.numbers(x, isHex, 1, longestNumber, yield) })
	}
}

// printable adds `=3D`, and a line break that is part of the encoding.
func (e *escape) printable(first part) {
	e.hexadecimal(first, printable, isHexUpper)
	e.soft(first, mostBlanks)
}

// mostBlanks is the maximum number of blanks between an equals sign and the line break that
// it hides.
const mostBlanks = 16

// soft adds the line breaks after a part and up to some blanks.
func (e *escape) soft(after part, blanks int) {
	e.each(after, func(p part) bool {
		switch {
		case p.char == '\n':
			e.add(nil, p, printable)
		case p.char == '\r':
			e.add(nil, p, printable)
			e.char(p, '\n', func(last part) { e.add(nil, last, printable) })
		case isBlank(p.char) && blanks > 0:
			e.soft(p, blanks-1)
		}
		return true
	})
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
