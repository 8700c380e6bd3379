package compile

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	gojson "encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// useKind is what a compilation depends on at a path; see recorder.rb.
type useKind string

// The kinds of uses.
const (
	kindFile    useKind = "file"    // the content of a file, or what else is there
	kindList    useKind = "list"    // the names in a directory
	kindTree    useKind = "tree"    // the names below a directory
	kindGlob    useKind = "glob"    // the paths that match
	kindContent useKind = "content" // the content of all files below
)

// use is a path that a compilation depends on.
type use struct {
	// Path is below the root of the repository, or an absolute one outside of it.
	Path string  `json:"path"`
	Kind useKind `json:"kind"`
}

// record has the files that the compilation of a node used, with their states. It contains
// no content of files.
type record struct {
	// Command reports that a program ran, which can use any file.
	Command bool `json:"command"`
	// Failed reports that the node does not compile.
	Failed bool        `json:"failed"`
	Uses   []usedState `json:"uses"`
}

// usedState is a use and the state that was used.
type usedState struct {
	use

	State string `json:"state"`
}

// keptRecords is the number of records of a node that are kept, such as those of a few
// branches.
const keptRecords = 4

// recordingCompiler returns a compiler of the same revision whose compilations record the files that they
// use. It compiles each node in a process of its own.
func (c *Compiler) recordingCompiler() *Compiler {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recorder == nil {
		c.recorder = &Compiler{
			o: c.o, rev: c.rev, tree: &tree{dir: c.tree.dir, key: c.tree.key}, cache: c.cache, ruby: c.ruby, key: c.key, states: c.states, recording: true,
			closed: c.closed, starting: make(chan struct{}, 1), results: make(map[string]*outcome), records: make(map[string]*record),
		}
		c.recorder.starting <- struct{}{}
	}
	return c.recorder
}

// recorded returns the result of a compilation that recorded its files, or neither a result nor an error if
// there was none.
func (c *Compiler) recorded(ctx context.Context, node string) (*Result, error) {
	c.mu.Lock()
	recorder := c.recorder
	c.mu.Unlock()
	if recorder == nil {
		return nil, nil //nolint:nilnil // the documented result
	}
	recorder.mu.Lock()
	_, ok := recorder.results[node]
	recorder.mu.Unlock()
	if !ok {
		return nil, nil //nolint:nilnil // as above
	}
	return recorder.Compile(ctx, node)
}

