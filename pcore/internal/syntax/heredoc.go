package syntax

import "strings"

// maxHeredocs limits the nesting of heredocs within the text of heredocs.
const maxHeredocs = 16

// heredoc scans @(TAG) and the text on the following lines, up to a line that
// ends with the tag. The scanner skips the text when it reaches the end of the
// line.
func (s *scanner) heredoc() {
	start := s.pos
	closing := strings.IndexByte(s.src[start:], ')')
	if closing < 0 {
		s.fail(start, "HEREDOC_UNCLOSED_PARENTHESIS", "Unclosed parenthesis after '@('")
		s.pos = len(s.src)
		return
	}
	s.pos += closing + 1
	t, ok := parseHeredocTag(s.src[start+2 : s.pos-1])
	if !ok {
		s.fail(s.pos, "HEREDOC_INVALID_SYNTAX", "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])")
		return
	}
	if t.tag == "" {
		s.fail(s.pos, "HEREDOC_EMPTY_ENDTAG", "Heredoc with an empty endtag")
		return
	}
	esc, ok := s.heredocEscapes(t.escapes, t.escaped)
	if !ok {
		return
	}
	if s.heredocs >= maxHeredocs {
		s.fail(start, "NESTING_TOO_DEEP", "Heredocs are nested more than %d deep", maxHeredocs)
		return
	}
	first := len(s.tokens)
	s.emit(heredocAt, start, s.pos, t.syntax)
	text, base, ok := s.heredocText(t.tag)
	if !ok {
		s.tokens = append(s.tokens[:first], s.tokens[len(s.tokens)-1])
		return
	}
	body := &scanner{scan: s.scan, src: text, base: base, heredocs: s.heredocs + 1}
	failures := len(s.failures)
	body.interpolated(quoting{escapes: esc, dollar: t.quoted})
	if len(s.failures) > failures {
		s.tokens = append(s.tokens[:first], s.tokens[len(s.tokens)-1])
	}
}

// tag holds the parts of @(TAG:syntax/escapes).
type tag struct {
	tag     string // the text that ends the heredoc
	quoted  bool   // "TAG": the heredoc has interpolations
	syntax  string // the name of the text's language
	escapes string // the letters after /
	escaped bool   // whether there is a /
}

// parseHeredocTag parses the text in the parentheses. The tag itself may be
// empty.
func parseHeredocTag(text string) (t tag, ok bool) {
	end := strings.IndexAny(text, ":/\r\n")
	if end < 0 {
		end = len(text)
	}
	if end == 0 {
		return t, false
	}
	t.tag = strings.TrimSpace(text[:end])
	if n := len(t.tag); n >= 2 && t.tag[0] == '"' && t.tag[n-1] == '"' {
		t.tag, t.quoted = strings.TrimSpace(t.tag[1:n-1]), true
	}
	text = text[end:]
	if rest, found := strings.CutPrefix(text, ":"); found {
		rest = strings.TrimLeftFunc(rest, isBlank)
		n := 0
		for n < len(rest) && (isWord(rest[n]) || rest[n] == '+') {
			n++
		}
		if n < 2 || rest[0] < 'a' || rest[0] > 'z' {
			return t, false
		}
		t.syntax, text = rest[:n], strings.TrimLeftFunc(rest[n:], isBlank)
	}
	if rest, found := strings.CutPrefix(text, "/"); found {
		n := 0
		for n < len(rest) && (isWord(rest[n]) || rest[n] == '$') {
			n++
		}
		t.escapes, t.escaped, text = rest[:n], true, strings.TrimLeftFunc(rest[n:], isBlank)
	}
	return t, text == ""
}

// heredocEscapes returns the escapes that the letters after / enable: all of
// them if there are no letters.
func (s *scanner) heredocEscapes(letters string, given bool) (esc escapes, ok bool) {
	if !given {
		return 0, true
	}
	if letters == "" {
		letters = "trnsuL$"
	}
	esc = escBackslash
	for _, c := range letters {
		var e escapes
		switch c {
		case 't':
			e = escT
		case 'r':
			e = escR
		case 'n':
			e = escN
		case 's':
			e = escS
		case 'u':
			e = escU
		case 'L':
			e = escL
		case '$':
			e = escDollar
		default:
			s.fail(s.pos, "HEREDOC_INVALID_ESCAPE", "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '%c'", c)
			return 0, false
		}
		if esc&e != 0 {
			s.fail(s.pos, "HEREDOC_MULTIPLE_AT_ESCAPES", "An escape char for @() may only appear once. Got '%s'",
				strings.Join(strings.Split(letters, ""), ", "))
			return 0, false
		}
		esc |= e
	}
	return esc, true
}

// heredocText returns the text of the heredoc whose tag ends at the current
// position, without its margin, and the source positions of its lines.
func (s *scanner) heredocText(tag string) (text string, base []segment, ok bool) {
	begin := s.jump
	if begin <= s.pos {
		i := strings.IndexByte(s.src[s.pos:], '\n')
		if i < 0 {
			s.fail(s.pos, "HEREDOC_WITHOUT_TEXT", "Heredoc without any following lines of text")
			return "", nil, false
		}
		begin = s.pos + i + 1
	}
	for line := begin; line < len(s.src); {
		next := len(s.src)
		if i := strings.IndexByte(s.src[line:], '\n'); i >= 0 {
			next = line + i + 1
		}
		if end, found := endLine(s.src[line:next], tag); found {
			s.jump = next
			text, base = s.stripMargin(begin, line, end)
			return text, base, true
		}
		line = next
	}
	s.fail(begin, "HEREDOC_WITHOUT_END_TAGGED_LINE", "Heredoc without end-tagged line")
	return "", nil, false
}

// heredocEnd is the part of a heredoc's last line before the tag.
type heredocEnd struct {
	margin string // the blanks before |, removed from each line; "" if there is no |
	join   bool   // -: removes the last line break
}

// endLine reports whether a line ends a heredoc: whether it ends with the tag,
// regardless of the text before.
func endLine(line, tag string) (end heredocEnd, found bool) {
	line = strings.TrimSuffix(line, "\n")
	line = strings.TrimRightFunc(strings.TrimSuffix(line, "\r"), isBlank)
	line, found = strings.CutSuffix(line, tag)
	if !found {
		return end, false
	}
	line = strings.TrimRightFunc(line, isBlank)
	if before, ok := strings.CutSuffix(line, "-"); ok {
		end.join = true
		line = strings.TrimRightFunc(before, isBlank)
	}
	if before, ok := strings.CutSuffix(line, "|"); ok {
		end.margin = before[len(strings.TrimRightFunc(before, isBlank)):]
	}
	return end, true
}

// stripMargin returns the text between two offsets without its margin, and the
// source positions of its lines. A line that does not begin with the margin is
// unchanged.
func (s *scanner) stripMargin(begin, stop int, end heredocEnd) (string, []segment) {
	text := s.src[begin:stop]
	base := []segment{{0, s.global(begin)}}
	if end.margin != "" || s.base != nil {
		var b strings.Builder
		for line := range strings.Lines(text) {
			stripped := strings.TrimPrefix(line, end.margin)
			base = append(base, segment{b.Len(), s.global(begin + len(line) - len(stripped))})
			b.WriteString(stripped)
			begin += len(line)
		}
		text = b.String()
	}
	if end.join {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return text, base
}
