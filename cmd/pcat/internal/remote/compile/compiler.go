package compile

import (
	"context"
	"crypto/sha256"
	_ "embed" // for compiler.rb
	"encoding/hex"
	gojson "encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

//go:embed compiler.rb
var driver []byte

//go:embed recorder.rb
var recordDriver []byte

// The defaults of [Options].
const (
	DefaultEnvironment = "production"
	DefaultTimeout     = 5 * time.Minute
	DefaultMemory      = 4 << 30 // bytes of address space
	forkFrom           = 50      // nodes; for fewer, a second worker gains nothing
	mostEnded          = 20      // times that a process may end before it begins a node
	prepareTimeout     = 30 * time.Minute
)

// Options configure a [Compiler]. Only Facts is required.
type Options struct {
	// Repo is a directory in a Git repository. Empty means the working directory.
	Repo string
	// Ref is a branch, tag or commit. Empty and [WorkingTree] mean the working tree with
	// its uncommitted changes.
	Ref string
	// Dir is the directory of the environment below the root of the repository, such as
	// environments/production. Empty means the nearest directory with environment.conf from Repo
	// upwards, or else the root.
	Dir string
	// Environment is the name of the environment. Empty means NAME if Dir is environments/NAME,
	// and otherwise production.
	Environment string
	// Facts has the facts of the nodes.
	Facts FactSource
	// Override replaces facts of all nodes: by name, or by a path such as os.family.
	Override map[string]pcore.Value
	// Trusted are extensions of all certificates, besides the ones in Facts.
	Trusted map[string]string
	// NodeTrusted are extensions by certname.
	NodeTrusted map[string]map[string]string
	// Prepare is a shell command that completes a tree, such as `r10k puppetfile install`. It runs once for
	// each tree, with the environment of this process, but not for the working tree.
	Prepare string
	// PrepareKey are the files in Dir that decide what Prepare adds, such as Puppetfile: trees in which they are equal
	// have the files of one run. Nil means those of the installer if Prepare only installs the modules of a Puppetfile,
	// and otherwise, as empty, that it runs for each tree.
	PrepareKey []string
	// Hiera is a hiera.yaml of the global layer. Empty means none.
	Hiera string
	// Eyaml is "placeholder" for values that stand for the ciphertexts of eyaml, so that no
	// key is needed, or empty for the values.
	Eyaml string
	// ENC is an external node classifier: a command that gets the certname. Empty means none.
	ENC string
	// Puppet is the Puppet to use: a checkout, the prefix of a package, or the command.
	// Empty means the one of this machine.
	Puppet string
	// BaseModulePath replaces the one of Puppet.
	BaseModulePath string
	// Settings are other settings of Puppet, such as strict.
	Settings map[string]string
	// Stubs are results of functions, as JSON, by name. The functions are not called. The result of a
	// backend of Hiera is an object with its keys.
	Stubs map[string]string
	// Exported has exported resources. Nil means that Puppet collects none, with a warning.
	Exported Exporter
	// PassEnv are the names of environment variables that Puppet sees, besides PATH.
	PassEnv []string
	// Network lets the code of the branch use the network, where this can be prevented.
	Network bool
	// Isolate compiles each node in a process of its own.
	Isolate bool
	// Workers is the number of processes for 50 nodes and more. 0 means one for each processor.
	Workers int
	// Timeout bounds the time of one node, and of the start of Puppet. 0 means 5 minutes.
	Timeout time.Duration
	// Memory bounds the address space of a process, in bytes. 0 means 4 GiB; a negative
	// number does not bound it.
	Memory int64
	// Cache is the folder for trees and for the files of a run. Empty means that of the system.
	Cache string
	// Log gets warnings about the compiler itself. Nil discards them.
	Log *slog.Logger
}

// Compiler compiles the catalogs of one revision. Create one with [New], and close it. It is safe for
// concurrent use.
type Compiler struct {
	o     Options
	rev   revision
	tree  *tree
	cache string
	ruby  installation
	key   string

	mu       sync.Mutex
	expected int
	closed   bool
	starting chan struct{} // contains one element while no process is being started
	process  *process
	run      *folder
	paths    *paths
	modules  []string            // the module path; nil before the first start
	results  map[string]*outcome // by node
	records  map[string]*record  // by node
	states   *states             // of the tree

	recording bool      // compilations record the files that they use
	recorder  *Compiler // of the same revision, with recording; nil until it is needed
}

// outcome is the result of a node, which is compiled once.
type outcome struct {
	done    chan struct{}
	result  Result // Catalog is compressed
	failure error
}

// New returns a compiler. It resolves the ref, and writes the files of the revision to the
// cache unless they are there; Puppet is started by the first [Compiler.Compile].
func New(ctx context.Context, o Options) (*Compiler, error) {
	if !supported {
		return nil, errors.New("compile: catalogs can be compiled on Linux, macOS and BSD")
	}
	o.setDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &Compiler{o: o, results: make(map[string]*outcome), starting: make(chan struct{}, 1)}
	c.starting <- struct{}{}
	var err error
	if c.ruby, err = findPuppet(o.Puppet); err != nil {
		return nil, err
	}
	if c.cache, err = cacheFolder(o.Cache); err != nil {
		return nil, err
	}
	clearFolders(c.cache)
	repo, err := openRepository(ctx, o.Repo, o.Log)
	if err != nil {
		return nil, err
	}
	if c.o.Dir == "" {
		c.o.Dir = filepath.ToSlash(repo.dir)
	}
	repo.dir = filepath.FromSlash(c.o.Dir)
	if c.o.Environment == "" {
		c.o.Environment = DefaultEnvironment
		if _, ok := codeDir(c.o.Dir); ok {
			c.o.Environment = path.Base(c.o.Dir)
		}
	}
	if o.Ref == WorkingTree {
		if repo.bare {
			return nil, fmt.Errorf("%s is a bare repository without a working tree; name a branch with ref=REF", repo.root)
		}
		c.tree = &tree{dir: repo.root}
		c.setKey(repo.root)
		c.states = newStates(c.tree.dir)
		return c, c.checkDir()
	}
	if c.rev, err = repo.resolve(ctx, o.Ref); err != nil {
		return nil, err
	}
	preparation := newPreparation(&o)
	if c.tree, err = repo.checkout(ctx, c.cache, c.rev, &preparation); err != nil {
		return nil, fmt.Errorf("ref %q: %w", o.Ref, err)
	}
	c.setKey(c.tree.key)
	c.states = newStates(c.tree.dir)
	if err := errors.Join(c.checkDir(), c.warnModules(), c.warnSubmodules()); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// checkDir returns an error if the directory of the environment is not there.
func (c *Compiler) checkDir() error {
	if info, err := os.Stat(c.environmentDir()); err != nil || !info.IsDir() {
		return fmt.Errorf("dir %q: the repository has no such directory at ref %q", c.o.Dir, c.o.Ref)
	}
	if c.o.Dir != "" || isDir(filepath.Join(c.tree.dir, "manifests")) || isFile(filepath.Join(c.tree.dir, environmentConf)) {
		return nil
	}
	below := path.Join("environments", c.o.Environment)
	if !isDir(filepath.Join(c.tree.dir, below)) {
		found, _ := filepath.Glob(filepath.Join(c.tree.dir, "*", environmentConf))
		if len(found) != 1 {
			return nil
		}
		below = filepath.Base(filepath.Dir(found[0]))
	}
	c.o.Log.Warn("the root of the repository is compiled, but it is not an environment; name the one with dir=" + below + ", or environment-dir in .pcat-compile.yaml")
	return nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// environmentDir returns the directory of the environment.
func (c *Compiler) environmentDir() string {
	return filepath.Join(c.tree.dir, filepath.FromSlash(c.o.Dir))
}

func (o *Options) setDefaults() {
	if o.Ref == "" {
		o.Ref = WorkingTree
	}
	if o.Dir = path.Clean(o.Dir); o.Dir == "." {
		o.Dir = ""
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// EyamlPlaceholder is the value of [Options.Eyaml] that needs no keys.
const EyamlPlaceholder = "placeholder"

func (o *Options) check() error {
	if o.Facts == nil {
		return errors.New("compile: no facts; name a directory with facts=DIR")
	}
	if o.Eyaml != "" && o.Eyaml != EyamlPlaceholder {
		return fmt.Errorf("eyaml %q: use %s, or leave it out to decrypt with the keys that hiera.yaml names", o.Eyaml, EyamlPlaceholder)
	}
	if o.Dir != "" && !filepath.IsLocal(filepath.FromSlash(o.Dir)) {
		return fmt.Errorf("dir %q: use a directory below the root of the repository", o.Dir)
	}
	for _, name := range o.PrepareKey {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("prepare key %q: use a file below the directory of the environment", name)
		}
	}
	for name, value := range o.Stubs {
		if !gojson.Valid([]byte(value)) {
			return fmt.Errorf("function stub %s: the result is not valid JSON", name)
		}
	}
	return checkEnvironment(o.Environment)
}

// setKey sets the key for a tree.
func (c *Compiler) setKey(tree string) { c.key = c.inputs(tree) }

// inputs identifies a tree and all other inputs of catalogs, except the facts.
func (c *Compiler) inputs(tree string) string {
	o := c.o
	exported := ""
	if o.Exported != nil {
		exported = o.Exported.String()
	}
	override := make(map[string]string, len(o.Override))
	for name, value := range o.Override {
		override[name] = value.String()
	}
	text := fmt.Sprintf("%q", []any{
		tree, o.Dir, o.Environment, o.Facts.String(), override, o.Trusted, o.NodeTrusted, o.Prepare, o.PrepareKey, o.Hiera, o.Eyaml, o.ENC, c.ruby.ruby, c.ruby.lib,
		o.BaseModulePath, o.Settings, o.Stubs, exported, o.PassEnv, o.Network, o.Isolate, o.Timeout, o.Memory,
	})
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Key identifies the inputs of the catalogs: two compilers with equal keys have equal
// results, such as those of two branches with the same files.
func (c *Compiler) Key() string { return c.key }

// Puppet describes the Puppet that compiles: its name, its version, the Ruby that runs it, and the library of a
// checkout. It fails if there is no Puppet in the checkout, or for the Ruby.
func (c *Compiler) Puppet(ctx context.Context) (string, error) {
	version, err := c.version(ctx)
	return strings.TrimSpace(version + ", " + c.ruby.ruby + " " + c.ruby.lib), err
}

func (c *Compiler) version(ctx context.Context) (string, error) {
	if c.ruby.lib != "" {
		return c.ruby.writtenVersion()
	}
	select {
	case <-c.starting:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { c.starting <- struct{}{} }()
	if err := c.newRun(); err != nil {
		return "", err
	}
	return c.ruby.printedVersion(ctx, c.environment())
}

// Dir returns the directory of the environment below the root of the repository. It is
// empty for the root itself.
func (c *Compiler) Dir() string { return c.o.Dir }

// Nodes returns the certnames of all nodes with facts, sorted.
func (c *Compiler) Nodes(ctx context.Context) ([]string, error) { return c.o.Facts.Nodes(ctx) }

// Tree is the directory with the files of a revision.
type Tree struct {
	Dir string // it exists until the compiler is closed
	// ModulePath are the folders with modules, in search order: in Dir, or outside of it.
	ModulePath []string
	// EnvironmentDir is the directory of the environment below Dir. It is empty for Dir itself.
	EnvironmentDir string
	// Server is the path of the environment in catalogs, as on a server.
	Server string
}

// Path returns the path in catalogs of a file below Dir.
func (t Tree) Path(name string) string {
	if t.EnvironmentDir == "" {
		return t.Server + "/" + name
	}
	if rest, ok := strings.CutPrefix(name, t.EnvironmentDir+"/"); ok {
		return t.Server + "/" + rest
	}
	if code, ok := codeDir(t.EnvironmentDir); ok && code != "" {
		name = strings.TrimPrefix(name, code+"/")
	}
	return serverCode + "/" + name
}

// Below returns the path below Dir of a file, from its path in catalogs: the inverse of [Tree.Path]. It reports
// false, with the same path, for a file that is not in the repository. A path that is below Dir already, as that of a
// [Failure], stays as it is.
func (t Tree) Below(file string) (name string, ok bool) {
	switch {
	case t.Dir == "": // the zero value
		return file, false
	case !path.IsAbs(file):
		return file, t.Has(file)
	}
	var names []string
	rest, inEnvironment := strings.CutPrefix(file, t.Server+"/")
	if inEnvironment {
		names = append(names, path.Join(t.EnvironmentDir, rest))
	}
	if rest, inCode := strings.CutPrefix(file, serverCode+"/"); inCode && t.EnvironmentDir != "" {
		code, _ := codeDir(t.EnvironmentDir)
		names = append(names, path.Join(code, rest), path.Clean(rest))
	}
	for _, name := range names {
		if t.Has(name) {
			return name, true
		}
	}
	if inEnvironment {
		return names[0], true // it was there
	}
	return file, false
}

// Has reports whether a file below Dir exists.
func (t Tree) Has(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && isFile(filepath.Join(t.Dir, filepath.FromSlash(name)))
}

// Tree returns the files of the revision. It is the zero value before a catalog was compiled.
func (c *Compiler) Tree() Tree {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.modules == nil && c.recorder != nil: // it compiled the catalogs
		return c.recorder.Tree()
	case c.modules == nil:
		return Tree{}
	}
	return Tree{c.tree.dir, c.modules, c.o.Dir, c.paths.server}
}

// Expect adds to the number of nodes that will be compiled. It determines how many
// processes do it.
func (c *Compiler) Expect(nodes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expected += nodes
}

// Compile compiles the catalog of a node, once: later calls return the same. The error is a *[Failure] if
// Puppet cannot compile it, which does not affect other nodes.
func (c *Compiler) Compile(ctx context.Context, node string) (*Result, error) {
	c.mu.Lock()
	o := c.results[node]
	mine := o == nil
	if mine {
		o = &outcome{done: make(chan struct{})}
		c.results[node] = o
	}
	c.mu.Unlock()
	if !mine {
		select {
		case <-o.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return o.get()
	}
	result, err := c.recorded(ctx, node)
	if result == nil && err == nil {
		result, err = c.compile(ctx, node)
	}
	if err == nil {
		o.result = *result
		o.result.Catalog = s2.Encode(nil, result.Catalog)
	}
	o.failure = err
	close(o.done)
	return result, err
}

func (o *outcome) get() (*Result, error) {
	if o.failure != nil {
		return nil, o.failure
	}
	result := o.result
	var err error
	result.Catalog, err = s2.Decode(nil, o.result.Catalog)
	return &result, err
}

func (c *Compiler) compile(ctx context.Context, node string) (*Result, error) {
	req, err := c.request(ctx, node)
	if err != nil {
		return nil, err
	}
	for ended := 0; ; ended++ {
		p, err := c.running(ctx)
		if err != nil {
			return nil, err
		}
		r, err := p.compile(ctx, req)
		switch {
		case errors.Is(err, errNotBegun) && ended < mostEnded:
			continue // another node ended the process
		case errors.Is(err, errNotBegun):
			return nil, &Failure{Node: node, Message: fmt.Sprintf("Puppet ended %d times before it began this node: %s", ended+1, c.paths.text(p.death().Error()))}
		case err != nil:
			return nil, err
		}
		if r.Uses != nil {
			c.keepRecord(req, r)
		}
		if r.Reply == replyError {
			return nil, c.paths.failure(r)
		}
		return &Result{Node: node, Catalog: c.paths.bytes(r.body), Bare: r.Bare, Warnings: c.paths.warnings(r.Messages), Version: p.version}, nil
	}
}

// request returns the request for a node.
func (c *Compiler) request(ctx context.Context, node string) (*request, error) {
	facts, err := c.o.Facts.Facts(ctx, node)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.o.Override)) {
		facts = facts.Override(name, c.o.Override[name])
	}
	extensions := pcore.NewHashBuilder(facts.Extensions.Len())
	for k, v := range facts.Extensions.All() {
		extensions.Set(k, v)
	}
	for _, more := range []map[string]string{c.o.Trusted, c.o.NodeTrusted[node]} {
		for _, name := range slices.Sorted(maps.Keys(more)) {
			extensions.SetString(name, pcore.String(more[name]))
		}
	}
	r := &request{Node: node}
	for _, part := range []struct {
		to   *gojson.RawMessage
		from *pcore.Hash
	}{{&r.Facts, facts.Values}, {&r.Extensions, extensions.Hash()}, {&r.External, facts.External}} {
		if part.from == nil {
			part.from = pcore.NewHash()
		}
		if *part.to, err = formats.JSON().Append(nil, part.from, serialization.EncodeOptions{}); err != nil {
			return nil, fmt.Errorf("facts of %q: %w", node, err)
		}
	}
	return r, nil
}

// running returns a process that runs, and starts it if necessary.
func (c *Compiler) running(ctx context.Context) (*process, error) {
	select {
	case <-c.starting:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { c.starting <- struct{}{} }()
	c.mu.Lock()
	p, closed, expected := c.process, c.closed, c.expected
	c.mu.Unlock()
	switch {
	case closed:
		return nil, errors.New("compile: the compiler is closed")
	case p != nil && p.isRunning():
		return p, nil
	case p != nil:
		p.close()
	}
	return c.start(ctx, expected)
}

// start starts a process.
func (c *Compiler) start(ctx context.Context, expected int) (*process, error) {
	if err := c.newRun(); err != nil {
		return nil, err
	}
	s := c.settings(expected)
	command := []string{c.ruby.ruby, filepath.Join(c.run.path, "compiler.rb")}
	if !c.o.Network {
		prefix := withoutNetwork(ctx)
		if prefix == nil {
			c.o.Log.Warn("the code of the branch can use the network: this system does not let pcat prevent it; to accept this, set network: true in .pcat-compile.yaml")
		}
		command = append(prefix, command...)
	}
	p, ready, err := startProcess(ctx, command, c.environment(), filepath.Join(c.run.path, "var"), s, c.o.Timeout, c.collect(context.WithoutCancel(ctx)))
	if err != nil {
		return nil, errors.New(c.paths.text(err.Error()))
	}
	for _, w := range c.paths.warnings(ready.Messages) {
		c.o.Log.Warn(w.String())
	}
	p.version = ready.Version
	c.mu.Lock()
	defer c.mu.Unlock()
	c.process = p
	c.modules = make([]string, len(ready.ModulePath))
	for i, folder := range ready.ModulePath {
		c.modules[i] = c.paths.inTree(folder, c.tree.dir)
	}
	return p, nil
}

func (c *Compiler) settings(expected int) *settings {
	o := &c.o
	s := &settings{
		Run: c.run.path, Environment: o.Environment, Hiera: o.Hiera, BaseModulePath: o.BaseModulePath, ENC: o.ENC, Eyaml: o.Eyaml,
		Settings: o.Settings, Exported: o.Exported != nil, Workers: 1, Isolate: o.Isolate, Memory: max(o.Memory, 0), Record: c.recording,
		Stubs: make(map[string]gojson.RawMessage, len(o.Stubs)),
	}
	const short = 12
	if c.rev.commit != "" {
		s.Version = c.rev.commit[:short]
	}
	if expected >= forkFrom || o.Isolate || c.recording {
		s.Workers = o.Workers
	}
	for name, value := range o.Stubs {
		s.Stubs[name] = gojson.RawMessage(value)
	}
	return s
}

// newRun makes the folder of a process: with the environment as a server has it, so that
// Puppet finds hiera.yaml and environment.conf there. Only the first process does.
func (c *Compiler) newRun() (err error) {
	if c.run != nil {
		return nil
	}
	run, err := newFolder(filepath.Join(c.cache, runsFolder), "")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, run.remove())
		}
	}()
	const private = 0o700
	for _, dir := range []string{"code/environments", "conf", "home", "tmp", "var"} {
		if err := os.MkdirAll(filepath.Join(run.path, dir), private); err != nil {
			return err
		}
	}
	for name, program := range map[string][]byte{"compiler.rb": driver, "recorder.rb": recordDriver} {
		if err := os.WriteFile(filepath.Join(run.path, name), program, 0o600); err != nil {
			return err
		}
	}
	if err := os.Symlink(c.environmentDir(), filepath.Join(run.path, "code", "environments", c.o.Environment)); err != nil {
		return err
	}
	if err := c.linkCode(filepath.Join(run.path, "code")); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run, c.paths = run, newPaths(run.path, c.o.Environment, c.tree.dir, c.o.Dir)
	return nil
}

// linkCode makes what is beside the folder environments of the repository, such as modules, appear in the
// code directory.
func (c *Compiler) linkCode(dir string) error {
	code, ok := codeDir(c.o.Dir)
	if !ok {
		return nil
	}
	code = filepath.Join(c.tree.dir, filepath.FromSlash(code))
	entries, err := os.ReadDir(code)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == "environments" || e.Name() == ".git" {
			continue
		}
		if err := os.Symlink(filepath.Join(code, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// environment returns the variables that Puppet sees.
func (c *Compiler) environment() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"HOME=" + filepath.Join(c.run.path, "home"), "TMPDIR=" + filepath.Join(c.run.path, "tmp"),
	}
	if c.ruby.lib != "" {
		env = append(env, "RUBYLIB="+c.ruby.lib)
	}
	for _, name := range c.o.PassEnv {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// withoutNetwork returns the beginning of a command that runs without a network, or nil if
// there is none on this system.
func withoutNetwork(ctx context.Context) []string {
	for _, prefix := range [][]string{
		{"unshare", "--net"},
		{"unshare", "--user", "--map-current-user", "--net"},
		{"unshare", "--user", "--map-root-user", "--net"},
	} {
		if exec.CommandContext(ctx, prefix[0], append(prefix[1:], "true")...).Run() == nil { //nolint:gosec // the commands above
			return slices.Clone(prefix)
		}
	}
	return nil
}

// Close ends Puppet and removes its files. Catalogs cannot be compiled any more.
func (c *Compiler) Close() error {
	c.mu.Lock()
	p, run, closed, recorder := c.process, c.run, c.closed, c.recorder
	c.closed = true
	c.mu.Unlock()
	if closed {
		return nil
	}
	if p != nil {
		p.close()
	}
	var errs []error
	if recorder != nil {
		errs = append(errs, recorder.Close())
	}
	if run != nil {
		errs = append(errs, run.remove())
	}
	if c.tree.lock != nil {
		errs = append(errs, unlockFile(c.tree.lock))
	}
	return errors.Join(errs...)
}

// warnModules warns of a Puppetfile whose modules are not there.
func (c *Compiler) warnModules() error {
	data, err := os.ReadFile(filepath.Join(c.environmentDir(), "Puppetfile"))
	if errors.Is(err, os.ErrNotExist) || c.o.Prepare != "" {
		return nil
	}
	if err != nil {
		return err
	}
	var missing []string
	for _, m := range puppetfileModule.Get().FindAllSubmatch(data, -1) {
		name := string(m[1])
		name = name[strings.LastIndexAny(name, "/-")+1:]
		if found, _ := filepath.Glob(filepath.Join(c.environmentDir(), "*", name)); len(found) == 0 {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		c.o.Log.Warn("the Puppetfile lists modules that the repository does not contain; install them with --prepare 'r10k puppetfile install'",
			"modules", strings.Join(missing, ", "))
	}
	return nil
}

// submodulePath is a line of .gitmodules.
var submodulePath = lazyregexp.New(`(?m)^\s*path\s*=\s*(\S.*?)\s*$`)

// warnSubmodules warns of submodules, whose files are not in a commit.
func (c *Compiler) warnSubmodules() error {
	data, err := os.ReadFile(filepath.Join(c.tree.dir, ".gitmodules"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var missing []string
	for _, m := range submodulePath.Get().FindAllSubmatch(data, -1) {
		name := string(m[1])
		if entries, _ := os.ReadDir(filepath.Join(c.tree.dir, filepath.FromSlash(name))); filepath.IsLocal(name) && len(entries) == 0 {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		c.o.Log.Warn("submodules are empty, because a commit does not contain their files; clone them with --prepare", "submodules", strings.Join(missing, ", "))
	}
	return nil
}
