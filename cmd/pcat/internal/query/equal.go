package query

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// nodeResource is a resource on a node.
type nodeResource struct{ node, resource string }

// equalValues are the resources of all inputs by the text of a value.
type equalValues struct {
	mu     sync.Mutex
	values map[string]map[nodeResource]bool
}

// matching collects the resources of one input by the value of --group-by.
type matching struct {
	*input
	values map[string]map[nodeResource]bool
}

func (m *matching) collects() bool { return true }

func (m *matching) match(ctx context.Context, asked *questions, r *query.Match, w io.Writer) error {
	v, err := asked.groupBy.Ask(ctx, r.Resource)
	if err != nil {
		return err
	}
	switch v.(type) {
	case pcore.Undef, *pcore.Sensitive: // nothing, and not known to be equal
		return nil
	default:
	}
	text, err := m.text(pcore.NewArray(v)) // quotes distinguish texts from other values
	if err != nil {
		return err
	}
	text = text[1 : len(text)-1]
	m.matches++
	at := nodeResource{m.node(r), r.Ref().String()}
	if m.values[text] == nil {
		m.values[text] = map[nodeResource]bool{}
	}
	m.values[text][at] = true
	_, err = io.WriteString(w, at.node+"\n"+terminal.Line(at.resource)+"\n"+text+"\n")
	return err
}

func (m *matching) end(io.Writer) error {
	all := &m.equal
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.values == nil {
		all.values = map[string]map[nodeResource]bool{}
	}
	for text, resources := range m.values {
		if all.values[text] == nil {
			all.values[text] = map[nodeResource]bool{}
		}
		maps.Copy(all.values[text], resources)
	}
	return nil
}

// equalGroup are resources with the same value.
type equalGroup struct {
	Value     string          `json:"value"`
	Count     int             `json:"count"`
	Nodes     int             `json:"nodes"`
	Resources []equalResource `json:"resources"`
}

type equalResource struct {
	Resource string   `json:"resource"`
	Nodes    []string `json:"nodes"`
}

// groupsOf returns the groups with several different resources, the largest first. A resource
// that is the same on several nodes is one.
func (e *equalValues) groupsOf() []equalGroup {
	var groups []equalGroup
	for text, resources := range e.values {
		nodes, byName := map[string]bool{}, map[string][]string{}
		for at := range resources {
			nodes[at.node] = true
			byName[at.resource] = append(byName[at.resource], at.node)
		}
		const several = 2
		if len(byName) < several {
			continue
		}
		g := equalGroup{Value: text, Count: len(resources), Nodes: len(nodes)}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			slices.Sort(byName[name])
			g.Resources = append(g.Resources, equalResource{name, byName[name]})
		}
		groups = append(groups, g)
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
	masked := false
	for i, g := range p.equal.groupsOf() {
		masked = masked || g.Nodes > 1 && document.IsMasked(g.Value)
		if p.opts.JSON {
			if err := p.encode(out, g); err != nil {
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
		for _, r := range g.Resources {
			line := "  " + terminal.Line(r.Resource)
			if p.several {
				line += "  (" + terminal.Line(nodeNames(r.Nodes)) + ")"
			}
			if _, err := fmt.Fprintln(out, line); err != nil {
				return err
			}
		}
	}
	if p.opts.JSON {
		return nil
	}
	return p.writeNote(out, masked)
}

// nodeNames returns the names of a few nodes, or how many there are.
func nodeNames(nodes []string) string {
	if len(nodes) > examples {
		return document.Counted(len(nodes), "node")
	}
	return strings.Join(nodes, ", ")
}
