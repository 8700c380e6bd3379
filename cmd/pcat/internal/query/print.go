package query

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"text/tabwriter"

	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/tally"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// answers prints or counts the matches in one input.
type answers interface {
	// collects reports whether the matches are printed at the end, with the names of nodes.
	// Match writes their text only for the search for secrets.
	collects() bool
	// match takes a match.
	match(ctx context.Context, asked *questions, m *query.Match, w io.Writer) error
	// end is called after all matches, if nothing failed.
	end(out io.Writer) error
	// found returns the number of matches.
	found() int
}

// printer prints the answers of all inputs.
type printer struct {
	opts    *Options
	several bool // inputs
	total   bool
	columns []string // of CSV
	presets bool     // there are several

	order   map[string]int // of the inputs
	failing language.AllFailures

	count  atomic.Int64 // with --count
	totals tally.Tally[result]
	groups tally.Tally[string] // with --by
	equal  equalValues         // with --group-by
}

// result is a resource, with a preset and a value unless they are empty.
type result struct{ Resource, Preset, Value string }

// line returns the text of a result in a total.
func (r result) line() string {
	return strings.Join(slices.DeleteFunc([]string{r.Resource, r.Preset, r.Value}, func(text string) bool { return text == "" }), ": ")
}

func (opts *Options) printer(sources []cli.Source, asked *questions) *printer {
	p := &printer{opts: opts, several: len(sources) > 1, presets: asked.presets > 1}
	p.total = opts.Totals.Totals(sources, opts.JSON || opts.Raw || opts.CSV != "")
	p.order = make(map[string]int, len(sources))
	for i, src := range sources {
		p.order[src.Name] = i
	}
	if asked.columns != nil {
		p.columns = asked.columns.Names()
	}
	return p
}

// text returns the text of a value on one line.
func (p *printer) text(v pcore.Value) (string, error) {
	return (&document.PrintFlags{ShowSecrets: p.opts.ShowSecrets}).Text(v)
}

// begin prints the heading of a table.
func (p *printer) begin(out io.Writer) error {
	if p.opts.CSV == "" {
		return nil
	}
	return writeRow(out, p.columns)
}

