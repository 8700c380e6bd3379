package rundata

import (
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
)

// appendPatched appends a plain or quoted scalar of YAML with the parts of its text that differ in
// to, and all its other bytes: folded lines and escapes stay. It reports false, and appends nothing,
// if the scalar must be written anew.
func (n *node) appendPatched(b, source []byte, from, to string) ([]byte, bool) {
	at, ok := positions(source, n.style, from)
	if !ok {
		return b, false
	}
	start := len(b)
	end := 0 // of the source that is written
	for old, new := range differences(from, to) {
		first, last := at[old.start], at[old.end]
		b = append(b, source[end:first]...)
		text, ok := escaped(to[new.start:new.end], n.style)
		if !ok {
			return b[:start], false
		}
		b, end = append(b, text...), last
	}
	return append(b, source[end:]...), true
}

// escaped returns a part of the text of a scalar as it is written in a style. ok is false if the
// part is not plain.
func escaped(part string, style yamlwire.Style) (text []byte, ok bool) {
	switch style {
	case yamlwire.SingleQuoted:
		return []byte(strings.ReplaceAll(part, "'", "''")), isPrintable(part) && strings.Trim(part, " ") == part
	case yamlwire.DoubleQuoted:
		quoted := appendDoubleQuoted(nil, part)
		return quoted[1 : len(quoted)-1], strings.Trim(part, " ") == part
	default:
		return []byte(part), strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == "" && (part == "" || part[0] != '-')
	}
}

// positions returns the position in a scalar of each byte of its text, and that of its end. ok is
// false if the text is another one.
func positions(source []byte, style yamlwire.Style, text string) (at []int, ok bool) {
	i, end := 0, len(source)
	switch style {
	case yamlwire.SingleQuoted, yamlwire.DoubleQuoted:
		i, end = 1, end-1
	case yamlwire.Plain:
	default:
		return nil, false
	}
	at = make([]int, 0, len(text)+1)
	for len(at) < len(text) && i < end {
		next, n := i+1, 1
		c := source[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			next, n = folded(source[:end], i)
		case c == '\\' && style == yamlwire.DoubleQuoted:
			next, n = escape(source[:end], i, text[len(at):])
		case c == '\'' && style == yamlwire.SingleQuoted:
			next++
		}
		if next > end || len(at)+n > len(text) {
			return nil, false
		}
		for k := range n {
			if next-i == n { // as it is
				at = append(at, i+k)
			} else {
				at = append(at, i)
			}
		}
		i = next
	}
	if i < end {
		i, _ = folded(source[:end], i)
	}
	return append(at, end), len(at) == len(text) && i >= end && matches(source, style, text, at)
}

// matches reports whether the bytes that are as they are in the text are at their positions.
func matches(source []byte, style yamlwire.Style, text string, at []int) bool {
	for k := range len(text) {
		c := source[at[k]]
		isEscape := style == yamlwire.DoubleQuoted && c == '\\'
		isBlank := c == ' ' || c == '\t' || c == '\n' || c == '\r'
		if c != text[k] && !isEscape && !isBlank && (k == 0 || at[k] != at[k-1]) {
			return false
		}
	}
	return true
}

// folded returns the end of the whitespace at i, and the length of its text: a line break is a space,
// and of several line breaks, the first is none.
func folded(source []byte, i int) (next, n int) {
	breaks := 0
	for next = i; next < len(source); next++ {
		switch source[next] {
		case '\n':
			breaks++
			continue
		case ' ', '\t', '\r':
			continue
		}
		break
	}
	switch breaks {
	case 0:
		return next, next - i
	case 1:
		return next, 1
	default:
		return next, breaks - 1
	}
}

// escape returns the end of the escape at i, and the length of its text, the beginning of text. An
// escaped line break has none.
func escape(source []byte, i int, text string) (next, n int) {
	if i+1 >= len(source) {
		return len(source) + 1, 0
	}
	switch source[i+1] {
	case '\n':
		next = i + 2
		for next < len(source) && (source[next] == ' ' || source[next] == '\t') {
			next++
		}
		return next, 0
	case 'x':
		next = i + 4
	case 'u':
		next = i + 6
	case 'U':
		next = i + 10
	default:
		next = i + 2
	}
	_, n = utf8.DecodeRuneInString(text)
	return next, n
}

// part is a part of a text.
type part struct{ start, end int }

// differences returns an iterator over the parts of from that are others in to, with these. The
// rest of both texts is equal.
func differences(from, to string) func(yield func(old, new part) bool) {
	const same = 8 // the length of a text at which both are taken to be equal again
	return func(yield func(old, new part) bool) {
		i, j := 0, 0
		for i < len(from) || j < len(to) {
			if i < len(from) && j < len(to) && from[i] == to[j] {
				i++
				j++
				continue
			}
			old, new := part{i, len(from)}, part{j, len(to)}
			for k := j; k+same <= len(to); k++ {
				if at := strings.Index(from[i:], to[k:k+same]); at >= 0 {
					old.end, new.end = i+at, k
					break
				}
			}
			if tail := commonEnd(from[i:old.end], to[j:new.end]); tail > 0 {
				old.end, new.end = old.end-tail, new.end-tail
			}
			if !yield(old, new) {
				return
			}
			i, j = old.end, new.end
		}
	}
}

// commonEnd returns the length of the end that two texts have in common.
func commonEnd(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
