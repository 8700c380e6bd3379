package report

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/environment"
	"github.com/pcatdev/pcat/internal/terminal"
)

// path returns the path of the manifest of a finding below the source root, or
// else as it is. name is the name of the environment that was found in
// it, or "".
func (o Options) path(file string) (path, name string) {
	if o.SourceRoot != "" {
		root := strings.TrimRight(o.SourceRoot, "/")
		if below, ok := strings.CutPrefix(file, root+"/"); ok && root != "" {
			return below, ""
		}
		return file, ""
	}
	return environment.Cut(file)
}

// link returns the address of the line of the manifest of a finding, or "" if
// it is unknown. A path with ".." has none: its address might be outside the
// repository.
func (o Options) link(f *audit.Finding) string {
	path, name := o.path(f.File)
	if o.SourceURL == "" || f.File == "" || path == f.File && strings.HasPrefix(path, "/") {
		return ""
	}
	text := o.SourceURL
	if f.Line == 0 {
		text, _, _ = strings.Cut(text, "#")
	}
	steps := strings.Split(path, "/")
	if name == ".." || slices.Contains(steps, "..") {
		return ""
	}
	for i, s := range steps {
		steps[i] = url.PathEscape(s)
	}
	return strings.NewReplacer(
		"{path}", strings.Join(steps, "/"), "{line}", strconv.FormatInt(f.Line, 10), "{environment}", url.PathEscape(name),
	).Replace(text)
}

// manifest returns the file and the line that declare the resource, as far as
// they are known.
func (o Options) manifest(f *audit.Finding) string {
	path, _ := o.path(f.File)
	if path == "" || f.Line == 0 {
		return terminal.Line(path)
	}
	return terminal.Line(path) + ":" + strconv.FormatInt(f.Line, 10)
}
