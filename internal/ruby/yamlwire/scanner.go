package yamlwire

import (
	"slices"
	"unicode/utf8"
)

type tokenKind uint8

const (
	streamEnd tokenKind = iota
	versionDirective
	tagDirective
	documentStart
	documentEnd
	blockSequenceStart
	blockMappingStart
	blockEnd
	flowSequenceStart
	flowSequenceEnd
	flowMappingStart
	flowMappingEnd
	blockEntry
	flowEntry
	keyMark
	valueMark
	aliasName
	anchorName
	tagName
	scalarText
)

// token is a lexical element.
type token struct {
	kind  tokenKind
	style Style
	// location is where the token begins, with the indentation around it.
	location mark
	// end is the position behind a scalar.
	end int
	// text is the name of an alias or anchor, the handle of a tag, or a scalar.
	text string
	// suffix is the rest of a tag, or the prefix that a directive defines.
	suffix string
}

// mark is a position from which a node can be read again.
type mark struct {
	offset, column int
	indent         int // of the block collection around it, or -1
	inFlow         bool
}

// simpleKey is the beginning of a node that is a key if a colon follows on the same
// line.
type simpleKey struct {
	possible bool
	required bool // a node at this indentation must be a key
	line     int
	number   int // of its first token
	location mark
}

// maxSimpleKey is the maximum number of characters between the beginning of a simple
// key and its colon.
const maxSimpleKey = 1024

// scanner splits a stream into tokens. The block structure, which is implied by the
// indentation, becomes tokens of its own. A simple key is recognized only by its
// colon, so tokens are held back as long as one of them may begin a key.
type scanner struct {
	*input
	pos, line, lineStart int

	tokens []token
	head   int // index in tokens of the next token
	taken  int // number of tokens that were taken

	indent  int
	indents []int // the indentation of the collections around the innermost one
	// keys has the candidate for a simple key of each flow level; the first one is
	// the candidate of the block context. No level before oldest has one, except
	// perhaps the first.
	keys   []simpleKey
	oldest int
	// keyAllowed indicates that a simple key may begin here.
	keyAllowed bool
	buffer     []byte // for the text of a scalar
	scalarEnd  int    // the position behind the last plain or quoted scalar
}

func newScanner(in *input) scanner {
	return scanner{input: in, indent: -1, keys: make([]simpleKey, 1), keyAllowed: true}
}

func (s *scanner) column() int  { return s.pos - s.lineStart }
func (s *scanner) inFlow() bool { return len(s.keys) > 1 }
func (s *scanner) top() *simpleKey {
	return &s.keys[len(s.keys)-1]
}

func (s *scanner) here() mark {
	return mark{offset: s.pos, column: s.column(), indent: s.indent, inFlow: s.inFlow()}
}

// peek returns the next token without taking it. The token is valid until the next
// call.
func (s *scanner) peek() (*token, error) {
	for s.head == len(s.tokens) || s.mayBeKey() {
		if err := s.fetch(); err != nil {
			return nil, err
		}
	}
	return &s.tokens[s.head], nil
}

// take removes the next token, which was peeked at.
func (s *scanner) take() {
	s.head++
	s.taken++
	if s.head == len(s.tokens) {
		s.tokens, s.head = s.tokens[:0], 0
	}
}

// mayBeKey reports whether the next token may begin a simple key.
func (s *scanner) mayBeKey() bool {
	for ; s.oldest < len(s.keys); s.oldest++ {
		if k := &s.keys[s.oldest]; k.possible && !s.isStale(k) {
			return k.number == s.taken
		}
	}
	return false
}

// isStale reports whether a key that begins at k cannot end here or later.
func (s *scanner) isStale(k *simpleKey) bool {
	n := s.pos - k.location.offset
	return k.line < s.line || n > maxSimpleKey*utf8.UTFMax ||
		n > maxSimpleKey && utf8.RuneCount(s.text[k.location.offset:s.pos]) > maxSimpleKey
}

func (s *scanner) add(kind tokenKind, at mark) {
	s.tokens = append(s.tokens, token{kind: kind, location: at})
}

