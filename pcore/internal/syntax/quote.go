package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escapes is a set of the escape sequences that a kind of string supports.
type escapes uint16

const (
	escBackslash escapes = 1 << iota
	escDollar
	escSingle // \'
	escDouble // \"
	escR
	escN
	escT
	escS // \s, a space
	escU // \uXXXX and \u{X}
	escL // a backslash at the end of a line joins the lines

	escDQ = escBackslash | escDollar | escSingle | escDouble | escR | escN | escT | escS | escU | escL
)

// quoting describes how to scan the text of an interpolated string.
type quoting struct {
	escapes escapes
	quote   bool // in double quotes, rather than in a heredoc
	dollar  bool // $ begins an interpolation
}

// singleQuoted scans 'text'. It supports the escapes \\ and \'.
func (s *scanner) singleQuoted() {
	start := s.pos
	end := quoteEnd(s.src, start+1, `'`)
	if end < 0 {
		s.unclosed(start+1, `"'"`)
		s.pos = len(s.src)
		return
	}
	text := s.src[start+1 : end]
	if strings.IndexByte(text, '\\') >= 0 {
		text = unescapeSingle(text)
	}
	s.emit(str, start, end+1, text)
	s.pos = end + 1
}

// quoteEnd returns the offset, from i on, of the first unescaped character of
// ends, or -1. If there is one at i itself and another follows immediately
// (after any escaped backslashes), the first is text: """ is a string of one
// quote.
func quoteEnd(src string, i int, ends string) int {
	is := func(i int) bool { return i < len(src) && strings.IndexByte(ends, src[i]) >= 0 }
	if is(i) {
		next := i + 1
		for strings.HasPrefix(src[next:], `\\`) {
			next += 2
		}
		if is(next) {
			return next
		}
		return i
	}
	for ; i < len(src); i++ {
		switch {
		case src[i] == '\\':
			i++
		case is(i):
			return i
		}
	}
	return -1
}

// unescapeSingle replaces \\ and \'.
func unescapeSingle(text string) string {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (text[i+1] == '\\' || text[i+1] == '\'') {
			i++
		}
		b = append(b, text[i])
	}
	return string(b)
}

// unclosed reports that the string whose text begins at offset is not
// terminated.
func (s *scanner) unclosed(offset int, after string) {
	followed := "<eof>"
	if rest := s.src[offset:]; rest != "" {
		n := 0
		for i := range rest {
			if n == 5 {
				rest = rest[:i]
				break
			}
			n++
		}
		followed = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`).Replace(rest) + "..."
	}
	s.fail(offset, "UNCLOSED_QUOTE", "Unclosed quote after %s followed by '%s'", after, followed)
}

// doubleQuoted scans "text" and the tokens of the expressions in it. It reports
// whether there were any.
func (s *scanner) doubleQuoted() bool {
	return s.interpolated(quoting{escapes: escDQ, quote: true, dollar: true})
}

// interpolated scans the text of a string. Without interpolation it is one str
// token; otherwise a dqPre, the tokens of an expression, and so on to a dqPost.
// An error anywhere in the string replaces it by one illegal token, because the
// reference scans a string to its end before it examines any of it.
func (s *scanner) interpolated(q quoting) (compound bool) {
	first, failures := len(s.tokens), len(s.failures)
	bol := s.bol
	compound = s.segments(q)
	if len(s.failures) > failures {
		e := s.failures[failures]
		s.failures = s.failures[:failures+1]
		s.tokens = append(s.tokens[:first], token{kind: illegal, bol: bol, off: e.Offset, end: e.Offset, err: e})
	}
	return compound
}

// segments scans the texts and expressions of a string.
func (s *scanner) segments(q quoting) (compound bool) {
	start := s.pos // of the segment, including its quote
	if q.quote {
		s.pos++
	}
	for k := dqPre; ; k = dqMid {
		text, end, ok := s.segment(q)
		if !ok {
			s.unclosed(s.pos, `'"'`)
			s.pos = len(s.src)
			return compound
		}
		switch end {
		case endText:
			if compound {
				s.emit(dqPost, start, s.pos, text)
			} else {
				s.emit(str, start, s.pos, text)
			}
			return compound
		case endVariable:
			name := variableEnd(s.src, s.pos)
			s.emit(k, start, s.pos-1, text)
			s.emit(variable, s.pos-1, name, s.src[s.pos:name])
			s.pos = name
		case endBrace:
			s.emit(k, start, s.pos, text)
			s.expression()
		}
		compound = true
		start = s.pos
	}
}

// segmentEnd is the kind of the end of a text segment.
type segmentEnd uint8

const (
	endText     segmentEnd = iota // the closing quote, or the end of a heredoc
	endVariable                   // the $ of $name
	endBrace                      // ${
)

// segment scans text up to and including its end. It returns the text with its
// escapes replaced, and false if the string is not terminated.
func (s *scanner) segment(q quoting) (string, segmentEnd, bool) {
	start := s.pos
	for i := start; ; i++ {
		i = q.end(s.src, i)
		switch {
		case i < 0 && q.quote:
			return "", endText, false
		case i < 0:
			s.pos = len(s.src)
			return s.unescape(start, s.pos, q), endText, true
		case s.src[i] == '"':
			s.pos = i + 1
			return s.unescape(start, i, q), endText, true
		case byteAt(s.src, i+1) == '{':
			s.pos = i + 2
			return s.unescape(start, i, q), endBrace, true
		case variableEnd(s.src, i+1) > i+1:
			s.pos = i + 1
			return s.unescape(start, i, q), endVariable, true
		}
		s.pos = i + 1 // a $ that is plain text
	}
}

// end returns the offset, from i on, of a possible end of a segment, or -1.
func (q quoting) end(src string, i int) int {
	switch {
	case q.quote:
		return quoteEnd(src, i, `"$`)
	case !q.dollar:
		return -1
	case q.escapes&escDollar != 0:
		return quoteEnd(src, i, "$")
	}
	if n := strings.IndexByte(src[i:], '$'); n >= 0 {
		return i + n
	}
	return -1
}

