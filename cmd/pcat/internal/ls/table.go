package ls

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// row is a resource in a table.
type row struct {
	ref        catalog.Ref
	manifest   string
	line       int64
	container  catalog.Ref
	ensure     string
	parameters int
	sensitive  bool
	deferred   bool
	exported   bool
	catalogs   int // in how many it is
}

// row returns the row of a resource: only its reference, unless more is printed.
func (r *run) row(res *catalog.Resource) (row, error) {
	one := row{ref: res.Ref(), catalogs: 1}
	if !r.opts.Long && !r.opts.JSON {
		return one, nil
	}
	parameters, err := res.RawParameters()
	if err != nil {
		return row{}, err
	}
	one.manifest, one.line, one.exported = res.File(), res.Line(), res.Exported()
	one.parameters = len(parameters)
	one.sensitive = len(res.SensitiveParameters()) > 0
	for i := range parameters {
		p := &parameters[i]
		if p.Key != "ensure" && !p.MayBeRich() {
			continue
		}
		v, _, err := res.Parameter(p.Key)
		if err != nil {
			return row{}, err
		}
		if p.Key == "ensure" {
			one.ensure = text(v)
		}
		if err := one.look(v); err != nil {
			return row{}, err
		}
	}
	return one, nil
}

// look sets the flags for the values in a parameter.
func (one *row) look(v pcore.Value) error {
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		switch c.Value().(type) {
		case *pcore.Sensitive:
			one.sensitive = true
		case *pcore.Deferred:
			one.deferred = true
		default:
		}
		return nil
	})
}

// text returns a String as it is, and any other value in Puppet notation.
func text(v pcore.Value) string {
	if s, ok := v.(pcore.String); ok {
		return string(s)
	}
	return v.String()
}

// table contains resources in the order of the catalog. The zero value is empty. A catalog
// can have very many resources, so a table keeps texts that occur often only once, and
// never moves its records.
type table struct {
	chunks [][]record
	size   int
	merged bool         // the rows have the number of catalogs
	first  int          // of the records of the current catalog
	index  puppet.Names // of the records of the current catalog, or of all in a merged table
	texts  []string
	number map[string]int32 // of texts
}

// record is a row with numbers of texts.
type record struct {
	title                            string
	typ, manifest, container, ensure int32
	line, parameters, catalogs       int32
	sensitive, deferred, exported    bool
}

const chunkSize = 2048

func (t *table) add(one row) {
	if t.size%chunkSize == 0 {
		t.chunks = append(t.chunks, make([]record, 0, chunkSize))
	}
	container := ""
	if !one.container.IsZero() {
		container = one.container.String()
	}
	last := &t.chunks[len(t.chunks)-1]
	*last = append(*last, record{
		title: one.ref.Title, typ: t.numberOf(one.ref.Type), manifest: t.numberOf(one.manifest),
		container: t.numberOf(container), ensure: t.numberOf(one.ensure),
		line: int32(min(one.line, math.MaxInt32)), parameters: int32(one.parameters), catalogs: int32(one.catalogs),
		sensitive: one.sensitive, deferred: one.deferred, exported: one.exported,
	})
	t.size++
}

func (t *table) record(i int) *record { return &t.chunks[i/chunkSize][i%chunkSize] }

// row returns the i-th row.
func (t *table) row(i int) row {
	r := t.record(i)
	container, _ := catalog.ParseRef(t.texts[r.container])
	return row{
		ref: catalog.Ref{Type: t.texts[r.typ], Title: r.title}, manifest: t.texts[r.manifest], line: int64(r.line),
		container: container, ensure: t.texts[r.ensure], parameters: int(r.parameters), catalogs: int(r.catalogs),
		sensitive: r.sensitive, deferred: r.deferred, exported: r.exported,
	}
}

func (t *table) numberOf(text string) int32 {
	n, ok := t.number[text]
	if !ok {
		if t.number == nil {
			t.number = map[string]int32{}
		}
		n = int32(len(t.texts))
		t.texts = append(t.texts, text)
		t.number[text] = n
	}
	return n
}

