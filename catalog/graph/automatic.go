package graph

import (
	"path"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/intern"
	"github.com/pcatdev/pcat/internal/puppet"
)

// automatic adds the autorequires of the core types. Like Puppet, it omits an
// arrow if the two resources already have one, in either direction.
func (b *builder) automatic() {
	var gids map[string]int
	for i := range b.nodes {
		if b.nodes[i].container {
			continue
		}
		f := b.factsOf(i)
		switch puppet.TypeName(b.refOf(i).Type) {
		case "File":
			b.autoFile(i, f)
		case "Exec":
			b.autoExec(i, f)
		case "Package":
			b.requireAll(i, "File", f.First("responsefile"), f.First("adminfile"))
			if source := f.First("source"); strings.HasPrefix(source, "/") {
				b.requireAll(i, "File", source)
			}
		case "User":
			if gids == nil {
				gids = b.groupsByID()
			}
			b.autoUser(i, f, gids)
		case "Cron", "Ssh_authorized_key":
			b.requireAll(i, "User", f.First("user"))
		case "Mount":
			b.autoMount(i, f)
		}
	}
}

// requireAll adds an autorequire of the resources that exist.
func (b *builder) requireAll(i int, typ string, titles ...string) {
	for _, title := range titles {
		if title == "" {
			continue
		}
		if other, ok := b.names.find(catalog.Ref{Type: typ, Title: title}); ok {
			b.auto(Arrow{other, i, Autorequire, false})
		}
	}
}

func (b *builder) auto(a Arrow) {
	switch {
	case b.areRelated(a.From, a.To):
	case b.areRelated(a.To, a.From):
		b.omitted = append(b.omitted, a)
	default:
		b.relation(a)
	}
}

func (b *builder) refOf(i int) catalog.Ref { return b.names.ref(b.nodes[i].ref) }

func (b *builder) pathOf(i int, f intern.Facts) string {
	return puppet.Path(b.refOf(i).Title, f.First("path"))
}

// maxPath is the length of the longest path that has parents.
const maxPath = 4096

func (b *builder) autoFile(i int, f intern.Facts) {
	p := b.pathOf(i, f)
	if len(p) > maxPath {
		return
	}
	for dir := path.Dir(p); strings.HasPrefix(p, "/"); dir = path.Dir(dir) {
		if other, ok := b.names.find(catalog.Ref{Type: "File", Title: dir}); ok && p != "/" {
			b.auto(Arrow{other, i, Autorequire, false})
			break
		}
		if dir == "/" {
			break
		}
	}
	target := f.First("target")
	if ensure := f.First("ensure"); target == "" && strings.HasPrefix(ensure, "/") {
		target = ensure // a link, in short
	}
	b.requireAll(i, "File", target)
	b.requireAll(i, "User", byName(f.First("owner")))
	b.requireAll(i, "Group", byName(f.First("group")))
}

// byName returns the name of an owner or a group, or "" for a number.
func byName(owner string) string {
	if isNumber(owner) {
		return ""
	}
	return owner
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func (b *builder) autoExec(i int, f intern.Facts) {
	b.requireAll(i, "File", f.First("cwd"))
	command := f.First("command")
	if command == "" {
		command = b.refOf(i).Title
	}
	b.requireAll(i, "File", filesIn(command)...)
	for line := range strings.Lines(command) {
		if rest, ok := strings.CutPrefix(line, `"`); ok {
			if quoted, _, ok := strings.Cut(rest, `"`); ok {
				b.requireAll(i, "File", quoted)
			}
		}
	}
	for _, check := range [...]string{"onlyif", "unless"} {
		for _, line := range f.Texts(check) {
			b.requireAll(i, "File", filesIn(line)...)
		}
	}
	b.requireAll(i, "User", byName(f.First("user")))
}

// filesIn returns the absolute paths at the beginnings of the lines of a
// command.
func filesIn(command string) []string {
	var files []string
	for line := range strings.Lines(command) {
		if fields := strings.Fields(line); len(fields) > 0 && line[0] == '/' && len(fields[0]) > 1 {
			files = append(files, fields[0])
		}
	}
	return files
}

// groupsByID returns the first Group of each gid.
func (b *builder) groupsByID() map[string]int {
	gids := make(map[string]int)
	for i := range b.nodes {
		if puppet.TypeName(b.refOf(i).Type) != "Group" {
			continue
		}
		if gid := b.factsOf(i).First("gid"); gid != "" {
			if _, ok := gids[gid]; !ok {
				gids[gid] = i
			}
		}
	}
	return gids
}

func (b *builder) autoUser(i int, f intern.Facts, gids map[string]int) {
	for _, gid := range f.Texts("gid") {
		if !isNumber(gid) {
			b.requireAll(i, "Group", gid)
		} else if group, ok := gids[gid]; ok {
			b.auto(Arrow{group, i, Autorequire, false})
		}
	}
	for _, list := range f.Texts("groups") {
		b.requireAll(i, "Group", strings.Split(list, ",")...)
	}
	for _, list := range f.Texts("roles") {
		b.requireAll(i, "User", strings.Split(list, ",")...)
	}
}

func (b *builder) autoMount(i int, f intern.Facts) {
	own, _ := puppet.ByNamevar(puppet.Canonical(b.refOf(i)), f.First("name"))
	point := own.Title
	if !strings.HasPrefix(point, "/") || point == "/" || len(point) > maxPath {
		return
	}
	for dir := path.Dir(point); ; dir = path.Dir(dir) {
		b.requireAll(i, "Mount", dir)
		if dir == "/" {
			break
		}
	}
	for k := range b.nodes {
		if puppet.TypeName(b.refOf(k).Type) == "File" && strings.HasPrefix(b.pathOf(k, b.factsOf(k)), strings.TrimRight(point, "/")+"/") {
			b.auto(Arrow{i, k, Autobefore, false})
		}
	}
}
