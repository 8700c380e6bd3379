package diff

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/puppet"
)

// refresher finds the refreshes that follow from changes, in the relationship graph of the new
// catalog.
type refresher struct {
	*graph.Graph
	commands map[catalog.Ref]bool // execs that do something else
	started  map[catalog.Ref]bool // services that the run starts, which it does not restart
}

// refreshes adds the refreshes that follow from the events of the changes.
func (c *comparison) refreshes() error {
	r := refresher{commands: make(map[catalog.Ref]bool), started: make(map[catalog.Ref]bool)}
	changed := make(map[*item][]int) // positions in changes
	var order []*item
	for i := range c.changes {
		ch := &c.changes[i]
		if ch.at == nil {
			continue
		}
		if ch.event {
			origin := ch.at
			if ch.acts != nil {
				origin = ch.acts
			}
			if changed[origin] == nil {
				order = append(order, origin)
			}
			changed[origin] = append(changed[origin], i)
		}
		if ch.starts {
			r.started[ch.ref] = true
		}
		if puppet.IsRun(ch.ref.Type) && !ch.member && len(ch.path) > 0 && textOf(ch.path[0].Key) == puppet.TitleParameter(ch.ref.Type) {
			r.commands[ch.ref] = true
		}
	}
	if len(order) > 0 {
		var err error
		if r.Graph, err = graph.Refreshing(c.new.catalog); err != nil {
			return err
		}
	}
	for _, origin := range order {
		for _, e := range r.from(origin.ref) {
			for _, i := range changed[origin] {
				c.changes[i].effects = append(c.changes[i].effects, e)
			}
		}
	}
	return c.chains(&r)
}

// from returns the refreshes by an event of a resource.
func (r *refresher) from(origin catalog.Ref) []effect {
	node, ok := r.Find(origin)
	if !ok {
		return nil
	}
	var all []effect
	for _, one := range r.RefreshesIf(r.acts, node) {
		if target := r.Node(one.Node); !puppet.PassesRefresh(target.Ref.Type) {
			all = append(all, r.effect(target.Resource, origin))
		}
	}
	return all
}

// acts reports whether a resource does something if it is refreshed, and so refreshes others.
func (r *refresher) acts(node int) bool {
	n := r.Node(node)
	if n.Container || puppet.PassesRefresh(n.Ref.Type) {
		return true
	}
	if _, ignores := puppet.IgnoresRefresh(n.Resource); ignores || r.started[n.Ref] {
		return false
	}
	run := puppet.RunOf(n.Resource)
	return run.When != puppet.IfAllowed || !slices.Contains(run.Conditions, "creates")
}

// effect returns the effect of a refresh of a resource.
func (r *refresher) effect(of *catalog.Resource, via catalog.Ref) effect {
	e := effect{effect: "refresh", ref: of.Ref(), via: via, rank: RankRestart, detail: puppet.RefreshCommand(of)}
	run := puppet.RunOf(of)
	if len(run.Conditions) > 0 {
		e.detail = "if " + run.Unless() + " allows it"
	}
	if r.commands[e.ref] {
		e.rank, e.detail = RankDanger, "with another command"
	}
	return e
}