// keepRecord keeps what a reply says about used files.
func (c *Compiler) keepRecord(req *request, r *reply) {
	rec := &record{Command: r.Command, Failed: r.Reply == replyError, Uses: []usedState{}}
	for path, kinds := range r.Uses {
		path = c.paths.used(path)
		if path == "" {
			continue
		}
		for _, kind := range kinds {
			u := use{path, kind}
			rec.Uses = append(rec.Uses, usedState{u, c.states.of(u)})
		}
	}
	slices.SortFunc(rec.Uses, func(a, b usedState) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	rec.Uses = slices.Compact(rec.Uses)
	c.mu.Lock()
	c.records[req.Node] = rec
	c.mu.Unlock()
	if !c.repeatable() {
		return
	}
	file := c.recordFile(req)
	all := slices.DeleteFunc(readRecords(file), func(old *record) bool { return c.states.changes(old) == nil })
	all = append([]*record{rec}, all...)
	_ = writeRecords(file, all[:min(len(all), keptRecords)]) // without it, the next run compiles the node
}

// repeatable reports whether the files, the facts and the settings determine the catalogs: an ENC and
// exported resources can be others at any time.
func (c *Compiler) repeatable() bool { return c.o.ENC == "" && c.o.Exported == nil }

// recordFile returns the file with the records of a node.
func (c *Compiler) recordFile(req *request) string {
	return filepath.Join(c.cache, recordsName, c.nodeInputs(req)+".json")
}

// nodeInputs identifies everything that determines a catalog besides the files that its
// compilation uses.
func (c *Compiler) nodeInputs(req *request) string {
	h := sha256.New()
	parts := [][]byte{[]byte(c.inputs("")), driver, recordDriver, []byte(req.Node), req.Facts, req.Extensions, req.External}
	for _, name := range c.o.PassEnv {
		parts = append(parts, []byte(os.Getenv(name)))
	}
	for _, part := range parts {
		sum := sha256.Sum256(part)
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// readRecords reads a file of records. It has none if it cannot be read.
func readRecords(file string) []*record {
	data, err := os.ReadFile(file)
	var all []*record
	if err != nil || gojson.Unmarshal(data, &all) != nil {
		return nil
	}
	return all
}

func writeRecords(file string, all []*record) (err error) {
	data, err := gojson.Marshal(all)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+unfinished)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// record returns the record of a node: of this run or, if all files that it names are as they were, of an
// earlier one. Otherwise it compiles the node. It is nil if the compilation ended without one.
func (c *Compiler) record(ctx context.Context, req *request) (*record, error) {
	recorder := c.recordingCompiler()
	known := func() *record {
		recorder.mu.Lock()
		defer recorder.mu.Unlock()
		return recorder.records[req.Node]
	}
	if rec := known(); rec != nil {
		return rec, nil
	}
	if c.repeatable() {
		file := c.recordFile(req)
		for _, rec := range readRecords(file) {
			if c.states.changes(rec) == nil {
				now := time.Now()
				_ = os.Chtimes(file, now, now) // only for its age
				return rec, nil
			}
		}
	}
	_, err := recorder.Compile(ctx, req.Node)
	if _, failed := errors.AsType[*Failure](err); err != nil && !failed {
		return nil, err
	}
	return known(), nil
}

// Reason is why a change of the files can affect the catalog of a node.
type Reason struct {
	// Path is the file, the directory or the pattern with * that the compilation used: below the root of the
	// repository, or an absolute path outside of it. It is empty for [Unknown] and [Inputs].
	Path string
	// Change is what is different at the path.
	Change Change
}

// Change is a difference at a path that a compilation used.
type Change string

// The changes.
const (
	Added   Change = "added"   // the compilation looked for it
	Changed Change = "changed" // its content, or that of a file below it
	Removed Change = "removed"
	Names   Change = "names"   // the names of files below it, or that match it, which the compilation listed
	Unknown Change = "unknown" // the compilation ran a program, which can use any file, or ended without a report
	Inputs  Change = "inputs"  // the facts or the settings
)

// Effect is what a change of the files can do to the catalog of a node.
type Effect struct {
	// Reasons are why the catalog can differ, sorted by path. If there is none, the catalogs are
	// equal, and so are the files of modules that the agent fetches.
	Reasons []Reason
	// Failed reports that the node does not compile before the change, if that is known.
	Failed bool
}

// Affects returns the effect of the difference between c and to on a node. The
// node is compiled unless an earlier run did, with files that have not changed since.
func (c *Compiler) Affects(ctx context.Context, node string, to *Compiler) (Effect, error) {
	before, err := c.request(ctx, node)
	if err != nil {
		return Effect{}, err
	}
	after, err := to.request(ctx, node)
	if err != nil {
		return Effect{}, err
	}
	if c.nodeInputs(before) != to.nodeInputs(after) {
		return Effect{Reasons: []Reason{{"", Inputs}}}, nil
	}
	if c.key == to.key {
		return Effect{}, nil
	}
	rec, err := c.record(ctx, before)
	switch {
	case err != nil:
		return Effect{}, err
	case rec == nil:
		return Effect{[]Reason{{"", Unknown}}, true}, nil
	case rec.Command:
		return Effect{[]Reason{{"", Unknown}}, rec.Failed}, nil
	}
	return Effect{to.states.changes(rec), rec.Failed}, nil
}

// States of paths that have no content: nothing is there, or it cannot be read.
const (
	absent     = "absent"
	unreadable = "unreadable"
)

// states has the states of paths, each of which is read once. It is safe for concurrent use.
type states struct {
	root string

	mu    sync.Mutex
	known map[use]string
}

func newStates(root string) *states { return &states{root: root, known: make(map[use]string)} }

// changes returns the differences to the states in a record, sorted by path.
func (s *states) changes(rec *record) []Reason {
	var all []Reason
	for _, u := range rec.Uses {
		now := s.of(u.use)
		if now == u.State {
			continue
		}
		change := Changed
		switch {
		case u.Kind == kindGlob:
			change = Names
		case u.State == absent:
			change = Added
		case now == absent:
			change = Removed
		case u.Kind == kindList || u.Kind == kindTree:
			change = Names
		}
		all = append(all, Reason{u.Path, change})
	}
	return slices.Compact(all)
}

// of returns the state of a path: equal for equal files.
func (s *states) of(u use) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, ok := s.known[u]
	if !ok {
		state = s.read(u)
		s.known[u] = state
	}
	return state
}

// mostLinks is the number of symbolic links to directories that are followed inside of each other.
const mostLinks = 8

func (s *states) read(u use) string { return s.follow(u, mostLinks) }

// follow reads the state of a path. It follows symbolic links, as Ruby does.
func (s *states) follow(u use, links int) string {
	if u.Kind == kindGlob {
		return s.matches(u.Path)
	}
	path := u.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.root, path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return absent
	case err != nil:
		return unreadable
	case info.Mode().IsRegular():
		return fileState(path, info)
	case !info.IsDir():
		return "special " + info.Mode().Type().String()
	}
	if u.Kind == kindFile {
		return "directory"
	}
	h := sha256.New()
	root, err := filepath.EvalSymlinks(path) // WalkDir does not follow a link
	if err != nil {
		return unreadable
	}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == root:
			return nil
		case d.Name() == ".git":
			return skip(d)
		}
		_, _ = io.WriteString(h, d.Type().String()+strings.TrimPrefix(name, root)+"\x00")
		if isLink := d.Type()&fs.ModeSymlink != 0; isLink && u.Kind != kindList && links > 0 {
			target, err := os.Readlink(name) // an agent can copy the link itself
			if err != nil {
				return err
			}
			_, _ = io.WriteString(h, target+"\x00"+s.follow(use{name, u.Kind}, links-1)+"\x00")
		} else if u.Kind == kindContent && !d.IsDir() {
			_, _ = io.WriteString(h, s.follow(use{name, kindFile}, links)+"\x00")
		}
		if u.Kind == kindList {
			return skip(d)
		}
		return nil
	})
	if err != nil {
		return unreadable
	}
	return "directory " + hex.EncodeToString(h.Sum(nil))
}

// matches identifies the paths that match a pattern.
func (s *states) matches(pattern string) string {
	root := s.root
	if filepath.IsAbs(pattern) {
		root, pattern = "/", strings.TrimPrefix(pattern, "/")
	}
	found, err := fs.Glob(os.DirFS(root), pattern)
	if err != nil {
		return unreadable
	}
	if len(found) == 0 {
		return absent
	}
	sum := sha256.Sum256([]byte(strings.Join(found, "\x00")))
	return "matches " + hex.EncodeToString(sum[:])
}

// skip leaves out what is below an entry.
func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// fileState identifies the content of a file, and whether it can be executed.
func fileState(path string, info fs.FileInfo) string {
	f, err := os.Open(path)
	if err != nil {
		return unreadable
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return unreadable
	}
	kind := "file "
	if info.Mode()&0o100 != 0 {
		kind = "program "
	}
	return kind + hex.EncodeToString(h.Sum(nil))
}
