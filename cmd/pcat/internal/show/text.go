package show

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// layout lays out resources as text.
type layout struct {
	columns     int
	all         bool // nothing is cut
	showSecrets bool
	locator     manifest.Locator
	paint       func(color, text string) string
}

// defaultColumns is the width of text that is not printed to a terminal.
const defaultColumns = 80

// The colours of ECMA-48.
const (
	bold   = terminal.Bold
	faint  = terminal.Faint
	red    = terminal.Red
	yellow = terminal.Yellow
)

func newLayout(opts *Options) layout {
	l := layout{columns: opts.Streams.Columns(opts.Streams.Out), all: opts.All, showSecrets: opts.Read.ShowsSecrets(), locator: opts.Location.Locator(opts.Streams, &opts.Read, !opts.JSON.Given())}
	if l.columns < 40 {
		l.columns = defaultColumns
	}
	color := opts.Streams.Color()
	l.paint = func(style, text string) string { return terminal.Paint(color, style, text) }
	return l
}

const (
	margin    = "  "
	labelSize = 11 // of the facts about a resource
	maxRefs   = 20 // references in a list that is cut
)

// resource returns the text of a resource, or of a location in it, which has the value v.
func (l *layout) resource(f *locate.Found, v pcore.Value) string {
	var b strings.Builder
	r := f.Resource
	at := r.Ref().String()
	if v != nil {
		at += "/" + strings.Join(f.Path, "/")
	}
	b.WriteString(l.paint(bold, terminal.Line(at)) + "\n")
	if at := l.locator.Text(r.File(), r.Line()); at != "" {
		l.fact(&b, "declared", l.locator.Hyperlink(at, r.File(), r.Line()))
	}
	if len(f.Containers) > 0 {
		up := slices.Clone(f.Containers)
		slices.Reverse(up)
		l.facts(&b, "container", refTexts(up), " > ")
	}
	if v != nil {
		whole := *l
		whole.all = true
		whole.value(&b, margin, "value", labelSize, v)
		return b.String()
	}
	if r.Exported() {
		l.fact(&b, "exported", "for other nodes")
	}
	if tags := r.Tags(); len(tags) > 0 {
		l.facts(&b, "tags", lines(tags), ", ")
	}
	l.parameters(&b, r)
	l.relations(&b, f)
	if n := len(f.Contents); n > 0 {
		l.section(&b, fmt.Sprintf("contains %d", n))
		for _, ref := range l.cut(refTexts(f.Contents)) {
			b.WriteString(margin + margin + ref + "\n")
		}
	}
	return b.String()
}

// nodes returns the line with the nodes of a group, of so many catalogs.
func (l *layout) nodes(g *group, catalogs int) string {
	names := lines(g.names())
	var b strings.Builder
	const few = 8
	if len(names) > few && !l.all {
		names = append(names[:few:few], fmt.Sprintf("and %d more", len(names)-few))
	}
	note := ""
	if len(g.nodes) > 1 && !l.showSecrets && document.IsMasked(g.title+"\n"+g.body.Value()) {
		note = " (secrets are not compared)"
	}
	names[0] = fmt.Sprintf("%d of %d%s: %s", len(g.nodes), catalogs, note, names[0])
	l.facts(&b, "nodes", names, ", ")
	return b.String()
}

func (l *layout) fact(b *strings.Builder, label, text string) {
	b.WriteString(margin + l.paint(faint, fmt.Sprintf("%-*s", labelSize, label)) + text + "\n")
}

// facts writes words, wrapped between them.
func (l *layout) facts(b *strings.Builder, label string, words []string, separator string) {
	indent := strings.Repeat(" ", len(margin)+labelSize)
	var text strings.Builder
	at := len(indent)
	for i, word := range words {
		if i < len(words)-1 {
			word += strings.TrimRight(separator, " ")
		}
		size := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+size > l.columns:
			text.WriteString("\n" + indent)
			at = len(indent)
		default:
			text.WriteByte(' ')
			at++
		}
		text.WriteString(word)
		at += size
	}
	l.fact(b, label, text.String())
}

func (l *layout) section(b *strings.Builder, name string) {
	b.WriteString("\n" + margin + l.paint(faint, name) + "\n")
}

func (l *layout) parameters(b *strings.Builder, r *catalog.Resource) {
	names := r.ParameterNames()
	if len(names) == 0 {
		return
	}
	l.section(b, "parameters")
	width := 0
	for _, name := range names {
		width = max(width, utf8.RuneCountInString(terminal.Line(name)))
	}
	width = min(width, maxLabel) + len(margin)
	for _, name := range names {
		v, _, err := r.Parameter(name)
		if err != nil {
			b.WriteString(margin + margin + terminal.Line(name) + margin + l.paint(red, "cannot be decoded: "+terminal.Line(err.Error())) + "\n")
			continue
		}
		l.value(b, margin+margin, name, width, v)
	}
}

// maxLabel is the maximum width of the column with the names of parameters.
const maxLabel = 24

func (l *layout) relations(b *strings.Builder, f *locate.Found) {
	if len(f.Relations) == 0 {
		return
	}
	l.section(b, "relations")
	var rows []string
	for _, rel := range f.Relations {
		text := fmt.Sprintf("%-*s%s", len(locate.NotifiedBy)+2, rel.Kind, terminal.Line(rel.Ref.String()))
		if by := l.by(f.Resource.Ref(), rel); by != "" {
			text += l.paint(faint, "  ("+by+")")
		}
		if rel.Absent {
			text += l.paint(red, "  not in the catalog")
		}
		rows = append(rows, text)
	}
	for _, row := range l.cut(rows) {
		b.WriteString(margin + margin + row + "\n")
	}
}

// by returns the parameters that state a relation.
func (l *layout) by(own catalog.Ref, rel locate.Relation) string {
	var names []string
	for _, at := range rel.By {
		name := catalog.Location{Path: at.Path}.String()
		if at.Ref != own {
			name = "its " + name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return terminal.Line(strings.Join(names, ", "))
}

// cut returns the first lines of a long list, and the number of others.
func (l *layout) cut(rows []string) []string {
	if l.all || len(rows) <= maxRefs+1 {
		return rows
	}
	return append(rows[:maxRefs:maxRefs], l.paint(faint, fmt.Sprintf("… and %d more; --all lists them", len(rows)-maxRefs)))
}

func refTexts(refs []catalog.Ref) []string {
	texts := make([]string, len(refs))
	for i, ref := range refs {
		texts[i] = terminal.Line(ref.String())
	}
	return texts
}

// lines returns words without hidden characters.
func lines(words []string) []string {
	clean := make([]string, len(words))
	for i, word := range words {
		clean[i] = terminal.Line(word)
	}
	return clean
}
