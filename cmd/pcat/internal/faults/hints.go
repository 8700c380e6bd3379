package faults

import (
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/puppet"
)

// hints finds weak orders.
func (k *checker) hints() {
	k.orphans()
	k.late()
	k.unordered()
	k.scripts()
	k.accounts()
	k.refreshed()
	k.stages()
	k.products()
	if k.o.AllHints {
		k.redundant()
	}
}

// orphans finds refreshes without effect: of types of Puppet that do nothing
// when they are refreshed. The types of modules are not judged.
func (k *checker) orphans() {
	for a := range k.Relations() {
		if !a.Refresh {
			continue
		}
		n := k.read(a.To)
		typ := puppet.Canonical(n.Ref).Type
		reinstalls := typ == "Package" && n.text(paramReinstall) == "true"
		if n.Container || !puppet.IsCore(typ) || reinstalls || puppet.CanRefresh(typ) && typ != "Package" {
			continue
		}
		f := Finding{
			Kind: OrphanNotify, Ref: k.ref(a.To), Other: k.ref(a.From),
			Fix: "use before or require if the order is meant; notify the service that uses it otherwise",
		}
		f.Manifest, f.Line = k.at(a.Declares())
		f.Message = fmt.Sprintf("a change of %s refreshes %s, but a refresh has no effect on a %s", f.Other, f.Ref, typ)
		k.add(f)
	}
}

// late finds autorequires that Puppet omits because of an opposite relation. A
// directory that is purged is often put after the files in it, with intent.
func (k *checker) late() {
	late := make(map[int][]int)
	var needed []int
	for a := range k.Omitted() {
		if r := k.read(a.From); r.isTrue(paramPurge) || r.isTrue(paramRecurse) || a.Kind == graph.Autobefore {
			continue
		}
		if late[a.From] == nil {
			needed = append(needed, a.From)
		}
		late[a.From] = append(late[a.From], a.To)
	}
	for _, from := range needed {
		nodes := late[from]
		f := Finding{Kind: LateParent, Ref: k.ref(nodes[0]), Other: k.ref(from), Fix: "reverse or remove the relationship between them"}
		f.Manifest, f.Line = k.at(nodes[0])
		f.Message = fmt.Sprintf("%s needs %s, but is applied before it, because a relationship says so", f.Ref, f.Other)
		if len(nodes) > 1 {
			f.Message = fmt.Sprintf("%s need %s, but are applied before it, because relationships say so", k.several(&f, nodes), f.Other)
		}
		k.add(f)
	}
}

// unordered finds services and configuration files without a relation to the
// package of the same name.
func (k *checker) unordered() {
	packages := make(map[string]int)
	for i := range k.Len() {
		n := k.read(i)
		if puppet.Canonical(n.Ref).Type != "Package" || n.isAbsent() {
			continue
		}
		packages[n.Ref.Title] = i
		if name := n.text(paramName); name != "" {
			packages[name] = i
		}
	}
	if len(packages) == 0 {
		return
	}
	loose := make(map[int][]int) // by package
	for i := range k.Len() {
		n := k.read(i)
		if p, ok := packages[k.packageOf(n, packages)]; ok && !n.isAbsent() && !k.isOrdered(p, i) {
			loose[p] = append(loose[p], i)
		}
	}
	k.each(loose, "%s after %s", "%s after %s")
}

// packageOf returns the name of the package that a service or a file seems to
// need.
func (k *checker) packageOf(n node, packages map[string]int) string {
	switch puppet.Canonical(n.Ref).Type {
	case "Service":
		if name := n.text(paramName); name != "" {
			if _, ok := packages[name]; ok {
				return name
			}
		}
		return n.Ref.Title
	case "File":
		return owner(n)
	default:
		return ""
	}
}

// loose adds one hint for all resources that need another one.
func (k *checker) loose(p int, nodes []int, after string) {
	f := Finding{Kind: MissingOrder, Ref: k.ref(nodes[0]), Other: k.ref(p)}
	f.Manifest, f.Line = k.at(nodes[0])
	f.Message = "no relationship puts " + fmt.Sprintf(after, k.several(&f, nodes), f.Other)
	f.Fix = fmt.Sprintf("add require => %s, or put an arrow between the classes", f.Other)
	k.add(f)
}

// isOrdered reports whether a node is applied after or before another one.
func (k *checker) isOrdered(node, other int) bool {
	return k.isRelated(node, other) || k.reached(node, true)[other] || k.reached(node, false)[other]
}

// isRelated reports whether a relation connects two nodes, in either direction.
func (k *checker) isRelated(node, other int) bool {
	if k.related == nil {
		k.related = make(map[[2]int]bool)
		for a := range k.Relations() {
			k.related[[2]int{min(a.From, a.To), max(a.From, a.To)}] = true
		}
	}
	return k.related[[2]int{min(node, other), max(node, other)}]
}

// reached returns for each node whether it is applied after a node, or before it.
func (k *checker) reached(node int, after bool) []bool {
	if k.reach == nil {
		k.reach = make(map[bool]map[int][]bool)
		k.reach[true], k.reach[false] = make(map[int][]bool), make(map[int][]bool)
	}
	known, ok := k.reach[after][node]
	if !ok {
		known = make([]bool, k.Len())
		nodes := k.Before
		if after {
			nodes = k.After
		}
		for _, i := range nodes(node) {
			known[i] = true
		}
		k.reach[after][node] = known
	}
	return known
}

// owner returns the name of the package to which a file below /etc seems to
// belong: /etc/NAME/… or /etc/NAME.conf.
func owner(n node) string {
	rest, ok := strings.CutPrefix(pathOf(n), "/etc/")
	if !ok {
		return ""
	}
	first, _, deeper := strings.Cut(rest, "/")
	if deeper {
		return first
	}
	return strings.TrimSuffix(first, ".conf")
}
