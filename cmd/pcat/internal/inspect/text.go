package inspect

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect/summary"
)

// text writes sections: facts first, and then tables with a name. A section without rows is
// omitted. Errors persist until end.
type text struct {
	streams *cli.IOStreams
	out     io.Writer
	before  string // the next section
	table   *cli.Table
	rows    int
	err     error
}

func (opts *Options) text(out io.Writer) *text {
	return &text{streams: opts.Streams, out: out, table: &cli.Table{}}
}

// section begins a section.
func (t *text) section(name string, head ...string) {
	_ = t.end()
	t.before, t.table, t.rows = "\n"+name+"\n", &cli.Table{Indent: "  "}, 0
	t.table.Head(head...)
}

// row adds a row.
func (t *text) row(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.table.Add(row...)
	t.rows++
}

// fact adds a row, unless the value is empty.
func (t *text) fact(name, value string) {
	if value != "" {
		t.row(name, value)
	}
}

// end writes the last section.
func (t *text) end() error {
	if t.rows > 0 && t.err == nil {
		if _, t.err = io.WriteString(t.out, t.before); t.err == nil {
			t.err = t.streams.WriteTable(t.out, t.table)
		}
	}
	return t.err
}

func (opts *Options) writeSummary(out io.Writer, s Summary, first bool) error {
	t := opts.text(out)
	if !first {
		t.before = "\n"
	}
	t.fact("file", s.File)
	t.fact("format", fmt.Sprintf("%s, %d bytes", s.Format, s.Size))
	t.fact("node", s.Node)
	t.fact("environment", s.Environment)
	t.fact("version", s.Version)
	t.fact("uuid", s.CatalogUUID)
	resources := strconv.Itoa(s.Resources)
	if s.Exported > 0 {
		resources += fmt.Sprintf(", %d exported", s.Exported)
	}
	t.row("resources", resources)
	t.row("edges", s.Edges)
	t.row("classes", s.Classes)
	t.section("types")
	for _, c := range s.Types {
		t.row(c.Count, c.Type)
	}
	t.section("secrets")
	for _, secret := range s.Secrets {
		t.row(secret.Text, declaration(secret))
	}
	t.section("deferred calls")
	for _, c := range s.Calls {
		t.row(c.Count, c.Function)
		for _, p := range c.Locations {
			t.row("", "  "+p.Text)
		}
	}
	t.section("largest values, in bytes")
	for _, v := range s.Biggest {
		t.row(v.Bytes, v.Text)
	}
	return t.end()
}

// declaration returns how a secret is declared, and its kind.
func declaration(s summary.Secret) string {
	if s.Kind == "" {
		return string(s.Encoding)
	}
	return string(s.Encoding) + ", " + s.Kind
}

// mostSecrets is the number of locations of secrets that are printed.
const mostSecrets = 20

func (opts *Options) writeTotal(out io.Writer, s Total) error {
	t := opts.text(out)
	numbers, each := s.Numbers(), "a catalog"
	if len(s.Documents) == 0 {
		t.row("catalogs", s.Catalogs)
	} else {
		t.row("documents", numbers.String())
		each = "a document"
	}
	if s.Nodes != numbers.Sum() {
		t.row("nodes", s.Nodes)
	}
	if s.Failed > 0 {
		t.row("failed", fmt.Sprintf("%d of %s", s.Failed, document.Counted(s.Inputs, "input")))
	}
	t.row("formats", listed(s.Formats))
	t.row("environments", listed(s.Environments))
	t.row("bytes", ranged(s.Bytes, "an input"))
	t.row("resources", ranged(s.Resources, each))
	if s.Exported.Sum > 0 {
		t.row("exported", ranged(s.Exported, each))
	}
	t.row("edges", ranged(s.Edges, each))
	if len(s.Secrets) > 0 {
		n := 0
		for _, secret := range s.Secrets {
			n += secret.Count
		}
		t.row("secrets", fmt.Sprintf("%d at %s", n, document.Counted(len(s.Secrets), "location")))
	}
	t.section("types", "COUNT", "NODES", strings.ToUpper(each), "TYPE")
	for _, c := range s.Types {
		t.row(c.Sum, c.Nodes, between(c.Range), c.Type)
	}
	t.section("secrets", "COUNT", "NODES", "LOCATION")
	for _, secret := range s.Secrets[:min(mostSecrets, len(s.Secrets))] {
		t.row(secret.Count, secret.Nodes, secret.Text+"  "+declaration(secret.Secret))
	}
	if more := len(s.Secrets) - mostSecrets; more > 0 {
		t.row("", "", fmt.Sprintf("and %s; --json --total lists all", document.Counted(more, "other location")))
	}
	t.section("deferred calls", "COUNT", "NODES", "FUNCTION")
	for _, c := range s.Calls {
		t.row(c.Count, c.Nodes, c.Function)
	}
	t.section("largest values", "BYTES", "NODE", "LOCATION")
	for _, v := range s.Biggest {
		t.row(v.Bytes, v.Node, v.Text)
	}
	return t.end()
}

// listed returns names with their counts: "production 280, test 20".
func listed(groups []summary.Group) string {
	texts := make([]string, len(groups))
	for i, g := range groups {
		texts[i] = cmp.Or(g.Name, "unknown") + " " + strconv.Itoa(g.Count)
	}
	return strings.Join(texts, ", ")
}

// ranged returns a sum, and the numbers of which: "44100, 140 to 150 a catalog".
func ranged(r summary.Range, each string) string {
	return fmt.Sprintf("%d, %s %s", r.Sum, between(r), each)
}

func between(r summary.Range) string {
	if r.Min == r.Max {
		return strconv.FormatInt(r.Min, 10)
	}
	return fmt.Sprintf("%d to %d", r.Min, r.Max)
}
