package diff

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/puppet"
)

// chains adds the refreshes that resources lose or gain through others: a removed Exec, an arrow
// or a container can be a part of the way from a file to a service.
func (c *comparison) chains(r *refresher) error {
	touched := make(map[int][]catalog.Ref) // by the position of the change
	for i := range c.changes {
		if refs := c.changes[i].ways(); len(refs) > 0 {
			touched[i] = refs
		}
	}
	if len(touched) == 0 {
		return nil
	}
	old, err := graph.Refreshing(c.old.catalog)
	if err != nil {
		return err
	}
	if r.Graph == nil {
		if r.Graph, err = graph.Refreshing(c.new.catalog); err != nil {
			return err
		}
	}
	said := make(map[catalog.Ref]bool)
	for _, i := range slices.Sorted(maps.Keys(touched)) {
		for _, ref := range touched[i] {
			for _, target := range refreshedFrom(old, r.Graph, ref) {
				if !said[target] {
					said[target] = true
					c.compareChains(&c.changes[i], old, r.Graph, target)
				}
			}
		}
	}
	return nil
}

// ways returns the ends of the ways of refreshes that a change touches.
func (c *change) ways() []catalog.Ref {
	switch {
	case c.at == nil:
		return nil
	case c.kind == kind.Relation, c.kind == kind.Container:
		return append([]catalog.Ref{c.ref}, c.ends...)
	case c.kind == kind.Resource && puppet.CanRefresh(c.ref.Type):
		return []catalog.Ref{c.ref}
	default:
		return nil
	}
}

// refreshedFrom returns the resources that a resource, or its change, refreshes in either
// catalog, and the resource.
func refreshedFrom(old, new *graph.Graph, ref catalog.Ref) []catalog.Ref {
	all := []catalog.Ref{ref}
	for _, g := range []*graph.Graph{old, new} {
		node, ok := g.Find(ref)
		if !ok {
			continue
		}
		for _, one := range g.Refreshes(node) {
			if target := g.Node(one.Node).Ref; !slices.Contains(all, target) {
				all = append(all, target)
			}
		}
	}
	return all
}

// compareChains adds the refreshes of a resource that both catalogs have by others that both have.
func (c *comparison) compareChains(ch *change, old, new *graph.Graph, target catalog.Ref) {
	from, ok := old.Find(target)
	to, also := new.Find(target)
	if !ok || !also || new.Node(to).Container {
		return
	}
	if res := new.Node(to).Resource; puppet.IgnoresRefresh(res, c.oldOf(res)) {
		return
	}
	was, is := sources(old, from, new), sources(new, to, old)
	says := func(ref catalog.Ref) bool { // the change itself
		return ref == ch.ref && slices.Contains(ch.ends, target) || target == ch.ref && slices.Contains(ch.ends, ref)
	}
	add := func(name string, rank Rank, begin string, refs, without []catalog.Ref) {
		refs = slices.DeleteFunc(slices.Clone(refs), func(ref catalog.Ref) bool { return slices.Contains(without, ref) || says(ref) })
		if len(refs) > 0 {
			ch.effects = append(ch.effects, effect{effect: name, ref: target, rank: rank, detail: begin + list(refs)})
		}
	}
	add("lose-refresh", RankWrite, "no longer by ", was, is)
	add("gain-refresh", RankInfo, "now also by ", is, was)
}

// list returns the first of some references as text, and the number of the others.
func list(refs []catalog.Ref) string {
	const most = 3
	text := ""
	for i, ref := range refs {
		switch {
		case i == most:
			return text + " and " + strconv.Itoa(len(refs)-most) + " more"
		case i > 0:
			text += ", "
		}
		text += ref.String()
	}
	return text
}

// sources returns the resources whose change refreshes a node, if another graph has them, too.
func sources(g *graph.Graph, node int, other *graph.Graph) []catalog.Ref {
	var all []catalog.Ref
	for _, one := range g.RefreshedBy(node) {
		ref := g.Node(one.Node).Ref
		if _, exists := other.Find(ref); exists && !puppet.PassesRefresh(ref.Type) {
			all = append(all, ref)
		}
	}
	slices.SortFunc(all, func(a, b catalog.Ref) int { return strings.Compare(a.String(), b.String()) })
	return all
}
