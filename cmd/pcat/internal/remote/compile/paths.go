package compile

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
)

// The folders of a server, which replace the folders in which a catalog is compiled.
// So the catalogs of two refs, and those of a server, have the same paths.
const (
	serverCode = "/etc/puppetlabs/code"
	serverConf = "/etc/puppetlabs/puppet"
	serverVar  = "/opt/puppetlabs/server/data/puppetserver"
)

// paths replaces the paths of a compilation.
type paths struct {
	run    string      // the folder of the process
	server string      // the path of the environment on a server
	inRepo [][2]string // paths as the process can see them, and the ones below the root of the repository
	others [][2]string // and the ones on a server
}

// codeDir returns the directory of a repository that corresponds to the code directory of a server: the
// one that contains environments/NAME.
func codeDir(dir string) (string, bool) {
	parent := path.Dir(dir)
	code := path.Dir(parent)
	if code == "." {
		code = ""
	}
	return code, path.Base(parent) == "environments"
}

// newPaths returns the replacements for a run that compiles the environment in the directory dir of the tree
// at root.
func newPaths(run, name, root, dir string) *paths {
	p := &paths{run: run, server: serverCode + "/environments/" + name}
	roots := []string{root}
	if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
		roots = append(roots, real)
	}
	link := filepath.Join(run, "code", "environments", name)
	p.inRepo, p.others = [][2]string{{link, dir}}, [][2]string{{link, p.server}}
	for _, root := range roots {
		environment := filepath.Join(root, dir)
		p.inRepo = append(p.inRepo, [2]string{environment, dir})
		p.others = append(p.others, [2]string{environment, p.server})
	}
	code, linked := codeDir(dir)
	if linked {
		p.inRepo = append(p.inRepo, [2]string{filepath.Join(run, "code"), code})
		for _, root := range roots {
			p.others = append(p.others, [2]string{filepath.Join(root, code), serverCode})
		}
	}
	for _, root := range roots {
		p.inRepo = append(p.inRepo, [2]string{root, ""})
	}
	p.others = append(p.others, [][2]string{
		{filepath.Join(run, "code"), serverCode}, {filepath.Join(run, "conf"), serverConf},
		{filepath.Join(run, "var", "lib"), serverVar}, {filepath.Join(run, "var"), "/var"}, {run, serverConf},
	}...)
	if dir != "" {
		for _, root := range roots { // what is beside the environment
			p.others = append(p.others, [2]string{root, serverCode})
		}
	}
	return p
}

// bytes replaces the paths in a catalog.
func (p *paths) bytes(data []byte) []byte {
	for _, other := range p.others {
		if strings.HasPrefix(other[0], p.run) {
			data = bytes.ReplaceAll(data, []byte(other[0]), []byte(other[1]))
			continue
		}
		for _, end := range []string{"/", `"`} { // the root of a repository can be a short path
			data = bytes.ReplaceAll(data, []byte(other[0]+end), []byte(other[1]+end))
		}
	}
	return data
}

// text replaces the paths in a message: files of the environment have the path in the
// repository.
func (p *paths) text(s string) string {
	for _, in := range p.inRepo {
		below := in[1]
		if below != "" {
			below += "/"
		}
		s = strings.ReplaceAll(s, in[0]+"/", below)
	}
	return string(p.bytes([]byte(s)))
}

// file returns the path of a file in the repository, or an unchanged one.
func (p *paths) file(s string) string { return p.text(s) }

// inTree returns a path of the repository as one in the directory with its files, or an unchanged one.
func (p *paths) inTree(s, dir string) string {
	if used := p.used(s); used != "" && !filepath.IsAbs(used) {
		return filepath.Join(dir, used)
	}
	return s
}

// inside reports whether a path is in the repository.
func (p *paths) inside(s string) bool {
	used := p.used(s)
	return used != "" && !filepath.IsAbs(used)
}

// used returns the path of a used file: below the root of the repository, or an absolute one
// outside of it. It is empty for a file of the process itself.
func (p *paths) used(s string) string {
	for _, in := range p.inRepo {
		rest, below := strings.CutPrefix(s, in[0])
		if below && (rest == "" || rest[0] == '/') {
			return path.Join(".", in[1], rest)
		}
	}
	if s == p.run || strings.HasPrefix(s, p.run+"/") {
		return ""
	}
	return s
}
