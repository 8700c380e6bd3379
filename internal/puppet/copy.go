package puppet

import (
	"math"
	"slices"
	"strconv"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Copy is how a resource copies files of a server to the node.
type Copy struct {
	// Sources are the addresses or paths. The first that exists is copied.
	Sources []string
	// Recurses indicates that the files in a folder are copied, up to Depth folders below it.
	// Ignore are the patterns of names that are left out. All indicates that the files of all
	// Sources are copied, not only of the first.
	Recurses bool
	Depth    int
	Ignore   []string
	All      bool
	// Follows indicates that the targets of symbolic links are copied, not the links.
	Follows bool
}

// CopyOf returns how a File or a fragment of a file is copied. It returns false if the resource copies nothing,
// or if its sources are not known, such as those of a Deferred.
func CopyOf(r *catalog.Resource) (Copy, bool) {
	typ := r.Type()
	_, fragment := IsConcat(typ)
	if typ != "File" && !fragment {
		return Copy{}, false
	}
	s := stateOf(r)
	source := s.Values("source")
	if source == nil || s.Values("content") != nil {
		return Copy{}, false
	}
	sources, ok := scalars(source)
	if !ok || len(sources) == 0 {
		return Copy{}, false
	}
	c := Copy{Sources: sources, Depth: math.MaxInt, Follows: fragment || s.text("links") == "follow"}
	if fragment {
		return c, true
	}
	c.Recurses, c.All = s.recurses(), s.text("sourceselect") == "all"
	if n, err := strconv.Atoi(s.text("recurselimit")); err == nil {
		c.Depth = n
	}
	if ignore := s.Values("ignore"); ignore != nil {
		c.Ignore, _ = scalars(ignore)
	}
	return c, true
}

// Copied returns the File that Puppet adds for a file, or for a link if isLink is set, in the folder of
// another File that copies it from source.
func Copied(folder *catalog.Resource, path, source string, isLink bool) (*catalog.Resource, error) {
	parameters, err := folder.RawParameters()
	if err != nil {
		return nil, err
	}
	parameters = slices.DeleteFunc(slices.Clone(parameters), func(m catalog.Member) bool { return isOfFolder(m.Key) })
	ensure := file
	if isLink {
		ensure = link
	}
	parameters = append(parameters, catalog.NewMember("ensure", pcore.String(ensure)), catalog.NewMember("source", pcore.String(source)))
	return folder.WithTitle(path).WithParameters(parameters), nil
}

// isOfFolder reports whether Puppet gives a parameter of a folder to none of the files in it, or
// whether it has no meaning for them.
func isOfFolder(parameter string) bool {
	switch parameter {
	case "parent", "ensure", "recurse", "recurselimit", "max_files", "target", "alias", "source", "path", "name",
		"ignore", "purge", "force", "sourceselect", "links":
		return true
	default:
		return false
	}
}
