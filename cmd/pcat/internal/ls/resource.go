package ls

import (
	"cmp"
	"slices"
	"unique"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// Resource is a row of the table, and a resource for programs.
type Resource struct {
	File       string      `json:"file"`
	Node       string      `json:"node"`
	Ref        catalog.Ref `json:"ref"`
	Position   int         `json:"position,omitempty"` // in the order of application
	Manifest   string      `json:"manifest,omitempty"`
	Line       int64       `json:"line,omitempty"`
	Container  string      `json:"container,omitempty"`
	Ensure     string      `json:"ensure,omitempty"`
	Parameters int         `json:"parameters"` // their number
	Sensitive  bool        `json:"sensitive"`
	Deferred   bool        `json:"deferred"`
	Exported   bool        `json:"exported"`

	Catalog  int `json:"-"` // its index in the document
	index    int // in the catalog
	catalogs int // in how many it is, if it is merged
	input    int // the number of the first one
}

// resource returns the row of a resource: only its reference, unless more is printed. Catalogs
// can have very many resources, so texts that occur often are kept once.
func (r *run) resource(res *query.Resource) (*Resource, error) {
	once := func(text string) string { return unique.Make(text).Value() }
	ref := res.Ref()
	one := &Resource{Ref: catalog.Ref{Type: once(ref.Type), Title: ref.Title}, Catalog: res.Catalog, index: res.Index}
	if !r.opts.Long && !r.opts.JSON.Given() {
		return one, nil
	}
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	one.Node, one.Manifest, one.Line = once(res.Node), once(res.File()), res.Line()
	one.Exported = res.Exported()
	one.Parameters = len(parameters)
	one.Sensitive = len(res.SensitiveParameters()) > 0
	for i := range parameters {
		p := &parameters[i]
		if p.Key != "ensure" && !p.MayBeRich() {
			continue
		}
		v, _, err := res.Parameter(p.Key)
		if err != nil {
			return nil, err
		}
		if p.Key == "ensure" {
			one.Ensure = once(text(v))
		}
		if err := one.look(v); err != nil {
			return nil, err
		}
	}
	return one, nil
}

// look sets the flags for the values in a parameter.
func (one *Resource) look(v pcore.Value) error {
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		switch c.Value().(type) {
		case *pcore.Sensitive:
			one.Sensitive = true
		case *pcore.Deferred:
			one.Deferred = true
		default:
		}
		return nil
	})
}

// text returns a String as it is, and any other value in Puppet notation.
func text(v pcore.Value) string {
	if s, ok := v.(pcore.String); ok {
		return string(s)
	}
	return v.String()
}

// sortResources sorts by catalog, then by position or type, and then in the order of the catalog.
func sortResources(all []*Resource) {
	slices.SortStableFunc(all, func(a, b *Resource) int {
		return cmp.Or(cmp.Compare(a.Catalog, b.Catalog), cmp.Compare(a.Position, b.Position),
			cmp.Compare(a.Ref.Type, b.Ref.Type), cmp.Compare(a.input, b.input))
	})
}

// merged are the resources of several catalogs, each once. The zero value is empty.
type merged struct {
	resources []*Resource
	index     map[catalog.Ref]*Resource
}

// add adds the resources of an input. The result does not depend on the order of the calls: the
// columns are of the first input.
func (m *merged) add(input int, all []*Resource) {
	if m.index == nil {
		m.index = map[catalog.Ref]*Resource{}
	}
	for _, one := range all {
		one.input, one.catalogs, one.Catalog = input, 1, 0
		key := puppet.Canonical(one.Ref)
		known := m.index[key]
		if known == nil {
			m.index[key] = one
			m.resources = append(m.resources, one)
			continue
		}
		if one.input < known.input {
			*one, *known = *known, *one
		}
		known.catalogs += one.catalogs
		known.Sensitive = known.Sensitive || one.Sensitive
		known.Deferred = known.Deferred || one.Deferred
		known.Exported = known.Exported || one.Exported
		if known.Ensure != one.Ensure {
			known.Ensure = "*"
		}
	}
}
