package unescape

import (
	"bytes"
	"html"
	"sort"
	"strings"
	"unicode/utf8"
)

// Kinds is a set of languages with escapes.
type Kinds uint8

// The kinds of escapes. They are decoded leniently: the escapes of all languages that
// begin with a backslash are one kind.
const (
	Backslash Kinds = 1 << iota // JSON, YAML, Puppet, Ruby, Python, C and shells
	Percent                     // URLs
	Entity                      // XML and HTML
	Printable                   // quoted-printable
	Plus                        // a plus sign for a blank, in URLs
	numKinds  = iota
)

// introducers are the bytes with which the escapes of each kind begin.
const introducers = `\%&=+`

// View is a decoded copy of a text that is used to search it. It consists of the parts of
// the text that differ from the original, with some bytes around each. The zero value is
// empty and its memory can be reused.
type View struct {
	// Text contains the parts. A byte that is never in UTF-8 separates them.
	Text []byte
	// Parts are the ranges of the original that are decoded in Text.
	Parts []Part

	decoded []decoded
	scanner scanner // memory of Decode
}

// Part is the range of a text from Start to End. Kinds are those of its escapes.
type Part struct {
	Start, End int
	Kinds      Kinds
}

// decoded maps an escape, source to sourceEnd in the original, to its text from at to
// end, which may be empty. Text up to the next one is the same as in the original. An
// empty one begins each part.
type decoded struct {
	at, end, source, sourceEnd int
	begins                     bool
}

const separator = 0xff

func (v *View) reset() { v.Text, v.Parts, v.decoded = v.Text[:0], v.Parts[:0], v.decoded[:0] }

// begin begins a part at a position of the original.
func (v *View) begin(source int) {
	if len(v.Text) > 0 {
		v.Text = append(v.Text, separator)
	}
	v.Parts = append(v.Parts, Part{Start: source})
	v.decoded = append(v.decoded, decoded{len(v.Text), len(v.Text), source, source, true})
}

// done returns the end in the original of the last escape.
func (v *View) done() int { return v.decoded[len(v.decoded)-1].sourceEnd }

// copyTo adds text from the last escape up to a position of the original.
func (v *View) copyTo(text []byte, source int) {
	v.Text = append(v.Text, text[v.done():source]...)
	v.Parts[len(v.Parts)-1].End = source
}

// replaced records that text[source:sourceEnd] became what was appended from at on.
func (v *View) replaced(at, source, sourceEnd int) {
	v.decoded = append(v.decoded, decoded{at, len(v.Text), source, sourceEnd, false})
}

// Source returns the range of the original that Text[start:end] was decoded from. It
// consists of whole escapes. ok is false if the range belongs to several parts.
func (v *View) Source(start, end int) (from, to int, ok bool) {
	first, last := v.before(start), v.before(end-1)
	for _, d := range v.decoded[first+1 : last+1] {
		if d.begins {
			return 0, 0, false
		}
	}
	d := &v.decoded[first]
	if from = d.source; start >= d.end {
		from = d.sourceEnd + start - d.end
	}
	d = &v.decoded[last]
	if to = d.sourceEnd; end > d.end {
		to += end - d.end
	}
	return from, to, true
}

// IsDecoded reports whether there is an escape, or a line break that was left out, in
// Text[start:end].
func (v *View) IsDecoded(start, end int) bool {
	first := v.before(start)
	return v.before(end-1) > first || start < v.decoded[first].end
}

// before returns the index of the last escape that begins at a position of Text or
// before.
func (v *View) before(at int) int {
	return sort.Search(len(v.decoded), func(i int) bool { return v.decoded[i].at > at }) - 1
}

// IsPlain reports whether text has no line break and no byte with which an escape begins,
// so that every View of it is empty.
func IsPlain(text []byte) bool {
	const short = 48 // a loop is faster than several searches
	if len(text) <= short {
		for _, c := range text {
			switch c {
			case '\\', '%', '&', '=', '+', '\n':
				return false
			}
		}
		return true
	}
	for i := range len(introducers) {
		if bytes.IndexByte(text, introducers[i]) >= 0 {
			return false
		}
	}
	return bytes.IndexByte(text, '\n') < 0
}

