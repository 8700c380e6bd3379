package secret

import (
	"bytes"
	"sort"
)

// mostIndent is the maximum number of blanks by which a line of a secret may be indented
// in a text, whatever its own indentation.
const mostIndent = 64

// body returns a secret without the indentation of its lines, except that of the first.
func body(secret []byte) []byte {
	b := make([]byte, 0, len(secret))
	for line := range bytes.Lines(secret) {
		if len(b) > 0 {
			line = bytes.TrimLeft(line, " \t")
		}
		b = append(b, line...)
	}
	return b
}

// unindented is a text without the indentation of its lines, except that of the first,
// which need not be at its beginning.
type unindented struct {
	text []byte
	cuts []cut
}

// cut is a position in an unindented text before which blanks were removed.
type cut struct {
	at     int
	blanks int // removed up to here
}

// unindent removes up to mostIndent blanks from the beginning of each line of a text.
func unindent(text []byte) (u unindented) {
	end, blanks := 0, 0 // of text that was copied
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		line := at + n + 1
		at = line
		for most := min(line+mostIndent, len(text)); at < most && isBlank(text[at]); {
			at++
		}
		if at > line {
			if u.text == nil {
				u.text = make([]byte, 0, len(text))
			}
			u.text = append(u.text, text[end:line]...)
			end, blanks = at, blanks+at-line
			u.cuts = append(u.cuts, cut{len(u.text), blanks})
		}
	}
	if end == 0 {
		return unindented{text: text}
	}
	u.text = append(u.text, text[end:]...)
	return u
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// source returns the position in the original text of a byte of the unindented one.
func (u *unindented) source(at int) int {
	k := sort.Search(len(u.cuts), func(i int) bool { return u.cuts[i].at > at })
	if k == 0 {
		return at
	}
	return at + u.cuts[k-1].blanks
}

// findIndented is find for the secrets of several lines whose lines are indented
// differently, as in a YAML block or a here document.
func (s *spellings) findIndented(text []byte, from int, yield func(Hit) bool) bool {
	if bytes.IndexByte(text, '\n') < 0 {
		return true
	}
	u := unindent(text)
	return s.bodies.find(u.text, 0, func(h Hit) bool {
		number := int(s.bodyOf[h.Pattern])
		start, end := u.source(h.Start), u.source(h.End-1)+1
		if bytes.Equal(text[start:end], s.secrets[number]) {
			return true // found as a plain form
		}
		return yield(Hit{start, end, from + number})
	})
}
