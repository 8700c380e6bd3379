// Package summary summarizes a catalog: the number of resources of each type,
// the declared secrets, the calls left to the agent, and the biggest values. A
// [Summary] contains names, locations and sizes, but no values.
package summary

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Options configure a [Summary].
type Options struct {
	// Biggest is the maximum number of biggest values. Zero means
	// [DefaultBiggest], and a negative number means none.
	Biggest int
	// Display, if not nil, returns the location to display for a location
	// whose titles or keys must not be seen. It is called during the
	// traversal.
	Display func(catalog.Location) catalog.Location
	// Text, if not nil, returns the text to display for a name that must
	// not be seen: of the node, its environment, version and UUID, of a
	// type or a function. It is called for locations, too, after Location.
	Text func(string) string
}

// DefaultBiggest is the default of [Options.Biggest].
const DefaultBiggest = 10

// Summary is the summary of one catalog.
type Summary struct {
	Node        string `json:"node"`
	Environment string `json:"environment"`
	Version     string `json:"version"`
	CatalogUUID string `json:"catalog_uuid,omitempty"`

	Resources int     `json:"resources"`
	Exported  int     `json:"exported"`
	Edges     int     `json:"edges"`
	Classes   int     `json:"classes"`
	Types     []Count `json:"types"` // most frequent first

	Secrets []Secret `json:"secrets"` // in catalog order
	Calls   []Call   `json:"calls"`   // most frequent function first
	Biggest []Value  `json:"biggest"` // biggest first
}

// Count is the number of resources of a type.
type Count struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// Encoding is the way in which a secret is declared.
type Encoding string

// The two encodings of a secret in a catalog.
const (
	Listed Encoding = "listed" // the name of the parameter is in `sensitive_parameters`
	Nested Encoding = "nested" // a Sensitive is inside the parameter
)

// Location is a location in a catalog, masked.
type Location struct {
	Ref  string `json:"ref"`
	Path string `json:"path"` // [catalog.Location.Pointer]

	Text string `json:"-"` // as messages show it
}

// Secret is a declared secret.
type Secret struct {
	Location

	Encoding Encoding `json:"encoding"`
	// Kind is the kind of the secret value, empty if the value is missing.
	Kind string `json:"kind,omitempty"`
}

// Call is a function called by the agent, with the locations of its calls.
type Call struct {
	Function  string     `json:"function"`
	Count     int        `json:"count"`
	Locations []Location `json:"locations"` // in catalog order
}

// Value is a parameter with its encoded size.
type Value struct {
	Location

	Bytes int `json:"bytes"`
}

// Summaries returns an iterator over the summaries of the catalogs in src. It
// ends with the first error, an *[catalog.Error].
func Summaries(src *catalog.Reader, o Options) iter.Seq2[*Summary, error] {
	return func(yield func(*Summary, error) bool) {
		s := newSummer(o)
		for p, err := range src.Parts() {
			switch {
			case err != nil:
			case p.Kind == catalog.PartResource:
				err = s.resource(p.Resource)
			case p.Kind == catalog.PartEdge:
				s.edges++
			case p.Catalog:
				if !yield(s.sum(src.Header()), nil) {
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

// summer collects the summary of one catalog.
type summer struct {
	options   Options
	resources int
	exported  int
	edges     int
	types     map[string]int
	secrets   []Secret
	calls     map[string]*Call
	biggest   []Value
}

func newSummer(o Options) *summer {
	if o.Biggest == 0 {
		o.Biggest = DefaultBiggest
	}
	if o.Display == nil {
		o.Display = func(at catalog.Location) catalog.Location { return at }
	}
	if o.Text == nil {
		o.Text = func(text string) string { return text }
	}
	return &summer{options: o, types: map[string]int{}, calls: map[string]*Call{}}
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
	ref, names := r.Ref(), r.SensitiveParameters()
	if len(names) > 0 {
		there := catalog.NamesOf(r.ParameterNames())
		for _, name := range names {
			if !there.Has(name) {
				s.secret(ref.Parameter(name), Listed, nil)
			}
		}
	}
	listed := catalog.NamesOf(names)
	for i := range parameters {
		p := &parameters[i]
		s.value(ref, p)
		isListed := listed.Has(p.Key)
		if !isListed && !p.MayBeRich() {
			continue
		}
		v, err := r.Decode(p)
		if err != nil {
			return err
		}
		at := ref.Parameter(p.Key)
		if isListed {
			s.secret(at, Listed, v)
		}
		if err := s.walk(at, v, isListed); err != nil {
			return err
		}
	}
	return nil
}

// walk records the secrets and calls in a parameter. In a listed parameter, all
// have its location, because keys inside are secret, too.
func (s *summer) walk(parameter catalog.Location, v pcore.Value, listed bool) error {
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		here := func() catalog.Location {
			if listed {
				return parameter
			}
			return parameter.Join(c.Path())
		}
		switch v := c.Value().(type) {
		case *pcore.Sensitive:
			holds := v.Reveal() //nolint:forbidigo // only its kind is used
			s.secret(here(), Nested, holds)
		case *pcore.Deferred:
			call, ok := s.calls[v.Name()]
			if !ok {
				call = &Call{Function: v.Name()}
				s.calls[v.Name()] = call
			}
			call.Count++
			call.Locations = append(call.Locations, s.location(here()))
		default:
		}
		return nil
	})
}

func (s *summer) secret(at catalog.Location, encoding Encoding, holds pcore.Value) {
	secret := Secret{Location: s.location(at), Encoding: encoding}
	if holds != nil {
		secret.Kind = pcore.KindOf(holds).String()
	}
	s.secrets = append(s.secrets, secret)
}

// value keeps the biggest values, sorted.
func (s *summer) value(ref catalog.Ref, p *catalog.Member) {
	bytes := len(p.Bytes())
	limit := max(0, s.options.Biggest)
	i, _ := slices.BinarySearchFunc(s.biggest, bytes, func(v Value, bytes int) int {
		if v.Bytes >= bytes {
			return -1
		}
		return 1
	})
	if i < limit {
		s.biggest = slices.Insert(s.biggest, i, Value{s.location(ref.Parameter(p.Key)), bytes})
		s.biggest = s.biggest[:min(limit, len(s.biggest))]
	}
}

func (s *summer) location(at catalog.Location) Location {
	at = s.options.Display(at)
	text := s.options.Text
	return Location{text(at.Ref.String()), text(at.Pointer()), text(at.String())}
}

func (s *summer) sum(h *catalog.Header) *Summary {
	text := s.options.Text
	sum := &Summary{
		Node:        text(h.Name()),
		Environment: text(h.Environment()),
		Version:     text(h.Version()),
		CatalogUUID: text(h.CatalogUUID()),
		Resources:   s.resources,
		Exported:    s.exported,
		Edges:       s.edges,
		Classes:     len(h.Classes()),
		Types:       []Count{},
		Secrets:     append([]Secret{}, s.secrets...),
		Calls:       []Call{},
		Biggest:     append([]Value{}, s.biggest...),
	}
	for _, name := range slices.Sorted(maps.Keys(s.types)) {
		sum.Types = append(sum.Types, Count{text(name), s.types[name]})
	}
	slices.SortStableFunc(sum.Types, func(a, b Count) int { return cmp.Compare(b.Count, a.Count) })
	for _, name := range slices.Sorted(maps.Keys(s.calls)) {
		call := *s.calls[name]
		call.Function = text(name)
		sum.Calls = append(sum.Calls, call)
	}
	slices.SortStableFunc(sum.Calls, func(a, b Call) int { return cmp.Compare(b.Count, a.Count) })
	return sum
}
