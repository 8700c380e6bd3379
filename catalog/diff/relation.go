package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// arrow leads from the resource that is applied first to the one that follows it.
type arrow struct{ from, to string }

// strength is how an arrow binds two resources.
type strength uint8

const (
	noArrow   strength = iota
	ordered            // the second one comes later
	refreshes          // and is refreshed by changes of the first
)

// declaration is one target of a relationship metaparameter.
type declaration struct{ parameter, target string }

// arrow returns the arrow that a declaration of a resource makes.
func (d declaration) arrow(id string) (arrow, strength) {
	meta, how := d.meta(), ordered
	if meta.Refresh {
		how = refreshes
	}
	if meta.First {
		return arrow{id, d.target}, how
	}
	return arrow{d.target, id}, how
}

func (d declaration) meta() puppet.Metaparameter {
	return puppet.Metaparameters[puppet.IndexOf(d.parameter)]
}

// declarations returns the arrows that a resource declares.
func (s *side) declarations(i *item) (map[declaration]catalog.Ref, error) {
	facts, err := puppet.Read(i.res)
	if err != nil {
		return nil, err
	}
	var targets map[declaration]catalog.Ref
	for meta, list := range facts.References {
		for _, ref := range list {
			t, id := s.find(ref)
			if t != nil {
				ref = t.ref
			}
			if targets == nil {
				targets = make(map[declaration]catalog.Ref)
			}
			targets[declaration{puppet.Metaparameters[meta].Name, id}] = ref
		}
	}
	return targets, nil
}

// value returns the value of a relationship metaparameter, or nil.
func (i *item) value(parameter string) (pcore.Value, error) {
	v, ok, err := i.res.Parameter(parameter)
	if err != nil || !ok {
		return nil, err
	}
	return present(v), nil
}

// arrows returns all arrows that resources declare, by the identities that name
// returns.
func (s *side) arrows(name func(string) string) (map[arrow]strength, error) {
	all := make(map[arrow]strength)
	for _, i := range s.items {
		targets, err := s.declarations(i)
		if err != nil {
			return nil, err
		}
		for d := range targets {
			d.target = name(d.target)
			a, how := d.arrow(name(i.id))
			all[a] = max(all[a], how)
		}
	}
	return all, nil
}

