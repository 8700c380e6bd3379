package query

import (
	"context"
	"iter"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Mask masks secrets before an expression sees them. A Redactor of package sensitive
// is one.
type Mask interface {
	catalog.Transform
	Location(catalog.Location) catalog.Location
	Text(string) string
}

// Source provides the resources of a document to queries. It is not safe for
// concurrent use.
type Source struct {
	// Open returns a new reader of the document. It is called once more if relations or
	// containers are used, or the name of a node that follows the resources.
	Open func() *catalog.Reader
	// Mask, if not nil, masks resources, references and names.
	Mask Mask
	// Select, if not nil, reports whether a resource, which is masked, is of interest.
	Select func(*catalog.Resource) bool
	// Named sets [Resource.Node] for all queries, not only for those that use the
	// name.
	Named bool
	// Contained records containers for [Source.Container].
	Contained bool
	// Nodes are the names of the catalogs that were read to their end, masked.
	Nodes []string

	containers []*containment // of these catalogs, if Contained is set
}

// Container returns the reference of the class or defined type that contains a resource of a
// catalog that was read to its end; empty for none.
func (s *Source) Container(catalog, index int) string {
	if list := s.containers[catalog].list(index, 1); len(list) > 0 {
		return list[0]
	}
	return ""
}

// Resource is a resource with its surroundings, which queries can be asked about. It is
// not safe for concurrent use.
type Resource struct {
	*catalog.Resource
	// Node is the name of the node, empty unless it is used: see [Source.Named].
	Node string
	// Catalog is the index of the catalog in the document, and Index that of the resource
	// in the catalog.
	Catalog, Index int

	environment string
	relations   *relations // nil unless used
	containers  *containment
	preset      string
	parameters  *pcore.Hash // nil until used
}

// Resources returns an iterator over the resources of all catalogs, for the given
// queries. Memory is bounded by the largest resource, and if a query uses relations by
// all references of a catalog. The iteration ends with the first error.
func (s *Source) Resources(ctx context.Context, queries ...*Query) iter.Seq2[*Resource, error] {
	w := &sourceWalk{Source: s, named: s.Named}
	for _, q := range queries {
		w.named = w.named || q.uses("certname", "environment")
		w.contained = w.contained || q.uses("container", "containers")
		w.related = w.related || q.uses("requires", "required_by", "notifies", "notified_by")
	}
	return func(yield func(*Resource, error) bool) {
		if err := w.resources(ctx, yield); err != nil {
			yield(nil, err)
		}
	}
}

// sourceWalk is one iteration over the resources of a Source.
type sourceWalk struct {
	*Source
	named, contained, related bool
	all                       []*surroundings // nil until the catalogs are surveyed
}

func (w *sourceWalk) resources(ctx context.Context, yield func(*Resource, error) bool) error {
	if w.related || w.contained {
		if err := w.survey(); err != nil {
			return err
		}
	}
	catalogIndex, resourceIndex := 0, 0
	src, g := w.Open(), newGraph()
	for p, err := range src.Parts() {
		if err == nil {
			err = g.part(p, false, w.Contained)
		}
		switch {
		case err != nil:
			return err
		case p.Catalog:
			if w.Contained {
				w.containers = append(w.containers, g.containment(w.display))
				g = newGraph()
			}
			w.Nodes = append(w.Nodes, w.text(src.Header().Name()))
			catalogIndex, resourceIndex = catalogIndex+1, 0
		case p.Kind == catalog.PartResource:
			r, err := w.resource(ctx, p.Resource, src.Header(), catalogIndex, resourceIndex)
			if err != nil {
				return err
			}
			if r != nil && !yield(r, nil) {
				return nil
			}
			resourceIndex++
		}
	}
	return nil
}

// resource returns a resource with its surroundings, or nil if it is not selected. The
// indexes count the catalogs of the document, and the resources of the catalog.
func (w *sourceWalk) resource(
	ctx context.Context, r *catalog.Resource, h *catalog.Header, catalogIndex, resourceIndex int,
) (*Resource, error) {
	if w.Mask != nil {
		var err error
		if r, err = w.Mask.Resource(ctx, r); err != nil {
			return nil, err
		}
	}
	if r == nil || w.Select != nil && !w.Select(r) {
		return nil, nil //nolint:nilnil // the documented result
	}
	result := &Resource{Resource: r, Catalog: catalogIndex, Index: resourceIndex}
	if w.named {
		result.Node, result.environment = h.Name(), h.Environment()
		if w.all == nil && (result.Node == "" || result.environment == "") {
			if err := w.survey(); err != nil { // they may follow the resources
				return nil, err
			}
		}
	}
	if catalogIndex < len(w.all) {
		about := w.all[catalogIndex]
		result.Node, result.environment, result.containers = about.certname, about.environment, about.containers
		if resourceIndex < len(about.relations) {
			result.relations = &about.relations[resourceIndex]
		}
	}
	result.Node, result.environment = w.text(result.Node), w.text(result.environment)
	return result, nil
}

// text masks a name.
func (w *sourceWalk) text(name string) string {
	if w.Mask == nil {
		return name
	}
	return w.Mask.Text(name)
}

func (w *sourceWalk) survey() (err error) {
	w.all, err = survey(w.Open(), w.related, w.contained, w.display)
	return err
}

// display masks a reference.
func (w *sourceWalk) display(ref catalog.Ref) catalog.Ref {
	if w.Mask == nil {
		return ref
	}
	return w.Mask.Location(catalog.Location{Ref: ref}).Ref
}

// Ask returns the value of the expression for a resource of a [Source] to which the
// query was given. The errors are those of [Query.Resource].
func (q *Query) Ask(ctx context.Context, r *Resource) (pcore.Value, error) {
	s := q.evaluator.Scope(ctx)
	for _, name := range q.used {
		v, err := r.variable(name)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if err := s.Set(name, v); err != nil {
			return nil, err
		}
	}
	return q.evaluator.Program(s, q.program)
}

// presetVariable is the variable with the name of the preset that selected a resource.
const presetVariable = "preset"

// variable returns the value of a variable, nil if it has none.
func (r *Resource) variable(name string) (pcore.Value, error) {
	switch name {
	case "type":
		return pcore.String(r.Type()), nil
	case "title":
		return pcore.String(r.Title()), nil
	case "parameters":
		if r.parameters == nil {
			all, err := r.Parameters()
			if err != nil {
				return nil, err
			}
			r.parameters = all
		}
		return r.parameters, nil
	case "tags":
		return texts(r.Tags()), nil
	case "file":
		return textOrUndef(r.File()), nil
	case "line":
		return lineOrUndef(r.Line()), nil
	case "exported":
		return pcore.Boolean(r.Exported()), nil
	case "sensitive":
		return texts(r.SensitiveParameters()), nil
	case "certname":
		return textOrUndef(r.Node), nil
	case "environment":
		return textOrUndef(r.environment), nil
	case presetVariable:
		if r.preset == "" {
			return nil, nil //nolint:nilnil // the documented result
		}
		return pcore.String(r.preset), nil
	}
	return r.relation(name), nil
}

// relation returns the value of a variable about relations.
func (r *Resource) relation(name string) pcore.Value {
	about := r.relations
	if about == nil {
		about = new(relations)
	}
	switch name {
	case "container":
		if list := r.containers.list(r.Index, 1); len(list) > 0 {
			return pcore.String(list[0])
		}
		return pcore.Undef{}
	case "containers":
		return texts(r.containers.list(r.Index, maxContainers))
	case "requires":
		return texts(about.requires)
	case "required_by":
		return texts(about.requiredBy)
	case "notifies":
		return texts(about.notifies)
	default:
		return texts(about.notifiedBy)
	}
}
