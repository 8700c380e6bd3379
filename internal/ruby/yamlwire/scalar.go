package yamlwire

import "unicode/utf8"

// Style is how a scalar is written.
type Style uint8

// Styles of scalars.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
)

// space is the whitespace inside of a plain or quoted scalar.
type space struct {
	blanks []byte // on one line
	first  string // the first line break
	others []byte // the line breaks after it
	broken bool   // there is a line break
}

// append appends the text that the whitespace stands for: a single line break is
// folded to a space.
func (w *space) append(dst []byte) []byte {
	switch {
	case !w.broken:
		return append(dst, w.blanks...)
	case w.first == "\n" && len(w.others) == 0:
		return append(dst, ' ')
	case w.first == "\n":
		return append(dst, w.others...)
	default:
		return append(append(dst, w.first...), w.others...)
	}
}

// whitespace scans whitespace in a scalar. broken indicates that an escaped line break
// precedes it. Tabs are an error in the first columns of a line.
func (s *scanner) whitespace(broken bool, columns int) (w space, err error) {
	w.broken = broken
	start := s.pos
	for {
		switch {
		case s.isBlankAt(s.pos):
			if w.broken && s.at(s.pos) == '\t' && s.column() < columns {
				return w, s.fail(s.pos, "found a tab character that violates the indentation")
			}
			s.pos++
		case s.breakAt(s.pos) == 0:
			if !w.broken {
				w.blanks = s.text[start:s.pos]
			}
			return w, nil
		case !w.broken:
			w.first, w.broken = s.newline(), true
		default:
			w.others = append(w.others, s.newline()...)
		}
	}
}

// plain scans a plain scalar.
func (s *scanner) plain() (string, Style, error) {
	text := s.buffer[:0]
	indent := s.indent + 1
	from, to := s.pos, s.pos // the text on the current line
	var space space
	for s.at(s.pos) != '#' && !(s.column() == 0 && s.isMarkerAt(s.pos)) {
		start := s.pos
		if err := s.plainWord(); err != nil {
			return "", Plain, err
		}
		if s.pos > start {
			if space.broken {
				text = space.append(append(text, s.text[from:to]...))
				from, space.broken = start, false
			}
			to = s.pos
		}
		if !s.isBlankAt(s.pos) && s.breakAt(s.pos) == 0 {
			break
		}
		var err error
		if space, err = s.whitespace(false, indent); err != nil {
			return "", Plain, err
		}
		if !s.inFlow() && s.column() < indent {
			break
		}
	}
	if space.broken {
		s.keyAllowed = true
	}
	s.scalarEnd = to
	if len(text) == 0 {
		return s.texts.string(s.text[from:to]), Plain, nil
	}
	s.buffer = append(text, s.text[from:to]...)
	return s.texts.string(s.buffer), Plain, nil
}

// stopsWord indicates the bytes of a plain scalar that are not, or not always, part of
// a word.
var stopsWord = [256]bool{
	' ': true, '\t': true, '\n': true, '\r': true, 0xc2: true, 0xe2: true,
	':': true, ',': true, '[': true, ']': true, '{': true, '}': true,
}

// plainWord skips characters of a plain scalar up to whitespace or an indicator.
func (s *scanner) plainWord() error {
	for ; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		if !stopsWord[c] {
			continue
		}
		switch c {
		case ':':
			if s.endsWordAt(s.pos + 1) {
				return nil
			}
			switch s.at(s.pos + 1) {
			case ',', '?', '[', ']', '{', '}':
				if s.inFlow() {
					return s.fail(s.pos, "found an unexpected ':'")
				}
			}
		case ',', '[', ']', '{', '}':
			if s.inFlow() {
				return nil
			}
		default:
			if s.endsWordAt(s.pos) {
				return nil
			}
		}
	}
	return nil
}

// quoted scans a scalar in single or double quotes.
func (s *scanner) quoted() (string, Style, error) {
	text := s.buffer[:0]
	start, quote, style := s.pos, s.at(s.pos), SingleQuoted
	if quote == '"' {
		style = DoubleQuoted
	}
	s.pos++
	for {
		switch {
		case s.column() == 0 && s.isMarkerAt(s.pos):
			return "", style, s.fail(s.pos, "found a document marker in a quoted scalar")
		case s.pos >= len(s.text):
			return "", style, s.fail(start, "a quoted scalar is not closed")
		}
		var broken bool
		var err error
		if text, broken, err = s.quotedWord(text, quote); err != nil {
			return "", style, err
		}
		if s.at(s.pos) == quote {
			break
		}
		space, err := s.whitespace(broken, 0)
		if err != nil {
			return "", style, err
		}
		text = space.append(text)
	}
	s.pos++
	s.buffer, s.scalarEnd = text, s.pos
	return s.texts.string(text), style, nil
}

// stopsQuoted indicates the bytes of a quoted scalar that are not, or not always, part
// of a word.
var stopsQuoted = [256]bool{
	' ': true, '\t': true, '\n': true, '\r': true, 0xc2: true, 0xe2: true, '\\': true, '"': true, '\'': true,
}

