package page

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/terminal"
)

// Markup writes HTML and XML. Values are always escaped, in text and in quoted
// attributes, so they cannot become markup. An error of the writer is returned by Flush.
//
// html/template would keep every exported method of every type in the program,
// because a template could call it: 3 of 24 MB. It and encoding/xml also build
// tables at startup.
type Markup struct {
	*bufio.Writer
	own ownWriter // nil if the writer does not search its text
}

// ownWriter is a writer that searches its text for secrets of catalogs, except for own text,
// which does not depend on catalogs.
type ownWriter interface {
	WriteOwn(p []byte) (int, error)
}

// NewMarkup returns a Markup that writes to w.
func NewMarkup(w io.Writer) Markup {
	own, _ := w.(ownWriter)
	return Markup{bufio.NewWriter(w), own}
}

// Print writes s as it is: it is markup.
func (m Markup) Print(s string) { _, _ = m.WriteString(s) }

// Own is Print for markup that does not depend on a catalog. A guard of secrets does not
// search it.
func (m Markup) Own(s string) {
	if m.own == nil {
		m.Print(s)
		return
	}
	_ = m.Flush() // an error of the writer persists in it
	_, _ = m.own.WriteOwn([]byte(s))
}

// Writef writes format with each %s replaced by an escaped value.
func (m Markup) Writef(format string, values ...string) {
	for _, v := range values {
		before, after, _ := strings.Cut(format, "%s")
		m.Print(before)
		m.Text(v)
		format = after
	}
	m.Print(format)
}

// Text writes s with escapes. Hidden characters, and those that XML does not
// allow, become `·`.
func (m Markup) Text(s string) {
	last := 0
	for i, r := range s {
		as, size := escaped(r), utf8.RuneLen(r)
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(r)) {
			as, size = string(terminal.Replacement), 1 // an invalid UTF-8 byte
		}
		if as == "" {
			continue
		}
		m.Print(s[last:i])
		m.Print(as)
		last = i + size
	}
	m.Print(s[last:])
}

// escaped returns the escape for r, or "" if r needs none.
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
	case 0xFFFE, 0xFFFF:
		return string(terminal.Replacement)
	}
	if terminal.Hidden(r) {
		return string(terminal.Replacement)
	}
	return ""
}
