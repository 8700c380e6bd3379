package content

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/ruby/fnmatch"
	"github.com/pcatdev/pcat/pcore"
)

// Server finds the files of puppet: addresses in the modules of a tree, as the file server
// of Puppet does. It reads nothing outside of the tree. It is safe for concurrent use. Create one with
// [Open], and close it.
type Server struct {
	root       *os.Root
	modulePath []moduleFolder // in search order
	tree       compile.Tree

	mu    sync.Mutex
	known map[string]content // by path
	size  int                // of the texts in known, in bytes
}

// moduleFolder is a folder with modules: below the root, or else absolute.
type moduleFolder struct {
	path    string
	outside bool
}

// Open returns a server of the files of a tree.
func Open(t compile.Tree) (*Server, error) {
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{root: root, tree: t, known: make(map[string]content)}
	for _, folder := range t.ModulePath {
		f := moduleFolder{folder, true}
		if below, err := filepath.Rel(t.Dir, folder); err == nil && filepath.IsLocal(below) {
			f = moduleFolder{filepath.ToSlash(below), false}
		}
		s.modulePath = append(s.modulePath, f)
	}
	return s, nil
}

// Close closes the tree. No content can be included any more.
func (s *Server) Close() error { return s.root.Close() }

// The reasons why a file is not found.
var (
	errNoFile    = errors.New("no such file") // an agent does not find it, either
	errElsewhere = errors.New("not in the repository")
)

// copied is a file that a resource copies.
type copied struct {
	path   string // below the root
	below  string // below the folder that the resource names; empty for the file itself
	source string // its address
	target string // of a symbolic link that is copied as one
}

// copies returns the files that a resource copies. A folder without recursion has none. The
// error is errNoFile or errElsewhere if no source, or one before the first that exists, has a file.
func (s *Server) copies(c puppet.Copy) ([]copied, error) {
	var all []copied
	seen := make(map[string]bool)
	err := errNoFile
	for _, source := range c.Sources {
		name, findErr := s.find(source)
		if errors.Is(findErr, errElsewhere) {
			return nil, findErr
		}
		if findErr != nil {
			continue
		}
		err = nil
		for _, f := range s.below(name, source, c) {
			if !seen[f.below] {
				seen[f.below] = true
				all = append(all, f)
			}
		}
		if !c.All || !c.Recurses || seen[""] {
			break
		}
	}
	return all, err
}

// mountName matches the name of a mount, and moduleName the name of a module.
var (
	mountName  = lazyregexp.New(`^[-\w]+$`)
	moduleName = lazyregexp.New(`^[a-z][a-z0-9_]*$`)
)

// find returns the path of the file or folder that an address names.
func (s *Server) find(source string) (string, error) {
	const scheme = "puppet://"
	if len(source) < len(scheme) || !strings.EqualFold(source[:len(scheme)], scheme) {
		return "", errElsewhere // a path of the node, or a web server
	}
	host, key, _ := strings.Cut(source[len(scheme):], "/")
	mount, name, _ := strings.Cut(key, "/")
	if !mountName.Get().MatchString(mount) || slices.Contains(strings.Split(name, "/"), "..") {
		return "", errNoFile
	}
	found, err := s.inMount(mount, name)
	if host != "" && errors.Is(err, errNoFile) {
		return "", errElsewhere // perhaps that server has it
	}
	return found, err
}

// inMount returns the path of a file in a mount.
func (s *Server) inMount(mount, name string) (string, error) {
	switch mount {
	case "modules":
		return s.inModule(name, "files")
	case "scripts", "tasks":
		return s.inModule(name, mount)
	case "plugins":
		return s.inAnyModule(name, "lib")
	case "pluginfacts":
		return s.inAnyModule(name, "facts.d")
	case "locales":
		return s.inAnyModule(name, mount)
	default:
		return "", errElsewhere // the server can have such a mount
	}
}

// inModule returns the path of a file, MODULE/NAME, in a folder of its module.
func (s *Server) inModule(name, folder string) (string, error) {
	module, name, _ := strings.Cut(name, "/")
	if !moduleName.Get().MatchString(module) {
		return "", errNoFile
	}
	for _, f := range s.modulePath {
		dir := path.Join(f.path, module)
		if f.outside {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				return "", errElsewhere
			}
			continue
		}
		switch info, err := s.stat(dir); {
		case err == nil && info.IsDir():
			return s.existing(path.Join(dir, folder, name))
		case errors.Is(err, errElsewhere):
			return "", err
		}
	}
	return "", errNoFile
}

// inAnyModule returns the path of a file in a folder of the first module that has it.
func (s *Server) inAnyModule(name, folder string) (string, error) {
	if name == "" {
		return "", errElsewhere // the folders of all modules as one
	}
	err := errNoFile
	for _, f := range s.modulePath {
		if f.outside {
			err = errElsewhere
			continue
		}
		for _, module := range s.list(f.path) {
			if found, err := s.existing(path.Join(f.path, module, folder, name)); err == nil && moduleName.Get().MatchString(module) {
				return found, nil
			}
		}
	}
	return "", err
}