// quotedWord appends the characters up to whitespace or the closing quote. It reports
// whether they end with an escaped line break.
func (s *scanner) quotedWord(text []byte, quote byte) (_ []byte, broken bool, err error) {
	for !s.endsWordAt(s.pos) {
		c := s.at(s.pos)
		switch {
		case c == quote && quote == '\'' && s.at(s.pos+1) == quote:
			text = append(text, quote)
			s.pos += 2
		case c == quote:
			return text, false, nil
		case c == '\\' && quote == '"' && s.breakAt(s.pos+1) > 0:
			s.pos++
			s.newline()
			return text, true, nil
		case c == '\\' && quote == '"':
			if text, err = s.escape(text); err != nil {
				return text, false, err
			}
		default:
			start := s.pos
			for s.pos++; s.pos < len(s.text) && !stopsQuoted[s.text[s.pos]]; s.pos++ {
			}
			text = append(text, s.text[start:s.pos]...)
		}
	}
	return text, false, nil
}

// escape appends the character of an escape sequence.
func (s *scanner) escape(text []byte) ([]byte, error) {
	const (
		letters    = "0abt\tnvfre \"/\\N_LP"
		characters = "\x00\a\b\t\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029"
	)
	start, c := s.pos, s.at(s.pos+1)
	s.pos += 2
	var digits int
	switch c {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		i := 0
		for _, r := range characters {
			if letters[i] == c {
				return utf8.AppendRune(text, r), nil
			}
			i++
		}
		return text, s.fail(start, "found an unknown escape character")
	}
	var r rune
	for range digits {
		digit, ok := hexDigit(s.at(s.pos))
		if !ok {
			return text, s.fail(start, "did not find a hexadecimal digit")
		}
		r = r<<4 | rune(digit)
		s.pos++
	}
	if !utf8.ValidRune(r) {
		return text, s.fail(start, "found an invalid character code")
	}
	return utf8.AppendRune(text, r), nil
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	default:
		return 0, false
	}
}

// block scans a literal or folded block.
func (s *scanner) block() (string, Style, error) {
	style := Literal
	if s.at(s.pos) == '>' {
		style = Folded
	}
	keep, strip, indent, err := s.blockHeader()
	if err != nil {
		return "", style, err
	}
	if indent > 0 {
		indent += max(s.indent, 0)
	}
	var breaks []byte // before the next line, except the first
	if breaks, err = s.blockBreaks(&indent, breaks); err != nil {
		return "", style, err
	}
	text := s.buffer[:0]
	first := ""          // the line break that ends the last line
	wasIndented := false // the last line begins with a blank
	for s.column() == indent && s.pos < len(s.text) {
		isIndented := s.isBlankAt(s.pos)
		switch {
		case style == Literal || first != "\n" || wasIndented || isIndented:
			text = append(text, first...)
		case len(breaks) == 0:
			text = append(text, ' ')
		}
		text = append(text, breaks...)
		wasIndented = isIndented
		start := s.pos
		s.skipLine()
		text = append(text, s.text[start:s.pos]...)
		first = ""
		if s.breakAt(s.pos) > 0 {
			first = s.newline()
		}
		if breaks, err = s.blockBreaks(&indent, breaks[:0]); err != nil {
			return "", style, err
		}
	}
	if !strip {
		text = append(text, first...)
	}
	if keep {
		text = append(text, breaks...)
	}
	s.buffer = text
	return string(text), style, nil
}

// blockHeader scans the first line of a block: how to treat the line breaks at the
// end, and the indentation, or 0 if the first line of the text determines it.
func (s *scanner) blockHeader() (keep, strip bool, indent int, err error) {
	start := s.pos
	chomping := false
	for s.pos++; ; s.pos++ {
		switch c := s.at(s.pos); {
		case (c == '+' || c == '-') && !chomping:
			chomping, keep, strip = true, c == '+', c == '-'
			continue
		case c == '0' && indent == 0:
			return false, false, 0, s.fail(start, "found a block with an indentation of 0")
		case '1' <= c && c <= '9' && indent == 0:
			indent = int(c - '0')
			continue
		}
		break
	}
	return keep, strip, indent, s.endLine()
}

// endLine skips the rest of a line, which must be blank or a comment.
func (s *scanner) endLine() error {
	s.skipBlanks()
	if s.at(s.pos) == '#' {
		s.skipLine()
	}
	switch {
	case s.breakAt(s.pos) > 0:
		s.newline()
	case s.pos < len(s.text):
		return s.fail(s.pos, "did not find a comment or a line break")
	}
	return nil
}

// blockBreaks skips the indentation of the next line of a block, and appends the line
// breaks of empty lines before it. If indent is 0, it is set to the indentation.
func (s *scanner) blockBreaks(indent *int, breaks []byte) ([]byte, error) {
	deepest := 0
	for {
		for (*indent == 0 || s.column() < *indent) && s.at(s.pos) == ' ' {
			s.pos++
		}
		deepest = max(deepest, s.column())
		if (*indent == 0 || s.column() < *indent) && s.at(s.pos) == '\t' {
			return breaks, s.fail(s.pos, "found a tab character where the indentation of a block is expected")
		}
		if s.breakAt(s.pos) == 0 {
			break
		}
		breaks = append(breaks, s.newline()...)
	}
	if *indent == 0 {
		*indent = max(deepest, s.indent+1, 1)
	}
	return breaks, nil
}
