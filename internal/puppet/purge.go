package puppet

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog"
)

// Purge says which objects a resource deletes because the catalog does not contain them. The zero
// value deletes none.
type Purge struct {
	Type   string   // of the objects, if a Resources deletes them
	folder string   // of a File, whose path it is
	depth  int      // of the files below it; 0 if there is no limit
	ignore []string // patterns of names
	force  bool     // folders, too
}

// PurgeOf returns the objects that a resource deletes.
func PurgeOf(r *catalog.Resource) Purge {
	of := ValuesOf(r)
	purges := isTrue(of.text("purge"))
	if !purges {
		return Purge{}
	}
	switch TypeName(r.Type()) {
	case "Resources":
		name := of.text("name")
		if name == "" {
			name = r.Title()
		}
		return Purge{Type: TypeName(name)}
	case "File":
		recurse := of.text("recurse")
		if !isTrue(recurse) && recurse != "inf" || IsGone(of.text("ensure")) {
			return Purge{}
		}
		p := Purge{folder: Path(r.Title(), of.text("path")), force: isTrue(of.text("force"))}
		p.depth, _ = strconv.Atoi(of.text("recurselimit"))
		if v := of("ignore"); v != nil {
			p.ignore, _ = scalars(v)
		}
		return p
	default:
		return Purge{}
	}
}

// PurgesUnknown reports whether a resource has a true parameter purge, and it is not known which
// objects it deletes: that of a type of a module, such as Firewallchain.
func PurgesUnknown(r *catalog.Resource) bool {
	name := TypeName(r.Type())
	return name != "Resources" && name != "File" && isTrue(ValuesOf(r).text("purge"))
}

// IsPurging reports whether a parameter says which objects a resource deletes.
func IsPurging(parameter string) bool {
	return slices.Contains([]string{"purge", "recurse", "recurselimit", "ignore", "force", "name"}, parameter)
}

// Equal reports whether two purges delete the same objects.
func (p Purge) Equal(other Purge) bool {
	return p.Type == other.Type && p.folder == other.folder && p.depth == other.depth && p.force == other.force && slices.Equal(p.ignore, other.ignore)
}

// IsZero reports whether nothing is deleted.
func (p Purge) IsZero() bool { return p.folder == "" && p.Type == "" }

// Deletes reports whether a resource that leaves the catalog is deleted. A file also needs that
// no other folder of the catalog is nearer to it. kept reports that Puppet says so in each run,
// and keeps it: a folder without force.
func (p Purge) Deletes(r *catalog.Resource) (deletes, kept bool) {
	s := stateOf(r)
	if IsGone(s.ensure()) || p.IsZero() {
		return false, false
	}
	if p.Type != "" {
		return s.Name == p.Type, false
	}
	if !s.isFile() {
		return false, false
	}
	names := p.below(FilePath(r))
	if names == nil || p.depth > 0 && len(names) > p.depth {
		return false, false
	}
	for _, name := range names {
		for _, pattern := range p.ignore {
			if ignored, _ := path.Match(pattern, name); ignored {
				return false, false
			}
		}
	}
	return true, s.ensure() == folder && !p.force
}

// below returns the names of the path from the folder to a file in it, or nil for another one.
func (p Purge) below(file string) []string {
	rest, ok := strings.CutPrefix(file, strings.TrimSuffix(p.folder, "/")+"/")
	if !ok {
		return nil
	}
	return strings.Split(rest, "/")
}

// IsDirect reports whether a file is in the folder itself. Only then the folder refreshes others
// when the file is deleted.
func (p Purge) IsDirect(r *catalog.Resource) bool {
	return p.Type != "" || len(p.below(FilePath(r))) == 1
}

// FilePath returns the path of a file.
func FilePath(r *catalog.Resource) string { return Path(r.Title(), ValuesOf(r).text("path")) }

// Folders returns the path of a file and those of the folders above it, the nearest first.
func Folders(r *catalog.Resource) []string {
	p := FilePath(r)
	if !strings.HasPrefix(p, "/") || len(p) > maxPath {
		return nil
	}
	var all []string
	for p != "/" {
		p = path.Dir(p)
		all = append(all, p)
	}
	return all
}

// maxPath is the length of the longest path that has folders above it.
const maxPath = 4096
