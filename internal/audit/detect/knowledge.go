package detect

import (
	"iter"
	"strings"
)

// Knowledge about tokens, programs and files is in tables of text in the folder
// knowledge. The header of each describes its columns. Its last two columns are
// a sample of each row and a similar text that is none; a test tries them.

// rows yields the first n columns of each row of a table. Columns are separated
// by a tab or two blanks, or more of them; `-` is an empty one. A column that
// begins with `#` is a comment, like all after it.
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

// cutColumn splits a line behind its first column, at the separator.
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
