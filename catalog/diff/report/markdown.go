package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/terminal"
)

// maxMarkdown leaves room below the 65,536 characters that GitHub accepts.
const maxMarkdown = 60000

// The numbers of lines of a change, if the details would be too long with more.
const (
	fewLines    = 20
	fewestLines = 5
)

// writeMarkdown writes a table of the sets, and the changes of each, folded. If that is
// larger than the limit, first the changes are shortened, then the details of the last
// sets are left out, and then rows of the table.
func writeMarkdown(w io.Writer, r *diff.Report, o Options) error {
	most := o.MaxBytes
	if most == 0 {
		most = maxMarkdown
	}
	o.Color, o.SideBySide, o.Width = false, false, 120
	o.MaxLines = cmp.Or(o.MaxLines, markdownLines)
	m := markdown{report: r, text: newText(r, o), locator: o.Locator}
	m.text.locator.SourceURL = "" // a block of code has no links: they follow it
	begin, end := m.begin(o), m.end(o)
	if len(begin)+len(end) > most {
		end = link(o)
	}
	const notes = 200 // for the sentences about parts that are left out
	most -= len(begin) + len(end) + notes
	table := m.table(most)
	most -= len(table)
	details, complete := m.details(most)
	for _, lines := range []int{fewLines, fewestLines} {
		if complete {
			break
		}
		if m.text.maxLines <= 0 || m.text.maxLines > lines {
			m.text.maxLines, m.text.context = lines, min(m.text.context, 1)
			details, complete = m.details(most)
		}
	}
	_, err := io.WriteString(w, begin+table+details+end)
	return err
}

// markdown writes the parts of a comment.
type markdown struct {
	report  *diff.Report
	text    *text
	locator manifest.Locator
}

func (m *markdown) begin(o Options) string {
	id := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._/", r) {
			return r
		}
		return '_'
	}, o.Marker)
	if id != "" {
		id = ":" + id
	}
	return fmt.Sprintf("<!-- pcat-diff%s -->\n### Catalog diff: %s\n\n", id, headline(m.report))
}

// end returns the nodes without changes, the numbers of ignored changes, and the link.
func (m *markdown) end(o Options) string {
	m.text.out.Reset()
	m.text.summary()
	var b strings.Builder
	for line := range strings.Lines(m.text.out.String()) {
		b.WriteString("> " + escape(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String() + link(o)
}

func link(o Options) string {
	if o.Link == "" {
		return ""
	}
	return "\nFull report: <" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "", " ", "%20").Replace(terminal.Line(o.Link)) + ">\n"
}

// table returns as many rows as have room.
func (m *markdown) table(most int) string {
	r := m.report
	if len(r.Sets) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| nodes | changes | rank | would refresh |\n|---|---|---|---|\n")
	for i := range r.Sets {
		s := &r.Sets[i]
		changes := m.text.changes(s)
		row := fmt.Sprintf("| %s | %s | %s | %s |\n", escape(setName(r, s)), outcome(changes), s.Rank, escape(strings.TrimPrefix(consequences(changes), "would refresh ")))
		if b.Len()+len(row) > most {
			fmt.Fprintf(&b, "\n… and %s of nodes with other changes.\n", count(len(r.Sets)-i, "set"))
			break
		}
		b.WriteString(row)
	}
	return b.String() + "\n"
}

// details returns the folded changes of as many sets as have room, and whether these are
// all.
func (m *markdown) details(most int) (details string, complete bool) {
	r := m.report
	var b strings.Builder
	folded := 0
	for i := range r.Sets {
		s := &r.Sets[i]
		m.text.out.Reset()
		m.text.set(s)
		body := m.text.out.String()
		fence := fenceFor(body)
		one := fmt.Sprintf("<details><summary>%s</summary>\n\n%sdiff\n%s%s\n%s\n</details>\n\n", escape(setName(r, s)), fence, forDiff(body), fence, m.manifests(s))
		if b.Len()+len(one) > most {
			folded++
			continue
		}
		b.WriteString(one)
	}
	if folded > 0 {
		fmt.Fprintf(&b, "The details of %s are left out, because they are too long.\n\n", count(folded, "set"))
	}
	return b.String(), folded == 0
}

// maxManifests is the number of manifests of a set that are linked.
const maxManifests = 20

// manifests returns links to the lines of manifests that the text about a set contains, or "" if
// there are none.
func (m *markdown) manifests(s *diff.Set) string {
	var links []string
	blocks, _ := arrange(m.text.changes(s), m.text.all)
	for _, b := range blocks {
		c := b.changes[0]
		address := m.locator.URL(c.File, c.Line)
		if address == "" || b.line || len(b.others) > 0 {
			continue
		}
		link := "[" + escape(m.locator.Line(c.File, c.Line)) + "](<" + terminal.Line(address) + ">)"
		if !slices.Contains(links, link) {
			links = append(links, link)
		}
	}
	if len(links) == 0 {
		return ""
	}
	more := ""
	if n := len(links) - maxManifests; n > 0 {
		links, more = links[:maxManifests], fmt.Sprintf(" and %d more", n)
	}
	return "\nDeclared in " + strings.Join(links, ", ") + more + "\n"
}

// headline counts the nodes, and the changes of each rank.
func headline(r *diff.Report) string {
	if r.Equal() {
		return "no differences"
	}
	failed := ""
	if len(r.Failed) > 0 {
		failed = count(len(r.Failed), "node") + " failed"
	}
	switch {
	case len(r.Changes) > 0 && failed != "":
		failed += ", "
	case failed != "":
		return failed
	case len(r.Changes) == 0:
		return "nodes with one catalog only"
	}
	counts := make(map[diff.Rank]int)
	for i := range r.Changes {
		counts[r.Changes[i].Rank]++
	}
	var ranks []string
	for rank := diff.RankDanger; ; rank-- {
		if n := counts[rank]; n > 0 {
			ranks = append(ranks, fmt.Sprintf("%d %s", n, rank))
		}
		if rank == diff.RankInfo {
			break
		}
	}
	text := failed + fmt.Sprintf("%s in %s", count(len(r.Changes), "change"), count(len(r.Changed), "node"))
	if len(ranks) == 0 {
		return text
	}
	return text + ": " + strings.Join(ranks, ", ")
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
