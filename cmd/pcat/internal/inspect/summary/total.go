package summary

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/tally"
)

// Totals adds up the summaries of many catalogs. The result does not depend on
// their order. It is safe for concurrent use. The zero value is empty.
type Totals struct {
	mu                                sync.Mutex
	documents                         rundata.Numbers
	catalogs                          int // that were added
	bytes, resources, exported, edges sum
	biggest                           map[Location]NodeValue
	formats, nodes, environments      tally.Tally[string]
	types, calls                      tally.Tally[string]
	secrets                           tally.Tally[Secret]
}

// Total describes many catalogs together.
type Total struct {
	Catalogs     int             `json:"catalogs"`
	Documents    rundata.Numbers `json:"documents,omitempty"` // of other documents
	Nodes        int             `json:"nodes"`               // different ones
	Formats      []Group         `json:"formats"`             // of documents
	Environments []Group         `json:"environments"`
	Bytes        Range           `json:"bytes"` // a document, decompressed
	Resources    Range           `json:"resources"`
	Exported     Range           `json:"exported"`
	Edges        Range           `json:"edges"`
	Types        []TypeTotal     `json:"types"` // most frequent first

	Secrets []SecretTotal `json:"secrets"` // most frequent first
	Calls   []CallTotal   `json:"calls"`   // most frequent first
	Biggest []NodeValue   `json:"biggest"` // biggest first
}

// Numbers returns the numbers of catalogs and of other documents.
func (t *Total) Numbers() rundata.Numbers {
	numbers := rundata.Numbers{"": t.Catalogs}
	maps.Copy(numbers, t.Documents)
	return numbers
}

// Range is a sum of numbers, with the smallest and the largest of them.
type Range struct {
	Sum int64 `json:"sum"`
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

// Group is a number of catalogs or documents.
type Group struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// TypeTotal is the number of resources of a type.
type TypeTotal struct {
	Type  string `json:"type"`
	Nodes int    `json:"nodes"` // with such resources
	Range        // of all catalogs
}

// SecretTotal is a declared secret at the same location of several nodes.
type SecretTotal struct {
	Secret
	Count    int      `json:"count"`
	Nodes    int      `json:"nodes"`
	Examples []string `json:"examples"` // nodes, at most three
}

// CallTotal is a function called by agents.
type CallTotal struct {
	Function string `json:"function"`
	Count    int    `json:"count"`
	Nodes    int    `json:"nodes"`
}

// NodeValue is the biggest value at a location, with its node.
type NodeValue struct {
	Node string `json:"node"`
	Value
}

// sum adds up numbers.
type sum struct {
	Range
	any bool
}

func (s *sum) add(n int64) {
	if !s.any {
		s.Range, s.any = Range{Min: math.MaxInt64, Max: math.MinInt64}, true
	}
	s.Sum += n
	s.Min, s.Max = min(s.Min, n), max(s.Max, n)
}

// Document adds a document with its format and size. It contains a number of catalogs, or presents another document as
// catalogs if it has a kind.
func (t *Totals) Document(format string, bytes int64, kind rundata.Kind, catalogs int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.documents == nil {
		t.documents = rundata.Numbers{}
	}
	t.documents.Add(kind, catalogs)
	t.formats.Add("", format, 1)
	t.bytes.add(bytes)
}

// Add adds a catalog of a document. Catalogs with the same Node are of one node, also if it is empty.
func (t *Totals) Add(s *Summary) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.catalogs++
	t.nodes.Add(s.Node, s.Node, 1)
	t.environments.Add(s.Node, s.Environment, 1)
	t.resources.add(int64(s.Resources))
	t.exported.add(int64(s.Exported))
	t.edges.add(int64(s.Edges))
	for _, c := range s.Types {
		t.types.Add(s.Node, c.Type, c.Count)
	}
	for _, secret := range s.Secrets {
		t.secrets.Add(s.Node, secret, 1)
	}
	for _, c := range s.Calls {
		t.calls.Add(s.Node, c.Function, c.Count)
	}
	for _, v := range s.Biggest {
		other, ok := t.biggest[v.Location]
		if !ok || cmp.Or(cmp.Compare(other.Bytes, v.Bytes), cmp.Compare(s.Node, other.Node)) < 0 {
			if t.biggest == nil {
				t.biggest = make(map[Location]NodeValue)
			}
			t.biggest[v.Location] = NodeValue{s.Node, v}
		}
	}
}

// values returns the n biggest values, each location once.
func (t *Totals) values(n int) []NodeValue {
	all := append([]NodeValue{}, slices.Collect(maps.Values(t.biggest))...)
	slices.SortFunc(all, func(a, b NodeValue) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Text, b.Text))
	})
	return all[:min(n, len(all))]
}

// Total returns the total, with up to the given number of biggest values. They are
// right for a number that is not above [Options.Biggest] of the summaries.
func (t *Totals) Total(biggest int) *Total {
	t.mu.Lock()
	defer t.mu.Unlock()
	const examples = 3
	total := &Total{
		Catalogs: t.documents[""], Nodes: t.nodes.Nodes(),
		Formats: groups(&t.formats), Environments: groups(&t.environments),
		Bytes: t.bytes.Range, Resources: t.resources.Range, Exported: t.exported.Range, Edges: t.edges.Range,
		Types: []TypeTotal{}, Secrets: []SecretTotal{}, Calls: []CallTotal{},
		Biggest: t.values(biggest),
	}
	for kind, n := range t.documents {
		if kind == "" {
			continue
		}
		if total.Documents == nil {
			total.Documents = rundata.Numbers{}
		}
		total.Documents[kind] = n
	}
	for _, g := range t.types.Groups(0, strings.Compare) {
		least := g.Min
		if g.Adds < t.catalogs {
			least = 0
		}
		total.Types = append(total.Types, TypeTotal{g.Key, g.Nodes, Range{int64(g.Count), int64(least), int64(g.Max)}})
	}
	compare := func(a, b Secret) int {
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Encoding, b.Encoding), cmp.Compare(a.Kind, b.Kind))
	}
	for _, g := range t.secrets.Groups(examples, compare) {
		total.Secrets = append(total.Secrets, SecretTotal{g.Key, g.Count, g.Nodes, g.Examples})
	}
	for _, g := range t.calls.Groups(0, strings.Compare) {
		total.Calls = append(total.Calls, CallTotal{g.Key, g.Count, g.Nodes})
	}
	return total
}

func groups(t *tally.Tally[string]) []Group {
	list := []Group{}
	for _, g := range t.Groups(0, strings.Compare) {
		list = append(list, Group{g.Key, g.Count})
	}
	return list
}
