package rundata

import (
	"bytes"
	"strconv"
	"strings"
)

// The names of the pieces of a difference. Those of the second file of a text, and so on, have a
// number: `new 2`.
const (
	head    = "head" // the lines that are in no file
	oldFile = "old"
	newFile = "new"
)

// asDiff presents a text with differences of files, as Puppet logs them and `diff` prints them, by
// the files before and after: the lines of each without their signs, as a text like the file. Lines
// around the changed ones are in both. Any other node is returned as it is.
func (t *tree) asDiff(n node) node {
	if n.kind != text || !bytes.Contains(n.raw, []byte("@@ -")) && !mayBePlainDiff(n.raw) {
		return n
	}
	s := n.text()
	d := differ{text: s}
	for at := 0; at < len(s); {
		end := at + strings.IndexByte(s[at:], '\n') + 1
		if end == at {
			end = len(s)
		}
		d.line(part{at, end})
		at = end
	}
	if !d.found {
		return n
	}
	d.end()
	to := t.divided(&n, s)
	for i, file := range d.files {
		t.addFile(&to, i, file)
	}
	return to
}

// addFile adds the pieces of a file, number i of the text.
func (t *tree) addFile(n *node, i int, f file) {
	number := ""
	if i > 0 {
		number = " " + strconv.Itoa(i+1)
	}
	for _, piece := range [...]struct {
		name  string
		lines []part
	}{{head, f.head}, {oldFile, f.old}, {newFile, f.new}} {
		if len(piece.lines) > 0 {
			t.addPiece(n, piece.name+number, piece.lines...)
		}
	}
}

// mayBePlainDiff reports whether a text has lines of both files of a difference without context.
func mayBePlainDiff(raw []byte) bool {
	return bytes.Contains(raw, []byte(`\n< `)) || bytes.Contains(raw, []byte(`\n> `))
}

// file is what a difference says about a file: the lines of its header, of the old file and of the new
// one.
type file struct{ head, old, new []part }

// differ reads a text line by line.
type differ struct {
	text  string
	files []file
	file  file
	found bool // a hunk
	// old and new are the numbers of lines of the hunk that follow; plain is the sign of the hunk of a
	// difference without context.
	old, new int
	plain    bool
}

func (d *differ) end() {
	d.files = append(d.files, d.file)
	d.file = file{}
}

// line reads the next line.
func (d *differ) line(at part) {
	s := d.text[at.start:at.end]
	switch {
	case d.old <= 0 && d.new <= 0:
		d.outside(at, s)
	case d.plain:
		d.plainLine(at, s)
	default:
		d.hunkLine(at, s)
	}
}

// outside reads a line outside of a hunk.
func (d *differ) outside(at part, s string) {
	if old, new, ok := hunk(s); ok {
		d.found, d.plain, d.old, d.new = true, false, old, new
	} else if old, new, ok := plainHunk(s); ok {
		d.found, d.plain, d.old, d.new = true, true, old, new
	} else if strings.HasPrefix(s, "--- ") && len(d.file.old)+len(d.file.new) > 0 {
		d.end()
	}
	d.file.head = append(d.file.head, at)
}

func (d *differ) hunkLine(at part, s string) {
	line := part{at.start + 1, at.end}
	switch s[0] {
	case '-':
		d.old--
		d.file.old = append(d.file.old, line)
	case '+':
		d.new--
		d.file.new = append(d.file.new, line)
	case ' ', '\n', '\r':
		if s[0] != ' ' { // a blank at the end of the line is lost
			line = at
		}
		d.old--
		d.new--
		d.file.old = append(d.file.old, line)
		d.file.new = append(d.file.new, line)
	case '\\': // No newline at end of file
		d.file.head = append(d.file.head, at)
	default:
		d.old, d.new = 0, 0
		d.outside(at, s)
	}
}

func (d *differ) plainLine(at part, s string) {
	switch {
	case strings.HasPrefix(s, "< ") && d.old > 0:
		d.old--
		d.file.old = append(d.file.old, part{at.start + 2, at.end})
	case strings.HasPrefix(s, "> ") && d.new > 0:
		d.new--
		d.file.new = append(d.file.new, part{at.start + 2, at.end})
	case strings.TrimRight(s, "\r\n") == "---" || s[0] == '\\':
		d.file.head = append(d.file.head, at)
	default:
		d.old, d.new = 0, 0
		d.outside(at, s)
	}
}

// hunk returns the numbers of lines that the header of a hunk promises: `@@ -1,7 +1,7 @@`.
func hunk(s string) (old, new int, ok bool) {
	rest, ok := strings.CutPrefix(s, "@@ -")
	if !ok {
		return 0, 0, false
	}
	before, rest, _ := strings.Cut(rest, " +")
	after, _, ok := strings.Cut(rest, " @@")
	if !ok {
		return 0, 0, false
	}
	count := func(s string) int {
		if _, number, found := strings.Cut(s, ","); found {
			n, err := strconv.Atoi(number)
			ok = ok && err == nil
			return n
		}
		return 1
	}
	old, new = count(before), count(after)
	return old, new, ok
}

// plainHunk is hunk for a difference without context: `3,4c3`.
func plainHunk(s string) (old, new int, ok bool) {
	s = strings.TrimRight(s, "\r\n")
	i := strings.IndexAny(s, "acd")
	if i <= 0 {
		return 0, 0, false
	}
	old, ok = linesIn(s[:i])
	new, isRange := linesIn(s[i+1:])
	switch s[i] {
	case 'a':
		old = 0
	case 'd':
		new = 0
	}
	return old, new, ok && isRange
}

// linesIn returns the number of lines in a range: `3,4`.
func linesIn(s string) (n int, ok bool) {
	from, to, found := strings.Cut(s, ",")
	first, err := strconv.Atoi(from)
	if err != nil || !found {
		return 1, err == nil
	}
	last, err := strconv.Atoi(to)
	return last - first + 1, err == nil && first <= last
}
