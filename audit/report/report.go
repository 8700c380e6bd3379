package report

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog/manifest"
)

// Options are the options for writing a report.
type Options struct {
	// Color enables colors, for a terminal.
	Color bool
	// Version is the version of pcat in SemVer notation, or "" if unknown.
	Version string
	// Time is the time of the run. The HTML page shows its day; other formats
	// have no time. The zero value is omitted.
	Time time.Time
	// ShowSecrets shows the secrets in plain text, if the findings contain
	// them. Use it for people only, on a terminal.
	ShowSecrets bool
	// Locator determines the paths of manifests and the links to them.
	Locator manifest.Locator
	// All lifts the limits of the text report.
	All bool
	// Width is the number of columns of the terminal, or 0 to keep long lines.
	Width int
	// Catalogs makes text and the page for a browser list catalogs by the names of the inputs,
	// in place of nodes.
	Catalogs bool
}

// node returns the name by which a finding is listed.
func (o *Options) node(f *audit.Finding) string {
	if o.Catalogs {
		return f.Catalog
	}
	return f.NodeName()
}

// errShow reports that a format of report never shows secrets.
var errShow = errors.New("secrets can be shown only in text")

// errFormat reports an unknown format.
var errFormat = errors.New("unknown format of report")

// Format is a format of a report.
//
// After a comparison with an earlier run, a report that its readers keep as a record
// contains all findings, with their states; the others contain only new findings.
type Format struct {
	Name, Doc string
	// Keeps indicates that a report contains known findings, too.
	Keeps bool
	// Extensions are the extensions of its files, beginning with the usual one.
	Extensions []string
	write      func(b output, r *audit.Report, o Options) error
}

// Formats returns the available formats.
func Formats() []Format {
	return []Format{
		{"text", "for reading", false, []string{".txt"}, writeTextAndCounts},
		{"html", "one page for a browser, with filters", false, []string{".html", ".htm"}, fresh(writeHTML)},
		{"json", "one JSON document", true, []string{".json"}, writeJSON},
		{"jsonl", "one line of JSON for each finding", true, []string{".jsonl", ".ndjson"}, writeLines},
		{"sarif", "SARIF 2.1.0, for code hosts", true, []string{".sarif", ".sarif.json"}, writeSARIF},
		{"junit", "JUnit XML, for continuous integration", false, []string{".xml"}, fresh(writeJUnit)},
		{"csv", "a table", true, []string{".csv"}, writeCSV},
		{"github", "annotations for GitHub workflows", false, nil, fresh(writeGitHub)},
		{"hiera", "lookup_options of Hiera that make class parameters Sensitive", true, []string{".hiera.yaml"}, writeHiera},
	}
}

// output is the destination of a report. An error persists until it is flushed.
type output struct{ *bufio.Writer }

func (o output) print(s string) { _, _ = o.WriteString(s) }

func (o output) printf(format string, args ...any) { _, _ = fmt.Fprintf(o, format, args...) }

// Write writes r in the named format. It fails for an unknown format, for a
// format that cannot show secrets if it should, with [audit.ErrSecret], and with
// an error of w. Unless
// o.ShowSecrets is set, nothing is written before the whole output has been
// searched for secrets.
func Write(w io.Writer, name string, r *audit.Report, o Options) error {
	var names []string
	for _, f := range Formats() {
		if f.Name != name {
			names = append(names, f.Name)
			continue
		}
		switch {
		case !o.ShowSecrets:
			return f.checked(w, r, o)
		case f.Name != "text":
			return fmt.Errorf("%s: %w", name, errShow)
		}
		return f.to(w, r, o)
	}
	return fmt.Errorf("%q: %w; use one of %s", name, errFormat, strings.Join(names, ", "))
}

// to writes r to w.
func (f *Format) to(w io.Writer, r *audit.Report, o Options) error {
	b := output{bufio.NewWriterSize(w, 64<<10)}
	return cmp.Or(f.write(b, r, o), b.Flush())
}

// checked writes r to w if the output contains no secret. If adjacent texts
// form a secret, it withholds some of them. An output that is too large for
// memory is generated twice: once for the search, and once for writing.
func (f *Format) checked(w io.Writer, r *audit.Report, o Options) error {
	var held holder
	err := f.through(&held, r, o)
	if errors.Is(err, audit.ErrSecret) {
		r = r.Withhold(func(r *audit.Report) bool { return f.through(io.Discard, r, o) != nil })
		held = holder{}
		err = f.through(&held, r, o)
	}
	if err != nil {
		return err
	}
	if !held.full {
		_, err := w.Write(held.Bytes())
		return err
	}
	return f.through(w, r, o)
}

// through writes r to w and searches each piece before it is passed on.
func (f *Format) through(w io.Writer, r *audit.Report, o Options) error {
	c := r.Checker(w, func(w io.Writer) error { return f.to(w, r.Frame(), o) })
	return cmp.Or(f.to(c, r, o), c.Close())
}

// holder holds the data written to it, unless it is large.
type holder struct {
	bytes.Buffer
	full bool
}

const maxHeld = 1 << 20

func (h *holder) Write(p []byte) (int, error) {
	if h.full = h.full || h.Len()+len(p) > maxHeld; h.full {
		h.Reset()
		return len(p), nil
	}
	return h.Buffer.Write(p)
}
