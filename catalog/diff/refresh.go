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
	of       *comparison
	commands map[catalog.Ref]bool // execs that do something else
	started  map[catalog.Ref]bool // services that the run starts, which it does not restart
}

// refreshes adds the refreshes that follow from the events of the changes.
func (c *comparison) refreshes() error {
	r := refresher{of: c, commands: make(map[catalog.Ref]bool), started: make(map[catalog.Ref]bool)}
	changed := make(map[*item][]int) // positions in changes
	var order []*item
	for i := range c.changes {
		ch := &c.changes[i]
		if ch.at == nil {
			continue
		}
		for _, origin := range ch.events {
			if changed[origin] == nil {
				order = append(order, origin)
			}
			changed[origin] = append(changed[origin], i)
		}
		if ch.starts {
			r.started[ch.ref] = true
		}
		if c.hasOtherCommand(ch) {
			r.commands[ch.ref] = true
		}
	}
	if len(order) > 0 {
		var err error
		if r.Graph, err = graph.Refreshing(c.new.catalog); err != nil {
			return err
		}
	}
	for k := 0; k < len(order); k++ {
		origin := order[k]
		effects := r.from(origin)
		for _, again := range c.recreated(origin, effects) {
			if changed[again] == nil {
				effects = append(effects, createsAgain(again))
				changed[again] = changed[origin]
				order = append(order, again)
			}
		}
		for _, i := range changed[origin] {
			c.changes[i].effects = append(c.changes[i].effects, effects...)
		}
	}
	return c.chains(&r)
}

// hasOtherCommand reports whether a change is one of the command of an Exec.
func (c *comparison) hasOtherCommand(ch *change) bool {
	if !puppet.IsRun(ch.ref.Type) || ch.member || len(ch.path) == 0 || textOf(ch.path[0].Key) != puppet.TitleParameter(ch.ref.Type) {
		return false
	}
	old := c.before(ch.at)
	return old == nil || !puppet.RunOf(ch.at.res).HasSameCommand(puppet.RunOf(old.res))
}

// from returns the refreshes by an event of a resource.
func (r *refresher) from(origin *item) []effect {
	node, ok := r.Find(origin.ref)
	if !ok {
		return nil
	}
	var all []effect
	if puppet.RefreshesItself(origin.res, r.of.oldOf(origin.res)) {
		all = append(all, r.effect(origin.res, origin.ref))
	}
	for _, one := range r.RefreshesIf(r.passes, node) {
		if !r.reaches(origin, one) {
			continue
		}
		if target := r.Node(one.Node); r.acts(target.Resource) {
			all = append(all, r.effect(target.Resource, origin.ref))
		}
	}
	return all
}

// reaches reports whether an event of a resource takes the way of a refresh. The objects that a Resources
// removes have its own notify, and nothing can subscribe to them.
func (r *refresher) reaches(origin *item, refresh graph.Refresh) bool {
	if origin.purgeOf().Type == "" {
		return true
	}
	declared, err := r.of.new.declarations(origin)
	_, ok := declared[declaration{"notify", identity(r.Node(refresh.Path[1].Node).Ref)}]
	return ok || err != nil
}

// passes reports whether a resource refreshes others when it is refreshed: also if it has nothing
// to do itself, unless it is left alone.
func (r *refresher) passes(node int) bool {
	n := r.Node(node)
	if n.Container {
		return true
	}
	if r.started[n.Ref] {
		return false // its start is an event of its own
	}
	i := r.of.new.byID[identity(n.Ref)]
	if i == nil {
		return true
	}
	_, idle := i.isIdle()
	return !idle && r.of.skipped[i.id] == nil
}

// acts reports whether a resource does something when it is refreshed.
func (r *refresher) acts(res *catalog.Resource) bool {
	if puppet.IgnoresRefresh(res, r.of.oldOf(res)) || r.of.skipped[identity(res.Ref())] != nil {
		return false
	}
	switch run := puppet.RunOf(res); run.When {
	case puppet.IfAllowed:
		return false // it has run, and its conditions do not allow it again
	case puppet.OnRefresh:
		return !slices.Contains(run.Conditions, "creates")
	default:
		return true
	}
}

// effect returns the effect of a refresh of a resource.
func (r *refresher) effect(of *catalog.Resource, via catalog.Ref) effect {
	e := effect{effect: "refresh", ref: of.Ref(), via: via, rank: RankRestart, detail: puppet.RefreshCommand(of)}
	run := puppet.RunOf(of)
	switch {
	case puppet.Waits(of):
		e.detail = "if its schedule allows it in the same run"
	case len(run.Conditions) > 0:
		e.detail = "if " + run.Unless() + " allows it"
	}
	if r.commands[e.ref] {
		e.rank, e.detail = RankDanger, "with another command"
	}
	return e
}
