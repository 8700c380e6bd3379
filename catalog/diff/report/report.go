// Package report writes a [diff.Report].
//
//	text      for people, with colours on a terminal
//	json      for programs, one object
//	jsonl     for programs, one object a line: changes, sets, and a summary
//	markdown  for a pull request: short, with the details folded
//	stat      one line for each node: how many of its resources differ
//	names     the references of the changed resources
package report

import (
	"fmt"
	"io"

	"github.com/pcatdev/pcat/catalog/diff"
)

// Options configure the output. The zero value selects the defaults.
type Options struct {
	Color bool
	// Width is the number of columns of a terminal, or 0 if unknown.
	Width int
	// Context is the number of unchanged lines around a change of a text; 0 means 3, and
	// a negative number none.
	Context int
	// MaxLines is the number of lines of one change; 0 means 60, and a negative number
	// all.
	MaxLines int
	// MaxBytes is the size of Markdown; 0 means 60,000.
	MaxBytes int
	// Explain adds the uses of all profiles and rules to text, Markdown and stat.
	Explain bool
}

// Formats returns the names of the formats.
func Formats() []string { return []string{"text", "json", "jsonl", "markdown", "stat", "names"} }

// Write writes r in a format. The error is that of w, or one about an unknown format.
func Write(w io.Writer, format string, r *diff.Report, o Options) error {
	switch format {
	case "text":
		return writeText(w, r, o)
	case "json":
		return writeJSON(w, r)
	case "jsonl":
		return writeLines(w, r)
	case "markdown":
		return writeMarkdown(w, r, o)
	case "stat":
		return writeStat(w, r, o)
	case "names":
		return writeNames(w, r)
	default:
		return fmt.Errorf("unknown format %q", format)
	}
}
