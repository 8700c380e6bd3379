// Package report writes a [diff.Report].
//
//	text      for people, with colours on a terminal
//	html      one page for a browser, with filters
//	json      for programs, one object
//	jsonl     for programs, one object a line: changes, sets, and a summary
//	markdown  for a pull request: short, with the details folded
//	sarif     SARIF 2.1.0, for code hosts
//	stat      one line for each node: how many of its resources differ
//	names     the references of the changed resources
package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/manifest"
)

// Options configure the output. The zero value selects the defaults.
type Options struct {
	Color bool
	// Width is the number of columns of a terminal, or 0 if unknown.
	Width int
	// Context is the number of unchanged lines around a change of a text; 0 means 2, and
	// a negative number none.
	Context int
	// MaxLines is the number of lines of one change; 0 means 20, 60 in Markdown, or 1,000 in HTML, and a
	// negative number all, with all of each line.
	MaxLines int
	// SideBySide prints the old and the new lines of a text in two columns.
	SideBySide bool
	// MaxBytes is the size of Markdown; 0 means 60,000.
	MaxBytes int
	// Link is the address of the full report, for Markdown.
	Link string
	// Marker is part of the first line of Markdown, a comment that is not displayed, by
	// which a program finds its own comments.
	Marker string
	// Explain adds the uses of all profiles and rules to text, Markdown and stat.
	Explain bool
	// All lists the changes that mean the same to Puppet, and all of classes and defines. Explain
	// does so, too.
	All bool
	// Locator determines the paths of manifests and the links to them.
	Locator manifest.Locator
	// Alone are the words for nodes that have only an old, and only a new catalog. Empty means "only in old" and
	// "only in new".
	Alone [2]string
	// Version is the version of pcat, or "" if unknown.
	Version string
	// Time is the time of the run. The page shows its day; other formats have no time.
	// The zero value is omitted.
	Time time.Time
}

func (o Options) context() int {
	const usual = 2
	if o.Context == 0 {
		return usual
	}
	return max(o.Context, 0)
}

// alone returns the words for nodes with one catalog.
func (o Options) alone() [2]string {
	return [2]string{cmp.Or(o.Alone[0], "only in old"), cmp.Or(o.Alone[1], "only in new")}
}

// Format is a format of a report.
type Format struct {
	Name string
	// Extensions are the extensions of its files, beginning with the usual one.
	Extensions []string
	write      func(w io.Writer, r *diff.Report, o Options) error
	wire       string // the syntax of the format; see [diff.Report.Guard]
}

// Formats returns the formats.
func Formats() []Format {
	return []Format{
		{"text", []string{".txt"}, writeText, ""},
		{"html", []string{".html", ".htm"}, writeHTML, ""},
		{"json", []string{".json"}, writeJSON, "json"},
		{"jsonl", []string{".jsonl", ".ndjson"}, writeLines, "json"},
		{"markdown", []string{".md", ".markdown"}, writeMarkdown, ""},
		{"sarif", []string{".sarif", ".sarif.json"}, writeSARIF, "json"},
		{"stat", nil, writeStat, ""},
		{"names", nil, writeNames, ""},
	}
}

// errFormat reports an unknown format.
var errFormat = errors.New("unknown format")

// Write writes r in a format. The output is searched for secrets before it is written; see
// [diff.Report.Guard]. It fails for an unknown format, and with the error of the
// search or of w.
func Write(w io.Writer, format string, r *diff.Report, o Options) error {
	for _, f := range Formats() {
		switch {
		case f.Name != format:
		case f.Name == "html": // its style and script are no texts of catalogs
			return f.write(w, r, o)
		default:
			g := r.Guard(w, f.wire, func() []byte {
				var own bytes.Buffer
				_ = f.write(&own, blank(r), o) // the buffer accepts all
				return own.Bytes()
			})
			return cmp.Or(f.write(g, r, o), g.Close())
		}
	}
	return fmt.Errorf("%w %q", errFormat, format)
}
