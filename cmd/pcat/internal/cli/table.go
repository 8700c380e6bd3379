package cli

import (
	"bufio"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/terminal"
)

// Table is a table for people, whose last column is text. Columns of numbers are aligned to
// the right. The zero value is empty.
type Table struct {
	Indent string // before each row
	// Link, if not nil, returns the text of a cell as a hyperlink of a terminal, or the text
	// itself. The cell is one of the row that was iterated over last.
	Link func(column int, text string) string

	head []string
	rows [][]string
	more iter.Seq[[]string] // after rows; nil for none
}

// Head sets the names of the columns.
func (t *Table) Head(names ...string) { t.head = names }

// Add adds a row. Characters that a reader cannot see are replaced.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// AddAll adds rows at the end that are not kept in memory. It is iterated over twice.
func (t *Table) AddAll(rows iter.Seq[[]string]) { t.more = rows }

// all returns an iterator over the rows after the head.
func (t *Table) all() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, row := range t.rows {
			if !yield(row) {
				return
			}
		}
		if t.more != nil {
			t.more(yield)
		}
	}
}

const (
	tableGap   = 2  // blanks between columns
	tableBelow = 4  // blanks before a text that is below its row
	tableText  = 30 // columns that a text needs beside the others
)

// Print prints the table to Out. On a terminal, the texts of the last column are wrapped;
// if the other columns leave too little room, the texts are below their rows.
func (s *IOStreams) Print(t *Table) error { return t.write(s.Out, s.Columns(s.Out), s.Color()) }

// WriteTable writes the table to w, with the texts of the last column on one line: they are
// references or locations, which people copy.
func (s *IOStreams) WriteTable(w io.Writer, t *Table) error { return t.write(w, 0, s.Color()) }

// write writes the table in lines of at most columns characters, where possible; 0 for no
// limit. A table without rows has no head.
func (t *Table) write(w io.Writer, columns int, color bool) error {
	l := t.layout(columns)
	out := bufio.NewWriter(w) // errors persist until Flush
	head := slices.Clone(t.head)
	for row := range t.all() {
		if head != nil {
			if l.below { // the name of the texts would look like one
				head[len(head)-1] = ""
			}
			_, _ = out.WriteString(terminal.Paint(color, terminal.Faint, l.text(head, nil)) + "\n")
			head = nil
		}
		_, _ = out.WriteString(l.text(row, t.Link) + "\n")
	}
	return out.Flush()
}

// tableLayout is how the rows of a table are laid out.
type tableLayout struct {
	columns int           // of a line; 0 for no limit
	before  []tableColumn // the text
	below   bool          // the text is below its row
	prefix  string        // of each row
	indent  string        // of a line of the text
}

// tableColumn is a column before the text.
type tableColumn struct {
	width   int
	numbers bool
}

func (t *Table) layout(columns int) *tableLayout {
	l := &tableLayout{columns: columns, prefix: t.Indent}
	longest := 0 // text
	measure := func(row []string, head bool) {
		last := len(row) - 1
		for i, cell := range row[:last] {
			if i == len(l.before) {
				l.before = append(l.before, tableColumn{numbers: true})
			}
			c := &l.before[i]
			c.width = max(c.width, utf8.RuneCountInString(cell))
			c.numbers = c.numbers && (head || strings.Trim(cell, "0123456789") == "")
		}
		longest = max(longest, utf8.RuneCountInString(row[last]))
	}
	if t.head != nil {
		measure(t.head, true)
	}
	for row := range t.all() {
		measure(row, false)
	}
	margin := len(t.Indent)
	for _, c := range l.before {
		margin += c.width + tableGap
	}
	l.below = columns > 0 && margin+longest > columns && margin+tableText > columns
	if l.below {
		margin = tableBelow
	}
	l.indent = strings.Repeat(" ", margin)
	return l
}

// text returns the lines of a row, without a line break at the end. link may be nil.
func (l *tableLayout) text(row []string, link func(int, string) string) string {
	var b strings.Builder
	for i, cell := range row[:len(row)-1] {
		cell = terminal.Line(cell)
		pad := strings.Repeat(" ", l.before[i].width-utf8.RuneCountInString(cell))
		switch {
		case l.before[i].numbers:
			cell, pad = pad, cell
		case link != nil:
			cell = link(i, cell)
		}
		b.WriteString(cell + pad + strings.Repeat(" ", tableGap))
	}
	line, text := b.String(), terminal.Wrap(terminal.Line(row[len(row)-1]), l.indent, l.columns)
	if text == "" || l.below {
		line = strings.TrimRight(line, " ")
	}
	switch {
	case !l.below || text == "":
		return l.prefix + line + text
	case line == "":
		return l.indent + text
	default:
		return l.prefix + line + "\n" + l.indent + text
	}
}
