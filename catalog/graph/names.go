package graph

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/coretypes"
	"github.com/pcatdev/pcat/internal/refs"
)

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
	n, f := &b.nodes[i], b.facts[i]
	own := refs.Canonical(n.Ref)
	if !b.name(i, own, "title", nil) {
		return
	}
	for _, alias := range f.get("alias") {
		b.name(i, catalog.Ref{Type: own.Type, Title: alias}, "alias", nil)
	}
	if own.Type == "Package" { // it has several namevars
		name := f.first("name")
		if name == "" {
			name = own.Title
		}
		key := []string{f.first("command"), name, f.first("provider")}
		b.name(i, catalog.Ref{Type: own.Type, Title: composite(key[0], key[1], installer(key[2]))}, "name", key)
		return
	}
	namevar := refs.Namevar(own.Type)
	name, ok := refs.ByNamevar(own, f.first(namevar))
	switch _, taken := b.names[name]; {
	case !ok:
	case n.Container, coretypes.IsCore(own.Type):
		b.name(i, name, namevar, []string{name.Title})
	case !taken: // a type of a module: its namevar is unknown, and it may have several
		b.names[name] = int32(i)
	}
}

// name adds one name of a node. It reports false if the name belongs to another
// node, which is recorded.
func (b *builder) name(i int, name catalog.Ref, by string, key []string) bool {
	of, taken := b.names[name]
	switch {
	case !taken:
		b.names[name] = int32(i)
	case int(of) != i:
		if !b.isTwice(i, int(of)) {
			b.twice = append(b.twice, Duplicate{Node: i, Of: int(of), Name: name, By: by, Key: key})
		}
		return false
	}
	return true
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
