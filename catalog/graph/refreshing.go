package graph

import (
	"bytes"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
)

// Refreshing returns a graph for [Graph.Refreshes]: it has only the relations along which
// refreshes pass, and containment. That takes a part of the time of [New], because most
// resources are not decoded. The error is that of New.
func Refreshing(c *catalog.Catalog) (*Graph, error) {
	g, err := refreshing(c)
	if g == nil && err == nil {
		return New(c)
	}
	return g, err
}

// refreshing returns nil if the whole graph is necessary: if a reference is no title, or if
// edges declare relations, as in PuppetDB.
func refreshing(c *catalog.Catalog) (*Graph, error) {
	resources, edges := c.Resources(), c.Edges()
	b := newBuilder(len(resources))
	b.resources = resources
	for _, e := range edges {
		if b.addEdge(e); b.related {
			return nil, nil //nolint:nilnil // documented
		}
	}
	containers := make(map[string]bool) // by type
	var declared []declaration
	for i, r := range resources {
		typ, title := r.TypeAndTitle()
		ref := catalog.Ref{Type: string(typ), Title: string(title)}
		n := node{ref: b.names.add(ref)}
		container, known := containers[ref.Type]
		if !known {
			declared, maybe := puppet.IsContainer(puppet.TypeName(ref.Type), r.Kind())
			container = declared || maybe && b.parents[b.names.refs[n.ref].typ]
			containers[ref.Type] = container
		}
		n.container = container
		b.nodes = append(b.nodes, n)
		b.names.own(b.names.add(puppet.Canonical(ref)), i)
		if !mayRefresh(r) {
			continue
		}
		facts, err := puppet.Read(r)
		if err != nil {
			return nil, err
		}
		for kind, list := range facts.References {
			for _, ref := range list {
				if puppet.Metaparameters[kind].Refresh {
					declared = append(declared, declaration{i, Kind(kind), ref})
				}
			}
		}
	}
	b.contain()
	for _, d := range declared {
		other, ok := b.names.find(d.ref)
		switch {
		case !ok:
			return nil, nil //nolint:nilnil // documented
		case puppet.Metaparameters[d.kind].First:
			b.relation(Arrow{d.node, other, d.kind, true})
		default:
			b.relation(Arrow{other, d.node, d.kind, true})
		}
	}
	if len(b.missing) > 0 {
		return nil, nil //nolint:nilnil // documented
	}
	b.arcs = b.connect()
	return b.Graph, nil
}

// declaration is a reference in a metaparameter of a node.
type declaration struct {
	node int
	kind Kind
	ref  catalog.Ref
}

// mayRefresh reports whether a resource can have a relation that refreshes. Its bytes show
// the names of its parameters, unless they are escaped.
func mayRefresh(r *catalog.Resource) bool {
	text := r.Bytes()
	if text == nil || bytes.Contains(text, []byte(`\u`)) {
		return true
	}
	for _, meta := range puppet.Metaparameters {
		if meta.Refresh && bytes.Contains(text, []byte(meta.Name)) {
			return true
		}
	}
	return false
}
