package ls

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// column is a column of the table.
type column struct {
	name  string
	shown bool
	cell  func(*Resource) string
}

// narrow is the number of columns of a terminal that has no room for the container.
const narrow = 100

// columns returns the columns of the table. The reference is the last one, because titles have
// any length.
func (r *run) columns(prefix string, merged bool) []column {
	size := r.opts.Streams.Columns(r.opts.Streams.Out)
	long := r.opts.Long
	all := []column{
		{"CATALOGS", merged, func(one *Resource) string { return strconv.Itoa(int(one.catalogs)) }},
		{"POSITION", r.opts.Order, func(one *Resource) string { return strconv.Itoa(int(one.Position)) }},
		{"ENSURE", long, func(one *Resource) string { return cutEnd(one.Ensure.String(), size) }},
		{"PARAMS", long, func(one *Resource) string { return strconv.Itoa(int(one.Parameters)) }},
		{"FLAGS", long, (*Resource).flags},
		{"DECLARED", long, func(one *Resource) string { return r.opts.declared(one, size) }},
		{"CONTAINER", long && (size == 0 || size >= narrow), func(one *Resource) string { return one.Container.String() }},
		{"RESOURCE", true, func(one *Resource) string { return prefix + one.Ref.String() }},
	}
	return slices.DeleteFunc(all, func(c column) bool { return !c.shown })
}

// table returns the table of resources, with a head if it is a long one. No cell is empty, so that
// programs can divide the columns.
func (r *run) table(all []*Resource, prefix string) *cli.Table {
	t := &cli.Table{}
	columns := r.columns(prefix, slices.ContainsFunc(all, func(one *Resource) bool { return one.catalogs > 0 }))
	if r.opts.Long {
		var names []string
		for _, c := range columns {
			names = append(names, c.name)
		}
		t.Head(names...)
	}
	var printed *Resource
	t.Link = func(column int, text string) string {
		if columns[column].name != "DECLARED" {
			return text
		}
		return r.opts.locator.Hyperlink(text, printed.Manifest.String(), printed.Line)
	}
	t.AddAll(func(yield func([]string) bool) {
		row := make([]string, len(columns))
		for _, one := range all {
			printed = one
			for i, c := range columns {
				row[i] = cmp.Or(c.cell(one), "-")
			}
			if !yield(row) {
				return
			}
		}
	})
	return t
}

// declared returns the manifest line. On a terminal with so many columns, it is cut; size
// is 0 for no terminal.
func (opts *Options) declared(one *Resource, size int) string {
	text := opts.locator.Text(one.Manifest.String(), one.Line)
	if size > 0 {
		text = cutBegin(text, max(size/4, minCell))
	}
	return text
}

func (one *Resource) flags() string {
	var flags []byte
	if one.Sensitive {
		flags = append(flags, 'S')
	}
	if one.Deferred {
		flags = append(flags, 'D')
	}
	if one.Exported {
		flags = append(flags, 'X')
	}
	return string(flags)
}

// minCell is the minimum width to which a cell is cut.
const minCell = 24

// maxEnsure is the maximum width of an ensure, which can be any value: a rich one, or a mask.
const maxEnsure = 20

// cutEnd returns the beginning of a long ensure on a terminal with so many columns; size is 0 for
// no terminal.
func cutEnd(text string, size int) string {
	runes := []rune(text)
	if size == 0 || len(runes) <= maxEnsure {
		return text
	}
	return string(runes[:maxEnsure-1]) + "…"
}

// cutBegin returns the end of a long text.
func cutBegin(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return "…" + string(runes[len(runes)-most+1:])
}
