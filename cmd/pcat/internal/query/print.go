package query

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/internal/tally"
	"github.com/pcatdev/pcat/internal/terminal"
)

// printer prints the answers of all inputs.
type printer struct {
	opts    *Options
	values  document.PrintFlags
	several bool // inputs
	total   bool
	columns []string // of a table
	presets bool     // there are several

	order   map[string]int // of the inputs
	failing language.AllFailures

	count, nodes atomic.Int64 // with --count and --missing
	tables       sync.Map     // with --table: the rows by the number of the input
	results      tally.Tally[result]
}

// result is a resource, with a preset and a value unless they are empty.
type result struct{ Resource, Preset, Value string }

// line returns the text of a result in a total.
func (r result) line() string {
	return strings.Join(slices.DeleteFunc([]string{r.Resource, r.Preset, r.Value}, func(text string) bool { return text == "" }), ": ")
}

func (r result) compare(other result) int {
	return cmp.Or(cmp.Compare(r.Resource, other.Resource), cmp.Compare(r.Preset, other.Preset), cmp.Compare(r.Value, other.Value))
}

func (opts *Options) printer(sources []cli.Source, asked *questions) *printer {
	p := &printer{opts: opts, several: len(sources) > 1, presets: asked.presets > 1, order: document.Order(sources)}
	p.values = document.PrintFlags{ShowSecrets: opts.Read.ShowsSecrets(), Raw: opts.Raw}
	p.total = opts.Totals.Totals(sources, opts.JSON.Given() || opts.Raw || opts.CSV != "")
	if asked.columns != nil {
		p.columns = asked.columns.Names()
	}
	return p
}

// end prints the results of all inputs together.
func (p *printer) end(out io.Writer) error {
	switch {
	case p.opts.Missing != "":
		return p.writeMissing(out)
	case p.opts.GroupBy != "":
		return p.writeEqual(out)
	case p.opts.By != "":
		return p.writeGroups(out)
	case p.opts.Count:
		return p.writeCount(out)
	case p.opts.Table != "":
		return p.writeTable(out)
	case p.total:
		return p.writeTotals(out)
	}
	return nil
}

func (p *printer) writeCount(out io.Writer) (err error) {
	switch {
	case p.opts.JSON.Given() && p.total:
		err = terminal.Encode(out, struct {
			Count int64 `json:"count"`
		}{p.count.Load()})
	case p.opts.JSON.Given():
	case p.several && !p.total:
		_, err = fmt.Fprintf(out, "total: %d\n", p.count.Load())
	default:
		_, err = fmt.Fprintln(out, p.count.Load())
	}
	return err
}

// writeMissing prints how many nodes lack a resource.
func (p *printer) writeMissing(out io.Writer) (err error) {
	switch without, all := p.count.Load(), p.nodes.Load(); {
	case p.opts.Count && p.opts.JSON.Given():
		err = terminal.Encode(out, struct {
			Count int64 `json:"count"`
			Nodes int64 `json:"nodes"`
		}{without, all})
	case p.opts.Count:
		_, err = fmt.Fprintln(out, without)
	case all > 1 && !p.opts.JSON.Given():
		_, err = fmt.Fprintf(out, "\n%d of %s without such a resource\n", without, document.Counted(int(all), "node"))
	}
	return err
}

// writeTable prints a table with a row for each match, or for equal ones with the number of nodes.
func (p *printer) writeTable(out io.Writer) error {
	t := &cli.Table{}
	add := func(row ...string) {
		for i := range row {
			row[i] = cmp.Or(row[i], "-") // so that programs can divide the columns
		}
		t.Add(row...)
	}
	if !p.total {
		t.Head(p.columns...)
		for i := range len(p.order) {
			rows, _ := p.tables.Load(i)
			all, _ := rows.([][]string)
			for _, row := range all {
				add(row...)
			}
		}
		return p.opts.Streams.WriteTable(out, t)
	}
	t.Head(append([]string{"NODES"}, p.columns...)...)
	groups := p.results.Groups(0, result.compare)
	for _, g := range groups {
		add(append([]string{strconv.Itoa(g.Nodes)}, strings.Split(g.Key.Value, cellEnd)...)...)
	}
	return p.writeCompared(out, t, groups)
}

// writeCompared writes a table of results, and a note if masked secrets of several inputs may hide
// differences.
func (p *printer) writeCompared(out io.Writer, t *cli.Table, groups []tally.Group[result]) error {
	if err := p.opts.Streams.WriteTable(out, t); err != nil {
		return err
	}
	return p.writeNote(out, groups)
}

func (p *printer) writeNote(out io.Writer, groups []tally.Group[result]) error {
	masked := slices.ContainsFunc(groups, func(g tally.Group[result]) bool { return g.Nodes > 1 && document.IsMasked(g.Key.line()) })
	if !masked || !p.several || p.values.ShowSecrets {
		return nil
	}
	_, err := fmt.Fprintln(out, document.NotCompared)
	return err
}

