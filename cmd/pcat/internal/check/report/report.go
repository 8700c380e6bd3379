// Package report writes the findings of package faults.
//
//	Report     the findings of several catalogs, in order
//	Result     the findings of one of them
//	Write      writes a Report in one of the Formats
//	Options    the version of the program, and colours
package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/internal/terminal"
)

// errFormat is the error for an unknown format.
var errFormat = errors.New("unknown format")

// Report contains the findings of catalogs. The zero value is empty.
type Report struct {
	Results  []Result
	Failures []Failure
}

// Result contains the findings of one catalog.
type Result struct {
	File     string // as the user named it
	Node     string
	Findings []faults.Finding
}

// Failure is an input that could not be checked.
type Failure struct {
	File    string
	Message string
}

// Options control the output. The zero value is valid.
type Options struct {
	Version string // of the program, in JSON and SARIF
	Color   bool   // of text
	Width   int    // of text; 0 for no limit
	Brief   bool   // without the path of a cycle and the messages of Puppet, in text
	// Locator determines the paths of manifests and the links to them.
	Locator manifest.Locator
}

// Formats returns the names of the formats.
func Formats() []string { return []string{"text", "json", "jsonl", "sarif"} }

// Write writes a report in the named format. It fails for an unknown format, and
// with an error of w.
func Write(w io.Writer, format string, r *Report, o Options) error {
	switch format {
	case "text":
		b := bufio.NewWriter(w)
		writeText(b, r, o)
		return b.Flush()
	case "json":
		return encode(w, documentOf(r, o))
	case "jsonl":
		return encodeLines(w, r, o)
	case "sarif":
		return encode(w, sarifOf(r, o))
	default:
		return fmt.Errorf("%q: %w; use one of %s", format, errFormat, strings.Join(Formats(), ", "))
	}
}

func encode(w io.Writer, document any) error {
	e := json.NewEncoder(terminal.JSONWriter(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document)
}

// encodeLines writes each finding and hint as a line.
func encodeLines(w io.Writer, r *Report, o Options) error {
	e := json.NewEncoder(terminal.JSONWriter(w))
	e.SetEscapeHTML(false)
	for i := range r.Results {
		for k := range r.Results[i].Findings {
			if err := e.Encode(jsonOf(&r.Results[i], &r.Results[i].Findings[k], &o.Locator)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Count returns the number of findings of a severity.
func (r *Report) Count(s faults.Severity) int {
	n := 0
	for i := range r.Results {
		for k := range r.Results[i].Findings {
			if r.Results[i].Findings[k].Severity == s {
				n++
			}
		}
	}
	return n
}
