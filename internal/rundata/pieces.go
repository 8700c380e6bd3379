package rundata

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/internal/jsonwire"
)

// asDiff presents a text that is a difference of a file, as Puppet logs it, by its stretches of
// lines with the same sign. Any other node is returned as it is.
func (n node) asDiff() node {
	if n.kind != text || !bytes.Contains(n.raw, []byte("@@ -")) {
		return n
	}
	s := n.text()
	if !strings.Contains(s, "\n@@ -") && !strings.HasPrefix(s, "@@ -") {
		return n
	}
	var stretch strings.Builder
	last := byte(0) // the sign of the stretch; 0 for lines outside of a hunk
	inHunk := false
	end := func() {
		if stretch.Len() > 0 {
			n.addPiece(strconv.Itoa(len(n.kids)/2+1), stretch.String(), last)
			stretch.Reset()
		}
	}
	for line := range strings.Lines(s) {
		sign := byte(0)
		if strings.HasPrefix(line, "@@ -") {
			inHunk = true
		} else if inHunk && (line[0] == ' ' || line[0] == '+' || line[0] == '-') {
			sign, line = line[0], line[1:]
		}
		if sign != last {
			end()
			last = sign
		}
		stretch.WriteString(line)
	}
	end()
	return n
}

// splitChange appends the change of a text in pieces. A piece with a line break at its end keeps
// it.
func (n *node) splitChange(all []change, to *node) ([]change, error) {
	if to.kind != object || len(to.kids) != len(n.kids) {
		return all, errShape
	}
	changed := false
	var whole strings.Builder
	for i := 1; i < len(n.kids); i += 2 {
		before, after := n.kids[i].text(), to.kids[i].text()
		changed = changed || before != after
		if strings.HasSuffix(before, "\n") && !strings.HasSuffix(after, "\n") {
			after += "\n"
		}
		for line := range strings.Lines(after) {
			if sign := n.kids[i].sign; sign != 0 {
				whole.WriteByte(sign)
			}
			whole.WriteString(line)
		}
	}
	if changed {
		all = append(all, change{n, jsonwire.AppendQuoted(nil, whole.String())})
	}
	return all, nil
}

// asReference presents a text that names a resource by the title and the text around it, so that
// a title that is a command or an assignment is a text as it is elsewhere. Any other node is
// returned as it is.
func (n node) asReference() node {
	if n.kind != text || !bytes.ContainsAny(n.raw, "= ") || !bytes.Contains(n.raw, []byte("[")) {
		return n
	}
	s := n.text()
	_, title, ok := sourceOf(s)
	if !ok || title == "" {
		return n
	}
	end := strings.LastIndexByte(s, ']')
	start := end - len(title)
	n.addPiece("before", s[:start], 0)
	n.addPiece("title", title, 0)
	n.addPiece("after", s[end:], 0)
	return n
}

// asCommand presents a message about a command that failed by the command and the text around it.
// Any other node is returned as it is.
func (n node) asCommand() node {
	const after = "' returned "
	if n.kind != text || !bytes.Contains(n.raw, []byte(after)) {
		return n
	}
	s := n.text()
	end := strings.Index(s, after)
	for _, before := range [...]string{"failed: '", "refresh: '", "Execution of '", "'"} {
		start := strings.Index(s, before)
		if start < 0 || start > 0 && before == "'" {
			continue
		}
		if start += len(before); start < end {
			n.addPiece("before", s[:start], 0)
			n.addPiece("command", s[start:end], 0)
			n.addPiece("after", s[end:], 0)
			return n
		}
	}
	return n
}

// sourceOf returns the resource that a text names, such as `File[/etc/app.conf]`, or the source of a
// log line: `/Stage[main]/App/File[/etc/app.conf]/content`.
func sourceOf(source string) (typ, title string, ok bool) {
	end := strings.LastIndexByte(source, ']')
	if end < 0 || end+1 < len(source) && source[end+1] != '/' {
		return "", "", false
	}
	depth := 0
	for i := end; i > 0; i-- {
		switch source[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth > 0 {
				continue
			}
			typ = source[strings.LastIndexByte(source[:i], '/')+1 : i]
			return typ, source[i+1 : end], isType(typ)
		}
	}
	return "", "", false
}

// isType reports whether s is the name of a type in a reference.
func isType(s string) bool {
	if s == "" || !unicode.IsUpper(rune(s[0])) {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool { return c != '_' && c != ':' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
