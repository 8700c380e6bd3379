package rundata

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/jsonwire"
)

// layout says where the pieces of a text are in it, and where the text is in the document.
type layout struct {
	text string
	// pieces are the parts of each piece: its lines, or the piece as a whole.
	pieces [][]part
	// messages are the texts that are joined by line breaks; nil for the text of the node itself.
	messages []node
}

// divided returns an empty node for the pieces of a text.
func (t *tree) divided(n *node, text string) node {
	const pieces = 3
	d := *n
	d.kind, d.kids = split, t.space(2*pieces)
	d.layout = &layout{text: text}
	if n.layout != nil {
		d.layout.messages = n.layout.messages
	}
	return d
}

// addPiece adds a piece that consists of parts of the text, which do not overlap.
func (t *tree) addPiece(n *node, name string, parts ...part) {
	t.set(n, name, t.text(newPiece(n.layout.text, parts).text))
	n.layout.pieces = append(n.layout.pieces, parts)
}

// joined presents several texts, each one line of a longer text, as this text.
func (t *tree) joined(messages []node) node {
	lines := make([]string, len(messages))
	for i := range messages {
		lines[i] = messages[i].text()
	}
	n := t.text(strings.Join(lines, "\n"))
	all := unquoted(n.raw) // valid UTF-8
	n.layout = &layout{text: all, messages: messages, pieces: [][]part{{{0, len(all)}}}}
	return n
}

// splitChange appends the changes of the texts in the document for a change of pieces. Lines of the
// text stay lines: each one that a replacement covers has it.
func (n *node) splitChange(all []change, to *node) ([]change, error) {
	edits, err := n.edits(to)
	if err != nil || len(edits) == 0 {
		return all, err
	}
	l := n.layout
	if l.messages == nil {
		return append(all, change{n, jsonwire.AppendQuoted(nil, edited(l.text, part{0, len(l.text)}, edits))}), nil
	}
	start := 0
	for i := range l.messages {
		m := &l.messages[i]
		end := start + len(m.text())
		if text := edited(l.text, part{start, end}, edits); text != l.text[start:end] {
			all = append(all, change{m, jsonwire.AppendQuoted(nil, text)})
		}
		start = end + len("\n")
	}
	return all, nil
}

// edit is a part of a text with its replacement.
type edit struct {
	part
	text string
}

