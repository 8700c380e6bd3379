package diff

import (
	"maps"
	"slices"

	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/internal/puppet"
)

// rateCreates adds the runs of commands whose result the same changes delete: an Exec runs if the
// file of its creates is missing.
func (c *comparison) rateCreates() {
	deleted := make(map[string]int) // positions in changes, by path
	for i := range c.changes {
		for _, e := range c.changes[i].effects {
			if e.effect == "delete-file" {
				deleted[e.ref.Title] = i
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(deleted)) {
		ch := &c.changes[deleted[path]]
		for _, i := range c.creators()[path] {
			ch.effects = append(ch.effects, createsAgain(i))
			ch.hasEvent(i)
		}
	}
}

// createsAgain is the effect that an Exec runs because its file is deleted.
func createsAgain(i *item) effect {
	return effect{effect: "run-exec", ref: i.ref, rank: RankRestart, detail: "its creates is deleted"}
}

// creators returns the Execs of the new catalog by the files of their creates.
func (c *comparison) creators() map[string][]*item {
	if c.creates == nil {
		c.creates = make(map[string][]*item)
		for _, i := range c.new.items {
			if !puppet.IsRun(i.ref.Type) || puppet.RunOf(i.res).When != puppet.IfAllowed {
				continue
			}
			if _, idle := i.isIdle(); !idle && i.text("creates") != "" {
				c.creates[i.text("creates")] = append(c.creates[i.text("creates")], i)
			}
		}
	}
	return c.creates
}

// recreated returns the Execs that run again because one of some refreshed commands, or of an Exec that
// runs, deletes the files of their creates.
func (c *comparison) recreated(origin *item, refreshed []effect) []*item {
	runs := []*item{origin}
	for _, e := range refreshed {
		if i := c.new.resolve(e.ref); i != nil {
			runs = append(runs, i)
		}
	}
	var all []*item
	for _, i := range runs {
		for _, path := range puppet.RunOf(i.res).Removes() {
			for _, exec := range c.creators()[path] {
				if c.skipped[exec.id] == nil {
					all = append(all, exec)
				}
			}
		}
	}
	return all
}

// rateRun determines the effects of a resource that is an action, such as an Exec, whose old
// version was another one, or none.
func rateRun(c *change, was puppet.Run) {
	is := puppet.RunOf(c.at.res)
	if c.kind == kind.Sensitivity {
		return // a word that is hidden now
	}
	switch is.When {
	case puppet.Always:
		if was.When == puppet.Always && was.DoesSame(is) {
			return
		}
		c.hasEvent(c.at)
		if is.IsCommand {
			c.affects("run-exec", RankRestart, "in each run, with all that it refreshes")
		}
	case puppet.IfAllowed:
		if was.When != puppet.NoRun && was.When != puppet.OnRefresh && (is.Forbids(was) || was.When == puppet.Always) {
			c.detail = "it only runs if " + is.Unless() + " allows it, as before"
			return
		}
		c.hasEvent(c.at)
		c.affects("run-exec", RankRestart, "if "+is.Unless()+" allows it")
	case puppet.OnRefresh:
		if was.When == puppet.Always || was.When == puppet.IfAllowed {
			c.detail = "it only runs when it is refreshed"
		}
	case puppet.NoRun:
	}
}
