package diff

import (
	"slices"

	"github.com/pcatdev/pcat/catalog/graph"
)

// skip removes the effects on resources that Puppet skips because one before them fails.
func (c *comparison) skip() error {
	var failing []*item
	for i := range c.changes {
		if ch := &c.changes[i]; ch.fails && !slices.Contains(failing, ch.at) {
			failing = append(failing, ch.at)
		}
	}
	if len(failing) == 0 {
		return nil
	}
	g, err := graph.New(c.new.catalog)
	if err != nil {
		return err
	}
	c.skipped = make(map[string]*item)
	for _, i := range failing {
		node, ok := g.Find(i.ref)
		if !ok {
			continue
		}
		for _, after := range g.After(node) {
			if id := identity(g.Node(after).Ref); c.skipped[id] == nil {
				c.skipped[id] = i
			}
		}
	}
	for i := range c.changes {
		c.changes[i].skip(c.skipped)
	}
	return nil
}

// skip removes the effects of a change if the resource that would have them is skipped.
func (c *change) skip(skipped map[string]*item) {
	acting := c.events
	if c.fails {
		acting = append(slices.Clip(acting), c.at)
	}
	for _, i := range acting {
		if by := skipped[i.id]; by != nil {
			c.effects = slices.DeleteFunc(c.effects, func(e effect) bool { return e.effect != "expose-secret" })
			c.events, c.starts, c.fails = nil, false, false
			c.detail = "skipped, because " + by.ref.String() + " fails"
			return
		}
	}
}