// edits returns the changes of the text for changed pieces, in order. A line that several pieces
// have, such as the context of a difference, is changed if one of them is.
func (n *node) edits(to *node) ([]edit, error) {
	l := n.layout
	after := []*node{to}
	if n.kind == split {
		if to.kind != object || len(to.kids) != len(n.kids) {
			return nil, errShape
		}
		after = after[:0]
		for i := 1; i < len(to.kids); i += 2 {
			after = append(after, &to.kids[i])
		}
	}
	var all []edit
	for i, parts := range l.pieces {
		if after[i].kind > text {
			return nil, errShape
		}
		before := newPiece(l.text, parts)
		all = before.edits(all, after[i].text())
	}
	slices.SortStableFunc(all, func(a, b edit) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	merged := all[:0]
	for _, e := range all {
		if last := len(merged) - 1; last >= 0 && (e.start < merged[last].end || e == merged[last]) {
			merged[last].end = max(merged[last].end, e.end)
			continue
		}
		merged = append(merged, e)
	}
	return merged, nil
}

// piece is a text that consists of parts of another one.
type piece struct {
	of    string
	parts []part
	text  string
}

func newPiece(of string, parts []part) piece {
	if len(parts) == 1 {
		return piece{of, parts, of[parts[0].start:parts[0].end]}
	}
	var s strings.Builder
	for _, p := range parts {
		s.WriteString(of[p.start:p.end])
	}
	return piece{of, parts, s.String()}
}

// edits appends the edits of the other text that change the piece to a text.
func (p *piece) edits(all []edit, to string) []edit {
	if p.text == to {
		return all
	}
	for old, new := range differences(p.text, to) {
		old, new = p.widened(old, new, to)
		all = p.spread(all, old, to[new.start:new.end])
	}
	return all
}

// widened extends a difference of several lines by the rest of the words at its ends, so that its
// replacement is whole.
func (p *piece) widened(old, new part, to string) (part, part) {
	if !strings.Contains(p.text[old.start:old.end], "\n") {
		return old, new
	}
	for old.start > 0 && new.start > 0 && isWordByte(p.text[old.start-1]) && p.text[old.start-1] == to[new.start-1] {
		old.start, new.start = old.start-1, new.start-1
	}
	for old.end < len(p.text) && new.end < len(to) && isWordByte(to[new.end]) && p.text[old.end] == to[new.end] {
		old.end, new.end = old.end+1, new.end+1
	}
	return old, new
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// spread appends the edits that replace a part of the piece by a text, one for each line.
func (p *piece) spread(all []edit, old part, text string) []edit {
	first := len(all)
	at := 0 // of the line in the piece
	for _, in := range p.parts {
		length := in.end - in.start
		for start, end := range lineParts(p.of[in.start:in.end]) {
			from, until := max(old.start, at+start), min(old.end, at+end)
			isInsertion := from == until && len(all) == first && (old.start < at+length || at+length == len(p.text))
			isEmptyLine := start == end && old.start < at+start && at+end < old.end
			if from < until || isInsertion || isEmptyLine {
				all = append(all, edit{part{in.start + from - at, in.start + until - at}, ""})
			}
		}
		at += length
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if n := len(all) - first; n > 1 && n != len(lines) { // empty lines have no counterpart
		kept := slices.DeleteFunc(all[first+1:], func(e edit) bool { return e.start == e.end })
		all = all[:first+1+len(kept)]
	}
	for i := range all[first:] {
		all[first+i].text = lines[min(i, len(lines)-1)]
	}
	if n := len(all) - first; n > 0 && n < len(lines) { // more lines than there were
		last := &all[len(all)-1]
		begin := p.of[strings.LastIndexByte(p.of[:last.start], '\n')+1 : last.start]
		if sign := strings.TrimLeft(begin, "+-<> "); sign != "" {
			begin = begin[:len(begin)-len(sign)]
		}
		last.text = strings.Join(lines[n-1:], "\n"+begin)
	}
	return all
}

// lineParts returns an iterator over the lines of a text, without their ends.
func lineParts(s string) func(yield func(start, end int) bool) {
	return func(yield func(start, end int) bool) {
		for start := 0; ; {
			i := strings.IndexByte(s[start:], '\n')
			if i < 0 {
				if start < len(s) || start == 0 {
					yield(start, len(s))
				}
				return
			}
			if !yield(start, start+i) {
				return
			}
			start += i + 1
		}
	}
}

// edited returns a part of a text with the edits in it.
func edited(text string, p part, edits []edit) string {
	var s strings.Builder
	at := p.start
	for _, e := range edits {
		if e.start < at || e.end > p.end {
			continue
		}
		s.WriteString(text[at:e.start])
		s.WriteString(e.text)
		at = e.end
	}
	s.WriteString(text[at:p.end])
	return s.String()
}

// asReference presents a text that names a resource by the title and the text around it, so that
// a title that is a command or an assignment is a text as it is elsewhere. Any other node is
// returned as it is.
func (t *tree) asReference(n node) node {
	if n.kind != text || !bytes.ContainsAny(n.raw, "= ") || !bytes.Contains(n.raw, []byte("[")) {
		return n
	}
	s := n.text()
	_, title, ok := sourceOf(s)
	if !ok || title == "" {
		return n
	}
	end := strings.LastIndexByte(s, ']')
	return t.around(&n, "title", s, end-len(title), end)
}

// around presents a text by a part of it with a name, and the text before and after it.
func (t *tree) around(n *node, name, s string, start, end int) node {
	d := t.divided(n, s)
	t.addPiece(&d, "before", part{0, start})
	t.addPiece(&d, name, part{start, end})
	t.addPiece(&d, "after", part{end, len(s)})
	return d
}

// asCommand presents a message about a command that failed by the command and the text around it.
// Any other node is returned as it is.
func (t *tree) asCommand(n node) node {
	if !n.isAboutCommand() {
		return n
	}
	s := n.text()
	end := strings.Index(s, afterCommand)
	for _, before := range [...]string{"failed: '", "refresh: '", "Execution of '", "'"} {
		start := strings.Index(s, before)
		if start < 0 || start > 0 && before == "'" {
			continue
		}
		if start += len(before); start < end {
			return t.around(&n, "command", s, start, end)
		}
	}
	return n
}

// afterCommand follows the command in a message about one that failed.
const afterCommand = "' returned "

func (n *node) isAboutCommand() bool {
	return n.kind == text && bytes.Contains(n.raw, []byte(afterCommand))
}