// edge records the container of a resource. Edges follow the resources.
func (t *table) edge(e *catalog.Edge) {
	if contains, _ := puppet.EdgeKind(e.Relationship()); !contains {
		return
	}
	if t.index == nil {
		t.index = make(puppet.Names, t.size-t.first)
		for i := t.first; i < t.size; i++ {
			r := t.record(i)
			t.index[puppet.Canonical(catalog.Ref{Type: t.texts[r.typ], Title: r.title})] = int32(i)
		}
	}
	i, ok := t.index.Find(e.Target())
	if !ok {
		return
	}
	r := t.record(i)
	if known, ok := catalog.ParseRef(t.texts[r.container]); !ok || puppet.IsOuter(known) {
		r.container = t.numberOf(e.Source().String())
	}
}

// end ends a catalog.
func (t *table) end() { t.first, t.index = t.size, nil }

// merge adds the rows of another table, each resource once.
func (t *table) merge(other *table) {
	if t.index == nil {
		t.index = puppet.Names{}
	}
	t.merged = true
	for i := range other.size {
		one := other.row(i)
		key := puppet.Canonical(one.ref)
		at, known := t.index[key]
		if !known {
			t.index[key] = int32(t.size)
			t.add(one)
			continue
		}
		all := t.record(int(at))
		all.catalogs++
		all.sensitive = all.sensitive || one.sensitive
		all.deferred = all.deferred || one.deferred
		all.exported = all.exported || one.exported
		if t.texts[all.ensure] != one.ensure {
			all.ensure = t.numberOf("*")
		}
	}
}

// count returns the number of resources; of a merged table in all catalogs.
func (t *table) count() (n int) {
	for i := range t.size {
		n += int(t.record(i).catalogs)
	}
	return n
}

// sorted returns an iterator over the rows by type, and in their order within it.
func (t *table) sorted() iter.Seq[*row] {
	order := make([]int32, t.size)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(t.texts[t.record(int(a)).typ], t.texts[t.record(int(b)).typ])
	})
	return func(yield func(*row) bool) {
		for _, i := range order {
			if one := t.row(int(i)); !yield(&one) {
				return
			}
		}
	}
}

func (r *run) short(w io.StringWriter, t *table, prefix string) error {
	prefix = terminal.Line(prefix)
	most := int32(0)
	for i := range t.size {
		most = max(most, t.record(i).catalogs)
	}
	width := len(strconv.Itoa(int(most)))
	for one := range t.sorted() {
		line := prefix + terminal.Line(one.ref.String()) + "\n"
		if t.merged {
			line = fmt.Sprintf("%*d  %s", width, one.catalogs, line)
		}
		if _, err := w.WriteString(line); err != nil {
			return err
		}
	}
	return nil
}

// column is a column of the long table.
type column struct {
	name  string
	cell  func(*row) string
	right bool // numbers
	width int
	link  func(text string, one *row) string // a hyperlink, or nil
}

// columns returns the columns of the long table, without the container on a narrow
// terminal. The reference is the last one, because titles have any length.
func (r *run) columns(prefix string, merged bool) []column {
	size := r.opts.Streams.Columns(r.opts.Streams.Out)
	all := []column{
		{name: "CATALOGS", right: true, cell: func(one *row) string { return strconv.Itoa(one.catalogs) }},
		{name: "ENSURE", cell: func(one *row) string { return cutEnd(one.ensure, maxEnsure) }},
		{name: "PARAMS", right: true, cell: func(one *row) string { return strconv.Itoa(one.parameters) }},
		{name: "FLAGS", cell: (*row).flags},
		{name: "DECLARED", cell: func(one *row) string { return r.opts.declared(one, size) }, link: r.opts.hyperlink},
		{name: "CONTAINER", cell: (*row).containerText},
		{name: "RESOURCE", cell: func(one *row) string { return prefix + one.ref.String() }},
	}
	const narrow = 100
	return slices.DeleteFunc(all, func(c column) bool {
		return c.name == "CATALOGS" && !merged || c.name == "CONTAINER" && size > 0 && size < narrow
	})
}