func (s *Server) existing(name string) (string, error) {
	_, err := s.stat(name)
	return name, err
}

// stat describes a file; symbolic links are followed. The error is errNoFile or errElsewhere.
func (s *Server) stat(name string) (fs.FileInfo, error) {
	info, err := s.root.Stat(filepath.FromSlash(name))
	return info, reason(err)
}

func (s *Server) lstat(name string) (fs.FileInfo, error) {
	info, err := s.root.Lstat(filepath.FromSlash(name))
	return info, reason(err)
}

// reason returns an error of the file system as errNoFile, or as errElsewhere for a link out of
// the tree and for a file that may not be read.
func reason(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return errNoFile
	default:
		return errElsewhere
	}
}

// list returns the names in a folder, sorted.
func (s *Server) list(folder string) []string {
	dir, err := s.root.Open(filepath.FromSlash(cmp.Or(folder, ".")))
	if err != nil {
		return nil
	}
	defer dir.Close() //nolint:errcheck // it was only read
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	slices.Sort(names)
	return names
}

// The bounds of a copied folder: the number of files, and how deep they lie.
const (
	maxCopied = 10_000
	maxDepth  = 64
)

// below returns a file, or the files in a folder that is copied with all in it.
func (s *Server) below(name, source string, c puppet.Copy) []copied {
	source = strings.TrimSuffix(source, "/")
	top, isFolder := s.copied(name, "", source, c)
	if !isFolder {
		return top
	}
	if !c.Recurses {
		return nil
	}
	var all []copied
	type folder struct {
		below string
		depth int
	}
	for left := []folder{{"", 1}}; len(left) > 0 && len(all) < maxCopied; left = left[1:] {
		in := left[0]
		if in.depth > min(c.Depth, maxDepth) {
			continue
		}
		for _, child := range s.list(path.Join(name, in.below)) {
			if slices.ContainsFunc(c.Ignore, func(pattern string) bool { return fnmatch.Match(pattern, child) }) {
				continue
			}
			below := path.Join(in.below, child)
			found, isFolder := s.copied(path.Join(name, below), below, source+"/"+below, c)
			if all = append(all, found...); isFolder {
				left = append(left, folder{below, in.depth + 1})
			}
		}
	}
	return all[:min(len(all), maxCopied)]
}

// copied returns a file or a link, or reports that it is a folder. It returns nothing for any other file, and
// for links out of the tree.
func (s *Server) copied(name, below, source string, c puppet.Copy) (found []copied, isFolder bool) {
	look := s.lstat
	if c.Follows {
		look = s.stat
	}
	info, err := look(name)
	f := copied{path: name, below: below, source: source}
	switch {
	case err != nil:
		return nil, false
	case info.IsDir():
		return nil, true
	case info.Mode()&fs.ModeSymlink != 0:
		if f.target, err = s.root.Readlink(filepath.FromSlash(name)); err != nil {
			return nil, false
		}
	case !info.Mode().IsRegular():
		return nil, false
	}
	return []copied{f}, false
}

// The bounds of contents, in bytes. Of larger files, catalogs have the digest.
const (
	maxText   = 1 << 20
	maxBinary = 64 << 10
	maxKnown  = 64 << 20 // of all contents that are kept
)

// content is that of a file.
type content struct {
	text   string
	digest string // in hexadecimal; empty unless the file is too large for text
}

// read returns the content of a file.
func (s *Server) read(name string) (content, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.known[name]; ok {
		return c, nil
	}
	c, err := s.readFile(name)
	if err == nil && s.size+len(c.text) <= maxKnown {
		s.known[name] = c
		s.size += len(c.text)
	}
	return c, err
}

func (s *Server) readFile(name string) (c content, err error) {
	file, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return c, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(file, maxText+1))
	if err != nil {
		return c, err
	}
	if len(data) <= maxBinary || len(data) <= maxText && isText(data) {
		return content{text: string(data)}, nil
	}
	hash := sha256.New()
	hash.Write(data)
	_, err = io.Copy(hash, file)
	return content{digest: hex.EncodeToString(hash.Sum(nil))}, err
}

func isText(data []byte) bool { return utf8.Valid(data) && !slices.Contains(data, 0) }

// parameter returns the parameter of Puppet that says what is in a file: the text, the bytes
// or, of a large one, the checksum.
func (c content) parameter() (string, pcore.Value) {
	switch {
	case c.digest != "":
		return "checksum_value", pcore.String(c.digest)
	case isText([]byte(c.text)):
		return "content", pcore.String(c.text)
	default:
		return "content", pcore.NewBinaryString(c.text)
	}
}
