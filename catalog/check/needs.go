package check

import (
	"path"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/refs"
)

// scripts finds execs that read a file of the catalog without an order between
// the two. Puppet adds an autorequire only for the first word of a command.
func (k *checker) scripts() {
	files := make(map[string]int) // that are written, by path
	for i := range k.Len() {
		n := k.read(i)
		if refs.Canonical(n.Ref).Type == "File" && isWritten(n.Resource) {
			files[pathOf(n)] = i
		}
	}
	if len(files) == 0 {
		return
	}
	users := make(map[int][]int) // execs, by file
	for i := range k.Len() {
		n := k.read(i)
		if refs.Canonical(n.Ref).Type != "Exec" {
			continue
		}
		for _, p := range mentioned(n) {
			f, ok := files[p]
			if ok && !slices.Contains(users[f], i) && !slices.Contains(texts(n.Resource, "creates"), p) && !k.isOrdered(f, i) {
				users[f] = append(users[f], i)
			}
		}
	}
	k.each(users, "%s after %s, which its command names", "%s after %s, which their commands name")
}

// each adds a hint for each node that others need, in the order of the catalog.
func (k *checker) each(needy map[int][]int, one, several string) {
	for i := range k.Len() {
		if nodes := needy[i]; len(nodes) == 1 {
			k.loose(i, nodes, one)
		} else if len(nodes) > 1 {
			k.loose(i, nodes, several)
		}
	}
}

// isWritten reports whether a File has a content of its own.
func isWritten(r *catalog.Resource) bool {
	switch parameter(r, "ensure") {
	case "", "file", "present":
		names := r.ParameterNames()
		return parameter(r, "ensure") != "" || slices.Contains(names, "content") || slices.Contains(names, "source")
	default:
		return false
	}
}

// mentioned returns the paths that the commands of an Exec name. The output of a
// command is not searched.
func mentioned(n graph.Node) []string {
	commands := texts(n.Resource, "command")
	if len(commands) == 0 {
		commands = []string{n.Ref.Title}
	}
	commands = append(append(commands, texts(n.Resource, "onlyif")...), texts(n.Resource, "unless")...)
	var paths []string
	for _, c := range commands {
		c, _, _ = strings.Cut(c, ">")
		for _, word := range strings.FieldsFunc(c, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`=;|&<(){}$", r) }) {
			if strings.HasPrefix(word, "/") {
				paths = append(paths, path.Clean(word))
			}
		}
	}
	return paths
}

// accounts finds resources that need a user or a group of the catalog, where
// Puppet adds no autorequire: the group of an Exec, numbers as the owner and the
// group of a File, and a File in a home directory. Root is on each node.
func (k *checker) accounts() {
	byID := map[string]map[string]int{"User": {}, "Group": {}}
	groups, homes := make(map[string]int), make(map[string]int)
	for i := range k.Len() {
		n := k.read(i)
		typ := refs.Canonical(n.Ref).Type
		if byID[typ] == nil || isAbsent(n.Resource) {
			continue
		}
		for _, id := range texts(n.Resource, map[string]string{"User": "uid", "Group": "gid"}[typ]) {
			if id != "0" {
				byID[typ][id] = i
			}
		}
		if name := nameOf(n); typ == "Group" && name != "root" {
			groups[name] = i
		} else if home := parameter(n.Resource, "home"); home != "" && home != "/" && isTrue(n.Resource, "managehome") {
			homes[path.Clean(home)] = i
		}
	}
	needy := make(map[int][]int)
	need := func(of map[string]int, name string, i int) {
		if other, ok := of[name]; ok && !slices.Contains(needy[other], i) && !k.isOrdered(other, i) {
			needy[other] = append(needy[other], i)
		}
	}
	for i := range k.Len() {
		n := k.read(i)
		switch refs.Canonical(n.Ref).Type {
		case "Exec":
			need(groups, parameter(n.Resource, "group"), i)
		case "File":
			for _, owner := range texts(n.Resource, "owner") {
				need(byID["User"], owner, i)
			}
			for _, group := range texts(n.Resource, "group") {
				need(byID["Group"], group, i)
			}
			for dir := pathOf(n); len(homes) > 0 && len(dir) > 1 && len(dir) < maxPath; dir = path.Dir(dir) {
				need(homes, dir, i)
			}
		}
	}
	k.each(needy, "%s after %s, which it needs", "%s after %s, which they need")
}

// maxPath is the length of the longest path that has parents.
const maxPath = 4096

func nameOf(n graph.Node) string {
	if name := parameter(n.Resource, "name"); name != "" {
		return name
	}
	return n.Ref.Title
}

func pathOf(n graph.Node) string { return refs.Path(n.Ref.Title, parameter(n.Resource, "path")) }

// texts returns the texts and numbers in a parameter, or nil if it is absent or
// secret.
func texts(r *catalog.Resource, name string) []string {
	v, ok, err := r.Parameter(name)
	if err != nil || !ok {
		return nil
	}
	return refs.Texts(nil, v)
}
