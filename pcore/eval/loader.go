package eval

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// errContent reports a file that does not define the name its path requires, or
// that contains other statements.
var errContent = errors.New("the file must define what it is named for, and nothing else")

// Loader finds functions, types, classes and defined types in modules. It
// caches definitions that it has found; it searches for others again each time.
// It is safe for concurrent use if its Files are.
type Loader struct {
	files     function.Files
	around    function.Finder
	syntax    syntax.Config
	evaluator *Evaluator // for the types of parameters
	types     *typeexpr.Library
	functions cache[*function.Function]
	heads     cache[*Definition]
}

// NewLoader returns a Loader for the modules in files. The functions of around, which
// may be nil, take precedence over the ones of modules. mode sets the
// strictness of parsing.
func NewLoader(files function.Files, around function.Finder, mode Mode) *Loader {
	l := &Loader{files: files, around: around, syntax: syntaxOf(mode)}
	l.types = typeexpr.NewLibrary(l.definition, nil)
	l.evaluator = New(function.Env{Functions: noFunctions{}}, l.types, mode)
	return l
}

// none finds no function: types do not need any, and so evaluating a parameter
// list is fast regardless of its content.
type noFunctions struct{}

func (noFunctions) Function(string) (*function.Function, bool) { return nil, false }

// moduleFile is a file of a module.
type moduleFile struct{ path, text string }

// read returns the file that should define name: the first segment is the
// module, the others are the path below folder. For a name of one segment, init
// is the name of the file. found is false if there is no such file, or if the
// name is invalid.
func (l *Loader) read(folder, init, name string) (s moduleFile, found bool, err error) {
	segments := strings.Split(name, "::")
	for _, segment := range segments {
		if !isSegment(segment) {
			return moduleFile{}, false, nil
		}
	}
	rest := segments[1:]
	if len(rest) == 0 {
		if init == "" {
			return moduleFile{}, false, nil
		}
		rest = []string{init}
	}
	dir, found, err := l.files.ModuleDir(segments[0])
	if err != nil || !found {
		return moduleFile{}, false, err
	}
	path := filepath.Join(dir, folder, filepath.Join(rest...)+".pp")
	text, err := l.files.ReadFile(path, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return moduleFile{}, false, nil
	}
	if err != nil {
		return moduleFile{}, false, fmt.Errorf("%s: %w", path, err)
	}
	return moduleFile{path, string(text)}, true, nil
}

// isSegment reports whether s is a valid segment of a name: lower-case letters,
// digits and underscores.
func isSegment(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// failAt returns an error at node n of a source.
func failAt(loc *syntax.Locator, n syntax.Node, err error) error {
	offset := syntax.Anchor(n)
	line, column := loc.Position(offset)
	return &Error{File: loc.File(), Line: line, Column: column, Text: loc.Line(offset), Err: err}
}

// onlyStatement returns the single statement of a source, which must define name.
func onlyStatement[T syntax.Expr](l *Loader, s moduleFile, name string, nameOf func(T) string) (def T, loc *syntax.Locator, err error) {
	p, err := l.syntax.ParseProgram(s.path, s.text)
	if err != nil {
		return def, nil, err
	}
	wrong := syntax.Node(p.Body)
	for i, n := range p.Body.Statements {
		one, ok := n.(T)
		if !ok || i > 0 || strings.ToLower(nameOf(one)) != name {
			return def, nil, failAt(p.Locator, n, fmt.Errorf("%w: %s", errContent, name))
		}
		def, wrong = one, nil
	}
	if wrong != nil {
		return def, nil, failAt(p.Locator, wrong, fmt.Errorf("%w: %s", errContent, name))
	}
	return def, p.Locator, nil
}

// cache caches results by name. It computes each name once; different names are
// computed concurrently.
type cache[T any] struct {
	mu      sync.Mutex
	entries map[string]func() (T, bool, error)
}

// get returns the result of make for name. It caches neither errors nor names
// that are not found, so that unknown names take no memory.
func (c *cache[T]) get(name string, make func() (T, bool, error)) (T, bool, error) {
	c.mu.Lock()
	entry, ok := c.entries[name]
	if !ok {
		entry = once(make)
		if c.entries == nil {
			c.entries = map[string]func() (T, bool, error){}
		}
		c.entries[name] = entry
	}
	c.mu.Unlock()
	v, found, err := entry()
	if !found || err != nil {
		c.mu.Lock()
		delete(c.entries, name)
		c.mu.Unlock()
	}
	return v, found, err
}

func once[T any](f func() (T, bool, error)) func() (T, bool, error) {
	type result struct {
		v     T
		found bool
	}
	values := sync.OnceValues(func() (result, error) {
		v, found, err := f()
		return result{v, found}, err
	})
	return func() (T, bool, error) {
		r, err := values()
		return r.v, r.found, err
	}
}
