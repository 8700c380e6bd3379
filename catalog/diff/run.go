package diff

import (
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
	if len(deleted) == 0 {
		return
	}
	for _, i := range c.new.items {
		if !puppet.IsRun(i.ref.Type) || puppet.RunOf(i.res).When != puppet.IfAllowed {
			continue
		}
		at, ok := deleted[i.text("creates")]
		if _, idle := i.isIdle(); !ok || idle {
			continue
		}
		ch := &c.changes[at]
		ch.effects = append(ch.effects, effect{effect: "run-exec", ref: i.ref, rank: RankRestart, detail: "its creates is deleted"})
		ch.hasEvent(i)
	}
}

// rateRun determines the effects of a resource that is an action, such as an Exec, whose old
// version was another one, or none.
func rateRun(c *change, was puppet.Run) {
	is := puppet.RunOf(c.at.res)
	if c.kind == KindSensitivity {
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
		if was.When != puppet.NoRun && was.When != puppet.OnRefresh && (was.IsAllowedAs(is) || was.When == puppet.Always) {
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
