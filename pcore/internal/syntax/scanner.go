package syntax

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner produces tokens from a text. The text of a heredoc has its own
// scanner, which appends to the same tokens.
type scanner struct {
	*scan
	src  string
	pos  int
	base []segment // maps the text to the source; nil if it is the source

	after  kind // the previous token, which decides the meaning of /
	braces int  // number of open braces, to find the end of ${
	bol    bool // only blanks since the start of the line
	jump   int  // start of the line after this line's heredocs; 0 if none

	epp      eppMode
	heredocs int // number of heredocs that enclose this text

	noRegexEnd bool // no later / could end a regular expression
}

// scan is the state that the scanners of one source share.
type scan struct {
	diags    *diagnostics
	tokens   []token
	failures []*Error // the errors of the illegal tokens, in the order found
	depth    int      // number of nested interpolations
	maxDepth int
}

// segment maps the text from the offset local on to the source offset global.
type segment struct{ local, global int }

// tokenize returns the tokens of a source, ending with eof. Text that cannot be
// scanned becomes an illegal token.
func tokenize(diags *diagnostics, maxDepth int, template bool) []token {
	src := diags.loc.src
	s := &scanner{
		scan: &scan{diags: diags, tokens: make([]token, 0, len(src)/4+8), maxDepth: maxDepth},
		src:  src,
		bol:  true,
	}
	if s.checkEncoding() {
		if template {
			s.epp = eppText
			s.template(false)
		}
		s.all()
		if s.epp == eppCode || s.epp == eppExpr {
			s.fail(len(src), "EPP_UNBALANCED_TAG", "Unbalanced epp tag, reached <eof> without closing tag.")
		}
	}
	s.emit(eof, len(src), len(src), "")
	return s.tokens
}

// checkEncoding rejects a byte order mark and invalid UTF-8.
func (s *scanner) checkEncoding() bool {
	for _, bom := range []struct{ bytes, name string }{
		{"\xEF\xBB\xBF", "UTF-8"}, {"\x00\x00\xFE\xFF", "UTF-32"}, {"\xFF\xFE\x00\x00", "UTF-32"},
		{"\xFE\xFF", "UTF-16"}, {"\xFF\xFE", "UTF-16"},
	} {
		if strings.HasPrefix(s.src, bom.bytes) {
			s.fail(0, "ILLEGAL_BOM", "Illegal %s byte order mark at the start of the text: [% X]", bom.name, bom.bytes)
			return false
		}
	}
	for i := 0; i < len(s.src); {
		if s.src[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s.src[i:])
		if r == utf8.RuneError && n == 1 {
			s.fail(i, "ILLEGAL_ENCODING", "The text is not valid UTF-8: byte 0x%X", s.src[i])
			return false
		}
		i += n
	}
	return true
}

// all scans to the end of the text.
func (s *scanner) all() {
	for s.pos < len(s.src) {
		n := len(s.tokens)
		s.lex()
		if len(s.tokens) > n {
			s.after = s.tokens[len(s.tokens)-1].kind
		}
		if len(s.failures) >= s.diags.limit {
			s.pos = len(s.src)
		}
	}
}

// global converts an offset in the scanned text to one in the source.
func (s *scanner) global(local int) int {
	if s.base == nil {
		return local
	}
	if local == 0 {
		return s.base[0].global // the start of the first line, margin included
	}
	i := sort.Search(len(s.base), func(i int) bool { return s.base[i].local > local }) - 1
	return s.base[i].global + local - s.base[i].local
}

// emit appends the token between two offsets of the scanned text.
func (s *scanner) emit(k kind, start, end int, text string) {
	s.tokens = append(s.tokens, token{kind: k, bol: s.bol, off: s.global(start), end: s.global(end), text: text})
	s.bol = false
}

// punct appends a token of n bytes at the current position, and advances past
// it.
func (s *scanner) punct(k kind, n int) {
	s.emit(k, s.pos, s.pos+n, s.src[s.pos:s.pos+n])
	s.pos += n
}

// fail appends an illegal token at an offset of the scanned text.
func (s *scanner) fail(offset int, issue, format string, args ...any) {
	off := s.global(offset)
	e := s.diags.make(off, issue, fmt.Sprintf(format, args...))
	s.failures = append(s.failures, e)
	s.tokens = append(s.tokens, token{kind: illegal, bol: s.bol, off: off, end: off, err: e})
	s.bol = false
}

