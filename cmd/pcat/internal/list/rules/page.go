package rules

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/terminal"
)

// shown is how many samples of each kind a page has.
const shown = 6

// writePages explains rules, one page after the other.
func writePages(s *cli.IOStreams, rules []*rule.Rule, all bool) error {
	width := maxWidth
	if columns := s.Columns(s.Out); columns > 0 {
		width = min(width, columns)
	}
	var out bytes.Buffer
	for i, r := range rules {
		if i > 0 {
			out.WriteByte('\n')
		}
		page(&out, r, all, width)
	}
	_, err := io.WriteString(s.Out, s.Fit(out.String()))
	return err
}

func page(w *bytes.Buffer, r *rule.Rule, all bool, width int) {
	w.WriteString(terminal.Sprintf("%s: %s\n", r.ID, r.Title))
	fmt.Fprintf(w, "%s, %s", r.Severity, r.Class)
	if r.CWE > 0 {
		fmt.Fprintf(w, ", CWE-%d", r.CWE)
	}
	w.WriteByte('\n')
	fmt.Fprintf(w, "\n%s\n", wrap(r.Doc, width))
	fmt.Fprintf(w, "\nRemedy\n%s\n", wrap(r.Remedy, width))
	code(w, "Wrong", r.Wrong)
	code(w, "Right", r.Right)
	samples(w, "Detected, between « and »", r.Catch, all)
	samples(w, "Not detected", r.Ignore, all)
	if len(r.Catch)+len(r.Ignore) > 0 {
		fmt.Fprintf(w, "\n%s\n", wrap(notation, width))
	}
}

const notation = "In samples, the path of a parameter follows the resource, and ends with ! if the parameter is Sensitive; " +
	"{alnum:12} represents 12 random characters of that kind; ;; separates resources, and ;;; catalogs."

// code writes Puppet code, if there is any.
func code(w *bytes.Buffer, title, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for line := range strings.Lines(text) {
		if line != "\n" {
			w.WriteString("  ")
		}
		w.WriteString(terminal.Sprintf("%s\n", strings.TrimSuffix(line, "\n")))
	}
}

func samples(w *bytes.Buffer, title string, list []string, all bool) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	few := list
	if !all && len(list) > shown {
		few = list[:shown]
	}
	for _, s := range few {
		w.WriteString(terminal.Sprintf("  %s\n", s))
	}
	if n := len(list) - len(few); n > 0 {
		fmt.Fprintf(w, "  and %d more (--all shows them)\n", n)
	}
}

// maxWidth is the maximum width of the text, in characters.
const maxWidth = 96

// wrap breaks a text into indented lines.
func wrap(text string, width int) string {
	const indent = "  "
	return indent + terminal.Wrap(terminal.Line(text), indent, width)
}
