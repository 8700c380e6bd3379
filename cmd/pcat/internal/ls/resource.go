package ls

import (
	"cmp"
	"slices"
	"unique"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/pcore"
)

// Resource is a row of the table, and a resource for programs.
type Resource struct {
	File       common      `json:"file"`
	Node       common      `json:"node"`
	Ref        catalog.Ref `json:"ref"`
	Position   int32       `json:"position,omitempty"` // in the order of application
	Manifest   common      `json:"manifest,omitzero"`
	Line       int64       `json:"line,omitempty"`
	Container  common      `json:"container,omitzero"`
	Ensure     common      `json:"ensure,omitzero"`
	Parameters int32       `json:"parameters"` // their number
	Sensitive  bool        `json:"sensitive"`
	Deferred   bool        `json:"deferred"`
	Exported   bool        `json:"exported"`

	Catalog  int32 `json:"-"` // its index in the document
	index    int32 // in the catalog
	catalogs int32 // in how many it is, if it is merged
	input    int32 // the number of the first one
}

// common is a text that many rows have. A catalog can have very many resources, so a row
// holds one word for it, and the text is kept once. The zero value is "".
type common struct{ handle unique.Handle[string] }

func commonly(text string) common {
	if text == "" {
		return common{}
	}
	return common{unique.Make(text)}
}

func (c common) String() string {
	if c == (common{}) {
		return ""
	}
	return c.handle.Value()
}

// MarshalText makes a text of it in JSON.
func (c common) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// resource returns the row of a resource: only its reference, unless more is printed.
func (r *run) resource(res *query.Resource) (*Resource, error) {
	ref := res.Ref()
	ref.Type = commonly(ref.Type).String()
	one := &Resource{Ref: ref, Catalog: int32(res.Catalog), index: int32(res.Index)}
	if !r.opts.Long && !r.opts.JSON.Given() {
		return one, nil
	}
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	one.Node, one.Manifest, one.Line = commonly(res.Node), commonly(res.File()), res.Line()
	one.Exported = res.Exported()
	one.Parameters = int32(len(parameters))
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
			one.Ensure = commonly(text(v))
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
		one.input, one.catalogs, one.Catalog = int32(input), 1, 0
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
			known.Ensure = commonly("*")
		}
	}
}
