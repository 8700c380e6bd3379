package taint

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// Place is where a secret is declared.
type Place struct {
	// Catalog is the position of the catalog in the run; Add sets it.
	Catalog int
	// At names the place in it. It may hold secrets.
	At string
	// Origin is what the caller knows about the place.
	Origin any
}

// Source is one secret of a run.
type Source struct {
	reveal func() string
	// First is the place that declares it first, in the order of the run.
	First Place
	// Nodes are the numbers of those whose catalogs declare it, in rising
	// order; see [Collector.Sources].
	Nodes []int32
	// Places is the number of places that declare it.
	Places int
}

// In reports whether a catalog of the node of that number declares the secret.
func (s *Source) In(node int32) bool {
	_, found := slices.BinarySearch(s.Nodes, node)
	return found
}

// Reveal returns the secret.
func (s *Source) Reveal() string { return s.reveal() }

// Collector gathers secrets. It is safe for concurrent use; make one with
// [NewCollector].
type Collector struct {
	mu      sync.Mutex
	sources map[string]*gathered
	skipped map[string]struct{}
}

type gathered struct {
	first    Place
	order    int     // of first in its catalog
	catalogs []int32 // some of them more than once
	places   int
}

// NewCollector returns a Collector that holds nothing.
func NewCollector() *Collector {
	return &Collector{sources: map[string]*gathered{}, skipped: map[string]struct{}{}}
}

// Add tells that a text is declared a secret, or stands inside one that is.
// Catalog is the position of its catalog in the run, order that of the place in
// the catalog; place tells the rest, and is called when it is the first so far.
// Add reports whether the secret is followed: one that is too short, or too common
// a word, would be found everywhere.
func (c *Collector) Add(text string, catalog, order int, place func() Place) bool {
	if text := strings.TrimSpace(text); secret.IsMarker(text) || text == pcore.RedactedText {
		return true // a redacted catalog: there is no secret any more
	}
	follow := secret.Traceable(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !follow {
		if _, known := c.skipped[text]; !known {
			c.skipped[strings.Clone(text)] = struct{}{}
		}
		return false
	}
	g := c.sources[text]
	if g == nil {
		g = &gathered{}
		c.sources[strings.Clone(text)] = g
	}
	if g.places == 0 || catalog < g.first.Catalog || catalog == g.first.Catalog && order < g.order {
		g.first, g.order = place(), order
		g.first.Catalog = catalog
	}
	g.in(int32(catalog))
	g.places++
	return true
}

// in notes a catalog. What several goroutines note in turn is sorted out when
// there is no more room.
func (g *gathered) in(catalog int32) {
	n := len(g.catalogs)
	switch {
	case n > 0 && g.catalogs[n-1] == catalog:
		return
	case n > 0 && n == cap(g.catalogs):
		slices.Sort(g.catalogs)
		g.catalogs = slices.Compact(g.catalogs)
	}
	g.catalogs = append(g.catalogs, catalog)
}

// Skipped returns how many secrets are not followed.
func (c *Collector) Skipped() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.skipped)
}

// nodes returns the nodes of the catalogs.
func (g *gathered) nodes(of []int32) []int32 {
	for i, c := range g.catalogs {
		if of != nil {
			g.catalogs[i] = of[c]
		}
	}
	slices.Sort(g.catalogs)
	return slices.Clip(slices.Compact(g.catalogs))
}

// Sources returns the secrets that are followed, in the order of the run. Nodes
// has the number of the node of each catalog; without it, each is of a node of
// its own. The Collector is of no more use.
func (c *Collector) Sources(nodes []int32) []*Source {
	c.mu.Lock()
	defer c.mu.Unlock()
	texts := slices.SortedFunc(maps.Keys(c.sources), func(a, b string) int {
		x, y := c.sources[a], c.sources[b]
		if x.first.Catalog != y.first.Catalog {
			return x.first.Catalog - y.first.Catalog
		}
		if x.order != y.order {
			return x.order - y.order
		}
		return strings.Compare(a, b)
	})
	list := make([]*Source, len(texts))
	for i, text := range texts {
		g := c.sources[text]
		list[i] = &Source{
			reveal: func() string { return text },
			First:  g.first,
			Nodes:  g.nodes(nodes),
			Places: g.places,
		}
	}
	return list
}