func writeRow(out io.Writer, cells []string) error {
	row := make([]string, len(cells))
	for i, text := range cells {
		row[i] = terminal.Cell(text)
	}
	w := csv.NewWriter(out)
	if err := w.Write(row); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// input returns the answers of one input.
func (p *printer) input(file string) answers {
	one := &input{printer: p, file: file}
	switch {
	case p.opts.CSV != "":
		return &rows{one}
	case p.opts.GroupBy != "":
		return &matching{one, map[string]map[nodeResource]bool{}}
	case p.opts.By != "":
		return &grouping{one, map[[2]string]int{}}
	case p.opts.Count:
		return &counting{one}
	case p.total:
		return &totalling{one, map[nodeResult]int{}}
	default:
		return &listing{one}
	}
}

// end prints the results of all inputs together.
func (p *printer) end(out io.Writer) error {
	switch {
	case p.opts.GroupBy != "":
		return p.writeEqual(out)
	case p.opts.By != "":
		return p.writeGroups(out)
	case p.opts.Count && p.opts.JSON && p.total:
		return p.encode(out, struct {
			Count int64 `json:"count"`
		}{p.count.Load()})
	case p.opts.Count && p.opts.JSON:
		return nil
	case p.opts.Count && p.several && !p.total:
		_, err := fmt.Fprintf(out, "total: %d\n", p.count.Load())
		return err
	case p.opts.Count:
		_, err := fmt.Fprintln(out, p.count.Load())
		return err
	case p.total:
		return p.writeTotals(out)
	}
	return nil
}

func (p *printer) encode(out io.Writer, v any) error {
	enc := json.NewEncoder(terminal.JSONWriter(out))
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// input is what the answers of one input have in common.
type input struct {
	*printer
	file    string
	matches int
}

func (in *input) collects() bool      { return false }
func (in *input) end(io.Writer) error { return nil }
func (in *input) found() int          { return in.matches }

// node returns the name of the node of a match.
func (in *input) node(m *query.Match) string { return cmp.Or(m.Node, in.file) }

// listing prints each match.
type listing struct{ *input }

func (l *listing) match(_ context.Context, _ *questions, m *query.Match, w io.Writer) error {
	l.matches++
	out := document.PrintFlags{ShowSecrets: l.opts.ShowSecrets, Raw: l.opts.Raw}
	picked, _ := query.Selects(m.Value)
	if l.opts.JSON {
		return l.json(w, out, m, picked)
	}
	place := m.Ref().String()
	if l.several {
		place = l.file + ": " + place
	}
	if l.presets {
		place += ": " + m.Preset
	}
	place = terminal.Line(place)
	switch {
	case picked:
		_, err := fmt.Fprintln(w, place)
		return err
	case !l.opts.Raw:
		if _, err := fmt.Fprint(w, place, ": "); err != nil {
			return err
		}
	}
	return out.Print(w, m.Value)
}

func (l *listing) json(w io.Writer, out document.PrintFlags, m *query.Match, picked bool) error {
	v := m.Value
	if picked {
		masked := m.Resource.Resource
		whole, err := masked.RevealValue() //nolint:forbidigo // masked before, unless --show-secrets
		if err != nil {
			return err
		}
		v = whole
	}
	out.To, out.Raw = "rich-json", false
	entries := []pcore.Entry{
		{Key: pcore.String("file"), Value: pcore.String(l.file)},
		{Key: pcore.String("resource"), Value: pcore.String(m.Ref().String())},
	}
	if m.Preset != "" {
		entries = append(entries, pcore.Entry{Key: pcore.String("preset"), Value: pcore.String(m.Preset)})
	}
	return out.Print(w, pcore.NewHash(append(entries, pcore.Entry{Key: pcore.String("value"), Value: v})...))
}

// rows prints a row for each match.
type rows struct{ *input }

func (r *rows) match(ctx context.Context, asked *questions, m *query.Match, w io.Writer) error {
	values, err := asked.columns.Row(ctx, m.Resource)
	if err != nil {
		return err
	}
	cells := make([]string, len(values))
	for i, v := range values {
		if _, undef := v.(pcore.Undef); undef {
			continue
		}
		if cells[i], err = r.text(v); err != nil {
			return err
		}
	}
	r.matches++
	return writeRow(w, cells)
}

// counting counts the matches.
type counting struct{ *input }

func (c *counting) match(context.Context, *questions, *query.Match, io.Writer) error {
	c.matches++
	return nil
}

func (c *counting) end(out io.Writer) error {
	c.count.Add(int64(c.matches))
	switch {
	case c.total:
		return nil
	case c.opts.JSON:
		return c.encode(out, struct {
			File  string `json:"file"`
			Count int    `json:"count"`
		}{c.file, c.matches})
	case c.several:
		_, err := io.WriteString(out, terminal.Sprintf("%s: %d\n", c.file, c.matches))
		return err
	}
	return nil
}

// grouping counts the matches by a key.
type grouping struct {
	*input
	counts map[[2]string]int // by node and key
}

func (g *grouping) collects() bool { return true }

func (g *grouping) match(ctx context.Context, asked *questions, m *query.Match, w io.Writer) error {
	v, err := asked.by.Ask(ctx, m.Resource)
	if err != nil {
		return err
	}
	key, err := g.text(v)
	if err != nil {
		return err
	}
	g.matches++
	node := g.node(m)
	if g.opts.By == "node" && m.Node == "" {
		key = terminal.Line(node)
	}
	g.counts[[2]string{node, key}]++
	_, err = fmt.Fprintln(w, node+"\n"+key)
	return err
}

func (g *grouping) end(io.Writer) error {
	for key, n := range g.counts {
		g.groups.Add(key[0], key[1], n)
	}
	return nil
}

// writeGroups prints a table of the groups, largest first.
func (p *printer) writeGroups(out io.Writer) error {
	groups := p.groups.Groups(0, strings.Compare)
	if p.opts.JSON {
		for _, g := range groups {
			if err := p.encode(out, struct {
				Key   string `json:"key"`
				Count int    `json:"count"`
				Nodes int    `json:"nodes"`
			}{g.Key, g.Count, g.Nodes}); err != nil {
				return err
			}
		}
		return nil
	}
	if len(groups) == 0 {
		return nil
	}
	nodes := p.groups.Nodes() > 1 && p.opts.By != "node"
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(count, onNodes any, key string) {
		if nodes {
			_, _ = fmt.Fprintf(w, "%v\t%v\t%s\n", count, onNodes, key) // errors persist until Flush
			return
		}
		_, _ = fmt.Fprintf(w, "%v\t%s\n", count, key)
	}
	heading := terminal.Line(strings.ToUpper(p.opts.By))
	if byExpression(p.opts.By) == p.opts.By {
		heading = terminal.Line(p.opts.By)
	}
	line("RESOURCES", "NODES", heading)
	for _, g := range groups {
		key := g.Key
		if key == "" {
			key = "''"
		}
		line(g.Count, g.Nodes, key)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return p.writeNote(out, slices.ContainsFunc(groups, func(g tally.Group[string]) bool { return g.Nodes > 1 && document.IsMasked(g.Key) }))
}

// writeNote ends a table in which masked secrets of several inputs may hide differences.
func (p *printer) writeNote(out io.Writer, masked bool) error {
	if !masked || !p.several || p.opts.ShowSecrets {
		return nil
	}
	_, err := fmt.Fprintln(out, document.NotCompared)
	return err
}

// totalling counts equal matches on different nodes.
type totalling struct {
	*input
	counts map[nodeResult]int
}

type nodeResult struct {
	node string
	result
}

func (t *totalling) collects() bool { return true }

func (t *totalling) match(_ context.Context, _ *questions, m *query.Match, w io.Writer) error {
	r := nodeResult{t.node(m), result{Resource: m.Ref().String()}}
	if t.presets {
		r.Preset = m.Preset
	}
	if picked, _ := query.Selects(m.Value); !picked {
		// Quotes distinguish texts from other values.
		v, err := t.text(pcore.NewArray(m.Value))
		if err != nil {
			return err
		}
		r.Value = v[1 : len(v)-1]
	}
	t.matches++
	t.counts[r]++
	_, err := io.WriteString(w, r.node+"\n"+terminal.Line(r.line())+"\n")
	return err
}

func (t *totalling) end(io.Writer) error {
	for r, n := range t.counts {
		t.totals.Add(r.node, r.result, n)
	}
	return nil
}

// examples is the maximum number of nodes that are named.
const examples = 3

// writeTotals prints a table of the results by preset, on most nodes first.
func (p *printer) writeTotals(out io.Writer) error {
	groups := p.totals.Groups(examples, func(a, b result) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Preset, b.Preset), cmp.Compare(a.Value, b.Value))
	})
	slices.SortStableFunc(groups, func(a, b tally.Group[result]) int { return cmp.Compare(a.Key.Preset, b.Key.Preset) })
	if p.opts.JSON {
		for _, g := range groups {
			if err := p.encode(out, struct {
				Resource string   `json:"resource"`
				Preset   string   `json:"preset,omitempty"`
				Value    string   `json:"value,omitempty"`
				Count    int      `json:"count"`
				Nodes    int      `json:"nodes"`
				Examples []string `json:"examples"`
			}{g.Key.Resource, g.Key.Preset, g.Key.Value, g.Count, g.Nodes, g.Examples}); err != nil {
				return err
			}
		}
		return nil
	}
	if len(groups) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(w, "NODES\tRESOURCE\n") // errors persist until Flush
	for _, g := range groups {
		line := g.Key.line()
		if g.Nodes <= examples {
			line += "  (" + strings.Join(g.Examples, ", ") + ")"
		}
		_, _ = io.WriteString(w, terminal.Sprintf("%d\t%s\n", g.Nodes, line))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, terminal.Sprintf("\n%s on %s, %d different; --each prints each\n",
		document.Counted(p.totals.Count(), "resource"), document.Counted(p.totals.Nodes(), "node"), len(groups)))
	if err != nil {
		return err
	}
	return p.writeNote(out, slices.ContainsFunc(groups, func(g tally.Group[result]) bool { return g.Nodes > 1 && document.IsMasked(g.Key.line()) }))
}

// list prints the presets.
func (opts *Options) list(presets []query.Preset) error {
	out := opts.Streams.Out
	if !opts.JSON {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, p := range presets {
			_, _ = io.WriteString(w, terminal.Sprintf("%s\t%s\n", p.Name, cmp.Or(p.Doc, p.Expression))) // errors persist until Flush
		}
		return w.Flush()
	}
	enc := json.NewEncoder(terminal.JSONWriter(out))
	enc.SetEscapeHTML(false)
	for _, p := range presets {
		if err := enc.Encode(struct {
			Name       string `json:"name"`
			Doc        string `json:"doc,omitempty"`
			Expression string `json:"expression"`
		}{p.Name, p.Doc, p.Expression}); err != nil {
			return err
		}
	}
	return nil
}