// fetch scans the next token and appends it.
func (s *scanner) fetch() error {
	if err := s.skipSpace(); err != nil {
		return err
	}
	if k := &s.keys[0]; k.possible && s.isStale(k) {
		if err := s.dropKey(k); err != nil {
			return err
		}
	}
	s.unroll(s.column())
	c := s.at(s.pos)
	switch {
	case s.pos >= len(s.text):
		return s.endOfStream()
	case s.column() == 0 && c == '%':
		return s.directive()
	case s.column() == 0 && s.isMarkerAt(s.pos):
		return s.documentMarker(c)
	}
	switch c {
	case '[':
		return s.openFlow(flowSequenceStart)
	case '{':
		return s.openFlow(flowMappingStart)
	case ']':
		return s.closeFlow(flowSequenceEnd)
	case '}':
		return s.closeFlow(flowMappingEnd)
	case ',':
		return s.indicator(flowEntry, true)
	case '*':
		return s.name(aliasName)
	case '&':
		return s.name(anchorName)
	case '!':
		return s.tag()
	case '\'', '"':
		return s.flowScalar(s.quoted)
	case '|', '>':
		if !s.inFlow() {
			return s.blockScalar()
		}
	case '-':
		if s.endsWordAt(s.pos + 1) {
			return s.entry()
		}
		return s.flowScalar(s.plain)
	case '?', ':':
		switch {
		case !s.inFlow() && !s.endsWordAt(s.pos+1):
			return s.flowScalar(s.plain)
		case c == '?':
			return s.key()
		default:
			return s.value()
		}
	case '#', '%', '@', '`', '\t': // cannot begin a plain scalar
	default:
		return s.flowScalar(s.plain)
	}
	return s.fail(s.pos, "found a character that cannot start any token")
}

// skipSpace skips spaces, line breaks and comments.
func (s *scanner) skipSpace() error {
	for {
		if s.column() == 0 && s.at(s.pos) == 0xef && s.at(s.pos+1) == 0xbb && s.at(s.pos+2) == 0xbf {
			s.pos += len("\ufeff")
			s.lineStart += len("\ufeff") - 1 // one character
		}
		for c := s.at(s.pos); c == ' ' || c == '\t' && (s.inFlow() || !s.keyAllowed); c = s.at(s.pos) {
			s.pos++
		}
		if s.at(s.pos) == '#' {
			s.skipLine()
		}
		if s.breakAt(s.pos) == 0 {
			return nil
		}
		s.newline()
		if !s.inFlow() {
			s.keyAllowed = true
		}
	}
}

// skipLine skips the rest of a line.
func (s *scanner) skipLine() {
	for s.pos < len(s.text) && s.breakAt(s.pos) == 0 {
		s.pos++
	}
}

func (s *scanner) skipBlanks() {
	for s.isBlankAt(s.pos) {
		s.pos++
	}
}

// newline skips a line break and returns it as part of a text.
func (s *scanner) newline() string {
	n := s.breakAt(s.pos)
	text := "\n"
	if n == 3 {
		text = string(s.text[s.pos : s.pos+n])
	}
	s.pos += n
	s.lineStart = s.pos
	s.line++
	return text
}

// saveKey notes that a simple key may begin here.
func (s *scanner) saveKey() error {
	if !s.keyAllowed {
		return nil
	}
	if err := s.dropKey(s.top()); err != nil {
		return err
	}
	*s.top() = simpleKey{
		possible: true,
		required: !s.inFlow() && s.indent == s.column(),
		line:     s.line,
		number:   s.taken + len(s.tokens) - s.head,
		location: s.here(),
	}
	s.oldest = min(s.oldest, len(s.keys)-1)
	return nil
}

// dropKey notes that what begins at k is no simple key.
func (s *scanner) dropKey(k *simpleKey) error {
	if k.possible && k.required {
		return s.fail(k.location.offset, "could not find the ':' of a key")
	}
	k.possible = false
	return nil
}

// roll opens a block collection at the given location, unless it is open. The token
// becomes the one with the given number, or the last one if the number is negative.
func (s *scanner) roll(kind tokenKind, at mark, number int) {
	if s.inFlow() || s.indent >= at.column {
		return
	}
	s.indents = append(s.indents, s.indent)
	s.indent = at.column
	if number < 0 {
		s.add(kind, at)
		return
	}
	s.insert(kind, at, number)
}

func (s *scanner) insert(kind tokenKind, at mark, number int) {
	s.tokens = slices.Insert(s.tokens, number-s.taken+s.head, token{kind: kind, location: at})
}

// unroll closes the block collections that are indented more than column.
func (s *scanner) unroll(column int) {
	if s.inFlow() {
		return
	}
	for s.indent > column {
		s.add(blockEnd, s.here())
		s.indent = -1
		if last := len(s.indents) - 1; last >= 0 {
			s.indent, s.indents = s.indents[last], s.indents[:last]
		}
	}
}

func (s *scanner) endOfStream() error {
	if s.column() != 0 {
		s.lineStart = s.pos
		s.line++
	}
	s.unroll(-1)
	if err := s.dropKey(s.top()); err != nil {
		return err
	}
	s.keyAllowed = false
	s.add(streamEnd, s.here())
	return nil
}

