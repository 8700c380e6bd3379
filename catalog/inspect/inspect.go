// Package inspect sums up what is in a catalog: how many resources of which
// types, where secrets are declared, what is left for the agent to call, and
// which values are big. A [Summary] holds no values, only names and places.
package inspect

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Options tell how much a [Summary] says.
type Options struct {
	// Biggest is how many of the biggest values are listed. Zero means
	// [DefaultBiggest], a negative number none.
	Biggest int
	// Place returns the place that is named in stead of another one, when a
	// title or a key must not be seen. It is asked when all catalogs of the
	// document are read, and only when one of them declares a secret: nothing
	// else is there to be hidden. Nil names all as they are.
	Place func(catalog.Location) (catalog.Location, error)
}

// DefaultBiggest is the number of biggest values that the zero value of
// [Options] lists.
const DefaultBiggest = 10

// Summary is what is in one catalog.
type Summary struct {
	Node        string `json:"node"`
	Environment string `json:"environment"`
	Version     string `json:"version"`
	CatalogUUID string `json:"catalog_uuid,omitempty"`

	Resources int     `json:"resources"`
	Exported  int     `json:"exported"`
	Edges     int     `json:"edges"`
	Classes   int     `json:"classes"`
	Types     []Count `json:"types"` // the most frequent first

	Secrets []Secret `json:"secrets"` // in the order of the catalog
	Calls   []Call   `json:"calls"`   // the most frequent function first
	Biggest []Value  `json:"biggest"` // the biggest first
}

// Count is how often a type occurs.
type Count struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// Encoding tells how a secret is declared.
type Encoding string

// The two ways in which a catalog declares a secret.
const (
	Listed Encoding = "listed" // the name of the parameter is in `sensitive_parameters`
	Nested Encoding = "nested" // a Sensitive stands inside the parameter
)

// Secret is a place where a secret is declared.
type Secret struct {
	Place    string   `json:"place"`
	Encoding Encoding `json:"encoding"`
	// Holds is the kind of value that is secret; empty when it is absent.
	Holds string `json:"holds,omitempty"`
}

// Call is a function that the agent calls, and where.
type Call struct {
	Function string   `json:"function"`
	Count    int      `json:"count"`
	Places   []string `json:"places"` // in the order of the catalog
}

// Value is a parameter and its size as it was encoded.
type Value struct {
	Place string `json:"place"`
	Bytes int    `json:"bytes"`
}

// Summaries returns an iterator over the summaries of the catalogs that src
// reads. It ends with the first error, an *[catalog.Error] or that of
// [Options.Place].
func Summaries(src *catalog.Reader, o Options) iter.Seq2[*Summary, error] {
	if o.Biggest == 0 {
		o.Biggest = DefaultBiggest
	}
	return func(yield func(*Summary, error) bool) {
		if o.Place != nil {
			hidden(src, o, yield)
			return
		}
		for s, err := range summers(src, o) {
			var sum *Summary
			if err == nil {
				sum, err = s.sum(same)
			}
			if !yield(sum, err) {
				return
			}
		}
	}
}

// hidden yields the summaries when all is read: what a catalog declares to be
// secret may stand in a title of one before.
func hidden(src *catalog.Reader, o Options, yield func(*Summary, error) bool) {
	var all []*summer
	var failed error
	place := same
	for s, err := range summers(src, o) {
		if err != nil {
			failed = err
			break
		}
		if len(s.secrets) > 0 {
			place = o.Place
		}
		all = append(all, s)
	}
	for _, s := range all {
		sum, err := s.sum(place)
		if !yield(sum, err) || err != nil {
			return
		}
	}
	if failed != nil {
		yield(nil, failed)
	}
}

func same(at catalog.Location) (catalog.Location, error) { return at, nil }

