package rubyre

import "slices"

// endless reports whether matching g always calls g again, or can do so before
// it consumes a character.
func endless(groups []*group, g *group) bool {
	ask := func(question func(*recursion, node) bool) bool {
		return question(&recursion{groups: groups, target: g, answers: map[*group]bool{}}, g.body)
	}
	return ask((*recursion).always) || ask((*recursion).leads)
}

// recursion answers one question about calls of a target group. It caches the
// answers for the other groups; while it computes an answer, the answer counts
// as false.
type recursion struct {
	groups  []*group
	target  *group
	answers map[*group]bool
}

// enter applies the question to the target of a call.
func (e *recursion) enter(c *call, question func(node) bool) bool {
	g := e.groups[c.index]
	if g == e.target {
		return true
	}
	answer, known := e.answers[g]
	if !known {
		e.answers[g] = false
		answer = question(g.body)
		e.answers[g] = answer
	}
	return answer
}

// always reports whether every path through n calls the target.
func (e *recursion) always(n node) bool {
	switch n := n.(type) {
	case *call:
		return e.enter(n, e.always)
	case *alt:
		return !slices.ContainsFunc(n.items, func(c node) bool { return !e.always(c) })
	case *cond:
		return e.always(n.yes) && e.always(n.no)
	case *repeat:
		return n.min > 0 && e.always(n.body)
	}
	return slices.ContainsFunc(children(n), e.always)
}

// leads reports whether n can call the target before it consumes a character.
func (e *recursion) leads(n node) bool {
	switch n := n.(type) {
	case *call:
		return e.enter(n, e.leads)
	case *cat:
		empty := emptiness{e.groups, map[*group]bool{}}
		for _, c := range n.items {
			if e.leads(c) {
				return true
			}
			if !empty.ask(c) {
				return false
			}
		}
		return false
	}
	return slices.ContainsFunc(children(n), e.leads)
}

// emptiness is nullable for trees with calls.
type emptiness struct {
	groups  []*group
	answers map[*group]bool
}

func (e emptiness) ask(n node) bool {
	switch n := n.(type) {
	case *call:
		g := e.groups[n.index]
		answer, known := e.answers[g]
		if !known {
			e.answers[g] = false
			answer = e.ask(g.body)
			e.answers[g] = answer
		}
		return answer
	case *cat:
		return !slices.ContainsFunc(n.items, func(c node) bool { return !e.ask(c) })
	case *alt:
		return slices.ContainsFunc(n.items, e.ask)
	case *repeat:
		return n.min == 0 || e.ask(n.body)
	case *group:
		return e.ask(n.body)
	case *atomic:
		return e.ask(n.body)
	}
	return nullable(n)
}
