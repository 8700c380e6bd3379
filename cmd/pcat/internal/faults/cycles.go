package faults

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
)

func (k *checker) cycles() {
	cycles := k.Cycles()
	for _, c := range cycles {
		f := Finding{Kind: Cycle, Severity: Error}
		for _, m := range c.Members {
			f.Members = append(f.Members, k.ref(m))
		}
		for _, s := range slices.Backward(c.Path) {
			f.Path = append(f.Path, k.step(s))
		}
		for _, cut := range c.Cuts {
			f.Cuts = append(f.Cuts, k.cut(cut))
		}
		if len(f.Cuts) > 0 {
			f.Manifest, f.Line = f.Cuts[0].Manifest, f.Cuts[0].Line
		}
		f.Message = "dependency cycle of " + counted(len(c.Members), "resource")
		if len(c.Members) == 1 {
			f.Message = fmt.Sprintf("dependency cycle: %s waits for itself", f.Members[0])
		}
		if n := distinct(f.Path); n < len(c.Members) {
			f.Message += fmt.Sprintf(", the shortest way round has %d", n)
		}
		f.Fix = k.breaks(c)
		found := fmt.Sprintf("Found %s:", counted(len(cycles), "dependency cycle"))
		if len(c.Printed) > 0 {
			found += " (" + k.printed(c) + ")"
		}
		f.Puppet = []string{found}
		k.add(f)
	}
}

// printed returns the path of Puppet with masked references.
func (k *checker) printed(c graph.Cycle) string {
	refs := make([]string, len(c.Printed))
	for i, m := range c.Printed {
		refs[i] = k.ref(m).String()
	}
	return strings.Join(refs, " => ")
}

func distinct(path []Step) int {
	seen := make(map[catalog.Ref]bool)
	for _, w := range path {
		seen[w.After] = true
	}
	return len(seen)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// step returns a step as "After is applied after Before".
func (k *checker) step(s graph.Step) Step {
	w := Step{After: k.ref(s.To.Node), Before: k.ref(s.From.Node)}
	a := s.Arrow
	switch {
	case s.Inside:
		w.Why = "ends after it begins"
	case a.Kind != graph.Contains:
		w.Why = why(a)
		w.Manifest, w.Line = k.at(a.Declares())
	case s.To.End:
		w.Why = "contains it"
	default:
		w.Why = "is in it"
	}
	return w
}

// why describes the reason of an arrow.
func why(a graph.Arrow) string {
	switch a.Kind {
	case graph.Edge:
		return "an edge of the catalog"
	case graph.Autorequire, graph.Autobefore:
		return a.Kind.String() + " by Puppet"
	default:
		return a.Kind.String()
	}
}

func (k *checker) cut(c graph.Cut) Cut {
	cut := Cut{From: k.ref(c.Arrow.From), To: k.ref(c.Arrow.To), Why: c.Arrow.Kind.String(), Left: c.Left}
	cut.Manifest, cut.Line = k.at(c.Arrow.Declares())
	return cut
}

// breaks returns the remedy for a cycle: the arrow that breaks most of it.
func (k *checker) breaks(c graph.Cycle) string {
	if len(c.Cuts) == 0 {
		return "remove one of the relationships"
	}
	best := c.Cuts[0]
	a := best.Arrow
	declares, other := ends(a)
	var text string
	switch a.Kind {
	case graph.Contains:
		text = fmt.Sprintf("do not contain %s in %s", k.ref(a.To), k.ref(a.From))
	case graph.Autorequire, graph.Autobefore:
		text = fmt.Sprintf("remove a relationship of %s or %s: Puppet itself adds that %s is applied first", k.ref(a.From), k.ref(a.To), k.ref(a.From))
	case graph.Edge:
		text = fmt.Sprintf("remove the edge from %s to %s", k.ref(a.From), k.ref(a.To))
	default:
		same := []string{k.declaration(a)}
		for b := range k.Relations() {
			if b.From == a.From && b.To == a.To && b.Kind != a.Kind && isDeclared(b) {
				same = append(same, k.declaration(b))
			}
		}
		text = "remove " + strings.Join(same, " and ")
	}
	if best.Left == 0 {
		text += ", which breaks the cycle"
	} else {
		text += fmt.Sprintf("; %s would still form a cycle", counted(best.Left, "resource"))
	}
	if a.Kind <= graph.Notify && declares != other && k.Node(other).Container && k.contains(other, declares) {
		text += fmt.Sprintf(". It is in %s itself: name the resources that are meant instead", k.ref(other))
	}
	return text
}

// ends returns the node that declares an arrow, and the other one.
func ends(a graph.Arrow) (declares, other int) {
	if declares = a.Declares(); declares == a.From {
		return declares, a.To
	}
	return declares, a.From
}

// declaration returns the metaparameter of an arrow and its resource, to be removed.
func (k *checker) declaration(a graph.Arrow) string {
	declares, other := ends(a)
	return fmt.Sprintf("%s => %s from %s%s", a.Kind, k.ref(other), k.ref(declares), k.declared(declares))
}

// contains reports whether a container contains a node, directly or not.
func (k *checker) contains(container, node int) bool {
	return slices.Contains(k.outward(node), container)
}

// outward returns a node and its containers, the nearest first.
func (k *checker) outward(node int) []int {
	if k.parents == nil {
		k.parents = make([][]int, k.Len())
		for a := range k.Containment() {
			k.parents[a.To] = append(k.parents[a.To], a.From)
		}
	}
	seen := map[int]bool{node: true}
	queue := []int{node}
	for i := 0; i < len(queue); i++ {
		for _, p := range k.parents[queue[i]] {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return queue
}