func (r *run) long(w io.StringWriter, t *table, prefix string) error {
	rows, columns := t.sorted(), r.columns(prefix, t.merged)
	if t.size == 0 {
		return nil
	}
	for i := range columns[:len(columns)-1] {
		c := &columns[i]
		c.width = len(c.name)
	}
	for one := range rows {
		for i := range columns[:len(columns)-1] {
			c := &columns[i]
			c.width = max(c.width, utf8.RuneCountInString(c.text(one)))
		}
	}
	header := terminal.Paint(r.opts.Streams.Color(), terminal.Faint, line(columns, func(c *column) string { return c.name }, nil))
	if _, err := w.WriteString(header + "\n"); err != nil {
		return err
	}
	for one := range rows {
		if _, err := w.WriteString(line(columns, func(c *column) string { return c.text(one) }, one) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// text returns the text of a cell. It is never empty, so that programs can divide the columns.
func (c *column) text(one *row) string {
	if text := c.cell(one); text != "" {
		return terminal.Line(text)
	}
	return "-"
}

// line returns a line of a table: that of a row, which is nil for the names of the columns.
func line(columns []column, text func(*column) string, one *row) string {
	var b strings.Builder
	for i := range columns {
		c := &columns[i]
		cell := text(c)
		pad := strings.Repeat(" ", max(0, c.width-utf8.RuneCountInString(cell)))
		if one != nil && c.link != nil {
			cell = c.link(cell, one)
		}
		switch {
		case i == len(columns)-1:
			b.WriteString(cell)
		case c.right:
			b.WriteString(pad + cell + "  ")
		default:
			b.WriteString(cell + pad + "  ")
		}
	}
	return b.String()
}

// declared returns the manifest line. On a terminal with so many columns, it is cut; size
// is 0 for no terminal.
func (opts *Options) declared(one *row, size int) string {
	text := opts.locator.Text(one.manifest, one.line)
	if size > 0 {
		text = cutBegin(text, max(size/4, minCell))
	}
	return text
}

// hyperlink returns the manifest line, as declared returns it, as a hyperlink of a terminal.
func (opts *Options) hyperlink(declared string, one *row) string {
	return opts.locator.Hyperlink(declared, one.manifest, one.line)
}

func (one *row) containerText() string {
	if one.container.IsZero() {
		return ""
	}
	return one.container.String()
}

func (one *row) flags() string {
	var flags []byte
	if one.sensitive {
		flags = append(flags, 'S')
	}
	if one.deferred {
		flags = append(flags, 'D')
	}
	if one.exported {
		flags = append(flags, 'X')
	}
	return string(flags)
}

// minCell is the minimum width to which a cell is cut.
const minCell = 24

// maxEnsure is the maximum width of an ensure, which can be any value: a rich one, or a mask.
const maxEnsure = 20

// cutEnd returns the beginning of a long text.
func cutEnd(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// cutBegin returns the end of a long text.
func cutBegin(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return "…" + string(runes[len(runes)-most+1:])
}

// Resource is a resource for programs.
type Resource struct {
	File       string `json:"file"`
	Node       string `json:"node"`
	Resource   string `json:"resource"`
	Manifest   string `json:"manifest,omitempty"`
	Line       int64  `json:"line,omitempty"`
	Container  string `json:"container,omitempty"`
	Ensure     string `json:"ensure,omitempty"`
	Parameters int    `json:"parameters"` // their number
	Sensitive  bool   `json:"sensitive"`
	Deferred   bool   `json:"deferred"`
	Exported   bool   `json:"exported"`
}

func (opts *Options) writeJSON(out io.Writer, file, node string, t *table) error {
	e := json.NewEncoder(terminal.JSONWriter(out))
	e.SetEscapeHTML(false)
	for one := range t.sorted() {
		res := Resource{
			File: file, Node: node, Resource: one.ref.String(), Manifest: opts.locator.Path(one.manifest), Line: one.line, Ensure: one.ensure,
			Parameters: one.parameters, Sensitive: one.sensitive, Deferred: one.deferred, Exported: one.exported,
		}
		if !one.container.IsZero() {
			res.Container = one.container.String()
		}
		if err := e.Encode(res); err != nil {
			return err
		}
	}
	return nil
}
