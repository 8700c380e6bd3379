package diff

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
)

// refreshGraph has the arrows of a catalog along which a refresh travels. As in Puppet,
// a container has two points: a refresh that reaches its entry reaches all of its
// content, and an event in its content leaves by its exit.
type refreshGraph struct {
	side *side
	next map[string][]string // by point
}

// The points of a container; another resource is one point, its identity.
const (
	pointIn  = "entry of "
	pointOut = "exit of "
)

// newRefreshGraph returns the refresh graph of a catalog.
func newRefreshGraph(s *side) (*refreshGraph, error) {
	g := &refreshGraph{side: s, next: make(map[string][]string)}
	for child, parents := range s.containment() {
		for _, p := range parents {
			parent := identity(p)
			g.add(pointIn+parent, pointOut+parent)
			g.add(pointIn+parent, g.entry(child))
			g.add(g.exit(child), pointOut+parent)
		}
	}
	all, err := s.arrows(func(id string) string { return id })
	if err != nil {
		return nil, err
	}
	for a, how := range all {
		if how == refreshes {
			g.add(g.exit(a.from), g.entry(a.to))
		}
	}
	return g, nil
}

func (g *refreshGraph) add(from, to string) { g.next[from] = append(g.next[from], to) }

func (g *refreshGraph) entry(id string) string {
	if g.isContainer(id) {
		return pointIn + id
	}
	return id
}

func (g *refreshGraph) exit(id string) string {
	if g.isContainer(id) {
		return pointOut + id
	}
	return id
}

func (g *refreshGraph) isContainer(id string) bool {
	i := g.side.byID[id]
	return i != nil && isDefined(i.res)
}

// reached returns the resources that an event of a resource refreshes.
func (g *refreshGraph) reached(from string) []*item {
	seen := map[string]bool{from: true}
	queue := []string{from}
	var all []*item
	for len(queue) > 0 {
		point := queue[0]
		queue = queue[1:]
		for _, next := range g.next[point] {
			if seen[next] {
				continue
			}
			seen[next] = true
			i := g.side.byID[next]
			if i == nil { // a point of a container
				queue = append(queue, next)
				continue
			}
			shown, passes := i.respond(!strings.HasPrefix(point, pointIn))
			if shown {
				all = append(all, i)
			}
			if passes {
				queue = append(queue, next)
			}
		}
	}
	slices.SortFunc(all, func(a, b *item) int { return strings.Compare(a.id, b.id) })
	return all
}

// respond reports whether a resource does something if it is refreshed, and whether it
// passes the refresh on. A type of a module is refreshed if an arrow leads to it directly.
func (i *item) respond(direct bool) (shown, passes bool) {
	if isTrue(i, "noop") {
		return false, false
	}
	switch strings.ToLower(i.ref.Type) {
	case "service":
		stopped := i.raw("ensure") == "stopped" || i.raw("ensure") == "false"
		return !stopped, !stopped
	case "exec", "mount":
		return true, true
	case "package":
		again := isTrue(i, "reinstall_on_refresh")
		return again, again
	case "anchor":
		return false, true
	}
	_, core := properties[strings.ToLower(i.ref.Type)]
	return !core && direct, !core && direct
}

// refreshes adds the refreshes that follow from the events of the changes.
func (c *comparison) refreshes() error {
	commands := make(map[*item]bool) // execs with another command
	any := false
	for i := range c.changes {
		ch := &c.changes[i]
		any = any || ch.event
		if ch.ref.Type == "Exec" && ch.at != nil && !ch.member && len(ch.path) > 0 && textOf(ch.path[0].Key) == "command" {
			commands[ch.at] = true
		}
	}
	if !any {
		return nil
	}
	g, err := newRefreshGraph(c.new)
	if err != nil {
		return err
	}
	known := make(map[*item][]effect)
	for i := range c.changes {
		ch := &c.changes[i]
		if !ch.event || ch.at == nil {
			continue
		}
		found, ok := known[ch.at]
		if !ok {
			for _, r := range g.reached(ch.at.id) {
				found = append(found, refreshOf(r, ch.ref, commands[r]))
			}
			known[ch.at] = found
		}
		ch.effects = append(ch.effects, found...)
	}
	return nil
}

func refreshOf(r *item, via catalog.Ref, changed bool) effect {
	e := effect{effect: "refresh", ref: r.ref, via: via, rank: RankRestart}
	switch r.ref.Type {
	case "Exec":
		if changed {
			e.rank, e.detail = RankDanger, "with another command"
		}
	case "Service":
		e.detail = r.text("restart")
	}
	return e
}
