package diff

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// effect is what a change would do on the node.
type effect struct {
	effect   string
	ref, via catalog.Ref
	rank     Rank
	detail   string
	old, new pcore.Value // the texts of an assembled file, or nil
}

// rank returns the rank that a rule gives a change, or that of the gravest effect.
func (c *change) rank() Rank {
	if c.given != nil {
		return *c.given
	}
	top := RankInfo
	for _, e := range c.effects {
		top = max(top, e.rank)
	}
	return top
}

// affects adds an effect on the resource.
func (c *change) affects(name string, rank Rank, detail string) {
	ref := c.ref
	if isFile, _ := puppet.IsConcat(ref.Type); isFile {
		ref = catalog.Ref{Type: "File", Title: puppet.FilePath(c.at.res)}
	}
	c.effects = append(c.effects, effect{effect: name, ref: ref, rank: rank, detail: detail})
}

// hasEvent records that a resource has an event by the change.
func (c *change) hasEvent(i *item) {
	if i != nil && !slices.Contains(c.events, i) {
		c.events = append(c.events, i)
	}
}

// rate determines the effects of all changes.
func (c *comparison) rate() error {
	if len(c.changes) == 0 {
		return nil
	}
	above := c.new.containment()
	for i := range c.changes {
		ch := &c.changes[i]
		if ch.at != nil {
			ch.contains = ch.at.isDefined()
			parents := above[ch.at.id]
			if ch.isRemoval() {
				parents = c.old.containment()[ch.at.id]
			}
			if len(parents) > 0 {
				ch.container = parents[0]
			}
		}
		c.rateChange(ch)
	}
	c.assemble()
	c.rateCreates()
	if err := c.skip(); err != nil {
		return err
	}
	return c.refreshes()
}

// isRemoval reports whether the old catalog has a resource that the new one has not.
func (c *change) isRemoval() bool { return c.kind == kind.Resource && c.op == OpRemove }

func (c *comparison) rateChange(ch *change) {
	switch {
	case ch.at == nil:
	case ch.isRemoval():
		c.rateRemoval(ch)
	case ch.at.isDefined():
	case ch.kind == kind.Resource:
		rateNew(ch)
	case ch.kind == kind.Rename:
		c.rateRename(ch)
	case ch.kind == kind.Static:
		ch.affects("write-file", RankWrite, "")
		ch.hasEvent(ch.at)
	case ch.kind == kind.Relation:
		if ch.loses {
			ch.affects("lose-refresh", RankWrite, "")
		}
	case !ch.member:
		c.rateParameter(ch)
	}
	ch.wait()
	if ch.kind == kind.Sensitivity && ch.oldSecret {
		ch.affects("expose-secret", RankDanger, "the value is no longer Sensitive")
	}
}

// wait adds to the effects on a resource that it has a schedule.
func (c *change) wait() {
	if c.at == nil || c.isRemoval() || !puppet.Waits(c.at.res) {
		return
	}
	for i := range c.effects {
		switch e := &c.effects[i]; {
		case e.effect == "unmanaged", e.effect == "lose-refresh":
		case e.detail == "":
			e.detail = whenScheduled
		default:
			e.detail += ", " + whenScheduled
		}
	}
}

// whenScheduled is the detail of an effect that waits.
const whenScheduled = "when its schedule allows it"

// staysOnNode is the detail of a resource that is no longer managed.
const staysOnNode = "it stays on the node"

// rateRemoval determines the effects of a resource that leaves the catalog.
func (c *comparison) rateRemoval(ch *change) {
	if ch.at.isDefined() {
		return
	}
	if c.purge(ch, ch.at) {
		return
	}
	if ensure := ch.at.text("ensure"); !puppet.IsTraceless(ch.ref.Type) && ensure != "absent" && ensure != "purged" {
		ch.affects("unmanaged", RankInfo, staysOnNode)
	}
}

// rateNew determines the effects of a new resource.
func rateNew(c *change) {
	if reason, idle := c.at.isIdle(); idle {
		c.detail = "nothing happens: " + reason
		return
	}
	if puppet.IsRun(c.ref.Type) {
		rateRun(c, puppet.Run{})
		return
	}
	for _, change := range puppet.Creation(c.at.res) {
		c.happens(change)
	}
	if purge := c.at.purgeOf(); !purge.IsZero() {
		c.purges(purge)
	}
}

// happens adds the effect of a property that Puppet would set.
func (c *change) happens(p puppet.Change) {
	switch {
	case p.Probably:
		c.detail = p.Reason()
		return
	case p.Fails:
		c.affects("fail", RankDanger, p.Reason())
		c.fails = true
		return
	}
	detail := ""
	switch {
	case p.Effect == "remove-package" && p.To == "purged":
		detail = "with its configuration"
	case (p.Effect == "replace-file" || p.Effect == "downgrade-package") && !c.oldSecret && !c.newSecret: // a short secret is not masked in a text
		detail = p.From + " → " + p.To
	}
	c.affects(p.Effect, rankOf(p.Rank), detail)
	c.starts = c.starts || p.Starts(c.ref.Type)
	c.hasEvent(c.at)
}

// rankOf returns the rank of a name.
func rankOf(name string) Rank {
	for r := RankDanger; r > RankInfo; r-- {
		if r.String() == name {
			return r
		}
	}
	return RankInfo
}

// before returns the old version of a resource of the new catalog, or nil.
func (c *comparison) before(i *item) *item {
	if c.olds == nil {
		c.olds = make(map[*item]*item, len(c.matches))
		for _, m := range c.matches {
			c.olds[m.new] = m.old
		}
	}
	return c.olds[i]
}