// Decode sets v to the text with the escapes of some kinds decoded, once each: the
// escapes, and up to context bytes around each. It reports whether there are any.
func (v *View) Decode(text []byte, kinds Kinds, context int) bool {
	v.reset()
	s := &v.scanner
	s.begin(text, kinds)
	limit := 0 // end of the part
	for s.scan() {
		if len(v.Parts) == 0 || limit < s.start-context {
			v.finish(text, limit)
			v.begin(max(s.start-context, 0))
		}
		limit = s.end + context
		v.Parts[len(v.Parts)-1].Kinds |= s.kind
		v.change(text, s.start, s.end, s.plain)
	}
	v.finish(text, limit)
	s.text = nil
	return len(v.Parts) > 0
}

// finish ends the last part, if there is one, at a position of the original.
func (v *View) finish(text []byte, limit int) {
	if len(v.Parts) > 0 {
		v.copyTo(text, min(max(limit, v.done()), len(text)))
	}
}

// change adds text up to start, and plain in place of text[start:end].
func (v *View) change(text []byte, start, end int, plain []byte) {
	v.copyTo(text, start)
	at := len(v.Text)
	v.Text = append(v.Text, plain...)
	v.replaced(at, start, end)
}

// scanner finds the escapes of some kinds in a text.
type scanner struct {
	text  []byte
	kinds Kinds
	next  [numKinds]int // positions of introducers at pos or behind it, unless they are before
	pos   int

	// The last escape found.
	start, end int
	kind       Kinds
	plain      []byte
	memory     [32]byte
}

// introduced are the kinds that a byte introduces.
var introduced = [256]Kinds{'\\': Backslash, '%': Percent, '&': Entity, '=': Printable, '+': Plus}

// begin begins with another text.
func (s *scanner) begin(text []byte, kinds Kinds) {
	s.text, s.kinds, s.pos = text, kinds, 0
	for k := range s.next {
		s.next[k] = -1
		if kinds>>k&1 == 0 {
			s.next[k] = len(text)
		}
	}
}

// nearby is the distance within which the next introducer is searched for byte by byte,
// which is faster in texts with many.
const nearby = 24

// introducer moves to the next introducer and returns its kind, or 0 at the end.
func (s *scanner) introducer() Kinds {
	text, i := s.text, s.pos
	for end := min(i+nearby, len(text)); i < end; i++ {
		if kind := introduced[text[i]] & s.kinds; kind != 0 {
			s.pos = i
			return kind
		}
	}
	s.pos = len(text)
	for k := range s.next {
		if s.next[k] < i {
			s.next[k] = indexFrom(text, introducers[k], i)
		}
		s.pos = min(s.pos, s.next[k])
	}
	if s.pos == len(text) {
		return 0
	}
	return introduced[text[s.pos]]
}

// scan moves to the next escape and reports whether there is one.
func (s *scanner) scan() bool {
	for {
		kind := s.introducer()
		if kind == 0 {
			return false
		}
		plain, n := decode(s.memory[:0], s.text[s.pos:], s.kinds, kind)
		if n > 0 {
			s.start, s.end, s.kind, s.plain = s.pos, s.pos+n, kind, plain
			s.pos = s.end
			return true
		}
		s.pos++
	}
}

// indexFrom returns the position of c in text, from start on, or the length of text.
func indexFrom(text []byte, c byte, start int) int {
	if i := bytes.IndexByte(text[start:], c); i >= 0 {
		return start + i
	}
	return len(text)
}

// decode appends the text of the escape of a kind at the beginning of text and returns
// its length, or 0 if there is none.
func decode(dst, text []byte, kinds, kind Kinds) (_ []byte, n int) {
	switch kind {
	case Backslash:
		return backslash(dst, text, kinds&^Backslash)
	case Percent:
		return percent(dst, text)
	case Entity:
		return entity(dst, text)
	case Plus:
		return append(dst, ' '), 1
	default:
		return printable(dst, text)
	}
}

// shortEscapes maps the letters after a backslash that JSON does not have to their
// characters.
var shortEscapes = [256]byte{'a': '\a', 'e': 0x1b, 'v': '\v', 's': ' '}

