package ls

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/lazyregexp"
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

// table contains resources in the order of the catalog. The zero value is empty.
type table struct {
	rows  []row
	first int                 // of the rows of the current catalog
	index map[catalog.Ref]int // of the rows of the current catalog, or of all rows of a merged table
	texts map[string]string   // each once
}

func (t *table) add(one row) {
	for _, text := range []*string{&one.ref.Type, &one.manifest, &one.ensure} {
		*text = t.once(*text)
	}
	t.rows = append(t.rows, one)
}

// once returns an equal text that is in memory once: few manifests declare many resources.
func (t *table) once(text string) string {
	if known, ok := t.texts[text]; ok {
		return known
	}
	if t.texts == nil {
		t.texts = map[string]string{}
	}
	t.texts[text] = text
	return text
}

// edge records the container of a resource. Edges follow the resources.
func (t *table) edge(e *catalog.Edge) {
	if kind := e.Relationship(); kind != "" && kind != "contains" {
		return
	}
	if t.index == nil {
		t.index = make(map[catalog.Ref]int, len(t.rows)-t.first)
		for i := t.first; i < len(t.rows); i++ {
			t.index[t.rows[i].ref] = i
		}
	}
	if i, ok := t.index[e.Target()]; ok && (t.rows[i].container.IsZero() || t.rows[i].container.Type == "Stage") {
		source := e.Source()
		t.rows[i].container = catalog.Ref{Type: t.once(source.Type), Title: t.once(source.Title)}
	}
}

// end ends a catalog.
func (t *table) end() { t.first, t.index, t.texts = len(t.rows), nil, nil }

// merge adds the rows of another table, each resource once.
func (t *table) merge(other *table) {
	if t.index == nil {
		t.index = map[catalog.Ref]int{}
	}
	for _, one := range other.rows {
		i, known := t.index[one.ref]
		if !known {
			t.index[one.ref] = len(t.rows)
			t.rows = append(t.rows, one)
			continue
		}
		all := &t.rows[i]
		all.catalogs++
		all.sensitive = all.sensitive || one.sensitive
		all.deferred = all.deferred || one.deferred
		all.exported = all.exported || one.exported
		if all.ensure != one.ensure {
			all.ensure = "*"
		}
	}
}

// count returns the number of resources; of a merged table in all catalogs.
func (t *table) count(merged bool) int {
	if !merged {
		return len(t.rows)
	}
	n := 0
	for i := range t.rows {
		n += t.rows[i].catalogs
	}
	return n
}

// sorted returns the rows by type, and in their order within it.
func (t *table) sorted() []row {
	slices.SortStableFunc(t.rows, func(a, b row) int { return cmp.Compare(a.ref.Type, b.ref.Type) })
	return t.rows
}

func (r *run) short(w io.Writer, t *table, prefix string) {
	width := len(strconv.Itoa(r.catalogs))
	for _, one := range t.sorted() {
		if r.merge {
			fmt.Fprintf(w, "%*d  ", width, one.catalogs)
		}
		fmt.Fprintf(w, "%s%s\n", terminal.Line(prefix), terminal.Line(one.ref.String()))
	}
}

// long writes columns. The reference is the last one, because titles have any length.
func (r *run) long(w io.Writer, t *table, prefix string) {
	header := []string{"ENSURE", "PARAMS", "FLAGS", "DECLARED", "CONTAINER", "RESOURCE"}
	if r.merge {
		header = append([]string{"CATALOGS"}, header...)
	}
	rows := t.sorted()
	if len(rows) == 0 {
		return
	}
	widths := make([]int, len(header))
	measure := func(cells []string) {
		for i, cell := range cells[:len(cells)-1] {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	measure(header)
	for i := range rows {
		measure(r.cells(&rows[i], prefix))
	}
	print := func(cells []string, paint func(string) string) {
		var b strings.Builder
		for i, cell := range cells[:len(cells)-1] {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if numeric := header[i] == "PARAMS" || header[i] == "CATALOGS"; numeric {
				b.WriteString(pad + cell + "  ")
			} else {
				b.WriteString(cell + pad + "  ")
			}
		}
		b.WriteString(cells[len(cells)-1])
		fmt.Fprintln(w, paint(b.String()))
	}
	faint := func(text string) string { return text }
	if r.opts.Streams.Color() {
		faint = func(text string) string { return "\x1b[2m" + text + "\x1b[0m" }
	}
	print(header, faint)
	for i := range rows {
		print(r.cells(&rows[i], prefix), func(text string) string { return text })
	}
}

func (r *run) cells(one *row, prefix string) []string {
	declared := shortPath(one.manifest)
	if one.line > 0 {
		declared = fmt.Sprintf("%s:%d", declared, one.line)
	}
	if columns := r.opts.Streams.Columns(r.opts.Streams.Out); columns > 0 {
		declared = cutBegin(declared, max(columns/4, minCell))
	}
	container := ""
	if !one.container.IsZero() {
		container = one.container.String()
	}
	cells := []string{or(one.ensure), strconv.Itoa(one.parameters), or(one.flags()), or(declared), or(container), prefix + one.ref.String()}
	if r.merge {
		cells = append([]string{strconv.Itoa(one.catalogs)}, cells...)
	}
	for i := range cells {
		cells[i] = terminal.Line(cells[i])
	}
	return cells
}

// or returns the text of a cell, which is never empty, so that programs can divide the columns.
func or(cell string) string {
	if cell == "" {
		return "-"
	}
	return cell
}

func (one *row) flags() string {
	flags := ""
	for _, f := range []struct {
		set  bool
		name string
	}{{one.sensitive, "S"}, {one.deferred, "D"}, {one.exported, "X"}} {
		if f.set {
			flags += f.name
		}
	}
	return flags
}

// minCell is the minimum width to which a cell is cut.
const minCell = 24

// cutBegin returns the end of a long text.
func cutBegin(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return "…" + string(runes[len(runes)-most+1:])
}

// environment matches the folder of an environment, which is the same in all manifests of a catalog.
var environment = lazyregexp.New(`^.*/environments/[^/]+/`)

// shortPath returns the path of a manifest below its environment.
func shortPath(path string) string { return environment.Get().ReplaceAllString(path, "") }

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

func writeJSON(out io.Writer, file, node string, t *table) error {
	e := json.NewEncoder(terminal.JSONWriter(out))
	e.SetEscapeHTML(false)
	for _, one := range t.sorted() {
		res := Resource{
			File: file, Node: node, Resource: one.ref.String(), Manifest: one.manifest, Line: one.line, Ensure: one.ensure,
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
