package stdlib

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pcatdev/pcat/internal/ruby/fnmatch"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func moduleGlobFunctions() []function.Function {
	return []function.Function{{
		Name:       "glob",
		Doc:        "Returns the paths of the files and folders that match a pattern, or one of several, as Ruby's Dir.glob: * ** ? [a-z] {a,b}.",
		Effects:    function.ReadsFiles,
		Dispatches: one("Variant[String, Array] pattern", glob),
	}}
}

func glob(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	patterns := []pcore.Value{args[0]}
	if list, ok := args[0].(*pcore.Array); ok {
		patterns = slices.Collect(list.Values())
	}
	g := &globber{call: c}
	for _, p := range patterns {
		pattern, ok := p.(pcore.String)
		if !ok {
			return nil, errors.New("a pattern must be a String, not " + pcore.KindOf(p).String())
		}
		if err := g.expand(string(pattern)); err != nil {
			return nil, err
		}
	}
	return pcore.NewArray(g.found...), nil
}

// globber finds paths in the order of Ruby's Dir.glob: the alternatives of braces
// one after the other, and within each, the entries of a folder by name, an entry
// before what is inside of it.
type globber struct {
	call  *function.Call
	found []pcore.Value
}

// deepestGlob limits the depth of folders.
const deepestGlob = 256

// expand finds the paths for each alternative of the braces in a pattern.
func (g *globber) expand(pattern string) error {
	if err := g.call.Spend(1 + len(pattern)); err != nil {
		return err
	}
	open := -1 // of the outermost pair
	var cuts []int
	level := 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			if level++; level == 1 {
				open, cuts = i, nil
			}
		case ',':
			if level == 1 {
				cuts = append(cuts, i)
			}
		case '}':
			if level == 0 {
				continue
			}
			if level--; level > 0 {
				continue
			}
			from := open + 1
			for _, to := range append(cuts, i) {
				if err := g.expand(pattern[:open] + pattern[from:to] + pattern[i+1:]); err != nil {
					return err
				}
				from = to + 1
			}
			return nil
		}
	}
	if level > 0 {
		return nil // Ruby finds nothing
	}
	return g.find(pattern)
}

// find finds the paths for a pattern without braces.
func (g *globber) find(pattern string) error {
	if pattern == "" {
		return nil
	}
	base := ""
	if strings.HasPrefix(pattern, "/") {
		base, pattern = "/", strings.TrimLeft(pattern, "/")
		if pattern == "" {
			return g.add("/")
		}
	}
	parts := strings.Split(pattern, "/")
	n := 0 // folders that need not be readable
	for n < len(parts)-1 && !isMagical(parts[n]) {
		n++
	}
	if n > 0 {
		base += literal(strings.Join(parts[:n], "/")) + "/"
	}
	return g.walk(base, [][]string{parts[n:]}, 0)
}

func (g *globber) add(path string) error {
	if err := reserveElements(g.call, 1); err != nil {
		return err
	}
	if err := g.call.Hold(int64(len(path))); err != nil {
		return err
	}
	g.found = append(g.found, pcore.String(path))
	return nil
}

// walk finds the paths in a folder for several patterns, which are split at their
// slashes. dir is empty or ends with a slash.
func (g *globber) walk(dir string, patterns [][]string, depth int) error {
	if depth > deepestGlob {
		return errors.New("the folders are nested too deeply")
	}
	var all [][]string // with the rest of each pattern that begins with **
	list := false
	for _, p := range patterns {
		list = list || isMagical(p[0]) // ** too
		if len(p) == 1 && isMagical(p[0]) && fnmatch.Match(p[0], ".") {
			if err := g.add(dir + "."); err != nil {
				return err
			}
		}
		all = append(all, p)
		for len(p) > 1 && p[0] == "**" {
			p = p[1:]
			all = append(all, p)
		}
	}
	if slices.ContainsFunc(all, func(p []string) bool { return p[0] == "" && len(p) == 1 }) { // it ends with a slash
		if err := g.addFolder(dir); err != nil {
			return err
		}
	}
	if !list {
		for _, p := range all {
			if err := g.descend(dir, literal(p[0]), [][]string{p}, depth, nil); err != nil {
				return err
			}
		}
		return nil
	}
	entries, err := readFolder(g.call, folder(dir))
	if isAbsent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := g.call.Spend(len(e.Name()) + len(all)); err != nil {
			return err
		}
		if err := g.descend(dir, e.Name(), all, depth, e); err != nil {
			return err
		}
	}
	return nil
}

// addFolder adds a path that ends with a slash if it is a folder.
func (g *globber) addFolder(path string) error {
	is, err := fileType(g.call, folder(path), true)
	if isAbsent(err) || err == nil && !is.IsDir() {
		return nil
	}
	if err != nil {
		return err
	}
	return g.add(path)
}

// descend adds an entry of a folder that matches a pattern, and finds the paths in
// it. entry is nil if it is unknown whether there is one.
func (g *globber) descend(dir, name string, patterns [][]string, depth int, entry fs.DirEntry) error {
	found := false
	var inside [][]string
	for _, p := range patterns {
		switch {
		case p[0] == "**" && len(p) > 1:
			if entry != nil && entry.IsDir() && !strings.HasPrefix(name, ".") {
				inside = append(inside, p)
			}
		case p[0] == "" && len(p) == 1 || entry != nil && !fnmatch.Match(p[0], name):
		case len(p) == 1:
			found = true
		default:
			inside = append(inside, p[1:])
		}
	}
	path := dir + name
	if found {
		if err := g.addExisting(path, entry); err != nil {
			return err
		}
	}
	if len(inside) == 0 || entry != nil && !entry.IsDir() && entry.Type() != fs.ModeSymlink {
		return nil
	}
	return g.walk(path+"/", inside, depth+1)
}

// addExisting adds a path if it exists. A symbolic link exists without its target.
func (g *globber) addExisting(path string, entry fs.DirEntry) error {
	if entry == nil {
		_, err := fileType(g.call, path, false)
		if isAbsent(err) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return g.add(path)
}

// folder returns the name of a folder that ends with a slash.
func folder(dir string) string {
	if dir == "" {
		return "."
	}
	return filepath.Clean(dir)
}

// isAbsent reports whether an error means that a path does not exist, or that the system
// does not let the user enter it. Ruby ignores both. A path that is not allowed is an error.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// isMagical reports whether a part of a pattern matches other names than itself.
func isMagical(part string) bool { return strings.ContainsAny(part, "*?[") }

// literal returns the name that a part of a pattern without magic matches.
func literal(part string) string {
	var name strings.Builder
	for i := 0; i < len(part); i++ {
		if part[i] == '\\' && i+1 < len(part) {
			i++
		}
		name.WriteByte(part[i])
	}
	return name.String()
}

// readFolder returns the entries of a folder, sorted by name.
func readFolder(c *function.Call, path string) ([]fs.DirEntry, error) {
	all, err := folders(c)
	if err != nil {
		return nil, err
	}
	return all.ReadFolder(path, c.Reserve)
}

// fileType returns the type of a file or a folder. With follow, it follows a
// symbolic link.
func fileType(c *function.Call, path string, follow bool) (fs.FileMode, error) {
	all, err := folders(c)
	if err != nil {
		return 0, err
	}
	return all.FileType(path, follow)
}

func folders(c *function.Call) (function.Folders, error) {
	if folders, ok := c.Files.(function.Folders); ok {
		return folders, nil
	}
	return nil, fmt.Errorf("folders cannot be read here: %w", fs.ErrPermission)
}
