package compile

import (
	"bytes"
	"path/filepath"
	"strings"
)

// The folders of a server, which take the place of the ones in which a catalog is compiled.
// So the catalogs of two refs, and those of a server, have the same paths.
const (
	serverCode = "/etc/puppetlabs/code"
	serverConf = "/etc/puppetlabs/puppet"
	serverVar  = "/opt/puppetlabs/server/data/puppetserver"
)

// paths replaces the paths of a compilation.
type paths struct {
	// environment are paths of the environment as the process can see it.
	environment []string
	below       string // the path of the environment in the repository: empty, or with a slash at the end
	server      string // the path of the environment on a server
	others      [][2]string
}

// newPaths returns the replacements for a run that compiles a folder of the tree in dir.
func newPaths(run, name, dir, folder string) *paths {
	p := &paths{server: serverCode + "/environments/" + name}
	if folder != "" {
		dir, p.below = filepath.Join(dir, folder), folder+"/"
	}
	p.environment = []string{filepath.Join(run, "code", "environments", name), dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		p.environment = append(p.environment, real)
	}
	p.others = [][2]string{
		{filepath.Join(run, "code"), serverCode}, {filepath.Join(run, "conf"), serverConf},
		{filepath.Join(run, "var", "lib"), serverVar}, {filepath.Join(run, "var"), "/var"}, {run, serverConf},
	}
	return p
}

// bytes replaces the paths in a catalog.
func (p *paths) bytes(data []byte) []byte {
	for _, path := range p.environment {
		data = bytes.ReplaceAll(data, []byte(path+"/"), []byte(p.server+"/"))
		data = bytes.ReplaceAll(data, []byte(path+`"`), []byte(p.server+`"`))
	}
	for _, other := range p.others {
		data = bytes.ReplaceAll(data, []byte(other[0]), []byte(other[1]))
	}
	return data
}

// text replaces the paths in a message: files of the environment have the path in the
// repository.
func (p *paths) text(s string) string {
	for _, path := range p.environment {
		s = strings.ReplaceAll(s, path+"/", p.below)
	}
	return string(p.bytes([]byte(s)))
}

// file returns the path of a file in the repository, or an unchanged one.
func (p *paths) file(s string) string { return p.text(s) }

// inside reports whether a path is in the environment.
func (p *paths) inside(s string) bool {
	for _, path := range p.environment {
		if strings.HasPrefix(s, path+"/") {
			return true
		}
	}
	return false
}