// oldOf returns the old version of a resource of the new catalog, or nil.
func (c *comparison) oldOf(res *catalog.Resource) *catalog.Resource {
	if old := c.before(c.new.byID[identity(res.Ref())]); old != nil {
		return old.res
	}
	return nil
}

// rateRename determines the effects of another name: the object with the old one
// stays on the node.
func (c *comparison) rateRename(ch *change) {
	old := c.before(ch.at)
	if old == nil || old.object() == ch.at.object() {
		return // the title is only a label
	}
	rateNew(ch)
	if !c.purge(ch, old) && !puppet.IsTraceless(ch.ref.Type) {
		ch.effects = append(ch.effects, effect{effect: "unmanaged", ref: ch.from, rank: RankInfo, detail: staysOnNode})
	}
}

// object returns the identity of the object that a resource manages.
func (i *item) object() string {
	name := i.text(puppet.TitleParameter(i.ref.Type))
	if name == "" {
		name = i.ref.Title
	}
	return identity(catalog.Ref{Type: i.ref.Type, Title: name})
}

// rateParameter determines the effects of a parameter of a resource.
func (c *comparison) rateParameter(ch *change) {
	key := textOf(ch.path[0].Key)
	old := c.before(ch.at)
	if old == nil {
		return
	}
	if reason, idle := ch.at.isIdle(); idle {
		ch.detail = "nothing happens: " + reason
		return
	}
	if _, idle := old.isIdle(); idle && (key == "noop" || key == "schedule") {
		ch.hasEvent(ch.at)
		purge := ch.at.purgeOf()
		if !purge.IsZero() {
			ch.purges(purge)
		}
		if purge.Type == "" {
			ch.affects("leave-noop", RankWrite, "")
		}
		return
	}
	if puppet.IsRun(ch.ref.Type) {
		rateRun(ch, puppet.RunOf(old.res))
		return
	}
	if key == puppet.TitleParameter(ch.ref.Type) {
		if old.object() == ch.at.object() {
			ch.alike = true
			return
		}
		rateNew(ch)
		if !c.purge(ch, old) {
			ch.affects("unmanaged", RankInfo, "the object with the old name stays on the node")
		}
		return
	}
	if c.ratePurge(ch, key, old) {
		return
	}
	if key == "source" {
		if same, known := sameContent(old, ch.at); same {
			ch.detail = "the file has the same content"
			return
		} else if known {
			return // the change of the content has the effect
		}
	}
	if ch.op == OpRemove && ch.isContent() && losesSource(old, ch.at) {
		ch.affects("fail", RankDanger, "no file has its source")
		ch.fails = true
		return
	}
	changes, known := c.states[ch.at]
	if !known {
		changes = puppet.Changes(old.res, ch.at.res)
		if c.states == nil {
			c.states = make(map[*item][]puppet.Change)
		}
		c.states[ch.at] = changes
	}
	for _, change := range changes {
		if change.Parameter == key {
			ch.happens(change)
			return
		}
	}
	switch {
	case ch.isSecrecy():
	case puppet.IsGone(ch.at.text("ensure")):
		if puppet.IsGone(old.text("ensure")) { // else the change of ensure says that it is removed
			ch.detail = "nothing happens: the resource is absent"
		}
	case puppet.Keeps(ch.at.res, key):
		ch.detail = "nothing happens once there is a file: replace is false"
	default:
		ch.alike = puppet.IsAlike(ch.ref.Type, key, old.res, ch.at.res)
	}
}

// isSecrecy reports whether a change is about secrets, which always counts.
func (c *change) isSecrecy() bool {
	return c.kind == kind.Sensitivity || c.kind == kind.Secret || c.kind == kind.Deferred
}

// inert reports whether a parameter has no effect on the node.
func (x *parameters) inert(key string) bool {
	old, new := x.match.old, x.match.new
	switch {
	case !x.noise.on[profileEffect] || puppet.IndexOf(key) >= 0 || key == "noop":
		return false
	case new.isDefined():
		return x.noise.ignore(profileEffect, "parameter of a class or define")
	case key != "ensure" && puppet.IsGone(old.text("ensure")) && puppet.IsGone(new.text("ensure")) && !removes(key):
		return x.noise.ignore(profileEffect, "parameter of an absent resource")
	case key != "refreshonly" && puppet.RunOf(new.res).When == puppet.OnRefresh && !x.isRefreshed(new):
		return x.noise.ignore(profileEffect, "parameter of an exec that never runs")
	default:
		return false
	}
}

// isRefreshed reports whether an arrow of the new catalog refreshes a resource, or one
// that contains it.
func (c *comparison) isRefreshed(i *item) bool {
	if c.refreshed == nil {
		arrows, err := c.new.arrows(func(id string) string { return id })
		if err != nil {
			return true
		}
		c.refreshed = make(map[string]bool)
		for a, how := range arrows {
			if how == refreshes {
				c.refreshed[a.to] = true
			}
		}
	}
	seen := make(map[string]bool)
	above := []string{i.id}
	for k := 0; k < len(above); k++ {
		id := above[k]
		if c.refreshed[id] {
			return true
		}
		seen[id] = true
		for _, parent := range c.new.containment()[id] {
			if id := identity(parent); !seen[id] {
				above = append(above, id)
			}
		}
	}
	return false
}

// removes reports whether a parameter matters for the removal of a resource.
func removes(parameter string) bool {
	switch parameter {
	case "force", "recurse", "purge", "rmdirs", "backup", "path", "name", "provider", "uninstall_options", "managehome":
		return true
	default:
		return false
	}
}
