package locate

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// Parts returns the parts of a document, as [catalog.Reader.Parts] does, possibly
// changed by a [catalog.Transform]. Each call starts at the beginning, because a
// search reads a document more than once instead of keeping it in memory.
type Parts func() iter.Seq2[catalog.Part, error]

// Catalog contains the resources that were found in one catalog.
type Catalog struct {
	Node, Environment string
	// Found contains the resources in the order of the targets. A target names
	// several resources only if a catalog contains one reference twice, or if it
	// is bare: see [Catalog.Ambiguous].
	Found []*Found
	// Missing are the indexes of the targets that name no resource of the catalog.
	Missing []int

	containers map[string]bool // types with contents
}

// Ambiguous returns the references of the resources that a target names, if it is bare and
// there are several. target is an index.
func (c *Catalog) Ambiguous(target int) []catalog.Ref {
	var refs []catalog.Ref
	for _, f := range c.Found {
		if ref := f.Resource.Ref(); f.Target == target && !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	if len(refs) < 2 {
		return nil
	}
	return refs
}

// Found is a resource that a target names, with its surroundings in the catalog.
type Found struct {
	Resource *catalog.Resource
	Target   int // the index of the target that names it
	// Path leads from the resource to the location that the target names. It is
	// empty for the whole resource. See [Found.Value].
	Path []string
	// Containers are the class or defined type that contains the resource, the
	// container of that one, and so on up to the stage.
	Containers []catalog.Ref
	// Contents are the resources that the resource contains directly, in the order
	// of the edges.
	Contents []catalog.Ref
	// Relations are the relations that the catalog states, sorted by kind.
	Relations []Relation

	quality match
}

// Find returns the resources that the targets name, for each catalog of a document,
// with an empty result for a catalog without any. It reads the document twice, once if
// nothing is found, and keeps only the found resources and the containment of classes
// and defined types in memory. The error is that of parts.
func Find(parts Parts, targets ...Target) ([]*Catalog, error) {
	all, err := find(parts, targets)
	if err != nil {
		return nil, err
	}
	found := 0
	for _, c := range all {
		found += len(c.Found)
	}
	if found == 0 {
		return all, nil
	}
	return all, relate(parts, all)
}

// find does the first pass: it finds the resources.
func find(parts Parts, targets []Target) ([]*Catalog, error) {
	var all []*Catalog
	c := newSearch(targets)
	for p, err := range parts() {
		if err != nil {
			return nil, err
		}
		switch {
		case p.Kind == catalog.PartResource:
			c.resource(p.Resource)
		case p.Kind == catalog.PartEdge:
			if contains, _ := puppet.EdgeKind(p.Edge.Relationship()); contains {
				c.containers[puppet.TypeName(p.Edge.Source().Type)] = true
			}
		case p.Kind == catalog.PartMember:
			c.member(p.Member)
		case p.Catalog:
			all = append(all, c.end())
			c = newSearch(targets)
		}
	}
	return all, nil
}

// search is the first pass through one catalog.
type search struct {
	*Catalog
	targets  []Target
	found    [][]*Found // by target
	certname string
}

func newSearch(targets []Target) *search {
	return &search{
		Catalog: &Catalog{containers: map[string]bool{}},
		targets: targets,
		found:   make([][]*Found, len(targets)),
	}
}

// resource adds r to the targets that name it. A title is better than a name.
func (s *search) resource(r *catalog.Resource) {
	for i, t := range s.targets {
		m, path := t.match(r)
		if m == noMatch {
			continue
		}
		f := &Found{Resource: r, Target: i, Path: path, quality: m}
		switch before := s.found[i]; {
		case len(before) > 0 && before[0].quality < m:
		case len(before) > 0 && before[0].quality > m:
			s.found[i] = []*Found{f}
		default:
			s.found[i] = append(before, f)
		}
	}
}

func (s *search) member(m *catalog.Member) {
	text := func() string {
		v, err := m.Value()
		if err != nil {
			return ""
		}
		text, _ := v.(pcore.String)
		return string(text)
	}
	switch m.Key {
	case "name":
		s.Node = text()
	case "certname":
		s.certname = text()
	case "environment":
		s.Environment = text()
	}
}

// dropName removes the name of a value from the end of the path: an audit reports
// `File[/a]/content as password` for the part of a text. A key may look the same.
func (f *Found) dropName() {
	last := len(f.Path) - 1
	if last < 0 {
		return
	}
	i := strings.LastIndex(f.Path[last], " as ")
	if i < 1 {
		return
	}
	if _, err := f.Value(); errors.As(err, new(*LocationError)) {
		f.Path = append(slices.Clone(f.Path[:last]), f.Path[last][:i])
	}
}

func (s *search) end() *Catalog {
	if s.Node == "" {
		s.Node = s.certname
	}
	for i, found := range s.found {
		for _, f := range found {
			f.dropName()
		}
		s.Found = append(s.Found, found...)
		if len(found) == 0 {
			s.Missing = append(s.Missing, i)
		}
	}
	return s.Catalog
}
