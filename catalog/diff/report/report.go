// Package report writes a [diff.Report].
//
//	text      for people, with colours on a terminal
//	json      for programs, one object
//	jsonl     for programs, one object a line: changes, sets, and a summary
//	markdown  for a pull request: short, with the details folded
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
}

// Formats returns the names of the formats.
func Formats() []string { return []string{"text", "json", "jsonl", "markdown"} }

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
	default:
		return fmt.Errorf("unknown format %q", format)
	}
}
