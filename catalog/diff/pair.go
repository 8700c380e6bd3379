package diff

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// item is a resource of one side.
type item struct {
	res *catalog.Resource
	ref catalog.Ref
	id  string // the identity of ref
	in  *side
}

// side is a catalog prepared for comparison.
type side struct {
	catalog *catalog.Catalog
	items   []*item
	byID    map[string]*item
	names   puppet.Names             // positions in items, made by resolve
	parents map[string][]catalog.Ref // made by containment
	holders map[string]bool          // the types whose resources contain others, made by isDefined
}

func newSide(c *catalog.Catalog) *side {
	resources := c.Resources()
	s := &side{catalog: c, items: make([]*item, 0, len(resources)), byID: make(map[string]*item, len(resources))}
	all := make([]item, len(resources))
	for i, r := range resources {
		typ, title := r.TypeAndTitle()
		ref := catalog.Ref{Type: string(typ), Title: string(title)}
		all[i] = item{res: r, ref: ref, id: identity(ref), in: s}
		s.items = append(s.items, &all[i])
		if _, duplicate := s.byID[all[i].id]; !duplicate {
			s.byID[all[i].id] = &all[i]
		}
	}
	return s
}

// identity returns a text that is equal for two references to one resource.
func identity(ref catalog.Ref) string { return puppet.Identity(ref) }

// isIdle reports whether an agent does nothing to a resource, and why.
func (i *item) isIdle() (reason string, ok bool) {
	return puppet.IsIdle(i.res, func(title string) *catalog.Resource {
		if s := i.in.resolve(catalog.Ref{Type: "Schedule", Title: title}); s != nil {
			return s.res
		}
		return nil
	})
}

// isDefined reports whether a resource is a class, a stage or an instance of a define,
// which only contain other resources. Not every format says what a resource is.
func (i *item) isDefined() bool {
	typ := puppet.TypeName(i.ref.Type)
	container, maybe := puppet.IsContainer(typ, i.res.Kind())
	if container || !maybe {
		return container
	}
	if i.in.holders == nil {
		i.in.holders = make(map[string]bool)
		for _, parents := range i.in.containment() {
			for _, p := range parents {
				i.in.holders[puppet.TypeName(p.Type)] = true
			}
		}
	}
	return i.in.holders[typ]
}

// text returns a scalar parameter as text, or "". It can be a secret: compare it, and
// never print it.
func (i *item) text(parameter string) string {
	v, ok, err := i.res.RevealParameter(parameter) //nolint:forbidigo // it is compared, never printed
	if err != nil || !ok {
		return ""
	}
	v, _, _ = unwrap(v, nil, sensitivity{})
	if isContainer(v) || pcore.Is[pcore.Undef](v) {
		return ""
	}
	return textOf(v)
}

// otherNames returns further identities of a resource: by its namevar and its aliases.
func (i *item) otherNames() []string {
	facts, _ := puppet.Read(i.res)
	ids := make([]string, 0, len(facts.Names))
	for _, name := range facts.Names[1:] {
		ids = append(ids, identity(name))
	}
	if name, ok := puppet.ObjectName(i.res); ok {
		ids = append(ids, identity(catalog.Ref{Type: i.ref.Type, Title: name}))
	}
	return ids
}

// resolve returns the resource of a reference, or nil.
func (s *side) resolve(ref catalog.Ref) *item {
	i, _ := s.find(ref)
	return i
}

// find is resolve, and also returns the identity of the resource, or of the reference if
// there is none.
func (s *side) find(ref catalog.Ref) (i *item, id string) {
	id = identity(ref)
	if i := s.byID[id]; i != nil {
		return i, id
	}
	if s.names == nil {
		s.names = make(puppet.Names)
		for n, i := range s.items {
			facts, _ := puppet.Read(i.res)
			for _, name := range facts.Names {
				if _, taken := s.names[name]; !taken {
					s.names[name] = int32(n)
				}
			}
		}
	}
	if n, ok := s.names.Find(ref); ok {
		return s.items[n], s.items[n].id
	}
	return nil, id
}

// match is a resource in both catalogs.
type match struct {
	old, new *item
	renamed  bool // they have different references
	// Texts of the old resource that follow from the rename, and the ones of the new
	// one: the title of the resource or of its container.
	replace [2]string
}

// oldRef returns the reference of the old resource if it is renamed.
func (m match) oldRef() catalog.Ref {
	if !m.renamed {
		return catalog.Ref{}
	}
	return m.old.ref
}

// pairing maps the resources of one catalog to the resources of the other.
type pairing struct {
	matches        []match
	removed, added []*item
	newID          map[string]string // the identity in the new catalog of a renamed resource of the old one
	fresh          map[*item]bool    // the renamed resources of the new catalog
}

// pairUp pairs the resources with equal references, then the ones with equal
// namevars.
func pairUp(old, new *side) *pairing {
	p := &pairing{newID: make(map[string]string), fresh: make(map[*item]bool)}
	taken := make(map[*item]bool, len(new.items))
	p.matches = make([]match, 0, len(old.items))
	for _, o := range old.items {
		n := new.byID[o.id]
		if n == nil || taken[n] {
			p.removed = append(p.removed, o)
			continue
		}
		taken[n] = true
		p.matches = append(p.matches, match{old: o, new: n})
	}
	for _, n := range new.items {
		if !taken[n] {
			p.added = append(p.added, n)
		}
	}
	if len(p.removed) == 0 || len(p.added) == 0 {
		return p
	}
	byName := make(map[string]*item)
	for _, n := range p.added {
		for _, name := range append(n.otherNames(), n.id) {
			byName[name] = n
		}
	}
	p.rename(func(o *item) *item {
		for _, name := range append(o.otherNames(), o.id) {
			if n := byName[name]; n != nil {
				return n
			}
		}
		return nil
	})
	return p
}

// rename pairs removed resources with added ones.
func (p *pairing) rename(find func(*item) *item) {
	taken := make(map[*item]bool)
	left := p.removed[:0]
	for _, o := range p.removed {
		n := find(o)
		if n == nil || taken[n] {
			left = append(left, o)
			continue
		}
		taken[n] = true
		p.matches = append(p.matches, match{old: o, new: n, renamed: o.ref != n.ref, replace: [2]string{o.ref.Title, n.ref.Title}})
		p.newID[o.id] = n.id
		p.fresh[n] = o.ref != n.ref
	}
	p.removed = left
	rest := p.added[:0]
	for _, n := range p.added {
		if !taken[n] {
			rest = append(rest, n)
		}
	}
	p.added = rest
}

// renamedID returns the identity that a resource of the old catalog has in the new
// one.
func (p *pairing) renamedID(id string) string {
	if n, ok := p.newID[id]; ok {
		return n
	}
	return id
}
