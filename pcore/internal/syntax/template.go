package syntax

import "strings"

// eppMode is the state of the scanner of a template.
type eppMode uint8

const (
	eppNone eppMode = iota // not a template
	eppText                // in text
	eppCode                // within <% … %>
	eppExpr                // within <%= … %>
)

// endTag advances past a closing tag of n bytes and scans the text after it.
func (s *scanner) endTag(n int, trim bool) {
	if s.epp == eppExpr {
		s.punct(eppEnd, n)
	} else {
		s.pos += n
	}
	s.epp = eppText
	s.template(trim)
}

// template scans template text up to a tag that begins code. If trim is set,
// leading blanks and one line break are dropped.
func (s *scanner) template(trim bool) {
	start := s.pos
	s.bol = false
	var text []byte
	for s.pos < len(s.src) {
		part := s.src[s.pos:]
		if i := strings.Index(part, "<%"); i >= 0 {
			part = part[:i+2]
		}
		s.pos += len(part)
		if trim {
			part = trimStart(part)
			trim = false
		}
		text = append(text, strings.ReplaceAll(part, "%%>", "%>")...)
		if s.pos == len(s.src) {
			if strings.HasSuffix(string(text[max(0, len(text)-2):]), "<%") {
				s.fail(s.pos, "EPP_UNBALANCED_EXPRESSION", "Unbalanced embedded expression - opening <%% and reaching end of input")
				return
			}
			s.emit(renderString, start, s.pos, string(text)) // even if all of it was trimmed
			return
		}
		switch s.src[s.pos] {
		case '%': // <%% is a literal <%
			s.pos++
		case '#':
			text = text[:len(text)-2]
			var ok bool
			if text, trim, ok = s.comment(text); !ok {
				return
			}
		case '-':
			s.pos++
			s.epp = eppCode
			s.render(start, trimEnd(text[:len(text)-2]))
			return
		case '=':
			s.pos++
			s.epp = eppExpr
			s.render(start, text[:len(text)-2])
			s.emit(renderExpr, s.pos-3, s.pos, "<%=")
			return
		default:
			s.epp = eppCode
			s.render(start, text[:len(text)-2])
			return
		}
	}
	// The input ends with a comment or <%%: Puppet drops the text before it.
}

// comment skips <%# … %>. It returns the text before it, without trailing
// blanks for <%#-, and whether -%> requests trimming the text after it.
func (s *scanner) comment(text []byte) (_ []byte, trim, ok bool) {
	rest := s.src[s.pos:]
	end := -1
	for i := 1; i < len(rest); i++ {
		n := strings.Index(rest[i:], "%>")
		if n < 0 {
			break
		}
		if i += n; rest[i-1] != '%' {
			end = i + 2
			break
		}
	}
	if end < 0 {
		s.fail(s.pos, "EPP_UNBALANCED_COMMENT", "Reaching end after opening <%%# without seeing %%>")
		s.pos = len(s.src)
		return nil, false, false
	}
	if rest[1] == '-' {
		text = trimEnd(text)
	}
	s.pos += end
	return text, strings.HasSuffix(rest[:end], "-%>"), true
}

// render emits text, unless it is empty.
func (s *scanner) render(start int, text []byte) {
	if len(text) > 0 {
		s.emit(renderString, start, s.pos, string(text))
	}
}

// trimStart removes leading blanks, and a line break after them.
func trimStart(text string) string {
	text = strings.TrimLeft(text, " \t")
	return strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
}

// trimEnd removes trailing blanks.
func trimEnd(text []byte) []byte {
	n := len(text)
	for n > 0 && (text[n-1] == ' ' || text[n-1] == '\t') {
		n--
	}
	return text[:n]
}
