package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit"
)

// Options are the choices of how a report is written.
type Options struct {
	// Color allows the text to be coloured, for a terminal.
	Color bool
	// Version is that of pcat, as SemVer writes it; empty when it is not told.
	Version string
	// ShowSecrets asks for what was found in clear, as far as the findings
	// keep it: for people, and nowhere but on a terminal.
	ShowSecrets bool
}

// ErrShow tells that a form of report never shows secrets.
var ErrShow = errors.New("only text shows secrets")

// ErrFormat tells that a form of report is not known.
var ErrFormat = errors.New("not a form of report")

// Format is a form of report.
type Format struct {
	Name, Doc string
	append    func(b *bytes.Buffer, r *audit.Report, o Options) error
}

// Formats returns the forms of report there are.
func Formats() []Format {
	return []Format{
		{"text", "for people", appendText},
		{"html", "one page for a browser, with filters", appendHTML},
		{"json", "one JSON document", appendJSON},
		{"jsonl", "one JSON object a line for each finding", appendLines},
		{"sarif", "SARIF 2.1.0, for code hosts", appendSARIF},
		{"junit", "XML as of JUnit, for continuous integration", appendJUnit},
		{"csv", "a table", appendCSV},
		{"github", "annotations of GitHub's workflows", appendGitHub},
	}
}

// Write writes r in the form of that name. The error is [ErrFormat] with the
// names there are, [ErrShow], [audit.ErrSecret], or that of w.
func Write(w io.Writer, name string, r *audit.Report, o Options) error {
	var names []string
	for _, f := range Formats() {
		if f.Name != name {
			names = append(names, f.Name)
			continue
		}
		if o.ShowSecrets && f.Name != "text" {
			return fmt.Errorf("%s: %w", name, ErrShow)
		}
		var b bytes.Buffer
		if err := f.append(&b, r, o); err != nil {
			return err
		}
		if o.ShowSecrets {
			_, err := w.Write(b.Bytes())
			return err
		}
		frame := func() ([]byte, error) {
			var b bytes.Buffer
			err := f.append(&b, r.Frame(), o)
			return b.Bytes(), err
		}
		if err := r.Check(b.Bytes(), frame); err != nil {
			return err
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	return fmt.Errorf("%q is %w; use one of %s", name, ErrFormat, strings.Join(names, ", "))
}
