package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/terminal"
)

// maxMarkdown leaves room below the 65,536 characters that GitHub accepts.
const maxMarkdown = 60000

// writeMarkdown writes a table of the sets, and the changes of each, folded. If it would
// be larger than the limit, changes are left out, from the end.
func writeMarkdown(w io.Writer, r *diff.Report, o Options) error {
	most := o.MaxBytes
	if most == 0 {
		most = maxMarkdown
	}
	o.Color, o.Width = false, 120
	var b strings.Builder
	b.WriteString("<!-- pcat-diff -->\n")
	t := newText(r, o)
	t.summary()
	summary := t.out.String()
	fmt.Fprintf(&b, "### Catalog diff: %s\n\n", headline(r))
	if len(r.Sets) > 0 {
		b.WriteString("| nodes | changes | rank | would refresh |\n|---|---|---|---|\n")
	}
	const left = 1000 // for the notes at the end
	shown := 0
	for i := range r.Sets {
		s := &r.Sets[i]
		changes := t.changes(s)
		row := fmt.Sprintf("| %s | %s | %s | %s |\n", cell(setName(r, s)), tally(changes), s.Rank, cell(strings.TrimPrefix(consequences(changes), "would refresh ")))
		if b.Len()+len(row)+len(summary)+left > most {
			break
		}
		shown++
		b.WriteString(row)
	}
	if shown < len(r.Sets) {
		fmt.Fprintf(&b, "\n… and %s of nodes with other changes.\n", count(len(r.Sets)-shown, "set"))
	}
	b.WriteByte('\n')
	folded := 0
	for i := range r.Sets {
		s := &r.Sets[i]
		t.out.Reset()
		t.set(s)
		body := t.out.String()
		fence := fenceFor(body)
		details := fmt.Sprintf("<details><summary>%s</summary>\n\n%sdiff\n%s%s\n\n</details>\n\n", escape(setName(r, s)), fence, forDiff(body), fence)
		if b.Len()+len(details)+len(summary)+left > most {
			folded++
			continue
		}
		b.WriteString(details)
	}
	if folded > 0 {
		fmt.Fprintf(&b, "The details of %s are left out, because they are too long.\n\n", count(folded, "set"))
	}
	for line := range strings.Lines(summary) {
		b.WriteString("> " + escape(strings.TrimSuffix(line, "\n")) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// headline counts the nodes and the gravest changes.
func headline(r *diff.Report) string {
	if r.Equal() {
		return "no differences"
	}
	return fmt.Sprintf("%s, %s in %s", count(len(r.Changes), "change"), "at most "+r.Rank().String(), count(len(r.Changed), "node"))
}

// setName names a set by its nodes.
func setName(r *diff.Report, s *diff.Set) string {
	name := nodeList(s.Nodes)
	if len(s.Nodes) > 1 {
		name = count(len(s.Nodes), "node") + ": " + name
	}
	if s.Normalized {
		name += " (same but for the node's name)"
	}
	return name
}

// forDiff moves the signs of lines to their beginning, where a block of a difference
// has its colours.
func forDiff(body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		bare := strings.TrimLeft(line, " ")
		switch {
		case len(line)-len(bare) == 6 && (bare[0] == '-' || bare[0] == '+'):
			b.WriteString(bare[:1] + "     " + bare[1:])
		case strings.HasPrefix(line, "~ "), strings.HasPrefix(line, "! "):
			b.WriteString("! " + line[2:])
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// fenceFor returns a fence that does not occur in body.
func fenceFor(body string) string {
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return fence
}

// escape makes text harmless in Markdown and HTML.
func escape(s string) string {
	var b strings.Builder
	for _, r := range terminal.Line(s) {
		switch r {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '@':
			b.WriteString("&#64;") // mentions no user
		case '\\', '`', '*', '_', '[', ']', '#', '|', '~', '!':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cell makes text harmless in a table.
func cell(s string) string { return escape(s) }
