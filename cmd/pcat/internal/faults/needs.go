package faults

import (
	"path"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/puppet"
)

// scripts finds execs that read a file of the catalog without an order between
// the two. Puppet adds an autorequire only for the first word of a command.
func (k *checker) scripts() {
	type use struct {
		exec int
		path string
	}
	var uses []use
	files := make(map[string]int) // that execs name, by path; -1 if none is written
	for i := range k.Len() {
		if n := k.read(i); puppet.Canonical(n.Ref).Type == "Exec" {
			for _, p := range mentioned(n) {
				uses = append(uses, use{i, p})
				files[p] = -1
			}
		}
	}
	if len(uses) == 0 {
		return
	}
	for i := range k.Len() {
		n := k.read(i)
		if puppet.Canonical(n.Ref).Type != "File" || !isWritten(n) {
			continue
		}
		p := pathOf(n)
		if _, ok := files[p]; ok {
			files[p] = i
		}
	}
	users := make(map[int][]int) // execs, by file
	for _, u := range uses {
		f := files[u.path]
		if f >= 0 && !slices.Contains(users[f], u.exec) && !slices.Contains(k.read(u.exec).texts(paramCreates), u.path) && !k.isOrdered(f, u.exec) {
			users[f] = append(users[f], u.exec)
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
func isWritten(n node) bool {
	switch n.text(paramEnsure) {
	case "file", "present":
		return true
	case "":
		return n.has(paramContent) || n.has(paramSource)
	default:
		return false
	}
}

// mentioned returns the paths that the commands of an Exec name. The output of a
// command is not searched.
func mentioned(n node) []string {
	commands := n.texts(paramCommand)
	if len(commands) == 0 {
		commands = []string{n.Ref.Title}
	}
	commands = append(append(commands, n.texts(paramOnlyIf)...), n.texts(paramUnless)...)
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
		typ := puppet.Canonical(n.Ref).Type
		if byID[typ] == nil || n.isAbsent() {
			continue
		}
		for _, id := range n.texts(map[string]parameter{"User": paramUID, "Group": paramGID}[typ]) {
			if id != "0" {
				byID[typ][id] = i
			}
		}
		if name := nameOf(n); typ == "Group" && name != "root" {
			groups[name] = i
		} else if home := n.text(paramHome); home != "" && home != "/" && n.isTrue(paramManageHome) {
			homes[path.Clean(home)] = i
		}
	}
	if len(byID["User"])+len(byID["Group"])+len(groups)+len(homes) == 0 {
		return
	}
	needy := make(map[int][]int)
	need := func(of map[string]int, name string, i int) {
		if other, ok := of[name]; ok && !slices.Contains(needy[other], i) && !k.isOrdered(other, i) {
			needy[other] = append(needy[other], i)
		}
	}
	for i := range k.Len() {
		n := k.read(i)
		switch puppet.Canonical(n.Ref).Type {
		case "Exec":
			need(groups, n.text(paramGroup), i)
		case "File":
			for _, owner := range n.texts(paramOwner) {
				need(byID["User"], owner, i)
			}
			for _, group := range n.texts(paramGroup) {
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

func nameOf(n node) string {
	if name := n.text(paramName); name != "" {
		return name
	}
	return n.Ref.Title
}

func pathOf(n node) string { return puppet.Path(n.Ref.Title, n.text(paramPath)) }
