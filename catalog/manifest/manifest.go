// Package manifest decides how the manifest that declares a resource is shown: the path of the
// file, and a link to its line.
//
// A catalog names a manifest as the compiler saw it, for example
// /etc/puppetlabs/code/environments/production/site/profile/manifests/db.pp. A reader knows it
// as site/profile/manifests/db.pp: a file of the control repository. Every report and every
// command shows paths by a [Locator], so that all of them agree. Comparisons, fingerprints and
// conditions use the path in the catalog.
package manifest

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/environment"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Locator returns the paths and links of manifests. The zero value returns paths relative to the
// environment of each manifest, `…/environments/NAME`, and no links. It is safe for concurrent
// use.
type Locator struct {
	// SourceRoot is the directory that paths are relative to, as the compiler saw it. Other paths
	// stay as they are; so do all with "/". "" selects Repository, then Checkout, and then the environment of
	// each manifest.
	SourceRoot string
	// Checkout are the absolute spellings of the directory that contains the manifests on this
	// machine: the root of a checkout.
	Checkout []string
	// Repository returns the path below the root of its repository of a file that a catalog was compiled from, or
	// reports that it is not known. It counts before Checkout. Nil knows none.
	Repository func(file string) (path string, ok bool)
	// SourceURL is the address of a line of a manifest, with the placeholders {path}, {line} and
	// {environment}. "" means that there are no links to the web.
	SourceURL string
	// Terminal makes hyperlinks of a terminal: to the web or, without SourceURL, to files that
	// exist on this machine, which is called Host.
	Terminal bool
	Host     string
}

// Path returns the path of a manifest for a reader: below the source root, the repository, the checkout or
// its environment, and otherwise as it is.
func (l *Locator) Path(file string) string {
	if l.SourceRoot != "" {
		if path, ok := below(strings.TrimRight(l.SourceRoot, "/"), file); ok {
			return path
		}
		return file
	}
	if l.Repository != nil {
		if path, ok := l.Repository(file); ok {
			return path
		}
	}
	for _, dir := range l.Checkout {
		if path, ok := below(strings.TrimRight(filepath.ToSlash(dir), "/"), file); ok && filepath.IsLocal(path) {
			return path
		}
	}
	path, _ := environment.Cut(file)
	return path
}

// below returns the part of a path below a directory. It reports false for any other path, and
// for the root of a file system.
func below(dir, file string) (path string, ok bool) {
	path, ok = strings.CutPrefix(file, dir+"/")
	return path, ok && dir != ""
}

// Line returns the path and the line of a manifest, without hidden characters:
// `site/profile/manifests/db.pp:3`. The line is omitted if it is 0.
func (l *Locator) Line(file string, line int64) string {
	path := terminal.Line(l.Path(file))
	if path == "" || line == 0 {
		return path
	}
	return path + ":" + strconv.FormatInt(line, 10)
}

// URL returns the address of a line of a manifest on the web, or "" if it is unknown. A path that
// is absolute or contains ".." has none: the address might be outside of the repository.
func (l *Locator) URL(file string, line int64) string {
	path := l.Path(file)
	_, name := environment.Cut(file)
	steps := strings.Split(path, "/")
	switch {
	case l.SourceURL == "" || path == "" || isAbsolute(path):
		return ""
	case slices.Contains(steps, "..") || name == "..":
		return ""
	case name == "" && strings.Contains(l.SourceURL, "{environment}"):
		return ""
	}
	text := l.SourceURL
	if line == 0 {
		text, _, _ = strings.Cut(text, "#")
	}
	for i, s := range steps {
		steps[i] = url.PathEscape(s)
	}
	return strings.NewReplacer(
		"{path}", strings.Join(steps, "/"), "{line}", strconv.FormatInt(line, 10), "{environment}", url.PathEscape(name),
	).Replace(text)
}

// isAbsolute reports whether a path is absolute on any system.
func isAbsolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\`) || len(path) > 1 && path[1] == ':'
}

// Text returns a line of a manifest for plain text: the address on the web, if it is known and
// a hyperlink is not possible, and otherwise the same as [Locator.Line].
func (l *Locator) Text(file string, line int64) string {
	if address := l.URL(file, line); address != "" && !l.Terminal {
		return address
	}
	return l.Line(file, line)
}

// Hyperlink returns text, which is [Locator.Text] or a part of it, as a hyperlink of a terminal.
// It returns the text itself if there is no terminal or the manifest has no address.
func (l *Locator) Hyperlink(text, file string, line int64) string {
	if !l.Terminal || text == "" {
		return text
	}
	address := l.URL(file, line)
	if address == "" {
		address = l.local(file)
	}
	return terminal.Link(address, text)
}

// local returns the address of a manifest on this machine, or "" if there is no such file. A
// catalog can name any file: only manifests count, and no file of another machine, which an
// attempt to open it would reach.
func (l *Locator) local(file string) string {
	path := filepath.FromSlash(l.Path(file))
	for _, dir := range l.Checkout {
		if filepath.IsLocal(path) && isManifest(filepath.Join(dir, path)) {
			return l.fileURL(filepath.Join(dir, path))
		}
	}
	if filepath.IsAbs(file) && !strings.HasPrefix(file, "//") && !strings.HasPrefix(file, `\`) && isManifest(file) {
		return l.fileURL(file)
	}
	return ""
}

// isManifest reports whether a file exists that is a manifest.
func isManifest(file string) bool {
	if !strings.HasSuffix(file, ".pp") {
		return false
	}
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

func (l *Locator) fileURL(file string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Host: l.Host, Path: path}).String()
}