// backslash decodes an escape with a backslash in any language. Before an escape of one
// of the others, a backslash is plain: another encoder wrote that afterwards.
func backslash(dst, text []byte, others Kinds) ([]byte, int) {
	if len(text) > 1 && letters[text[1]] != 0 {
		return append(dst, letters[text[1]]), 2
	}
	r, n, fault := Escape(text)
	switch {
	case fault == None:
		return utf8.AppendRune(dst, r), n
	case n > 0 || len(text) < 2: // the other half of a pair may be escaped once more
		return dst, 0
	}
	c := text[1]
	if short := shortEscapes[c]; short != 0 {
		return append(dst, short), 2
	}
	switch {
	case c == '\n' || c == '\r':
		n = 2
		if c == '\r' && len(text) > 2 && text[2] == '\n' {
			n = 3
		}
		for n < len(text) && isBlank(text[n]) {
			n++ // the indentation of a continued line
		}
		return dst, n
	case c == 'x':
		return hexEscapes(dst, text)
	case c == 'U':
		if r, n := number(text[2:min(len(text), 10)], 16); n == 8 && utf8.ValidRune(r) {
			return utf8.AppendRune(dst, r), 10
		}
		return dst, 0
	case c == 'u':
		return braced(dst, text)
	case '0' <= c && c <= '7':
		if r, n := number(text[1:min(len(text), 4)], 8); n == 3 && r <= 0xff || c == '0' {
			return append(dst, byte(r)), 1 + n
		}
		return dst, 0
	case isAlnum(c) || c >= utf8.RuneSelf:
		return dst, 0
	}
	if k := strings.IndexByte(introducers, c); k > 0 && others>>k&1 != 0 {
		if _, n := decode(nil, text[1:], 0, Kinds(1)<<k); n > 0 {
			return dst, 0
		}
	}
	return append(dst, c), 2
}

// hexEscapes decodes `\x27`, or the bytes of one character in UTF-8, `\xc3\xbc`. Another
// byte above 127 is a character, as in YAML and Python.
func hexEscapes(dst, text []byte) ([]byte, int) {
	const size = len(`\x27`)
	var char [utf8.UTFMax]byte
	for i := range char {
		at := i * size
		if len(text) < at+size || text[at] != '\\' || text[at+1] != 'x' {
			break
		}
		c, n := number(text[at+2:at+size], 16)
		if n < 2 {
			break
		}
		if char[i] = byte(c); utf8.Valid(char[:i+1]) {
			return append(dst, char[:i+1]...), at + size
		}
	}
	if char[0] == 0 {
		return dst, 0
	}
	return utf8.AppendRune(dst, rune(char[0])), size
}

// braced decodes `\u{1F600}`.
func braced(dst, text []byte) ([]byte, int) {
	const start = len(`\u{`)
	if len(text) < start || text[start-1] != '{' {
		return dst, 0
	}
	r, n := number(text[start:min(len(text), start+6)], 16)
	if end := start + n; n > 0 && end < len(text) && text[end] == '}' && utf8.ValidRune(r) {
		return utf8.AppendRune(dst, r), end + 1
	}
	return dst, 0
}

// number parses the digits at the beginning of text, and returns how many there are.
func number(text []byte, base rune) (value rune, n int) {
	for ; n < len(text); n++ {
		digit := hexValues[text[n]]
		if digit == 0 || rune(digit&15) >= base {
			break
		}
		value = value*base + rune(digit&15)
	}
	return value, n
}

// percent decodes `%41`, and `%u0041` as JavaScript once wrote it.
func percent(dst, text []byte) ([]byte, int) {
	if len(text) >= 3 && hexValues[text[1]]&hexValues[text[2]] != 0 {
		return append(dst, hexValues[text[1]]<<4|hexValues[text[2]]&15), 3
	}
	if len(text) >= 6 && text[1]|0x20 == 'u' {
		if r, ok := Hex(text[2:]); ok {
			return utf8.AppendRune(dst, r), 6
		}
	}
	return dst, 0
}

// The lengths of the longest digits and the longest name of an entity.
const (
	longestNumber = 8
	longestName   = 32
)

// predefined returns the character of an entity of XML, or 0 for others.
func predefined(entity []byte) byte {
	switch string(entity) {
	case "&amp;":
		return '&'
	case "&lt;":
		return '<'
	case "&gt;":
		return '>'
	case "&quot;":
		return '"'
	case "&apos;":
		return '\''
	}
	return 0
}

// entity decodes `&amp;`, `&#38;` and `&#x26;`.
func entity(dst, text []byte) ([]byte, int) {
	const start = len("&#")
	if len(text) > start && text[1] == '#' {
		i, base := start, rune(10)
		if text[start]|0x20 == 'x' {
			i, base = start+1, 16
		}
		r, n := number(text[i:min(len(text), i+longestNumber)], base)
		if end := i + n; n > 0 && end < len(text) && text[end] == ';' && utf8.ValidRune(r) {
			return utf8.AppendRune(dst, r), end + 1
		}
		return dst, 0
	}
	n := 1
	for n < min(len(text), longestName) && isAlnum(text[n]) {
		n++
	}
	if n == 1 || n == len(text) || text[n] != ';' {
		return dst, 0
	}
	n++
	if c := predefined(text[:n]); c != 0 {
		return append(dst, c), n
	}
	name := string(text[:n])
	if plain := html.UnescapeString(name); plain != name && !strings.HasSuffix(plain, ";") {
		return append(dst, plain...), n
	}
	return dst, 0
}

