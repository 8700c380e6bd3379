package detect

import (
	"iter"
	"strings"
)

// The knowledge about tokens, programs and files is in the tables of the folder knowledge.
// The header of each table describes its columns. The last two columns of a row are a
// sample and a similar text without a secret; a test checks both.

// rows returns an iterator over the first n columns of each row of a table. Columns are
// separated by a tab or at least two blanks; `-` is an empty column. A column that begins
// with `#` starts a comment.
func rows(text string, n int) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(text) {
			columns := make([]string, n)
			for i := 0; i < n && line != "" && line[0] != '#' && line[0] != '\n'; i++ {
				if columns[i], line = cutColumn(line); columns[i] == "-" {
					columns[i] = ""
				}
			}
			if columns[0] != "" && !yield(columns) {
				return
			}
		}
	}
}

// cutColumn splits a line after its first column.
func cutColumn(line string) (column, rest string) {
	end := 0
	for end+1 < len(line) && line[end] != '\t' && line[end] != '\n' && (line[end] != ' ' || line[end+1] > ' ') {
		end++
	}
	column = line[:end]
	for end < len(line) && (line[end] == ' ' || line[end] == '\t') {
		end++
	}
	return column, line[end:]
}
