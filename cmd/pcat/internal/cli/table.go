package cli

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/terminal"
)

// Table is a table for people, whose last column is text. The zero value is empty.
type Table struct {
	rows   [][]string
	headed bool // the first row has the names of the columns
}

// Head adds the first row, with the names of the columns.
func (t *Table) Head(names ...string) {
	t.Add(names...)
	t.headed = true
}

// Add adds a row. Characters that a reader cannot see are replaced.
func (t *Table) Add(cells ...string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = terminal.Line(c)
	}
	t.rows = append(t.rows, row)
}

const (
	tableGap    = 2  // blanks between columns
	tableIndent = 4  // of a text that is below its row
	tableText   = 30 // columns that a text needs beside the others
)

// Print prints the table to Out. On a terminal, the texts of the last column are wrapped;
// if the other columns leave too little room, the texts are below their rows.
func (s *IOStreams) Print(t *Table) error {
	_, err := io.WriteString(s.Out, t.text(s.Columns(s.Out)))
	return err
}

// text returns the table in lines of at most columns characters, where possible; 0 for no limit.
func (t *Table) text(columns int) string {
	widths, longest := t.widths()
	margin := 0 // of the text
	for _, w := range widths {
		margin += w
	}
	var b strings.Builder
	below := columns > 0 && margin+longest > columns && margin+tableText > columns
	indent := strings.Repeat(" ", margin)
	if below {
		indent = strings.Repeat(" ", tableIndent)
	}
	for i, row := range t.rows {
		cells, text := row[:len(row)-1], row[len(row)-1]
		var padded strings.Builder
		for k, c := range cells {
			padded.WriteString(c + strings.Repeat(" ", widths[k]-utf8.RuneCountInString(c)))
		}
		line := padded.String()
		switch {
		case !below:
			b.WriteString(line + terminal.Wrap(text, indent, columns) + "\n")
		case i == 0 && t.headed: // the name of the texts would be a text
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		default:
			if line = strings.TrimRight(line, " "); line != "" {
				b.WriteString(line + "\n")
			}
			if text != "" {
				b.WriteString(indent + terminal.Wrap(text, indent, columns) + "\n")
			}
		}
	}
	return b.String()
}

// widths returns the widths of all columns before the text, with the gaps behind them, and
// the length of the longest text.
func (t *Table) widths() (widths []int, longest int) {
	for _, row := range t.rows {
		last := len(row) - 1
		for i, c := range row[:last] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c)+tableGap)
		}
		longest = max(longest, utf8.RuneCountInString(row[last]))
	}
	return widths, longest
}
