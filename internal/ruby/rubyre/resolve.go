package rubyre

import (
	"slices"
	"strconv"
)

// Limits on subexpression calls: groups that call each other can double the
// size of the pattern at every step.
const (
	maxCalls  = 256
	maxCopies = 1 << 14
)

// resolver converts the parser's tree to one without calls, whose groups have
// their final numbers.
type resolver struct {
	p      *parser
	names  []string // of the groups, by number; names[0] is ""
	copies int
}

// resolve returns the tree with all references resolved, and the names of its
// groups.
func resolve(p *parser) (node, []string, error) {
	r := resolver{p: p, names: []string{""}}
	body := p.groups[0].body
	named := len(p.names) > 0
	if err := r.checkReferences(body, named); err != nil {
		return nil, nil, err
	}
	if err := r.checkCalls(body, named); err != nil {
		return nil, nil, err
	}
	r.renumber(body, named)
	body, err := r.expand(body)
	if err != nil {
		return nil, nil, err
	}
	if err := r.checkAnchors(body, nil); err != nil {
		return nil, nil, err
	}
	if err := r.checkLoops(body, referred(body, map[int]bool{}), false); err != nil {
		return nil, nil, err
	}
	if err := r.checkKeep(body); err != nil {
		return nil, nil, err
	}
	return body, r.names, nil
}

// checkReferences checks that the groups that n refers to exist, and are
// referred to by name if any group is named.
func (r *resolver) checkReferences(n node, named bool) error {
	var groups []int
	var numbered bool
	switch n := n.(type) {
	case *backref:
		groups, numbered = n.groups, n.numbered
		if n.level {
			return r.p.unsupported("back-reference with a recursion level")
		}
	case *cond:
		groups, numbered = []int{n.group}, n.numbered
	}
	if named && numbered {
		return r.p.fail("numbered backref/call is not allowed. (use name)")
	}
	if slices.ContainsFunc(groups, func(g int) bool { return g >= len(r.p.groups) }) {
		return r.p.fail("invalid backref number/name")
	}
	if c, ok := n.(*cond); ok && c.tooMany {
		return r.p.fail("invalid conditional pattern")
	}
	for _, c := range children(n) {
		if err := r.checkReferences(c, named); err != nil {
			return err
		}
	}
	return nil
}

// checkCalls checks that each call has exactly one target group, and resolves
// it.
func (r *resolver) checkCalls(n node, named bool) error {
	if c, ok := n.(*call); ok {
		if c.name != "" {
			numbers := r.p.names[c.name]
			if len(numbers) == 0 {
				return r.p.fail("undefined name <" + c.name + "> reference")
			}
			if len(numbers) > 1 {
				return r.p.fail("multiplex definition name <" + c.name + "> call")
			}
			c.index = numbers[0]
		} else if named && c.index > 0 {
			return r.p.fail("numbered backref/call is not allowed. (use name)")
		}
		if c.index >= len(r.p.groups) {
			return r.p.fail("undefined group <" + strconv.Itoa(c.index) + "> reference")
		}
		return nil
	}
	for _, child := range children(n) {
		if err := r.checkCalls(child, named); err != nil {
			return err
		}
	}
	return nil
}

// renumber assigns numbers to the capturing groups, in order, and updates
// references. If any group is named, unnamed ones do not capture.
func (r *resolver) renumber(body node, named bool) {
	final := make([]int, len(r.p.groups))
	for i, g := range r.p.groups[1:] {
		g.index = 0
		if !named || g.name != "" {
			g.index = len(r.names)
			r.names = append(r.names, g.name)
		}
		final[i+1] = g.index
	}
	r.renumberReferences(body, final)
}

func (r *resolver) renumberReferences(n node, final []int) {
	switch n := n.(type) {
	case *backref:
		for i, g := range n.groups {
			n.groups[i] = final[g]
		}
	case *cond:
		n.group = final[n.group]
	}
	for _, c := range children(n) {
		r.renumberReferences(c, final)
	}
}

// expand replaces calls by copies of their target groups.
func (r *resolver) expand(body node) (node, error) {
	switch calls := countCalls(body); {
	case calls == 0:
		return body, nil
	case calls > maxCalls:
		return nil, r.p.unsupported("so many subexpression calls")
	}
	for _, g := range r.p.groups {
		if endless(r.p.groups, g) {
			return nil, r.p.fail("never ending recursion")
		}
	}
	return r.copy(body, []*group{r.p.groups[0]})
}

func countCalls(n node) int {
	if _, ok := n.(*call); ok {
		return 1
	}
	calls := 0
	for _, c := range children(n) {
		calls += countCalls(c)
	}
	return calls
}

