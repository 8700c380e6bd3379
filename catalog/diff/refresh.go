package diff

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/pcore"
)

// refreshes adds the refreshes that follow from the events of the changes, along the
// relationship graph of the new catalog.
func (c *comparison) refreshes() error {
	commands := make(map[catalog.Ref]bool) // execs with another command
	changed := make(map[*item][]int)       // positions in changes
	var order []*item
	for i := range c.changes {
		ch := &c.changes[i]
		if ch.at == nil {
			continue
		}
		if ch.event {
			if changed[ch.at] == nil {
				order = append(order, ch.at)
			}
			changed[ch.at] = append(changed[ch.at], i)
		}
		if ch.ref.Type == "Exec" && !ch.member && len(ch.path) > 0 && textOf(ch.path[0].Key) == "command" {
			commands[ch.ref] = true
		}
	}
	if len(order) == 0 {
		return nil
	}
	g, err := graph.Refreshing(c.new.catalog)
	if err != nil {
		return err
	}
	for _, at := range order {
		node, ok := g.Find(at.ref)
		if !ok {
			continue
		}
		for _, r := range g.Refreshes(node) {
			target := g.Node(r.Node)
			if ignoresRefresh(target.Resource) {
				continue
			}
			e := refreshOf(&item{res: target.Resource, ref: target.Ref}, at.ref, commands[target.Ref])
			for _, i := range changed[at] {
				c.changes[i].effects = append(c.changes[i].effects, e)
			}
		}
	}
	return nil
}

// ignoresRefresh reports whether a resource does nothing if it is refreshed.
func ignoresRefresh(r *catalog.Resource) bool {
	i := &item{res: r, ref: r.Ref()}
	switch {
	case isTrue(i, "noop"), i.ref.Type == "Anchor":
		return true
	case i.ref.Type == "Service":
		ensure := i.text("ensure")
		return ensure == "stopped" || ensure == "false"
	case i.ref.Type == "Package":
		return !isTrue(i, "reinstall_on_refresh")
	default:
		return false
	}
}

// refreshOf returns the effect of a refresh. With changed, the resource is an exec with
// another command.
func refreshOf(r *item, via catalog.Ref, changed bool) effect {
	e := effect{effect: "refresh", ref: r.ref, via: via, rank: RankRestart}
	switch {
	case r.ref.Type == "Exec" && changed:
		e.rank, e.detail = RankDanger, "with another command"
	case r.ref.Type == "Service":
		if v, ok, err := r.res.Parameter("restart"); err == nil && ok && v.Kind() == pcore.KindString { // no secret
			e.detail = textOf(v)
		}
	}
	return e
}
