package rubyre

import (
	"io"
	"slices"
	"strings"
)

// Replace returns s with its first n matches replaced, or all if n is negative,
// as Ruby's sub and gsub do. In the replacement, \0 and \& denote the match, \1
// to \9 and \k<name> groups, \` and \' the text before and after the match, and
// \\ a backslash; \1 to \9 are empty if the pattern has named groups. The error
// is that of a search, a [*ReferenceError] or [ErrReferenceFormat].
func (re *Regexp) Replace(s, replacement string, n int) (string, error) {
	var b strings.Builder
	if err := re.WriteReplaced(&b, s, replacement, n); err != nil {
		return "", err
	}
	return b.String(), nil
}

// WriteReplaced writes to w what Replace returns, as far as w takes it. Each
// match is written, also one that is replaced by nothing. The error is one of
// Replace, or that of w.
func (re *Regexp) WriteReplaced(w io.StringWriter, s, replacement string, n int) error {
	pieces, mistake := re.template(replacement)
	return re.replace(w, s, n, func(m []int) error {
		for _, p := range pieces {
			if err := p.write(w, s, m); err != nil {
				return err
			}
		}
		return mistake // Ruby reports it only if there is a match
	})
}

// ReplaceFunc returns s with its first n matches, or all if n is negative,
// replaced by the result of f for their text.
func (re *Regexp) ReplaceFunc(s string, n int, f func(match string) string) (string, error) {
	var b strings.Builder
	if err := re.WriteReplacedFunc(&b, s, n, f); err != nil {
		return "", err
	}
	return b.String(), nil
}

// WriteReplacedFunc writes to w what ReplaceFunc returns, in the way of
// WriteReplaced.
func (re *Regexp) WriteReplacedFunc(w io.StringWriter, s string, n int, f func(match string) string) error {
	return re.replace(w, s, n, func(m []int) error {
		_, err := w.WriteString(f(s[m[0]:m[1]]))
		return err
	})
}

func (re *Regexp) replace(w io.StringWriter, s string, n int, write func([]int) error) error {
	done := 0
	for m, err := range re.All(s) {
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		n--
		if _, err := w.WriteString(s[done:max(done, m[0])]); err != nil {
			return err
		}
		if err := write(m); err != nil {
			return err
		}
		done = m[1]
	}
	_, err := w.WriteString(s[done:])
	return err
}

// piece is a part of a replacement: plain text or a part of the subject.
type piece struct {
	text   string
	groups []int // inserts the text of the last of them that matched
	before bool
	after  bool
}

func (p piece) write(w io.StringWriter, s string, m []int) error {
	text := p.text
	switch {
	case p.before:
		text = s[:m[0]]
	case p.after:
		text = s[m[1]:]
	}
	for _, g := range slices.Backward(p.groups) {
		if 2*g < len(m) && m[2*g] >= 0 {
			text = s[m[2*g]:m[2*g+1]]
			break
		}
	}
	_, err := w.WriteString(text)
	return err
}

// template parses a replacement. It returns an error along with the pieces
// before it.
func (re *Regexp) template(replacement string) (pieces []piece, mistake error) {
	rest := replacement
	for {
		i := strings.IndexByte(rest, '\\')
		if i < 0 || i == len(rest)-1 {
			return append(pieces, piece{text: rest}), nil
		}
		if i > 0 {
			pieces = append(pieces, piece{text: rest[:i]})
		}
		c := rest[i+1]
		escape := rest[i : i+2]
		rest = rest[i+2:]
		switch {
		case c == '&' || c == '0':
			pieces = append(pieces, piece{groups: []int{0}})
		case '1' <= c && c <= '9':
			if !re.named() {
				pieces = append(pieces, piece{groups: []int{int(c - '0')}})
			}
		case c == '`':
			pieces = append(pieces, piece{before: true})
		case c == '\'':
			pieces = append(pieces, piece{after: true})
		case c == '\\':
			pieces = append(pieces, piece{text: `\`})
		case c == 'k' && strings.HasPrefix(rest, "<"):
			name, after, closed := strings.Cut(rest[1:], ">")
			if !closed {
				return pieces, ErrReferenceFormat
			}
			groups := re.groupsNamed(name)
			if len(groups) == 0 {
				return pieces, &ReferenceError{name}
			}
			pieces = append(pieces, piece{groups: groups})
			rest = after
		default:
			pieces = append(pieces, piece{text: escape})
		}
	}
}

// named reports whether the pattern has named groups.
func (re *Regexp) named() bool {
	return len(re.names) > 1 && re.names[1] != ""
}

// groupsNamed returns the numbers of the groups with the given name.
func (re *Regexp) groupsNamed(name string) []int {
	var groups []int
	for g, n := range re.names {
		if n == name && n != "" {
			groups = append(groups, g)
		}
	}
	return groups
}