// copy returns n with its calls replaced; running are the enclosing groups.
func (r *resolver) copy(n node, running []*group) (node, error) {
	if r.copies++; r.copies > maxCopies {
		return nil, r.p.unsupported("so many subexpression calls")
	}
	switch m := n.(type) {
	case *call:
		target := r.p.groups[m.index]
		if slices.Contains(running, target) {
			return nil, r.p.unsupported("recursive subexpression call")
		}
		return r.copy(target, running)
	case *group:
		running = append(slices.Clip(running), m)
	}
	return rebuild(n, func(c node) (node, error) { return r.copy(c, running) })
}

// checkAnchors checks that Ruby accepts the lengths of look-behinds, and rejects
// back-references to an enclosing group: Ruby compares them with a mixture of
// two rounds.
func (r *resolver) checkAnchors(n node, around []int) error {
	switch n := n.(type) {
	case *backref:
		if slices.ContainsFunc(n.groups, func(g int) bool { return slices.Contains(around, g) }) {
			return r.p.unsupported("back-reference to the group it is in")
		}
	case *group:
		if n.index > 0 {
			around = append(slices.Clip(around), n.index)
		}
	case *look:
		if n.behind && (!behindAllows(n.body, n.negative) || !hasBehindLength(n.body)) {
			return r.p.fail("invalid pattern in look-behind")
		}
	}
	for _, c := range children(n) {
		if err := r.checkAnchors(c, around); err != nil {
			return err
		}
	}
	return nil
}

// checkLoops rejects unbounded loops whose body may match the empty string, if
// they contain a group that is referred to, or any group while nested in
// another loop: Ruby then runs one round more or less because of the group.
func (r *resolver) checkLoops(n node, referred map[int]bool, inLoop bool) error {
	if loop, ok := n.(*repeat); ok {
		if loop.max == infinite && nullable(loop.body) && captures(loop.body, func(g int) bool { return inLoop || referred[g] }) {
			return r.p.unsupported("group in a loop that may match nothing")
		}
		inLoop = inLoop || loop.max > 1 || loop.max == infinite
	}
	for _, c := range children(n) {
		if err := r.checkLoops(c, referred, inLoop); err != nil {
			return err
		}
	}
	return nil
}

// referred adds to groups the groups that n refers to.
func referred(n node, groups map[int]bool) map[int]bool {
	switch n := n.(type) {
	case *backref:
		for _, g := range n.groups {
			groups[g] = true
		}
	case *cond:
		groups[n.group] = true
	}
	for _, c := range children(n) {
		referred(c, groups)
	}
	return groups
}

// captures reports whether n captures a group for which counts is true.
func captures(n node, counts func(int) bool) bool {
	if g, ok := n.(*group); ok && g.index > 0 && counts(g.index) {
		return true
	}
	return slices.ContainsFunc(children(n), func(c node) bool { return captures(c, counts) })
}

// behindAllows reports whether Ruby allows n in a look-behind.
func behindAllows(n node, negative bool) bool {
	switch n := n.(type) {
	case *backref, *atomic, *cond:
		return false
	case *anchor:
		if n.kind == textEnd || n.kind == textSemiEnd {
			return false
		}
	case *look:
		if !n.behind {
			return false
		}
	case *group:
		if negative && n.index > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(children(n), func(c node) bool { return !behindAllows(c, negative) })
}

// hasBehindLength reports whether the body of a look-behind has a fixed length.
// Only its outermost alternatives may differ in length.
func hasBehindLength(n node) bool {
	if choice, ok := n.(*alt); ok {
		return !slices.ContainsFunc(choice.items, func(c node) bool { return !hasLength(c) })
	}
	return hasLength(n)
}

func hasLength(n node) bool {
	_, ok := length(n)
	return ok
}

// length returns the number of characters that n matches, if it is fixed.
func length(n node) (chars int, fixed bool) {
	switch n := n.(type) {
	case *literal:
		if n.fold {
			return len(foldRunes(n.runes)), true
		}
		return len(n.runes), true
	case *set, *foldSet:
		return 1, true
	case *cat:
		for _, c := range n.items {
			l, ok := length(c)
			if !ok {
				return 0, false
			}
			chars += l
		}
		return chars, true
	case *alt:
		chars, fixed = length(n.items[0])
		for _, c := range n.items[1:] {
			if l, ok := length(c); !ok || l != chars {
				return 0, false
			}
		}
		return chars, fixed
	case *group:
		return length(n.body)
	case *repeat:
		l, ok := length(n.body)
		return l * n.min, ok && n.min == n.max
	}
	return 0, true // anchors and look-around
}

// checkKeep rejects \K unless every match passes it exactly once.
func (r *resolver) checkKeep(body node) error {
	items := []node{body}
	if c, ok := body.(*cat); ok {
		items = c.items
	}
	for _, n := range items {
		if _, ok := n.(*keep); !ok && hasKeep(n) {
			return r.p.unsupported("\\K in a group")
		}
	}
	return nil
}

func hasKeep(n node) bool {
	if _, ok := n.(*keep); ok {
		return true
	}
	return slices.ContainsFunc(children(n), hasKeep)
}
