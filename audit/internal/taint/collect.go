package taint

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// Declaration is where a secret is declared.
type Declaration struct {
	// Catalog is the position of the catalog in the run; Add sets it.
	Catalog int
	// Origin is caller-defined data about the location.
	Origin any
}

// Source is one secret of a run.
type Source struct {
	reveal func() string
	// First is the first location that declares it, in the order of the run.
	First Declaration
	// Nodes are the numbers of the nodes whose catalogs declare it, in ascending order;
	// see [Collector.Sources].
	Nodes []int32
	// Locations is the number of locations that declare it.
	Locations int
	// Declared is set unless the secret was found without being declared.
	Declared bool
}

// Discovered returns a Source for a secret that is not declared, at the location where it
// was found first. Its Nodes and Locations are empty.
func Discovered(reveal func() string, first Declaration) *Source {
	return &Source{reveal: reveal, First: first}
}

// In reports whether a catalog of the given node declares the secret.
func (s *Source) In(node int32) bool {
	_, found := slices.BinarySearch(s.Nodes, node)
	return found
}

// Reveal returns the secret.
func (s *Source) Reveal() string { return s.reveal() }

// Words are the words of the catalogs of a run, such as a [secret.Vocabulary].
type Words interface {
	// Held returns the secrets that are words, and so are not followed.
	Held(secrets []string) map[string]bool
}

// Collector gathers secrets. It is safe for concurrent use. Create one with
// [NewCollector].
type Collector struct {
	mu      sync.Mutex
	sources map[string]*gathered
	list    []*gathered // of sources, in the order in which they were added
	skipped map[string]struct{}
}

type gathered struct {
	text      string
	first     Declaration
	order     int     // order of first in its catalog
	catalogs  []int32 // may contain duplicates
	locations int
}

// NewCollector returns an empty Collector with room for a number of secrets.
func NewCollector(secrets int) *Collector {
	return &Collector{sources: make(map[string]*gathered, secrets), list: make([]*gathered, 0, secrets), skipped: map[string]struct{}{}}
}

// Add adds a text that is declared a secret or is part of one. catalog is the position of
// its catalog in the run, order the position in the catalog. location returns the rest; it
// is called if this is the first location so far. Add reports whether the secret is
// followed: copies of a short or common text would be found everywhere.
func (c *Collector) Add(text string, catalog, order int, location func() Declaration) bool {
	if IsRedacted(text) {
		return true
	}
	follow := secret.Traceable(text)
	c.AddLocations(text, follow, 1, catalog, order, location)
	return follow
}

// IsRedacted reports whether a text replaces a secret that was redacted before.
func IsRedacted(text string) bool {
	text = strings.TrimSpace(text)
	return secret.IsMarker(text) || text == pcore.RedactedText
}

// AddLocations adds a text that a catalog declares a secret at several locations, the first of
// which has the position order. followed is what [Collector.Add] reports for the text.
func (c *Collector) AddLocations(text string, followed bool, locations, catalog, order int, location func() Declaration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !followed {
		if _, known := c.skipped[text]; !known {
			c.skipped[strings.Clone(text)] = struct{}{}
		}
		return
	}
	g := c.sources[text]
	if g == nil {
		g = &gathered{text: strings.Clone(text)}
		c.sources[g.text] = g
		c.list = append(c.list, g)
	}
	if g.locations == 0 || catalog < g.first.Catalog || catalog == g.first.Catalog && order < g.order {
		g.first, g.order = location(), order
		g.first.Catalog = catalog
	}
	g.in(int32(catalog))
	g.locations += locations
}

// in adds a catalog. Duplicates, which several goroutines add in turn, are removed before
// the slice grows.
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

// nodes returns the nodes of the catalogs; of maps catalogs to nodes.
func (g *gathered) nodes(of []int32) []int32 {
	for i, c := range g.catalogs {
		if of != nil {
			g.catalogs[i] = of[c]
		}
	}
	slices.Sort(g.catalogs)
	return slices.Clip(slices.Compact(g.catalogs))
}

// Sources returns the secrets that are followed, and those that are not because they are
// words of the catalogs, both in the order of the run. nodes maps each catalog to the
// number of its node; if it is nil, each catalog has a node of its own. Afterwards, only
// Skipped may be called.
func (c *Collector) Sources(nodes []int32, words Words) (followed, held []*Source) {
	c.mu.Lock()
	defer c.mu.Unlock()
	isHeld := words.Held(slices.Collect(maps.Keys(c.sources)))
	for text := range isHeld {
		c.skipped[text] = struct{}{}
	}
	entries := c.list
	c.sources, c.list = nil, nil                        // most of their memory is not needed any longer
	slices.SortFunc(entries, func(a, b *gathered) int { // catalogs that were added in order are sorted
		if n := cmp.Or(a.first.Catalog-b.first.Catalog, a.order-b.order); n != 0 {
			return n
		}
		return strings.Compare(a.text, b.text)
	})
	for _, e := range entries {
		text := e.text // without the rest in the closure
		s := &Source{
			reveal:    func() string { return text },
			First:     e.first,
			Nodes:     e.nodes(nodes),
			Locations: e.locations, Declared: true,
		}
		if isHeld[text] {
			held = append(held, s)
		} else {
			followed = append(followed, s)
		}
	}
	return followed, held
}
