package puppetdb

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/richtext"
	"github.com/pcatdev/pcat/pcore"
)

// Loss is information in a catalog that PuppetDB does not keep.
type Loss struct {
	// At is the location; the zero value is the whole catalog.
	At   catalog.Location
	What string
}

// Restore returns the catalog of a `replace catalog` payload or of a row of
// PuppetDB's catalogs query, both as read by a [catalog.Reader], and the losses
// that cannot be recovered. Its edges are containment edges; other edges result
// from the relationship metaparameters. An alias that equals the resource's name
// is removed, because it was added for PuppetDB. Resources, edges and tags of a
// row are sorted: a query returns them in any order.
//
// PuppetDB does not keep the kind of a resource, by which agents decide whether to
// apply it or to treat it as a container. It follows from the type and the edges,
// except for a type of a module that contains nothing. A catalog with such a
// resource has the catalog_format 1, with which agents look for the type themselves.
func Restore(c *catalog.Catalog) (*catalog.Catalog, []Loss, error) {
	row := isRow(c)
	losses := []Loss{
		{What: "the parameters that are secrets, and the list of their names"},
		{What: "rich values, which are plain text"},
		{What: "the tags of the catalog, and its metadata"},
	}
	if row {
		losses = append(losses, Loss{What: "the order of the resources: a query returns them in any order, but agents apply unrelated resources in the order of the catalog"})
	}
	var resources []*catalog.Resource
	var classes []pcore.Value
	rs, es := c.Resources(), c.Edges()
	kinds, format := kindsOf(es), decidedByKind
	if row {
		rs = slices.SortedStableFunc(slices.Values(rs), func(a, b *catalog.Resource) int { return compareRefs(a.Ref(), b.Ref()) })
		es = slices.SortedStableFunc(slices.Values(es), func(a, b *catalog.Edge) int {
			return cmp.Or(compareRefs(a.Source(), b.Source()), compareRefs(a.Target(), b.Target()))
		})
	}
	for _, r := range rs {
		kind := kinds.of(r)
		if kind == "" {
			format = decidedByAgent
		}
		members, lost, err := restored(r, kind, row)
		if err != nil {
			return nil, nil, err
		}
		losses = append(losses, lost...)
		back, err := catalog.NewResource(members)
		if err != nil {
			return nil, nil, err
		}
		resources = append(resources, back)
		if r.Type() == "Class" && r.Title() != "main" {
			classes = append(classes, pcore.String(strings.ToLower(r.Title())))
		}
	}
	var edges []*catalog.Edge
	for _, e := range es {
		if kind := e.Relationship(); kind == "contains" || kind == "" {
			edges = append(edges, catalog.NewEdge(e.Source(), e.Target()))
		}
	}
	header := catalog.NewHeader(
		catalog.NewMember("name", pcore.String(c.Name())),
		catalog.NewMember("version", pcore.String(c.Version())),
		catalog.NewMember("code_id", textOrUndef(c.CodeID())),
		catalog.NewMember("catalog_uuid", textOrUndef(c.CatalogUUID())),
		catalog.NewMember("catalog_format", format),
		catalog.NewMember("environment", textOrUndef(c.Environment())),
		catalog.NewMember("classes", pcore.NewArray(classes...)),
	)
	return catalog.New(header, resources, edges), losses, nil
}

// isRow reports whether c is a query result, which contains a digest of the
// catalog, rather than a payload.
func isRow(c *catalog.Catalog) bool {
	_, found := c.Member("hash")
	return found
}

// order is the order in which Puppet writes the members of a resource.
var order = []string{"type", "title", "tags", "file", "line", "exported", "kind", "parameters"}

func compareRefs(a, b catalog.Ref) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Title, b.Title))
}

// restored returns the members of a resource in the catalog, with its kind unless that is
// unknown. Those of a row are sorted where their order has no meaning.
func restored(r *catalog.Resource, kind string, row bool) (*pcore.Hash, []Loss, error) {
	all, err := r.RevealValue() //nolint:forbidigo // a catalog of PuppetDB lists none, and is written again
	if err != nil {
		return nil, nil, err
	}
	parameters, err := r.RevealParameters() //nolint:forbidigo // likewise
	if err != nil {
		return nil, nil, err
	}
	b := pcore.NewHashBuilder(len(order))
	for _, key := range order {
		v, ok := all.GetString(key)
		if key == "kind" && kind != "" {
			v, ok = pcore.String(kind), true
		}
		if !ok || pcore.Is[pcore.Undef](v) {
			continue
		}
		if tags, ok := v.(*pcore.Array); ok && key == "tags" && row {
			v = sortedArray(tags)
		}
		if key == "parameters" {
			v = withoutName(r.Ref(), parameters)
			if v.(*pcore.Hash).Len() == 0 { //nolint:forcetypeassert // of this kind
				continue
			}
		}
		b.SetString(key, v)
	}
	return b.Hash(), textsOf(r, parameters), nil
}

// withoutName reverses withAliases.
func withoutName(ref catalog.Ref, parameters *pcore.Hash) *pcore.Hash {
	declared, _ := parameters.GetString("alias")
	aliases := slices.Collect(flatten(declared))
	names, _ := namingOf(ref.Type)
	name, ok := names.of(ref, parameters)
	if !ok {
		return parameters
	}
	rest := slices.DeleteFunc(slices.Clone(aliases), func(a pcore.Value) bool { return pcore.Identical(a, name) })
	if len(rest) == len(aliases) {
		return parameters
	}
	b := pcore.NewHashBuilder(parameters.Len())
	for k, v := range parameters.All() {
		if k != pcore.String("alias") {
			b.Set(k, v)
		} else if len(rest) > 0 {
			b.Set(k, pcore.NewArray(rest...))
		}
	}
	return b.Hash()
}

// textsOf finds texts that replaced values needed by an agent.
func textsOf(r *catalog.Resource, parameters *pcore.Hash) []Loss {
	var losses []Loss
	listed := catalog.NamesOf(r.SensitiveParameters())
	for name, value := range parameters.All() {
		at := catalog.Location{Ref: r.Ref(), Path: pcore.Path{{Kind: pcore.StepEntry, Key: name}}}
		key, _ := name.(pcore.String)
		secret := listed.Has(string(key)) // including keys inside it
		// Walk returns only errors of its function, which returns none.
		_ = pcore.Walk(value, func(c *pcore.Cursor) error {
			if what := textOf(c.Value()); what != "" {
				here := at
				if !secret {
					here = at.Join(c.Path())
				}
				losses = append(losses, Loss{At: here, What: what})
			}
			return nil
		})
	}
	return losses
}

func textOf(v pcore.Value) string {
	s, ok := v.(pcore.String)
	switch {
	case !ok:
		return ""
	case strings.Contains(string(s), pcore.RedactedText):
		return "a secret"
	case richtext.IsCall(string(s)):
		return "a Deferred call"
	default:
		return ""
	}
}