// summers sums up one catalog after the other, until the first error.
func summers(src *catalog.Reader, o Options) iter.Seq2[*summer, error] {
	return func(yield func(*summer, error) bool) {
		s := newSummer(o)
		for p, err := range src.Parts() {
			switch {
			case err != nil:
			case p.Kind == catalog.PartResource:
				err = s.resource(p.Resource)
			case p.Kind == catalog.PartEdge:
				s.edges++
			case p.Catalog:
				s.header = src.Header()
				if !yield(s, nil) {
					return
				}
				s = newSummer(o)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// summer sums up one catalog.
type summer struct {
	most      int // how many of the biggest values are wanted
	header    *catalog.Header
	resources int
	exported  int
	edges     int
	types     map[string]int
	secrets   []secret
	calls     map[string]*call
	biggest   []value
}

// What is told of a place, before that is named.
type (
	secret struct {
		Secret
		at catalog.Location
	}
	call struct {
		name string
		at   []catalog.Location
	}
	value struct {
		at    catalog.Location
		bytes int
	}
)

func newSummer(o Options) *summer {
	return &summer{most: max(0, o.Biggest), types: map[string]int{}, calls: map[string]*call{}}
}

func (s *summer) resource(r *catalog.Resource) error {
	s.resources++
	s.types[r.Type()]++
	if r.Exported() {
		s.exported++
	}
	parameters, err := r.RawParameters()
	if err != nil {
		return err
	}
	names := r.SensitiveParameters()
	there := catalog.NamesOf(r.ParameterNames())
	for _, name := range names {
		if !there.Has(name) {
			s.secret(r.Ref().Parameter(name), Listed, nil)
		}
	}
	listed := catalog.NamesOf(names)
	for i := range parameters {
		p := &parameters[i]
		v, err := p.Value()
		if err != nil {
			_, _, err = r.Parameter(p.Key) // which tells where
			return err
		}
		at := r.Ref().Parameter(p.Key)
		s.value(at, len(p.Bytes()))
		if listed.Has(p.Key) {
			s.secret(at, Listed, v)
		}
		if err := s.walk(at, v); err != nil {
			return err
		}
	}
	return nil
}

func (s *summer) walk(at catalog.Location, v pcore.Value) error {
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		switch v := c.Value().(type) {
		case *pcore.Sensitive:
			holds := v.Reveal() //nolint:forbidigo // its kind is told, not the value
			s.secret(at.Join(c.Path()), Nested, holds)
		case *pcore.Deferred:
			made, ok := s.calls[v.Name()]
			if !ok {
				made = &call{name: v.Name()}
				s.calls[v.Name()] = made
			}
			made.at = append(made.at, at.Join(c.Path()))
		default:
		}
		return nil
	})
}

func (s *summer) secret(at catalog.Location, encoding Encoding, holds pcore.Value) {
	found := secret{Secret{Encoding: encoding}, at}
	if holds != nil {
		found.Holds = holds.Kind().String()
	}
	s.secrets = append(s.secrets, found)
}

// value keeps the biggest values, sorted.
func (s *summer) value(at catalog.Location, bytes int) {
	i, _ := slices.BinarySearchFunc(s.biggest, bytes, func(v value, bytes int) int {
		if v.bytes >= bytes {
			return -1
		}
		return 1
	})
	if i < s.most {
		s.biggest = slices.Insert(s.biggest, i, value{at, bytes})
		s.biggest = s.biggest[:min(s.most, len(s.biggest))]
	}
}

// sum tells what was counted. place says how places are named.
func (s *summer) sum(place func(catalog.Location) (catalog.Location, error)) (*Summary, error) {
	sum := &Summary{
		Node:        s.header.Name(),
		Environment: s.header.Environment(),
		Version:     s.header.Version(),
		CatalogUUID: s.header.CatalogUUID(),
		Resources:   s.resources,
		Exported:    s.exported,
		Edges:       s.edges,
		Classes:     len(s.header.Classes()),
		Types:       []Count{},
		Secrets:     []Secret{},
		Calls:       []Call{},
		Biggest:     []Value{},
	}
	for _, name := range slices.Sorted(maps.Keys(s.types)) {
		sum.Types = append(sum.Types, Count{name, s.types[name]})
	}
	slices.SortStableFunc(sum.Types, func(a, b Count) int { return cmp.Compare(b.Count, a.Count) })

	var failed error
	named := func(at catalog.Location) string {
		told, err := place(at)
		failed = errors.Join(failed, err)
		return told.String()
	}
	for _, found := range s.secrets {
		found.Place = named(found.at)
		sum.Secrets = append(sum.Secrets, found.Secret)
	}
	for _, name := range slices.Sorted(maps.Keys(s.calls)) {
		made := Call{Function: name, Count: len(s.calls[name].at)}
		for _, at := range s.calls[name].at {
			made.Places = append(made.Places, named(at))
		}
		sum.Calls = append(sum.Calls, made)
	}
	slices.SortStableFunc(sum.Calls, func(a, b Call) int { return cmp.Compare(b.Count, a.Count) })
	for _, v := range s.biggest {
		sum.Biggest = append(sum.Biggest, Value{named(v.at), v.bytes})
	}
	if failed != nil {
		return nil, failed
	}
	return sum, nil
}