// printable decodes `=3D`, and a line break that is part of the encoding.
func printable(dst, text []byte) ([]byte, int) {
	if len(text) >= 3 && isUpperHex(text[1]) && isUpperHex(text[2]) {
		return append(dst, hexValues[text[1]]<<4|hexValues[text[2]]&15), 3
	}
	n := 1
	for n < len(text) && (isBlank(text[n]) || text[n] == '\r') {
		n++
	}
	if n < len(text) && text[n] == '\n' {
		return dst, n + 1
	}
	return dst, 0
}

// Join sets v to the runs of digits of base64 or hexadecimal that line breaks interrupt,
// without these and the indentation. If plus is set, the blanks at the beginning of a line
// may be plus signs, as in the query of a URL. Runs of less than least digits are left
// out. It reports whether there are any.
func (v *View) Join(text []byte, least int, plus bool) bool {
	v.reset()
	for end := 0; ; {
		i := bytes.IndexByte(text[end:], '\n')
		if i < 0 {
			return len(v.Parts) > 0
		}
		start := digitsBefore(text, end, end+i)
		end += i + 1
		if start < 0 {
			continue
		}
		after, digits := runFrom(text, start, plus, nil)
		if digits >= least {
			v.begin(start)
			runFrom(text, start, plus, v)
		}
		end = max(end, after)
	}
}

// digitsBefore returns the start of the digits before the line break at a position, which
// is not before least, or -1 if there are none.
func digitsBefore(text []byte, least, at int) int {
	for at > least && (isBlank(text[at-1]) || text[at-1] == '\r') {
		at--
	}
	end := at
	for at > least && isDigit(text[at-1]) {
		at--
	}
	if at == end {
		return -1
	}
	return at
}

// runFrom returns the end of the run of digits that begins at start, and the number of
// digits. It adds them to v unless that is nil.
func runFrom(text []byte, start int, plus bool, v *View) (end, digits int) {
	for end = start; ; {
		from := end
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		digits += end - from
		next := lineBreak(text, end)
		for plus && next > end && next < len(text) && (text[next] == '+' || isBlank(text[next])) {
			next++
		}
		if v != nil {
			v.copyTo(text, end)
		}
		if next == len(text) || next == end || !isDigit(text[next]) {
			return end, digits
		}
		if v != nil {
			v.replaced(len(v.Text), end, next)
		}
		end = next
	}
}

// lineBreak returns the end of the line break at a position, with the blanks and the
// empty lines around it, or the position itself if there is none.
func lineBreak(text []byte, at int) int {
	end, broken := at, false
	for end < len(text) && (isBlank(text[end]) || text[end] == '\r' || text[end] == '\n') {
		broken = broken || text[end] == '\n'
		end++
	}
	if !broken {
		return at
	}
	return end
}

// Fold sets v to the text with its lines folded as in YAML and in headers: a line break
// with the indentation behind it is one blank, and of several line breaks one is left
// out. Line breaks and up to context bytes around each are part of it.
func (v *View) Fold(text []byte, context int) bool {
	v.reset()
	var plain []byte
	limit := 0 // end of the part
	for end := 0; ; {
		i := bytes.IndexByte(text[end:], '\n')
		if i < 0 {
			break
		}
		at := end + i
		for at > end && (isBlank(text[at-1]) || text[at-1] == '\r') {
			at--
		}
		end = lineBreak(text, at)
		plain = append(plain[:0], ' ')
		if breaks := bytes.Count(text[at:end], []byte{'\n'}); breaks > 1 {
			plain = append(plain[:0], bytes.Repeat([]byte{'\n'}, breaks-1)...)
		}
		if len(v.Parts) == 0 || limit < at-context {
			v.finish(text, limit)
			v.begin(max(at-context, 0))
		}
		limit = end + context
		v.change(text, at, end, plain)
	}
	v.finish(text, limit)
	return len(v.Parts) > 0
}

// isDigit reports whether c is a digit of base64, in both alphabets, or one of
// hexadecimal or a colon between these.
func isDigit(c byte) bool {
	switch c {
	case '+', '/', '-', '_', ':':
		return true
	}
	return isAlnum(c)
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isUpperHex(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'F' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