// expression scans the tokens of ${…}, including the closing brace. A single
// name, number or keyword is the name of a variable, also if it is indexed or a
// method is called on it.
func (s *scanner) expression() {
	braces := s.braces
	s.braces++
	if s.depth++; s.depth > s.maxDepth {
		s.fail(s.pos, "NESTING_TOO_DEEP", "Interpolations are nested more than %d deep", s.maxDepth)
		s.pos = len(s.src)
	}
	first := len(s.tokens)
	for s.pos < len(s.src) {
		n := len(s.tokens)
		compound := s.lex()
		if len(s.failures) >= s.diags.limit {
			s.pos = len(s.src)
		}
		if compound || len(s.tokens) == n {
			continue
		}
		last := len(s.tokens) - 1
		s.after = s.tokens[last].kind
		if s.after == rbrace && s.braces == braces {
			s.tokens = s.tokens[:last]
			break
		}
	}
	s.depth--
	s.nameVariable(first)
}

// nameVariable makes the token at first a variable if it is the name of one in
// an interpolation.
func (s *scanner) nameVariable(first int) {
	tokens := s.tokens[first:]
	if len(tokens) == 0 || len(tokens) > 1 && tokens[1].kind != dot && tokens[1].kind != lbrack {
		return
	}
	switch k := tokens[0].kind; {
	case k == number || k == name || k == word || k.isKeyword():
		tokens[0].kind = variable
	}
}

// unescape returns the text between two offsets with its escapes replaced.
func (s *scanner) unescape(start, end int, q quoting) string {
	text := s.src[start:end]
	if q.escapes == 0 || strings.IndexByte(text, '\\') < 0 {
		return text
	}
	if q.escapes&escU != 0 && strings.Contains(text, `\u`) {
		var bad bool
		if text, bad = decodeUnicode(text); bad {
			s.fail(start, "ILLEGAL_UNICODE_ESCAPE", "%s", unicodeEscapeMessage)
			return ""
		}
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b = append(b, text[i])
			continue
		}
		i++
		b = s.appendEscape(b, text, &i, start, q)
	}
	return string(b)
}

const unicodeEscapeMessage = `Unicode escape '\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff`

// appendEscape appends the replacement of the escape whose character after the
// backslash is text[*i]. An escape that the string does not support is
// unchanged.
func (s *scanner) appendEscape(b []byte, text string, i *int, start int, q quoting) []byte {
	c := text[*i]
	has := func(e escapes) bool { return q.escapes&e != 0 }
	switch {
	case c == '\r' && byteAt(text, *i+1) == '\n' && has(escL):
		*i++
		return b
	case c == '\n' && has(escL):
		return b
	case c == '\r' || c == '\n':
		return append(b, '\\', c)
	case c == '\\' && has(escBackslash), c == '$' && has(escDollar), c == '\'' && has(escSingle), c == '"' && has(escDouble):
		return append(b, c)
	case c == 'r' && has(escR):
		return append(b, '\r')
	case c == 'n' && has(escN):
		return append(b, '\n')
	case c == 't' && has(escT):
		return append(b, '\t')
	case c == 's' && has(escS):
		return append(b, ' ')
	case c == 'u' && has(escU):
		s.diags.warnf(s.global(start), "ILLEGAL_UNICODE_ESCAPE", "%s", unicodeEscapeMessage)
	case q.quote:
		r, _ := utf8.DecodeRuneInString(text[*i:])
		s.diags.warnf(s.global(start), "UNRECOGNIZED_ESCAPE", `Unrecognized escape sequence '\%c'`, r)
	}
	return append(b, '\\', c)
}

// decodeUnicode replaces \uXXXX and \u{X} after an even number of backslashes.
// It precedes the other escapes: a decoded character takes part in them, and a
// decoded backslash may begin another \u. It returns bad if an escape is not a
// valid character.
func decodeUnicode(text string) (_ string, bad bool) {
	b := make([]byte, 0, len(text))
	backslashes := 0
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			b = append(b, text[i])
			backslashes = 0
			i++
			continue
		}
		i++
		r, n := '\\', 0
		for backslashes%2 == 0 && r == '\\' {
			code, length := unicodeEscape(text[i:])
			if length == 0 {
				break
			}
			r, n, i = code, length, i+length
		}
		switch {
		case n > 0 && !utf8.ValidRune(r):
			return "", true
		case r == '\\':
			b = append(b, '\\')
			backslashes++
		default:
			b = utf8.AppendRune(b, r)
			backslashes = 0
		}
	}
	return string(b), false
}

// unicodeEscape parses the part of a Unicode escape after its backslash. The
// length is 0 if it is not one.
func unicodeEscape(text string) (r rune, length int) {
	if byteAt(text, 0) != 'u' {
		return 0, 0
	}
	first, last, length := 1, 5, 5
	if byteAt(text, 1) == '{' {
		first = 2
		last = first
		for last < len(text) && last-first < 6 && isHex(text[last]) {
			last++
		}
		if last == first || byteAt(text, last) != '}' {
			return 0, 0
		}
		length = last + 1
	}
	if last > len(text) {
		return 0, 0
	}
	code, err := strconv.ParseUint(text[first:last], 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(code), length
}
