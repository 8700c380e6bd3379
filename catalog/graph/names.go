package graph

import (
	"hash/maphash"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
)

// names assigns numbers to references, from 0, and maps the names of resources, which are
// references in canonical form, to their nodes. A map of references would need four times the
// memory.
type names struct {
	seed    maphash.Seed
	numbers map[string]int32 // of types
	types   []string
	refs    []named
	slots   []int32 // 1 + the number of a reference, or 0
}

// named is a reference with the node of that name.
type named struct {
	title string
	typ   int32
	owner int32 // 1 + the node of this name, or 0
}

// newNames returns names with room for some references.
func newNames(room int) names {
	return names{seed: maphash.MakeSeed(), numbers: make(map[string]int32), refs: make([]named, 0, room)}
}

// ref returns the reference of a number.
func (n *names) ref(number int32) catalog.Ref {
	r := &n.refs[number]
	return catalog.Ref{Type: n.types[r.typ], Title: r.title}
}

// slot returns the index in slots of a reference, or of the free slot for it.
func (n *names) slot(typ int32, title string) int {
	const spread = 0x9E3779B97F4A7C15 // types are small numbers
	mask := len(n.slots) - 1
	i := int(maphash.String(n.seed, title)+uint64(typ)*spread) & mask
	for n.slots[i] != 0 {
		if r := &n.refs[n.slots[i]-1]; r.typ == typ && r.title == title {
			break
		}
		i = (i + 1) & mask
	}
	return i
}

// number returns the number of a reference, or -1.
func (n *names) number(ref catalog.Ref) int32 {
	typ, ok := n.numbers[ref.Type]
	if !ok || len(n.slots) == 0 {
		return -1
	}
	return n.slots[n.slot(typ, ref.Title)] - 1
}

// add returns the number of a reference, a new one if necessary.
func (n *names) add(ref catalog.Ref) int32 {
	typ, ok := n.numbers[ref.Type]
	if !ok {
		typ = int32(len(n.types))
		n.types = append(n.types, ref.Type)
		n.numbers[ref.Type] = typ
	}
	if 4*len(n.refs) >= 3*len(n.slots) {
		n.grow()
	}
	i := n.slot(typ, ref.Title)
	if n.slots[i] == 0 {
		n.refs = append(n.refs, named{title: ref.Title, typ: typ})
		n.slots[i] = int32(len(n.refs))
	}
	return n.slots[i] - 1
}

func (n *names) grow() {
	n.slots = make([]int32, max(2*len(n.slots), 16))
	for i := range n.refs {
		n.slots[n.slot(n.refs[i].typ, n.refs[i].title)] = int32(i + 1)
	}
}

// find returns the node that a reference names, by its title, an alias or a namevar.
func (n *names) find(ref catalog.Ref) (node int, ok bool) {
	exact, short := puppet.Keys(ref)
	if node, ok = n.owner(exact); !ok && short != exact {
		node, ok = n.owner(short)
	}
	return node, ok
}

// owner returns the node of a name.
func (n *names) owner(name catalog.Ref) (node int, ok bool) {
	number := n.number(name)
	if number < 0 || n.refs[number].owner == 0 {
		return 0, false
	}
	return int(n.refs[number].owner) - 1, true
}

// nodeOf is find for the number of a reference.
func (n *names) nodeOf(number int32) (node int, ok bool) {
	ref := n.ref(number)
	if owner := n.refs[number].owner; owner != 0 && ref == puppet.Canonical(ref) { // an alias may have another spelling
		return int(owner) - 1, true
	}
	return n.find(ref)
}

// own makes a node the owner of a name unless it has one. It returns the owner.
func (n *names) own(number int32, node int) int {
	r := &n.refs[number]
	if r.owner == 0 {
		r.owner = int32(node) + 1
	}
	return int(r.owner) - 1
}

// composite returns the name of a Package as the title in names: it cannot be
// the title of a resource.
func composite(command, name, provider string) string {
	return "\x00" + command + "\x00" + name + "\x00" + provider
}

// installer returns the provider of a Package, or "" for one that is the default
// wherever it works.
func installer(provider string) string {
	switch provider {
	case "apt", "dnf", "zypper", "pacman", "portage", "pkgng", "windows":
		return ""
	default:
		return provider
	}
}

// register adds the names of a node, in the order in which Puppet does.
func (b *builder) register(i int) {
	n, f := &b.nodes[i], b.factsOf(i)
	ref := b.names.ref(n.ref)
	own, number := puppet.Canonical(ref), n.ref
	if own != ref {
		number = b.names.add(own)
	}
	if !b.name(i, number, "title", nil) {
		return
	}
	for _, alias := range f.Texts("alias") {
		b.name(i, b.names.add(catalog.Ref{Type: own.Type, Title: alias}), "alias", nil)
	}
	if own.Type == "Package" { // it has several namevars
		name := f.First("name")
		if name == "" {
			name = own.Title
		}
		key := []string{f.First("command"), name, f.First("provider")}
		b.name(i, b.names.add(catalog.Ref{Type: own.Type, Title: composite(key[0], key[1], installer(key[2]))}), "name", key)
		return
	}
	namevar := puppet.Namevar(own.Type)
	name, ok := puppet.ByNamevar(own, f.First(namevar))
	switch {
	case !ok, name == own:
	case n.container, puppet.IsCore(own.Type):
		b.name(i, b.names.add(name), namevar, []string{name.Title})
	default: // a type of a module: its namevar is unknown, and it may have several
		b.names.own(b.names.add(name), i)
	}
}

// name adds one name of a node. It reports false if the name belongs to another
// node, which is recorded.
func (b *builder) name(i int, number int32, by string, key []string) bool {
	of := b.names.own(number, i)
	if of != i && !b.isTwice(i, of) {
		b.twice = append(b.twice, Duplicate{Node: i, Of: of, Name: b.names.ref(number), By: by, Key: key})
	}
	return of == i
}

// isTwice reports whether a node, the last one to be named, is a known duplicate
// of another one. PuppetDB adds an alias for each name.
func (b *builder) isTwice(node, of int) bool {
	for _, d := range slices.Backward(b.twice) {
		if d.Node != node {
			return false
		}
		if d.Of == of {
			return true
		}
	}
	return false
}