// writeGroups prints a table of the groups of --by, largest first.
func (p *printer) writeGroups(out io.Writer) error {
	groups := p.results.Groups(0, result.compare)
	if p.opts.JSON.Given() {
		for _, g := range groups {
			if err := terminal.Encode(out, struct {
				Key   string `json:"key"`
				Count int    `json:"count"`
				Nodes int    `json:"nodes"`
			}{g.Key.Value, g.Count, g.Nodes}); err != nil {
				return err
			}
		}
		return nil
	}
	heading := p.opts.By
	if byExpression(p.opts.By) != p.opts.By {
		heading = strings.ToUpper(p.opts.By)
	}
	withNodes := p.results.Nodes() > 1 && p.opts.By != "node"
	row := func(count, nodes, key string) []string {
		if withNodes {
			return []string{count, nodes, key}
		}
		return []string{count, key}
	}
	t := &cli.Table{}
	t.Head(row("RESOURCES", "NODES", heading)...)
	for _, g := range groups {
		t.Add(row(strconv.Itoa(g.Count), strconv.Itoa(g.Nodes), cmp.Or(g.Key.Value, "''"))...)
	}
	return p.writeCompared(out, t, groups)
}

// examples is the maximum number of nodes that are named.
const examples = 3

// writeTotals prints a table of the results by preset, on most nodes first.
func (p *printer) writeTotals(out io.Writer) error {
	groups := p.results.Groups(examples, result.compare)
	slices.SortStableFunc(groups, func(a, b tally.Group[result]) int { return cmp.Compare(a.Key.Preset, b.Key.Preset) })
	if p.opts.JSON.Given() {
		for _, g := range groups {
			if err := terminal.Encode(out, struct {
				Resource string   `json:"ref"`
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
	t := &cli.Table{}
	t.Head("NODES", "RESOURCE")
	for _, g := range groups {
		line := g.Key.line()
		if g.Nodes <= examples {
			line += "  (" + strings.Join(g.Examples, ", ") + ")"
		}
		t.Add(strconv.Itoa(g.Nodes), line)
	}
	if err := p.opts.Streams.WriteTable(out, t); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "\n%s on %s, %d different; --each prints each\n",
		document.Counted(p.results.Count(), "resource"), document.Counted(p.results.Nodes(), "node"), len(groups)); err != nil {
		return err
	}
	return p.writeNote(out, groups)
}

// equalGroup are resources with the same value.
type equalGroup struct {
	Value     string          `json:"value"`
	Count     int             `json:"count"`
	Nodes     int             `json:"nodes"`
	Resources []equalResource `json:"resources"`
}

type equalResource struct {
	Resource string   `json:"ref"`
	Nodes    []string `json:"nodes"`
}

// equalGroups returns the groups of --group-by with several different resources, the largest
// first. A resource that is the same on several nodes is one.
func equalGroups(results []tally.Group[result]) []equalGroup {
	byValue := map[string]*equalGroup{}
	nodes := map[string]map[string]bool{}
	for _, r := range results {
		g := byValue[r.Key.Value]
		if g == nil {
			g = &equalGroup{Value: r.Key.Value}
			byValue[g.Value], nodes[g.Value] = g, map[string]bool{}
		}
		g.Count += r.Nodes
		g.Resources = append(g.Resources, equalResource{r.Key.Resource, r.Examples})
		for _, node := range r.Examples {
			nodes[g.Value][node] = true
		}
	}
	var groups []equalGroup
	for value, g := range byValue {
		if len(g.Resources) > 1 {
			g.Nodes = len(nodes[value])
			slices.SortFunc(g.Resources, func(a, b equalResource) int { return strings.Compare(a.Resource, b.Resource) })
			groups = append(groups, *g)
		}
	}
	slices.SortFunc(groups, func(a, b equalGroup) int {
		return cmp.Or(cmp.Compare(len(b.Resources), len(a.Resources)), cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return groups
}

// valueWidth is the number of characters of a value that are shown.
const valueWidth = 60

// writeEqual prints the groups of resources with equal values.
func (p *printer) writeEqual(out io.Writer) error {
	results := p.results.Groups(math.MaxInt, result.compare)
	for i, g := range equalGroups(results) {
		if p.opts.JSON.Given() {
			if err := terminal.Encode(out, g); err != nil {
				return err
			}
			continue
		}
		separator := ""
		if i > 0 {
			separator = "\n"
		}
		value := []rune(terminal.Line(g.Value))
		if len(value) > valueWidth {
			value = append(value[:valueWidth], '…')
		}
		if _, err := fmt.Fprintf(out, "%s%s: %s\n", separator, document.Counted(len(g.Resources), "resource"), string(value)); err != nil {
			return err
		}
		t := &cli.Table{Indent: "  "}
		for _, r := range g.Resources {
			line := r.Resource
			if p.several {
				line += "  (" + nodeNames(r.Nodes) + ")"
			}
			t.Add(line)
		}
		if err := p.opts.Streams.WriteTable(out, t); err != nil {
			return err
		}
	}
	if p.opts.JSON.Given() {
		return nil
	}
	return p.writeNote(out, results)
}

// nodeNames returns the names of a few nodes, or how many there are.
func nodeNames(nodes []string) string {
	if len(nodes) > examples {
		return document.Counted(len(nodes), "node")
	}
	return strings.Join(nodes, ", ")
}

// list prints the presets.
func (opts *Options) list(presets []query.Preset) error {
	t := &cli.Table{}
	for _, p := range presets {
		if opts.JSON.Given() {
			if err := terminal.Encode(opts.Streams.Out, struct {
				Name       string `json:"name"`
				Doc        string `json:"doc,omitempty"`
				Expression string `json:"expression"`
			}{p.Name, p.Doc, p.Expression}); err != nil {
				return err
			}
		}
		t.Add(p.Name, cmp.Or(p.Doc, p.Expression))
	}
	if opts.JSON.Given() {
		return nil
	}
	return opts.Streams.Print(t)
}