// relations appends the differences between relationship metaparameters that change
// the graph: an arrow that another parameter declares as well is none.
func (c *comparison) relations() error {
	if len(c.related) == 0 {
		return nil
	}
	old, err := c.old.arrows(c.renamedID)
	if err != nil {
		return err
	}
	new, err := c.new.arrows(func(id string) string { return id })
	if err != nil {
		return err
	}
	for _, m := range c.related {
		if err := c.relation(m, old, new); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) relation(m match, old, new map[arrow]strength) error {
	before, err := c.old.declarations(m.old)
	if err != nil {
		return err
	}
	after, err := c.new.declarations(m.new)
	if err != nil {
		return err
	}
	mapped := make(map[declaration]catalog.Ref, len(before))
	for d, ref := range before {
		d.target = c.renamedID(d.target)
		mapped[d] = ref
	}
	details := make(map[string][]string) // by parameter
	ends := make(map[string][]catalog.Ref)
	loses := make(map[string]bool)
	differ := func(d declaration, target catalog.Ref, gone bool) {
		a, how := d.arrow(m.new.id)
		if old[a] == new[a] {
			c.noise.ignore(profileDefault, "arrow declared elsewhere")
			return
		}
		ends[d.parameter] = append(ends[d.parameter], target)
		loses[d.parameter] = loses[d.parameter] || old[a] == refreshes && new[a] != refreshes
		details[d.parameter] = append(details[d.parameter], arrowDetail(d, how, m.new.ref, target, old[a], new[a], gone))
	}
	for d, target := range mapped {
		if _, ok := after[d]; !ok {
			differ(d, target, true)
		}
	}
	for d, target := range after {
		if _, ok := mapped[d]; !ok {
			differ(d, target, false)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(details)) {
		d := delta{op: OpChange, kind: kind.Relation, path: pcore.Path{}.Key(key)}
		if d.old, err = m.old.value(key); err != nil {
			return err
		}
		if d.new, err = m.new.value(key); err != nil {
			return err
		}
		switch {
		case d.old == nil:
			d.op = OpAdd
		case d.new == nil:
			d.op = OpRemove
		}
		slices.Sort(details[key])
		c.changes = append(c.changes, change{delta: d, ref: m.new.ref, at: m.new, ends: ends[key], loses: loses[key], detail: strings.Join(slices.Compact(slices.DeleteFunc(details[key], isEmpty)), "; ")})
	}
	return nil
}

func isEmpty(s string) bool { return s == "" }

// arrowDetail describes the difference of an arrow. It is empty if another
// description includes it: an arrow that changes its strength is one change.
func arrowDetail(d declaration, how strength, own, target catalog.Ref, old, new strength, gone bool) string {
	first, second := own.String(), target.String()
	if !d.meta().First {
		first, second = second, first
	}
	switch {
	case old == refreshes && new == ordered:
		if how == ordered && !gone {
			return ""
		}
		return second + " still follows " + first + ", but is no longer refreshed by it"
	case old == ordered && new == refreshes:
		if how == ordered && gone {
			return ""
		}
		return second + " is now also refreshed by " + first
	case new == noArrow && old == refreshes:
		return second + " is no longer refreshed by " + first
	case new == noArrow:
		return second + " no longer follows " + first
	case new == refreshes:
		return second + " is refreshed by " + first
	default:
		return second + " follows " + first
	}
}

// containers appends the resources that are contained in another resource than
// before.
func (c *comparison) containers() {
	if len(c.newID) == 0 && sameEdges(c.old.catalog.Edges(), c.new.catalog.Edges()) {
		return
	}
	old, new := c.old.containment(), c.new.containment()
	if len(old) == 0 || len(new) == 0 {
		return // a catalog without edges
	}
	for _, m := range c.matches {
		was, is := old[m.old.id], new[m.new.id]
		if len(was) == 0 || len(is) == 0 {
			continue
		}
		same := slices.EqualFunc(was, is, func(a, b catalog.Ref) bool { return c.renamedID(identity(a)) == identity(b) })
		if same {
			continue
		}
		c.moved[m.new.id] = true
		d := delta{op: OpChange, kind: kind.Container, path: pcore.Path{}.Key("container"), old: refList(was), new: refList(is)}
		c.changes = append(c.changes, change{delta: d, member: true, ref: m.new.ref, at: m.new})
	}
}

func sameEdges(a, b []*catalog.Edge) bool {
	return slices.EqualFunc(a, b, func(x, y *catalog.Edge) bool { return sameRaw(x.Wire(), y.Wire(), x.Bytes(), y.Bytes()) })
}

// containment returns the containers of each resource, by identity, sorted.
func (s *side) containment() map[string][]catalog.Ref {
	if s.parents != nil {
		return s.parents
	}
	edges := s.catalog.Edges()
	all := make(map[string][]catalog.Ref, len(edges))
	for _, e := range edges {
		if contains, _ := puppet.EdgeKind(e.Relationship()); !contains {
			continue
		}
		source, target := e.Source(), e.Target()
		if source.IsZero() || target.IsZero() {
			continue
		}
		_, id := s.find(target)
		if !slices.Contains(all[id], source) {
			all[id] = append(all[id], source)
		}
	}
	for _, list := range all {
		slices.SortFunc(list, func(a, b catalog.Ref) int { return strings.Compare(a.String(), b.String()) })
	}
	s.parents = all
	return all
}

// refList returns one reference as text, and several as an array.
func refList(refs []catalog.Ref) pcore.Value {
	if len(refs) == 1 {
		return pcore.String(refs[0].String())
	}
	list := make([]string, len(refs))
	for i, r := range refs {
		list[i] = r.String()
	}
	return textArray(list)
}

// tagDiff is the difference between the tags of a resource.
type tagDiff struct {
	match    match
	old, new []string
}

func newTagDiff(m match, old, new []string) tagDiff {
	return tagDiff{match: m, old: without(old, new), new: without(new, old)}
}

// without returns the elements of list that others does not contain.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// tags appends the resources with other tags, unless a rename, a move, a parameter
// or the tags of a container explain them.
func (c *comparison) tags() {
	maps.DeleteFunc(c.tagged, func(_ string, t tagDiff) bool { return len(t.old)+len(t.new) == 0 })
	if len(c.tagged) == 0 {
		return
	}
	containers := c.new.containment()
	parameter := make(map[*item]bool) // with another parameter tag
	for i := range c.changes {
		if ch := &c.changes[i]; !ch.member && len(ch.path) == 1 && textOf(ch.path[0].Key) == "tag" {
			parameter[ch.at] = true
		}
	}
	for _, m := range c.matches {
		t, ok := c.tagged[m.new.id]
		if !ok {
			continue
		}
		if parameter[m.new] || c.explained(t, containers) || c.areClasses(t) {
			c.noise.ignore(profileDefault, "tags that follow from another change")
			continue
		}
		d := delta{op: OpChange, kind: kind.Tags, path: pcore.Path{}.Key("tags"), old: textArray(t.old), new: textArray(t.new)}
		c.changes = append(c.changes, change{delta: d, member: true, ref: m.new.ref, at: m.new})
	}
}

// areClasses reports whether all tags are those of classes and defines: Puppet gives them to all that
// a class or a define includes, so they follow from another way to include it.
func (c *comparison) areClasses(t tagDiff) bool {
	if c.classTags == nil {
		c.classTags = make(map[string]bool)
		for _, i := range slices.Concat(c.old.items, c.new.items) {
			if !i.isDefined() {
				continue
			}
			for _, name := range []string{i.ref.Type, i.ref.Title} {
				name = strings.ToLower(name)
				c.classTags[name] = true
				for segment := range strings.SplitSeq(name, "::") {
					c.classTags[segment] = true
				}
			}
		}
	}
	for _, tag := range slices.Concat(t.old, t.new) {
		if !c.classTags[tag] {
			return false
		}
	}
	return true
}

// explained reports whether the tags of a resource follow from another change than one of
// its parameters.
func (c *comparison) explained(t tagDiff, containers map[string][]catalog.Ref) bool {
	if c.noise.on[profilePuppetDB] || t.match.renamed || c.moved[t.match.new.id] {
		return true
	}
	seen := make(map[string]bool)
	for id := t.match.new.id; !seen[id]; {
		seen[id] = true
		above := containers[id]
		if len(above) == 0 {
			return false
		}
		id = identity(above[0])
		i := c.new.byID[id]
		if other, ok := c.tagged[id]; ok && len(without(t.old, other.old)) == 0 && len(without(t.new, other.new)) == 0 || c.moved[id] {
			return true
		}
		if i == nil {
			return false
		}
		if c.fresh[i] {
			return true
		}
	}
	return false
}
