package fallback

import (
	"errors"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// Plan is a resolved catalog without the resources that are skipped: those of failed
// calls, and the ones that an agent would skip because a dependency of theirs has
// failed. An agent can apply it:
//
//   - Edges of skipped resources are left out, and so are references to them in
//     `before` and `notify`.
//   - A resource that would delete a skipped one, because the catalog does not
//     contain it, does not purge in this run. If that is not known, as for types of
//     modules, it does not purge either.
//   - A file of the module concat is skipped with any of its fragments.
//
// A class or a defined type is not applied itself. If only a call in one of its own
// parameters fails, this parameter is left out, and the resources in it are applied:
// those that use the value have a call of their own. If the rule names it, its content
// is skipped.
type Plan struct {
	// Resources are those of the catalog, in order, changed where necessary. A
	// skipped one is nil.
	Resources []*catalog.Resource
	// Edges are those of the catalog, in order, or nil.
	Edges []*catalog.Edge
	// Skipped are the skipped resources, in the order of the catalog.
	Skipped []Skipped
	// Unpurged are the resources that do not purge in this run.
	Unpurged []catalog.Ref
}

// Skipped is a skipped resource. Because is the resource with the failed call, which can
// be the same.
type Skipped struct{ Ref, Because catalog.Ref }

// NewPlan returns the plan for a catalog: resolved are its resources after their calls, and
// failures those of its calls that match [deferred.ErrSkip]; others are ignored. The
// error is a *[catalog.Error] about a parameter that cannot be decoded.
func NewPlan(c *catalog.Catalog, resolved []*catalog.Resource, failures deferred.Failures) (*Plan, error) {
	p := &Plan{Resources: append([]*catalog.Resource(nil), resolved...), Edges: append([]*catalog.Edge(nil), c.Edges()...)}
	g, err := graph.New(c)
	if err != nil {
		return nil, err
	}
	s := newSkipping(c, g)
	for _, f := range failures {
		var skip *SkipError
		node, ok := g.Find(f.At.Ref)
		if !ok || !errors.As(f.Err, &skip) {
			continue
		}
		if g.Node(node).Container && !skip.Named {
			p.Resources[node] = withoutParameter(p.Resources[node], f.At)
			continue
		}
		s.skip(node, node)
	}
	if s.count == 0 {
		return p, nil
	}
	for node, because := range s.because {
		if because >= 0 {
			p.Resources[node] = nil
			p.Skipped = append(p.Skipped, Skipped{g.Node(node).Ref, g.Node(because).Ref})
		}
	}
	for i, e := range p.Edges {
		if s.skips(e.Source()) || s.skips(e.Target()) {
			p.Edges[i] = nil
		}
	}
	return p, p.repair(c, s)
}

// withoutParameter returns r without the parameter of a location.
func withoutParameter(r *catalog.Resource, at catalog.Location) *catalog.Resource {
	if len(at.Path) == 0 {
		return r
	}
	name, ok := at.Path[0].Key.(pcore.String)
	if !ok {
		return r
	}
	return r.WithoutParameter(string(name))
}

// skipping finds the resources to skip.
type skipping struct {
	graph    *graph.Graph
	content  map[int][]int // of containers
	concat   map[int][]int // the files of fragments
	because  []int         // by node: the one with the failed call, or -1
	count    int
	upcoming []int
}

func newSkipping(c *catalog.Catalog, g *graph.Graph) *skipping {
	s := &skipping{graph: g, content: map[int][]int{}, concat: map[int][]int{}, because: make([]int, g.Len())}
	for i := range s.because {
		s.because[i] = -1
	}
	for a := range g.Containment() {
		s.content[a.From] = append(s.content[a.From], a.To)
	}
	for _, assembly := range puppet.Assemble(c.Resources()) {
		file, ok := g.Find(assembly.File.Ref())
		for _, fragment := range assembly.Fragments {
			if node, found := g.Find(fragment.Ref()); ok && found {
				s.concat[node] = append(s.concat[node], file)
			}
		}
	}
	return s
}

// skip skips a node, its content, what an agent applies after it, and the files that are made of it.
func (s *skipping) skip(node, because int) {
	s.add(node, because)
	for len(s.upcoming) > 0 {
		next := s.upcoming[0]
		s.upcoming = s.upcoming[1:]
		for _, after := range [][]int{s.content[next], s.graph.After(next), s.concat[next]} {
			for _, n := range after {
				s.add(n, because)
			}
		}
	}
}

func (s *skipping) add(node, because int) {
	if s.because[node] >= 0 {
		return
	}
	s.because[node] = because
	s.count++
	s.upcoming = append(s.upcoming, node)
}

// skips reports whether the resource that a reference names is skipped.
func (s *skipping) skips(ref catalog.Ref) bool {
	node, ok := s.graph.Find(ref)
	return ok && s.because[node] >= 0
}

// repair removes what would harm in the resources that remain: references to skipped ones, and purging that
// would delete them.
func (p *Plan) repair(c *catalog.Catalog, s *skipping) error {
	var gone []*catalog.Resource
	for i, r := range c.Resources() {
		if p.Resources[i] == nil {
			gone = append(gone, r)
		}
	}
	for i, r := range p.Resources {
		if r == nil {
			continue
		}
		for _, meta := range puppet.Metaparameters {
			to, err := s.withoutReferences(r, meta.Name)
			if err != nil {
				return err
			}
			r = to
		}
		if parameter := purging(r, gone); parameter != "" && !s.graph.Node(i).Container {
			r = r.WithoutParameter(parameter)
			p.Unpurged = append(p.Unpurged, r.Ref())
		}
		p.Resources[i] = r
	}
	return nil
}

// withoutReferences returns r without references to skipped resources in a metaparameter.
func (s *skipping) withoutReferences(r *catalog.Resource, name string) (*catalog.Resource, error) {
	v, ok, err := r.Parameter(name)
	if err != nil || !ok {
		return r, err
	}
	texts := puppet.Texts(nil, v)
	kept := make([]pcore.Value, 0, len(texts))
	for _, text := range texts {
		if ref, ok := catalog.ParseRef(text); !ok || !s.skips(ref) {
			kept = append(kept, pcore.String(text))
		}
	}
	switch {
	case len(kept) == len(texts):
		return r, nil
	case len(kept) == 0:
		return r.WithoutParameter(name), nil
	default:
		return r.WithParameter(name, pcore.NewArray(kept...)), nil
	}
}

// purging returns the parameter by which r would or could delete one of some resources, or "".
func purging(r *catalog.Resource, gone []*catalog.Resource) string {
	if len(gone) > 0 && puppet.PurgesUnknown(r) {
		return "purge"
	}
	purge := puppet.PurgeOf(r)
	owner, keys := pcore.Value(pcore.String(r.Title())), false
	if puppet.TypeName(r.Type()) == "User" {
		_, keys, _ = r.Parameter("purge_ssh_keys") // an unreadable value deletes nothing
		if name := puppet.ValuesOf(r)("name"); name != nil {
			owner = name
		}
	}
	for _, other := range gone {
		if deletes, kept := purge.Deletes(other); deletes && !kept {
			return "purge"
		}
		if keys && puppet.TypeName(other.Type()) == "Ssh_authorized_key" && puppet.ValuesOf(other)("user") == owner {
			return "purge_ssh_keys"
		}
	}
	return ""
}
