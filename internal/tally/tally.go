// Package tally counts and lists the same things on many nodes: the resources, calls or
// secrets that a folder of catalogs has in common, and the different texts of findings.
//
// Counting belongs here; the things that are counted do not.
package tally

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"sync"
)

// Tally counts by key, in total and by node. The result does not depend on the
// order of the calls of Add. It needs a few bytes for each key and eight nodes.
// It is safe for concurrent use. The zero value is empty.
type Tally[K comparable] struct {
	mu     sync.Mutex
	nodes  map[string]int // their numbers
	groups map[K]*group
}

type group struct {
	count    int
	adds     int
	min, max int
	nodes    []uint64 // bit N for the node with the number N
}

// Group is the count of one key.
type Group[K comparable] struct {
	Key   K
	Count int
	// Nodes is the number of nodes with the key, and Examples the first of them
	// by name.
	Nodes    int
	Examples []string
	// Adds is the number of calls of Add. Min and Max are the smallest and the
	// largest count of one call.
	Adds, Min, Max int
}

// Add counts a key n times for a node.
func (t *Tally[K]) Add(node string, key K, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.groups == nil {
		t.nodes, t.groups = make(map[string]int), make(map[K]*group)
	}
	number, ok := t.nodes[node]
	if !ok {
		number = len(t.nodes)
		t.nodes[node] = number
	}
	g := t.groups[key]
	if g == nil {
		g = &group{min: n}
		t.groups[key] = g
	}
	g.count += n
	g.adds++
	g.min, g.max = min(g.min, n), max(g.max, n)
	for len(g.nodes) <= number/64 {
		g.nodes = append(g.nodes, 0)
	}
	g.nodes[number/64] |= 1 << (number % 64)
}

// Nodes returns the number of nodes with a key.
func (t *Tally[K]) Nodes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.nodes)
}

// Count returns the sum of all counts.
func (t *Tally[K]) Count() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, g := range t.groups {
		n += g.count
	}
	return n
}

// Groups returns the groups with up to the given number of examples. The largest
// counts are first, and compare orders the keys of equal counts.
func (t *Tally[K]) Groups(examples int, compare func(a, b K) int) []Group[K] {
	t.mu.Lock()
	defer t.mu.Unlock()
	names := slices.Sorted(maps.Keys(t.nodes))
	all := make([]Group[K], 0, len(t.groups))
	for key, g := range t.groups {
		group := Group[K]{Key: key, Count: g.count, Adds: g.adds, Min: g.min, Max: g.max}
		for _, word := range g.nodes {
			group.Nodes += bits.OnesCount64(word)
		}
		for _, name := range names {
			if len(group.Examples) >= min(examples, group.Nodes) {
				break
			}
			if n := t.nodes[name]; n/64 < len(g.nodes) && g.nodes[n/64]&(1<<(n%64)) != 0 {
				group.Examples = append(group.Examples, name)
			}
		}
		all = append(all, group)
	}
	slices.SortFunc(all, func(a, b Group[K]) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), compare(a.Key, b.Key))
	})
	return all
}

// Distinct returns the texts of findings or changes, each once, in order and without empty ones.
func Distinct[T any](all []T, text func(T) string) []string {
	list := []string{}
	known := map[string]bool{"": true}
	for _, one := range all {
		if s := text(one); !known[s] {
			known[s] = true
			list = append(list, s)
		}
	}
	return list
}
