// Package knowledge has the tables of what is known about secrets: the tokens of providers,
// the options of programs, directives, files, webhooks and default passwords,
// and the settings that repair a configuration. The header of
// each table describes its columns. The last two columns of most tables are a sample and a
// similar text without a secret; a test of package detect checks both.
package knowledge

import (
	_ "embed" // for the tables
	"iter"
	"strings"
)

// Table is a table of this folder.
type Table uint8

// The tables.
const (
	Defaults   Table = iota // default passwords of products
	Directives              // directives of configuration files
	Files                   // files, by their path
	Fixes                   // settings that repair a configuration, by its path
	Programs                // options and arguments of programs
	Tokens                  // tokens of providers
	Webhooks                // URLs whose path is a secret
)

var (
	//go:embed defaults.txt
	defaults string
	//go:embed directives.txt
	directives string
	//go:embed files.txt
	files string
	//go:embed fixes.txt
	fixes string
	//go:embed programs.txt
	programs string
	//go:embed tokens.txt
	tokens string
	//go:embed webhooks.txt
	webhooks string
)

// Rows returns an iterator over the first n columns of each row.
func (t Table) Rows(n int) iter.Seq[[]string] {
	return rows([]string{defaults, directives, files, fixes, programs, tokens, webhooks}[t], n)
}

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