// peek returns the byte n bytes ahead, or 0 at the end.
func (s *scanner) peek(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

// lex scans one token, one run of blanks or one comment. It reports whether it
// appended the tokens of a string with interpolations, a heredoc or template
// text: inside an interpolation, these do not count as the previous token.
func (s *scanner) lex() (compound bool) {
	switch c := s.src[s.pos]; c {
	case ' ', '\t', '\r':
		s.blanks()
	case '\n':
		s.newline()
	case '#':
		if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
			s.pos += i
		} else {
			s.pos = len(s.src)
		}
	case '/':
		s.slash()
	case '$':
		s.dollar()
	case '\'':
		s.singleQuoted()
	case '"':
		return s.doubleQuoted()
	case ':':
		if s.peek(1) == ':' {
			s.qualified()
		} else {
			s.punct(colon, 1)
		}
	case '[':
		if s.pos == 0 || s.blankBefore() {
			s.punct(listStart, 1)
		} else {
			s.punct(lbrack, 1)
		}
	case '(':
		if s.bol {
			s.punct(wsLparen, 1)
		} else {
			s.punct(lparen, 1)
		}
	case '{':
		s.braces++
		if s.after == question {
			s.punct(selBrace, 1)
		} else {
			s.punct(lbrace, 1)
		}
	case '}':
		s.braces--
		s.punct(rbrace, 1)
	case '@':
		if s.peek(1) == '(' {
			s.heredoc()
			return true
		}
		s.longest(at, "@@", atAt)
	case '%':
		if s.epp != eppNone && s.peek(1) == '>' {
			s.endTag(2, false)
			return true
		}
		s.punct(modulo, 1)
	case '-':
		if s.epp != eppNone && s.peek(1) == '%' && s.peek(2) == '>' {
			s.endTag(3, true)
			return true
		}
		s.longest(minus, "->", inEdge, "-=", deletes)
	case ']':
		s.punct(rbrack, 1)
	case ')':
		s.punct(rparen, 1)
	case '.':
		s.punct(dot, 1)
	case ',':
		s.punct(comma, 1)
	case ';':
		s.punct(semicolon, 1)
	case '?':
		s.punct(question, 1)
	case '*':
		s.punct(times, 1)
	case '|':
		s.longest(pipe, "|>>", rrcollect, "|>", rcollect)
	case '=':
		s.longest(equals, "==", isEqual, "=>", farrow, "=~", match)
	case '+':
		s.longest(plus, "+=", appends, "+>", parrow)
	case '!':
		s.longest(not, "!=", notEqual, "!~", noMatch)
	case '~':
		s.longest(tilde, "~>", inEdgeSub)
	case '<':
		s.longest(less, "<<|", llcollect, "<<", lshift, "<=", lessEqual, "<|", lcollect, "<-", outEdge, "<~", outEdgeSub)
	case '>':
		s.longest(greater, ">>", rshift, ">=", greaterEqual)
	default:
		switch {
		case c >= 'a' && c <= 'z' || c == '_':
			s.bareWord()
		case c >= 'A' && c <= 'Z':
			s.classReference(1, "ILLEGAL_CLASS_REFERENCE", "Illegal class reference")
		case c >= '0' && c <= '9':
			s.number()
		default:
			s.other()
		}
	}
	return false
}

// longest emits the first of the operators that matches at the current
// position, or the single character k. The operators are pairs of text and
// kind, longer ones first.
func (s *scanner) longest(k kind, operators ...any) {
	for i := 0; i < len(operators); i += 2 {
		if op := operators[i].(string); strings.HasPrefix(s.src[s.pos:], op) {
			s.punct(operators[i+1].(kind), len(op)) //nolint:gosec // pairs: there is a kind behind each text
			return
		}
	}
	s.punct(k, 1)
}

// blanks skips a run of blanks, and reports whether there was one.
func (s *scanner) blanks() bool {
	start := s.pos
	s.pos = skipBlanks(s.src, s.pos, "\r")
	return s.pos > start
}

// skipBlanks returns the offset of the first character from i on that is
// neither blank nor in also.
func skipBlanks(src string, i int, also string) int {
	for i < len(src) {
		r, n := utf8.DecodeRuneInString(src[i:])
		if !isBlank(r) && !strings.ContainsRune(also, r) {
			break
		}
		i += n
	}
	return i
}

// newline advances past the end of a line, and past the texts of the heredocs
// that began on the line. It never moves back: in a template, the current
// position may already be after the texts.
func (s *scanner) newline() {
	s.pos++
	if s.jump > s.pos {
		s.pos = s.jump
	}
	s.jump = 0
	s.bol = true
}

// blankBefore reports whether the previous character is a blank or a line
// break.
func (s *scanner) blankBefore() bool {
	r, _ := utf8.DecodeLastRuneInString(s.src[:s.pos])
	return r == '\n' || r == '\r' || isBlank(r)
}

