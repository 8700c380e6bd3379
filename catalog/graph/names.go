package graph

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
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
	n, f := &b.nodes[i], &b.facts[i]
	own := refs.Canonical(n.Ref)
	if !b.name(i, own, "title", nil) {
		return
	}
	for _, alias := range f.aliases {
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
	case n.Container, IsCore(own.Type):
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

// coreType describes a type that an agent contains.
type coreType struct {
	refresh bool     // acts when it is refreshed
	needs   []string // the parameters that its autorequires read
}

// coreTypes are the types of Puppet, and of the modules that are part of
// its agent package.
var coreTypes = map[string]coreType{
	"Augeas": {}, "Computer": {}, "Cron": {needs: []string{"user"}},
	"Exec": {refresh: true, needs: []string{"command", "cwd", "onlyif", "unless", "user"}},
	"File": {needs: []string{"path", "owner", "group", "target", "ensure"}}, "Filebucket": {},
	"Group": {needs: []string{"gid"}}, "Host": {}, "Interface": {}, "K5login": {}, "Macauthorization": {},
	"Mailalias": {}, "Maillist": {}, "Mcx": {}, "Mount": {refresh: true}, "Notify": {},
	"Package":   {refresh: true, needs: []string{"name", "provider", "command", "responsefile", "adminfile", "source"}},
	"Resources": {}, "Router": {}, "Schedule": {}, "Scheduled_task": {}, "Selboolean": {}, "Selmodule": {},
	"Service": {refresh: true}, "Ssh_authorized_key": {needs: []string{"user"}}, "Sshkey": {}, "Stage": {}, "Tidy": {},
	"User": {needs: []string{"gid", "groups", "roles"}}, "Vlan": {}, "Whit": {}, "Yumrepo": {}, "Zfs": {}, "Zone": {}, "Zpool": {},
}

// IsDefault reports whether a reference names a resource that each agent adds to
// its catalogs.
func IsDefault(ref catalog.Ref) bool {
	ref = refs.Canonical(ref)
	switch ref.Type {
	case "Schedule":
		return slices.Contains([]string{"puppet", "hourly", "daily", "weekly", "monthly", "never"}, ref.Title)
	case "Filebucket":
		return ref.Title == "puppet"
	default:
		return false
	}
}

// IsCore reports whether an agent has a type without any module: a type of Puppet
// or of the modules in its package.
func IsCore(typ string) bool {
	_, ok := coreTypes[refs.TypeName(typ)]
	return ok
}

// parametersOf returns the parameters of a type that are read.
func parametersOf(typ string) []string {
	needs, namevar := coreTypes[typ].needs, refs.Namevar(typ)
	if namevar == "" || slices.Contains(needs, namevar) {
		return needs
	}
	return append(slices.Clip(needs), namevar)
}
