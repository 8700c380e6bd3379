package faults

import (
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/puppet"
)

// isDeclared reports whether a metaparameter declares an arrow.
func isDeclared(a graph.Arrow) bool { return a.Kind <= graph.Notify }

// refreshed finds classes that are refreshed as a whole, with several services or
// execs. One such resource is the purpose of a class named service, and an exec
// that is refreshonly expects it.
func (k *checker) refreshed() {
	sources := make(map[int][]int)
	locations := make(map[int]int) // of the first relation
	var classes []int
	for a := range k.Relations() {
		if !a.Refresh || puppet.Canonical(k.Node(a.To).Ref).Type != "Class" {
			continue
		}
		if sources[a.To] == nil {
			classes = append(classes, a.To)
			locations[a.To] = a.Declares()
		}
		sources[a.To] = append(sources[a.To], a.From)
	}
	if len(classes) == 0 {
		return
	}
	active := make(map[int][]int) // by class
	for i := range k.Len() {
		n := k.read(i)
		if typ := puppet.Canonical(n.Ref).Type; typ != "Service" && (typ != "Exec" || n.isTrue(paramRefreshOnly)) {
			continue
		}
		for _, c := range k.outward(i) {
			if sources[c] != nil {
				active[c] = append(active[c], i)
			}
		}
	}
	for _, c := range classes {
		if len(active[c]) < 2 {
			continue
		}
		f := Finding{
			Kind: NotifyClass, Ref: k.ref(c), Other: k.ref(sources[c][0]), Members: k.refs(active[c]),
			Fix: "notify the service that uses the change",
		}
		f.Manifest, f.Line = k.at(locations[c])
		by := f.Other.String()
		if n := len(sources[c]) - 1; n > 0 {
			by += fmt.Sprintf(" or of %d more", n)
		}
		const most = 3
		names := make([]string, 0, most)
		for _, m := range f.Members[:min(most, len(f.Members))] {
			names = append(names, m.String())
		}
		all := strings.Join(names, ", ")
		if n := len(f.Members) - most; n > 0 {
			all += fmt.Sprintf(" and %d more", n)
		}
		f.Message = fmt.Sprintf("a change of %s refreshes all of %s: %s", by, f.Ref, all)
		k.add(f)
	}
}

// stages finds relations between resources of two stages. A refresh has a
// purpose of its own.
func (k *checker) stages() {
	type pair struct{ from, to int }
	relations := make(map[pair][]graph.Arrow)
	var pairs []pair
	of := make(map[int]int)
	for a := range k.Relations() {
		if !isDeclared(a) || a.Refresh {
			continue
		}
		p := pair{k.stage(a.From, of), k.stage(a.To, of)}
		if p.from < 0 || p.to < 0 || p.from == p.to || p.from == a.From || p.to == a.To || k.reached(p.to, true)[p.from] {
			continue // against the order of the stages it is a cycle
		}
		if relations[p] == nil {
			pairs = append(pairs, p)
		}
		relations[p] = append(relations[p], a)
	}
	for _, p := range pairs {
		a := relations[p][0]
		f := Finding{Kind: CrossesStage, Ref: k.ref(a.To), Other: k.ref(a.From)}
		f.Manifest, f.Line = k.at(a.Declares())
		before, after, many := k.ref(p.from), k.ref(p.to), ""
		if n := len(relations[p]) - 1; n > 0 {
			many = fmt.Sprintf(", and %d more like it", n)
		}
		if k.reached(p.from, true)[p.to] {
			f.Message = fmt.Sprintf("%s is after %s without their relationship%s: %s is before %s", f.Ref, f.Other, many, before, after)
			f.Fix = "remove " + k.declaration(a)
		} else {
			f.Message = fmt.Sprintf("%s is after %s%s, although %s and %s have no order", f.Ref, f.Other, many, before, after)
			f.Fix = fmt.Sprintf("order the stages: Stage['%s'] -> Stage['%s']", before.Title, after.Title)
		}
		k.add(f)
	}
}

// stage returns the stage of a node, or -1.
func (k *checker) stage(node int, of map[int]int) int {
	stage, ok := of[node]
	if !ok {
		stage = -1
		for _, c := range k.outward(node) {
			if puppet.Canonical(k.Node(c).Ref).Type == "Stage" {
				stage = c
				break
			}
		}
		of[node] = stage
	}
	return stage
}

// products finds the relations that an arrow between two collectors makes: of
// each resource of a type with each one of another type.
func (k *checker) products() {
	const many = 500 // relations: below, a class in between saves little
	type group struct {
		from, to string
		kind     graph.Kind
	}
	type relations struct {
		n        int
		from, to map[int]bool
		first    graph.Arrow
	}
	groups := make(map[group]*relations)
	var order []group
	for a := range k.Relations() {
		if !isDeclared(a) {
			continue
		}
		g := group{puppet.Canonical(k.Node(a.From).Ref).Type, puppet.Canonical(k.Node(a.To).Ref).Type, a.Kind}
		r := groups[g]
		if r == nil {
			r = &relations{from: make(map[int]bool), to: make(map[int]bool), first: a}
			groups[g] = r
			order = append(order, g)
		}
		r.n++
		r.from[a.From], r.to[a.To] = true, true
	}
	for _, g := range order {
		r := groups[g]
		if product := len(r.from) * len(r.to); r.n < many || len(r.from) < 2 || len(r.to) < 2 || r.n*10 < product*9 {
			continue // an arrow of collectors relates all, but for the exceptions of its queries
		}
		f := Finding{Kind: FanOut, Ref: k.ref(r.first.To), Other: k.ref(r.first.From)}
		f.Manifest, f.Line = k.at(r.first.Declares())
		f.Message = fmt.Sprintf("%d relationships put each of %d %s resources before each of %d %s resources", r.n, len(r.from), g.from, len(r.to), g.to)
		f.Fix = fmt.Sprintf("put a class in between: %s <| |> -> Class['name'] -> %s <| |>", g.from, g.to)
		k.add(f)
	}
}

// redundant finds relations that others imply.
func (k *checker) redundant() {
	for a, via := range k.Implied() {
		f := Finding{Kind: Redundant, Ref: k.ref(a.To), Other: k.ref(a.From), Fix: "remove " + k.declaration(a)}
		f.Manifest, f.Line = k.at(a.Declares())
		f.Message = fmt.Sprintf("%s is after %s without its %s", k.ref(a.To), k.ref(a.From), a.Kind)
		if via >= 0 {
			f.Message += fmt.Sprintf(", because of %s in between", k.ref(via))
		} else {
			f.Message += ", because of another relationship between them"
		}
		k.add(f)
	}
}
