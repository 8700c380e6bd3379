package graph

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
)

// node is a catalog of a run: its masked name, and the file that contains it.
type node struct{ name, file string }

// fleet groups the nodes of a run by their results. The zero value is empty.
type fleet[V any] struct {
	nodes   []node
	answers groups[V]
	missing groups[error] // of the nodes without the resource
}

// groups are the different results of nodes by their keys.
type groups[V any] struct {
	list  []*group[V]
	byKey map[string]*group[V]
}

// group is a result that some nodes have in common.
type group[V any] struct {
	value V
	nodes []int
}

// add adds the result of a node. Results with the same key are equal.
func (g *groups[V]) add(key string, node int, value V) {
	one := g.byKey[key]
	if one == nil {
		if g.byKey == nil {
			g.byKey = make(map[string]*group[V])
		}
		one = &group[V]{value: value}
		g.byKey[key], g.list = one, append(g.list, one)
	}
	one.nodes = append(one.nodes, node)
}

// sorted returns the groups, the largest ones first.
func (g *groups[V]) sorted() []*group[V] {
	list := slices.Clone(g.list)
	slices.SortStableFunc(list, func(a, b *group[V]) int { return cmp.Compare(len(b.nodes), len(a.nodes)) })
	return list
}

// miss adds a node without the resource.
func (f *fleet[V]) miss(node int, err error) { f.missing.add(err.Error(), node, err) }

// names returns the names of all nodes: of their catalogs, or of the files if these are not
// different.
func (f *fleet[V]) names() []string {
	names, files := make([]string, len(f.nodes)), make([]string, len(f.nodes))
	known := make(map[string]bool)
	for i, n := range f.nodes {
		names[i], files[i] = n.name, n.file
		known[n.name] = true
	}
	if len(known) < len(names) || known[""] && len(names) > 1 {
		return files
	}
	return names
}

// examples is the maximum number of nodes that are named.
const examples = 3

// on returns the number of nodes and the names of the first ones.
func (f *fleet[V]) on(nodes []int) string {
	names := f.names()
	var list []string
	for _, i := range nodes[:min(len(nodes), examples)] {
		list = append(list, names[i])
	}
	if len(nodes) > examples {
		list = append(list, "…")
	}
	return "on " + document.Counted(len(nodes), "node") + ": " + strings.Join(list, ", ")
}

// title returns the name of the first of some nodes, and the number of the others.
func (f *fleet[V]) title(nodes []int) string {
	name := f.names()[nodes[0]]
	if others := len(nodes) - 1; others > 0 {
		return fmt.Sprintf("%s and %s", name, document.Counted(others, "other node"))
	}
	return name
}

// without returns the number of nodes without the resource.
func (f *fleet[V]) without() int {
	n := 0
	for _, m := range f.missing.list {
		n += len(m.nodes)
	}
	return n
}

// total calls write with the number of nodes and answers if there are several nodes.
func (f *fleet[V]) total(write func(string) error) error {
	if len(f.nodes) < 2 || len(f.answers.list) == 0 {
		return nil
	}
	text := document.Counted(len(f.nodes), "node") + ", "
	if n := len(f.answers.list); n == 1 {
		text += "all equal"
	} else {
		text += fmt.Sprintf("%d different", n)
	}
	if without := f.without(); without > 0 {
		text += fmt.Sprintf("; %d without the resource", without)
	}
	return write(text)
}

// failures returns an error for each group of nodes without the resource.
func (f *fleet[V]) failures() error {
	var list []error
	for _, m := range f.missing.sorted() {
		e := &cli.Error{Code: cli.ExitFindings, Err: m.value}
		if coded, ok := errors.AsType[*cli.Error](m.value); ok {
			e.Code = coded.Code
		}
		if len(m.nodes) == 1 {
			e.File = f.nodes[m.nodes[0]].file
		} else {
			e.Err = fmt.Errorf("%s: %w", f.on(m.nodes), m.value)
		}
		list = append(list, e)
	}
	return errors.Join(list...)
}
