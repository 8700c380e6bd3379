package report

import (
	"strings"
	"unicode/utf8"
)

// markup writes HTML and XML. No value can become a part of it: values are
// escaped wherever they stand, as a text or between the quotes of an attribute.
// html/template would keep every exported method of every type in the program,
// because a template could call it: 3 of 24 MB. It and encoding/xml make tables
// at each start.
type markup struct{ output }

// writef writes format with a value in the place of each %s.
func (m markup) writef(format string, values ...string) {
	for _, v := range values {
		before, after, _ := strings.Cut(format, "%s")
		m.print(before)
		m.text(v)
		format = after
	}
	m.print(format)
}

// text writes s escaped. What XML has no place for becomes U+FFFD.
func (m markup) text(s string) {
	last := 0
	for i, r := range s {
		as, size := escaped(r), utf8.RuneLen(r)
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(r)) {
			as, size = string(r), 1 // a byte that is no UTF-8
		}
		if as == "" {
			continue
		}
		m.print(s[last:i])
		m.print(as)
		last = i + size
	}
	m.print(s[last:])
}

// escaped returns what stands for r, empty when that is r.
func escaped(r rune) string {
	switch r {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&#34;"
	case '\'':
		return "&#39;"
	case '\t':
		return "&#x9;"
	case '\n':
		return "&#xA;"
	case '\r':
		return "&#xD;"
	case 0xFFFE, 0xFFFF:
		return string(utf8.RuneError)
	}
	if r < ' ' {
		return string(utf8.RuneError)
	}
	return ""
}
