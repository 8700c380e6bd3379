package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
)

// names maps the names of resources to nodes: titles, aliases, and the values
// of namevars. Types and the titles of classes are spelled as Puppet does.
type names map[catalog.Ref]int32

// find returns the node of a reference as an agent resolves it: by title, alias
// or namevar, and then by the name that a resource of this title would have. A
// Package has several namevars, so it is not found by its name alone.
func (n names) find(ref catalog.Ref) (int, bool) {
	ref = Canonical(ref)
	if i, ok := n[ref]; ok {
		return int(i), true
	}
	if ref.Type != "File" {
		return 0, false
	}
	ref.Title = withoutSlashes(ref.Title)
	i, ok := n[ref]
	return int(i), ok
}

// Canonical returns a reference with the type, and the title of a class, spelled
// as Puppet does.
func Canonical(ref catalog.Ref) catalog.Ref {
	ref.Type = typeName(ref.Type)
	if ref.Type == "Class" {
		ref.Title = typeName(ref.Title)
	}
	return ref
}

// typeName capitalizes the segments of a name: the first letter of each.
func typeName(name string) string {
	if isTypeName(name) {
		return name
	}
	segments := strings.Split(name, "::")
	for i, s := range segments {
		if s != "" {
			segments[i] = strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return strings.Join(segments, "::")
}

// isTypeName reports whether name is spelled as by typeName.
func isTypeName(name string) bool {
	for i := range len(name) {
		if c := name[i]; 'a' <= c && c <= 'z' && (i == 0 || i > 1 && name[i-1] == ':' && name[i-2] == ':') {
			return false
		}
	}
	return true
}

// withoutSlashes returns a title of a File without the slashes at its end.
func withoutSlashes(title string) string {
	short := strings.TrimRight(title, "/")
	if short == "" || strings.HasSuffix(short, ":") {
		return title[:min(len(title), len(short)+1)] // a root
	}
	return short
}

// absolute returns the path of a File as Puppet normalizes it.
func absolute(p string) string {
	if strings.HasPrefix(p, "/") {
		return path.Clean(p)
	}
	return withoutSlashes(p)
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
	n, f := &b.nodes[i], &b.facts[i]
	own := Canonical(n.Ref)
	if !b.name(i, own, "title", nil) {
		return
	}
	for _, alias := range f.aliases {
		b.name(i, catalog.Ref{Type: own.Type, Title: alias}, "alias", nil)
	}
	if n.Container {
		return
	}
	switch t := coreTypes[own.Type]; {
	case own.Type == "Package":
		name := f.first("name")
		if name == "" {
			name = own.Title
		}
		key := []string{f.first("command"), name, f.first("provider")}
		b.name(i, catalog.Ref{Type: own.Type, Title: composite(key[0], key[1], installer(key[2]))}, "name", key)
	case own.Type == "File":
		p := f.first("path")
		if p == "" {
			p = withoutSlashes(own.Title)
		}
		p = absolute(p)
		b.name(i, catalog.Ref{Type: own.Type, Title: p}, "path", []string{p})
	case t.shared:
	case t.namevar != "":
		if name := f.first(t.namevar); name != "" {
			b.name(i, catalog.Ref{Type: own.Type, Title: name}, t.namevar, []string{name})
		}
	default: // a type of a module: its namevar is unknown, and it may have several
		if name := f.first("name"); name != "" {
			ref := catalog.Ref{Type: own.Type, Title: name}
			if _, taken := b.names[ref]; !taken {
				b.names[ref] = int32(i)
			}
		}
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
		b.twice = append(b.twice, Duplicate{Node: i, Of: int(of), Name: name, By: by, Key: key})
		return false
	}
	return true
}

// coreType describes a type that an agent contains.
type coreType struct {
	namevar string   // "" for several
	shared  bool     // different resources can have the same name
	refresh bool     // acts when it is refreshed
	needs   []string // the parameters that its autorequires read
}

// coreTypes are the types of Puppet, and of the modules that are part of
// its agent package.
var coreTypes = map[string]coreType{
	"Augeas": {namevar: "name"}, "Computer": {namevar: "name"}, "Cron": {namevar: "name", needs: []string{"user"}},
	"Exec": {
		namevar: "command", shared: true, refresh: true,
		needs: []string{"command", "cwd", "onlyif", "unless", "user"},
	},
	"File":       {namevar: "path", needs: []string{"path", "owner", "group", "target", "ensure"}},
	"Filebucket": {namevar: "name"}, "Group": {namevar: "name", needs: []string{"gid"}}, "Host": {namevar: "name"},
	"Interface": {namevar: "name"}, "K5login": {namevar: "path"}, "Macauthorization": {namevar: "name"},
	"Mailalias": {namevar: "name"}, "Maillist": {namevar: "name"}, "Mcx": {namevar: "name"},
	"Mount": {namevar: "name", refresh: true}, "Notify": {namevar: "name"},
	"Package": {
		refresh: true,
		needs:   []string{"name", "provider", "command", "responsefile", "adminfile", "source"},
	},
	"Resources": {namevar: "name"}, "Router": {namevar: "name"}, "Schedule": {namevar: "name"},
	"Scheduled_task": {namevar: "name"}, "Selboolean": {namevar: "name"}, "Selmodule": {namevar: "name"},
	"Service": {namevar: "name", refresh: true}, "Ssh_authorized_key": {namevar: "name", needs: []string{"user"}},
	"Sshkey": {}, "Stage": {namevar: "name"}, "Tidy": {namevar: "path", shared: true},
	"User": {namevar: "name", needs: []string{"gid", "groups", "roles"}}, "Vlan": {namevar: "name"},
	"Whit": {namevar: "name"}, "Yumrepo": {namevar: "name"}, "Zfs": {namevar: "name"}, "Zone": {namevar: "name"},
	"Zpool": {namevar: "pool"},
}

// IsDefault reports whether a reference names a resource that each agent adds to
// its catalogs.
func IsDefault(ref catalog.Ref) bool {
	ref = Canonical(ref)
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
	_, ok := coreTypes[typeName(typ)]
	return ok
}

// parametersOf returns the parameters of a type that are read.
func parametersOf(typ string) []string {
	t, ok := coreTypes[typ]
	switch {
	case !ok:
		return []string{"name"}
	case t.namevar == "" || slices.Contains(t.needs, t.namevar):
		return t.needs
	default:
		return append(slices.Clip(t.needs), t.namevar)
	}
}