// other skips non-ASCII blanks, or emits a character that begins no token.
func (s *scanner) other() {
	if !s.blanks() {
		_, n := utf8.DecodeRuneInString(s.src[s.pos:])
		s.punct(unknown, n)
	}
}

// slash scans a comment, a regular expression or a division.
func (s *scanner) slash() {
	if s.peek(1) == '*' {
		end := strings.Index(s.src[s.pos+2:], "*/")
		if end < 0 {
			s.fail(s.pos, "UNCLOSED_MLCOMMENT", "Unclosed multiline comment")
			s.pos = len(s.src)
			return
		}
		s.pos += end + 4
		s.bol = false
		return
	}
	if s.after.regexMayFollow() && !s.noRegexEnd {
		if end := s.regexEnd(); end >= 0 {
			pattern := strings.ReplaceAll(s.src[s.pos+1:end], `\/`, `/`)
			s.emit(regex, s.pos, end+1, pattern)
			s.pos = end + 1
			return
		}
		s.noRegexEnd = true
	}
	s.punct(div, 1)
}

// regexEnd returns the offset of the / that ends the regular expression at the
// current position: the first after an even number of backslashes. It returns
// -1 if there is none.
func (s *scanner) regexEnd() int {
	for i := s.pos + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '/':
			return i
		}
	}
	return -1
}

// dollar scans a variable. A $ without a name is a variable with an empty name,
// which the checker rejects.
func (s *scanner) dollar() {
	end := variableEnd(s.src, s.pos+1)
	s.emit(variable, s.pos, end, s.src[s.pos+1:end])
	s.pos = end
}

// variableEnd returns the end of the variable name that begins at i, or i if
// there is none.
func variableEnd(src string, i int) int {
	start, end := i, i
	if strings.HasPrefix(src[i:], "::") {
		i += 2
	}
	for {
		first := i
		for i < len(src) && isWord(src[i]) {
			i++
		}
		if i == first {
			return end
		}
		end = i
		if !strings.HasPrefix(src[i:], "::") {
			return max(start, end)
		}
		i += 2
	}
}

// qualified scans a name or a type name that begins with ::.
func (s *scanner) qualified() {
	switch c := s.peek(2); {
	case c >= 'A' && c <= 'Z':
		s.classReference(3, "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE", "Illegal fully qualified class reference")
	case c >= 'a' && c <= 'z' || c == '_':
		s.bareWord()
	default:
		s.fail(s.pos+2, "ILLEGAL_FULLY_QUALIFIED_NAME", "Illegal fully qualified name")
		s.pos += 2
	}
}

// classReference scans a type name. An error is reported offset bytes after the
// valid part.
func (s *scanner) classReference(offset int, issue, message string) {
	end := s.pos
	for {
		i := end
		if strings.HasPrefix(s.src[i:], "::") {
			i += 2
		}
		if i >= len(s.src) || s.src[i] < 'A' || s.src[i] > 'Z' {
			break
		}
		for i < len(s.src) && isWord(s.src[i]) {
			i++
		}
		end = i
	}
	if !strings.HasPrefix(s.src[end:], "::") {
		s.emit(classRef, s.pos, end, s.src[s.pos:end])
		s.pos = end
		return
	}
	s.fail(end+offset, issue, "%s", message)
	for end < len(s.src) && (isWord(s.src[end]) || s.src[end] == ':') {
		end++
	}
	s.pos = end
}

// bareWord scans a keyword, a name, or a word: a name with dashes or with a
// segment that begins with an underscore, which is a string.
func (s *scanner) bareWord() {
	end, isName := s.pos, true
	for {
		i := end
		if strings.HasPrefix(s.src[i:], "::") {
			i += 2
		}
		if i >= len(s.src) || s.src[i] != '_' && (s.src[i] < 'a' || s.src[i] > 'z') {
			break
		}
		isName = isName && s.src[i] != '_'
		end = i + 1
		for i++; i < len(s.src) && (isWord(s.src[i]) || s.src[i] == '-'); i++ {
			if s.src[i] != '-' {
				isName = isName && i == end
				end = i + 1
			}
		}
	}
	text := s.src[s.pos:end]
	if isName {
		s.emit(keyword(text), s.pos, end, text)
	} else {
		s.emit(word, s.pos, end, text)
	}
	s.pos = end
}

// isWord reports whether c is an ASCII letter, digit or underscore.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// isBlank reports whether r is a tab or a Unicode space.
func isBlank(r rune) bool {
	return r == ' ' || r == '\t' || r >= utf8.RuneSelf && unicode.Is(unicode.Zs, r)
}