func (s *scanner) documentMarker(c byte) error {
	s.unroll(-1)
	if err := s.dropKey(s.top()); err != nil {
		return err
	}
	s.keyAllowed = false
	kind := documentStart
	if c == '.' {
		kind = documentEnd
	}
	s.add(kind, s.here())
	s.pos += 3
	return nil
}

func (s *scanner) openFlow(kind tokenKind) error {
	if err := s.saveKey(); err != nil {
		return err
	}
	s.add(kind, s.here())
	s.keys = append(s.keys, simpleKey{})
	s.keyAllowed = true
	s.pos++
	return nil
}

func (s *scanner) closeFlow(kind tokenKind) error {
	if err := s.dropKey(s.top()); err != nil {
		return err
	}
	if s.inFlow() {
		s.keys = s.keys[:len(s.keys)-1]
		s.oldest = min(s.oldest, len(s.keys))
	}
	s.keyAllowed = false
	s.add(kind, s.here())
	s.pos++
	return nil
}

// indicator adds a token of one character.
func (s *scanner) indicator(kind tokenKind, keyAllowed bool) error {
	if err := s.dropKey(s.top()); err != nil {
		return err
	}
	s.keyAllowed = keyAllowed
	s.add(kind, s.here())
	s.pos++
	return nil
}

func (s *scanner) entry() error {
	if !s.inFlow() && !s.keyAllowed {
		return s.fail(s.pos, "block sequence entries are not allowed in this context")
	}
	s.roll(blockSequenceStart, s.here(), -1)
	return s.indicator(blockEntry, true)
}

func (s *scanner) key() error {
	if !s.inFlow() && !s.keyAllowed {
		return s.fail(s.pos, "mapping keys are not allowed in this context")
	}
	s.roll(blockMappingStart, s.here(), -1)
	return s.indicator(keyMark, !s.inFlow())
}

func (s *scanner) value() error {
	if k := s.top(); k.possible && !s.isStale(k) {
		s.insert(keyMark, k.location, k.number)
		s.roll(blockMappingStart, k.location, k.number)
		k.possible = false
		return s.indicator(valueMark, false)
	}
	if !s.inFlow() && !s.keyAllowed {
		return s.fail(s.pos, "mapping values are not allowed in this context")
	}
	s.roll(blockMappingStart, s.here(), -1)
	return s.indicator(valueMark, !s.inFlow())
}

// name scans an anchor or an alias.
func (s *scanner) name(kind tokenKind) error {
	if err := s.saveKey(); err != nil {
		return err
	}
	s.keyAllowed = false
	s.add(kind, s.here())
	start := s.pos
	s.pos++
	text := s.word()
	switch c := s.at(s.pos); {
	case text == "", !s.endsWordAt(s.pos) && !slices.Contains([]byte("?:,]}%@`"), c):
		return s.fail(start, "found an anchor or alias with a name that is not alphanumeric")
	}
	s.tokens[len(s.tokens)-1].text = text
	return nil
}

// word scans letters, digits, dashes and underscores.
func (s *scanner) word() string {
	start := s.pos
	for isWord(s.at(s.pos)) {
		s.pos++
	}
	return string(s.text[start:s.pos])
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// flowScalar adds a scalar that may be a simple key.
func (s *scanner) flowScalar(scan func() (string, Style, error)) error {
	if err := s.saveKey(); err != nil {
		return err
	}
	s.keyAllowed = false
	at := s.here()
	text, style, err := scan()
	t := token{kind: scalarText, style: style, location: at, end: s.scalarEnd, text: text}
	if err == nil && s.endsBlockKey(at) {
		// The tokens of value, without having to insert them.
		s.top().possible = false
		s.roll(blockMappingStart, at, -1)
		s.add(keyMark, at)
		s.tokens = append(s.tokens, t)
		return s.indicator(valueMark, false)
	}
	s.tokens = append(s.tokens, t)
	return err
}

// endsBlockKey reports whether here is the colon of a simple key that begins at the
// given location in a block mapping.
func (s *scanner) endsBlockKey(at mark) bool {
	k := s.top()
	return k.possible && k.location == at && s.at(s.pos) == ':' && !s.inFlow() && s.endsWordAt(s.pos+1) && !s.isStale(k)
}

func (s *scanner) blockScalar() error {
	if err := s.dropKey(s.top()); err != nil {
		return err
	}
	s.keyAllowed = true
	at := s.here()
	text, style, err := s.block()
	s.tokens = append(s.tokens, token{kind: scalarText, style: style, location: at, end: s.pos, text: text})
	return err
}
