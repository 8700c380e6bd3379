// Package content includes the contents of files in catalogs, which have only their addresses: a
// File copies them from modules by `source => 'puppet:///modules/…'`.
//
//	Open     the files of the tree in which catalogs were compiled: a Server
//	Include  returns a catalog with contents
//
// Files outside of the repository are not read, and neither are other mounts of a server.
package content

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// maxContents bounds the contents in one catalog, in bytes.
const maxContents = 64 << 20

// Include returns a catalog, rich JSON of a compiler, with the contents of the files that it copies
// from modules of the tree: in the parameter content beside source, or the digest of a large file in
// checksum_value. [catalog.Resource.ContentFile] is the path of the file on a server. The files in a folder
// that is copied with recurse are resources at the end of the catalog, as an agent adds them. A source that no
// file has is a warning.
func (s *Server) Include(ctx context.Context, data []byte) ([]byte, []compile.Warning, error) {
	in := &inclusion{Server: s}
	from := catalog.NewReaderBytes(data, formats.RichJSON(), serialization.DecodeOptions{})
	var out bytes.Buffer
	w := catalog.NewWriter(&out, formats.RichJSON(), catalog.WriteOptions{Secrets: serialization.PlainSecrets}) // they stay in memory
	for one, err := range from.Catalogs() {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			one, err = in.catalog(one)
		}
		if err == nil {
			err = w.WriteCatalog(one)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), in.warnings, err
}

// inclusion includes the contents of files in a catalog.
type inclusion struct {
	*Server
	size     int // of the contents so far
	warnings []compile.Warning
	added    []added
}

// added is a resource for a file in a folder.
type added struct {
	resource *catalog.Resource
	path     string
	// folder is the identity of the resource of the folder, and folderPath is its path.
	folder, folderPath string
}

// isBelow reports whether one of the paths is that of a file, or of a folder above it that is below another one.
func isBelow(paths map[string]bool, file, folder string) bool {
	for len(file) > max(len(folder), 1) {
		if paths[file] {
			return true
		}
		file = path.Dir(file)
	}
	return false
}

// catalog returns a catalog with contents.
func (in *inclusion) catalog(c *catalog.Catalog) (*catalog.Catalog, error) {
	resources := c.Resources()
	for i, r := range resources {
		var err error
		if resources[i], err = in.resource(r); err != nil {
			return nil, err
		}
	}
	resources, edges := in.withAdded(resources, c.Edges())
	return catalog.New(c.Header, resources, edges), nil
}

// withAdded returns resources and edges, also the ones for the files in folders. A file has no
// resource if another one manages it, or a folder above it.
func (in *inclusion) withAdded(resources []*catalog.Resource, edges []*catalog.Edge) ([]*catalog.Resource, []*catalog.Edge) {
	if len(in.added) == 0 {
		return resources, edges
	}
	containers := make(map[string][]catalog.Ref)
	for _, e := range edges {
		id := puppet.Identity(e.Target())
		containers[id] = append(containers[id], e.Source())
	}
	managed := make(map[string]bool)
	for _, r := range resources {
		if r.Type() == "File" {
			managed[puppet.FilePath(r)] = true
		}
	}
	taken := make(map[string]bool)
	for _, a := range in.added {
		if taken[a.path] || isBelow(managed, a.path, a.folderPath) {
			continue
		}
		taken[a.path] = true
		resources = append(resources, a.resource)
		for _, container := range containers[a.folder] {
			edges = append(edges, catalog.NewEdge(container, a.resource.Ref()))
		}
	}
	return resources, edges
}

// resource returns a resource with the content of the file that it copies.
func (in *inclusion) resource(r *catalog.Resource) (*catalog.Resource, error) {
	how, ok := puppet.CopyOf(r)
	if !ok {
		return r, nil
	}
	files, err := in.copies(how)
	switch {
	case errors.Is(err, errNoFile):
		text := "no file has its source, so that an agent reports an error"
		if v, _, err := r.Parameter("source"); err == nil && !isSecret(v) {
			text += ": " + strings.Join(how.Sources, ", ")
		}
		in.warn(r, text)
		return r, nil
	case err != nil:
		return r, nil //nolint:nilerr // it is not in the repository
	}
	if ensure, _, err := r.Parameter("ensure"); err != nil || ensure == pcore.String("absent") {
		return r, err
	}
	if len(files) == maxCopied {
		in.warn(r, fmt.Sprintf("files may be left out: it copies %d or more", maxCopied))
	}
	whole := r
	for _, f := range files {
		if f.below == "" {
			whole = in.with(r, f)
			continue
		}
		folder := puppet.FilePath(r)
		name := path.Join(folder, f.below)
		one, err := puppet.Copied(r, name, f.source, f.target != "")
		if err != nil {
			return nil, err
		}
		in.added = append(in.added, added{in.with(one, f), name, puppet.Identity(r.Ref()), folder})
	}
	return whole, nil
}

// isSecret reports whether a value is Sensitive, or contains such a value.
func isSecret(v pcore.Value) bool {
	found := false
	_ = pcore.Walk(v, func(c *pcore.Cursor) error { // without an error
		if _, is := c.Value().(*pcore.Sensitive); is {
			found = true
		}
		return nil
	})
	return found
}

// with returns the resource of a file with its content, or that of a link with its target. It is
// unchanged if the file cannot be read.
func (in *inclusion) with(r *catalog.Resource, f copied) *catalog.Resource {
	if f.target != "" {
		return r.WithParameter("target", pcore.String(f.target))
	}
	c, err := in.read(f.path)
	if err != nil {
		return r
	}
	if in.size+len(c.text) > maxContents {
		in.warn(r, fmt.Sprintf("its content is left out: the catalog copies more than %d bytes", maxContents))
		return r
	}
	in.size += len(c.text)
	name, value := c.parameter()
	return r.WithParameter(name, value).WithContentFile(in.tree.Path(f.path))
}

// warn adds a warning about a resource.
func (in *inclusion) warn(r *catalog.Resource, text string) {
	file, _ := in.tree.Below(r.File())
	in.warnings = append(in.warnings, compile.Warning{Message: r.Ref().String() + ": " + text, File: file, Line: int(r.Line())})
}
