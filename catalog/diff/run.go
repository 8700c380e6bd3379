package diff

import (
	"github.com/pcatdev/pcat/internal/puppet"
)

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
		c.event = true
		if is.IsCommand {
			c.affects("run-exec", RankRestart, "in each run, with all that it refreshes")
		}
	case puppet.IfAllowed:
		if was.When != puppet.NoRun && was.When != puppet.OnRefresh && (was.IsAllowedAs(is) || was.When == puppet.Always) {
			c.detail = "it only runs if " + is.Unless() + " allows it, as before"
			return
		}
		c.event = true
		c.affects("run-exec", RankRestart, "if "+is.Unless()+" allows it")
	case puppet.OnRefresh:
		if was.When == puppet.Always || was.When == puppet.IfAllowed {
			c.detail = "it only runs when it is refreshed"
		}
	case puppet.NoRun:
	}
}
