package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/compile/config"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/content"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/source"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// CompileFlags are the flags for addresses that begin with compile:. They replace keys of
// the configuration.
type CompileFlags struct {
	Puppet   string
	Prepare  string
	Eyaml    string
	Exported string
	Stubs    []string // NAME=JSON
	PassEnv  []string
	Isolate  bool
	// Side are the differences of the addresses that are listed next. It is not a flag.
	Side Side
	// Contents adds the contents of the files that catalogs copy from the repository; see
	// package content. It is not a flag.
	Contents bool
	// CheckSources warns of sources without a file, as Contents does. It is not a flag.
	CheckSources bool
	// OnWarnings is called with the warnings of each catalog that was compiled, instead of
	// logging them. It can be called concurrently.
	OnWarnings func(side int, node string, warnings []compile.Warning)

	mu        sync.Mutex
	compilers map[string]*compile.Compiler // by key
	opened    []*compile.Compiler          // the same, in order
	files     map[*compile.Compiler]*content.Server
	said      map[string]bool // warnings
	// The facts and exported resources, by path or query: both sides of a comparison have the same.
	facts     map[string]compile.FactSource
	exporters map[string]compile.Exporter
}

// Side has the settings that can differ between the sides of a comparison.
type Side struct {
	Number int
	Facts  []string // NAME=VALUE
	Puppet string
}

// addFlags declares the flags.
func (f *CompileFlags) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Puppet, "puppet", "", "compile with the Puppet in `DIR`, a checkout or the prefix of a package (default the one in PATH)")
	flags.StringVar(&f.Prepare, "prepare", "", "run the shell `COMMAND` in each tree, once for equal Puppetfiles, such as 'r10k puppetfile install'")
	flags.StringVar(&f.Eyaml, "eyaml", "", "`MODE` must be placeholder: use no keys, and replace each ciphertext by a placeholder")
	flags.StringVar(&f.Exported, "exported", "", "read exported resources from `PATH`, a JSON file or the source puppetdb: (default none, with a warning)")
	flags.StringArrayVar(&f.Stubs, "function-stub", nil, "replace a function or a Hiera backend by the result JSON: `NAME=JSON`; repeatable")
	flags.StringSliceVar(&f.PassEnv, "pass-env", nil, "pass the environment variables `NAME,...` to Puppet (default only PATH)")
	flags.BoolVar(&f.Isolate, "isolate", false, "compile each node in a separate process")
	manual.Group(flags, `Flags for compile: (see "pcat help `+Topic+`")`, CompileFlagNames()...)
	manual.Files(cmd, manual.Fact{Name: config.Name, Meaning: "the defaults for compile:, in the repository, in the working directory, or the nearest directory above"})
	manual.Environment(cmd, manual.Fact{Name: "XDG_CACHE_HOME", Meaning: "for compile:, the directory that keeps the files of commits, in pcat/trees, and the names of the files that nodes use, in pcat/records"})
	cli.CompleteFlag(cmd, "puppet")
	cli.CompleteFlag(cmd, "eyaml", compile.EyamlPlaceholder)
}

// CompileFlagNames are the names of the flags of [CompileFlags].
func CompileFlagNames() []string {
	return []string{"puppet", "prepare", "eyaml", "exported", "function-stub", "pass-env", "isolate"}
}

// Found says where the settings of a compilation come from, for the first run.
type Found struct {
	Config  string // the file; empty for none
	Repo    string
	Facts   compile.FactSource // nil for none
	Options compile.Options
}

// Settings returns the settings for an address. Without facts, Options.Facts is nil.
func (f *CompileFlags) Settings(s *cli.IOStreams, client func() (*source.Client, error), a compile.Address) (*Found, error) {
	found := &Found{Repo: a.Repo}
	c, err := found.read(a.Repo)
	if err != nil {
		return nil, err
	}
	if found.Repo == "" {
		found.Repo = c.Repo
	}
	o := compile.Options{
		Repo: found.Repo, Ref: a.Ref, Dir: cmp.Or(a.Dir, c.Dir), Environment: cmp.Or(a.Environment, c.Environment), Trusted: c.Trusted, NodeTrusted: c.Nodes,
		Prepare: cmp.Or(f.Prepare, c.Prepare), PrepareKey: c.PrepareKey, Hiera: c.Hiera, Eyaml: cmp.Or(f.Eyaml, c.Eyaml), ENC: c.ENC, Puppet: cmp.Or(f.Side.Puppet, f.Puppet, c.Puppet),
		BaseModulePath: c.BaseModulePath, Settings: c.Settings, Stubs: make(map[string]string), PassEnv: slices.Concat(c.PassEnv, f.PassEnv),
		Network: c.Network, Isolate: f.Isolate || c.Isolate, Timeout: time.Duration(c.Timeout), Memory: int64(c.Memory), Log: s.Log,
	}
	for name, result := range c.Stubs {
		o.Stubs[name] = string(result)
	}
	for _, one := range f.Stubs {
		name, result, ok := strings.Cut(one, "=")
		if !ok {
			return nil, cli.Usage("--function-stub %s: use NAME=JSON, such as --function-stub 'puppetdb_query=[]'", one)
		}
		o.Stubs[name] = result
	}
	if o.Override, err = overrides(f.Side.Facts); err != nil {
		return nil, err
	}
	facts, err := found.factSource(client, a.Facts, c.Facts)
	if err != nil {
		return nil, err
	}
	exporter, err := exporter(client, cmp.Or(f.Exported, c.Exported))
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	o.Facts, o.Exported = sameAs(&f.facts, facts), sameAs(&f.exporters, exporter)
	f.mu.Unlock()
	found.Facts, found.Options = o.Facts, o
	return found, nil
}

// sameAs returns the source in known that has the name of s, or s itself, which is known afterwards. A nil one has no name.
func sameAs[S interface {
	comparable
	fmt.Stringer
}](known *map[string]S, s S) S {
	var none S
	if s == none {
		return s
	}
	if same, ok := (*known)[s.String()]; ok {
		return same
	}
	if *known == nil {
		*known = make(map[string]S)
	}
	(*known)[s.String()] = s
	return s
}

// exporter returns the exported resources in a file, a directory or PuppetDB; nil for none.
func exporter(client func() (*source.Client, error), path string) (compile.Exporter, error) {
	switch {
	case path == "":
		return nil, nil //nolint:nilnil // the documented result
	case !strings.HasPrefix(path, puppetdbPrefix):
		return compile.FilesExported(path), nil
	}
	db, err := client()
	if err != nil {
		return nil, err
	}
	return compile.StoredExported(db), nil
}

const puppetdbPrefix = string(source.PuppetDB) + ":"

// read reads the configuration: of the repository, or the nearest one above the working
// directory.
func (d *Found) read(repo string) (*config.Config, error) {
	dir := repo
	if dir == "" {
		dir = "."
	}
	file, err := config.Find(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &config.Config{}, nil
	}
	if err != nil {
		return nil, cli.BadInput(dir, "", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, cli.BadInput(file, "", err)
	}
	d.Config = file
	c, err := config.Parse(file, data)
	if err != nil {
		return nil, cli.BadInput(file, "", err)
	}
	return c, nil
}

// FactFolders are where facts are searched for, below the root of the repository.
func FactFolders() []string {
	return []string{"facts", "spec/facts", "test/facts", "spec/fixtures/facts"}
}

// factSource returns the facts that an address or the configuration names, or those of a
// folder of the repository. It is nil if there are none.
func (d *Found) factSource(client func() (*source.Client, error), named, configured string) (compile.FactSource, error) {
	path := cmp.Or(named, configured)
	if query, ok := strings.CutPrefix(path, puppetdbPrefix); ok {
		db, err := client()
		if err != nil {
			return nil, err
		}
		return compile.StoredFacts(db, strings.TrimPrefix(query, "?query=")), nil
	}
	if path == "" {
		for _, folder := range FactFolders() {
			facts := compile.FilesFacts(filepath.Join(d.root(), folder))
			if _, err := facts.Nodes(context.Background()); err == nil {
				return facts, nil
			}
		}
		return nil, nil //nolint:nilnil // the documented result
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(path) {
		inRepo := filepath.Join(d.root(), path)
		if _, err := os.Stat(inRepo); err == nil {
			path = inRepo
		}
	}
	return compile.FilesFacts(path), nil
}

// root returns the directory of the repository, as far as it is known without Git.
func (d *Found) root() string {
	if d.Repo != "" {
		return d.Repo
	}
	if dir, err := os.Getwd(); err == nil {
		return cmp.Or(cli.Checkout(dir), ".")
	}
	return "."
}

// overrides parses NAME=VALUE. A value is JSON or else a string.
func overrides(list []string) (map[string]pcore.Value, error) {
	values := make(map[string]pcore.Value, len(list))
	for _, one := range list {
		name, text, ok := strings.Cut(one, "=")
		if !ok || name == "" {
			return nil, cli.Usage("fact %s: use NAME=VALUE, such as os.family=RedHat", one)
		}
		value, err := formats.RichJSON().Decode([]byte(text), serialization.DecodeOptions{Plain: true})
		if err != nil {
			value = pcore.String(text)
		}
		values[name] = value
	}
	return values, nil
}

// errNoFacts reports that there are no facts.
var errNoFacts = errors.New("no facts: without them catalogs would be wrong; name a directory with CERTNAME.json for each node: facts=DIR, or facts: DIR in " +
	config.Name + "; `pcat compile` shows what is missing")

// ParseRange parses OLD..NEW or OLD...NEW, the value of a flag. OLD...NEW begins at the commit in which NEW left
// OLD, and no NEW is the working tree.
func ParseRange(flag, text string) (old, new string, err error) {
	old, new, ok := strings.Cut(text, "..")
	if strings.HasPrefix(new, ".") && new != "." { // OLD...NEW
		new = strings.TrimPrefix(new, ".")
		old += "..." + new
	}
	if !ok || old == "" || strings.HasPrefix(old, "...") {
		return "", "", cli.Usage("--%s %s: use OLD..NEW, such as --%s main..feature or --%s main...", flag, text, flag, flag)
	}
	return old, cmp.Or(new, compile.WorkingTree), nil
}

// ParseNode parses an argument that is a certname, with or without the scheme and the parameters of an
// address. An empty one means all nodes.
func ParseNode(arg string) (compile.Address, error) {
	a, err := compile.ParseAddress(compile.Scheme + ":" + strings.TrimPrefix(arg, compile.Scheme+":"))
	if err != nil {
		return a, cli.Usage("%s: %w", arg, err)
	}
	return a, nil
}

// Compiler returns the compiler for an address. Equal ones are the same.
func (f *Flags) Compiler(ctx context.Context, s *cli.IOStreams, a compile.Address) (*compile.Compiler, error) {
	c, err := f.Compile.compiler(ctx, s, f.lazyClient(s), a)
	if err != nil {
		return nil, badAddress(a.String(), err)
	}
	return c, nil
}

// compiler returns the compiler for an address. Equal ones are the same.
func (f *CompileFlags) compiler(ctx context.Context, s *cli.IOStreams, client func() (*source.Client, error), a compile.Address) (*compile.Compiler, error) {
	found, err := f.Settings(s, client, a)
	if err != nil {
		return nil, err
	}
	if found.Facts == nil {
		return nil, errNoFacts
	}
	c, err := compile.New(ctx, found.Options)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if same := f.compilers[c.Key()]; same != nil {
		return same, c.Close()
	}
	if f.compilers == nil {
		f.compilers, f.said = make(map[string]*compile.Compiler), make(map[string]bool)
	}
	f.compilers[c.Key()] = c
	f.opened = append(f.opened, c)
	s.AtEnd(func() { _ = c.Close() }) // nothing can be done about a folder that stays; the next run removes it
	return c, nil
}

// list returns the inputs of an address.
func (f *CompileFlags) list(ctx context.Context, s *cli.IOStreams, client func() (*source.Client, error), arg string) (inputs []cli.Remote, one bool, err error) {
	a, err := compile.ParseAddress(arg)
	if err != nil {
		return nil, false, cli.Usage("%s: %w", arg, err)
	}
	c, err := f.compiler(ctx, s, client, a)
	if err != nil {
		return nil, false, badAddress(arg, err)
	}
	nodes := []string{a.Node}
	if a.Node == "" {
		if nodes, err = c.Nodes(ctx); err != nil {
			return nil, false, badAddress(arg, err)
		}
	}
	c.Expect(len(nodes))
	how := use{f.Side.Number, f.Contents, f.CheckSources}
	for _, node := range nodes {
		each := a
		each.Node = node
		inputs = append(inputs, cli.Remote{
			Name: each.String(), Node: node,
			Read: func(ctx context.Context, limit int64) ([]byte, error) { return f.read(ctx, s, c, each, how, limit) },
		})
	}
	return inputs, a.Node != "", nil
}

// include returns a result with the warnings about the files that its catalog copies and, if asked for, with
// their contents.
func (f *CompileFlags) include(ctx context.Context, s *cli.IOStreams, c *compile.Compiler, r *compile.Result, contents bool) (*compile.Result, error) {
	files, err := f.server(s, c)
	if err != nil {
		return nil, err
	}
	catalog, warnings, err := files.Include(ctx, r.Catalog)
	with := *r
	with.Warnings = slices.Concat(r.Warnings, warnings)
	if contents {
		with.Catalog = catalog
	}
	return &with, err
}

// server returns the server of the files that a compiler uses.
func (f *CompileFlags) server(s *cli.IOStreams, c *compile.Compiler) (*content.Server, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if same := f.files[c]; same != nil {
		return same, nil
	}
	files, err := content.Open(c.Tree())
	if err != nil {
		return nil, err
	}
	if f.files == nil {
		f.files = make(map[*compile.Compiler]*content.Server)
	}
	f.files[c] = files
	s.AtEnd(func() { _ = files.Close() }) // it was only read
	return files, nil
}

// InRepository returns the path below the root of the repository of a file in a catalog that was compiled
// from it, such as a manifest. It reports false for other files. Of several trees, the last one that has
// the file counts: a comparison reads the new catalogs last.
func (f *Flags) InRepository(file string) (name string, ok bool) {
	c := &f.Compile
	c.mu.Lock()
	opened := slices.Clone(c.opened)
	c.mu.Unlock()
	for _, one := range slices.Backward(opened) {
		tree := one.Tree()
		below, inside := tree.Below(file)
		if inside && tree.Has(below) {
			return below, true
		}
		if inside && !ok {
			name, ok = below, true
		}
	}
	return name, ok
}

func badAddress(arg string, err error) error {
	var coded *cli.Error
	if errors.As(err, &coded) {
		return err
	}
	return cli.BadRemote(arg, err)
}

// use is how a command uses a catalog.
type use struct {
	side            int
	contents, check bool // of the files that the catalog copies
}

// read compiles a catalog.
func (f *CompileFlags) read(ctx context.Context, s *cli.IOStreams, c *compile.Compiler, a compile.Address, how use, limit int64) ([]byte, error) {
	result, err := c.Compile(ctx, a.Node)
	if err == nil && (how.contents || how.check) {
		result, err = f.include(ctx, s, c, result, how.contents)
	}
	failure, failed := errors.AsType[*compile.Failure](err)
	switch {
	case failed:
		f.warn(s, a.Node, how.side, failure.Warnings)
		return nil, failure
	case err != nil:
		return nil, err
	case limit > 0 && int64(len(result.Catalog)) > limit:
		return nil, fmt.Errorf("the catalog is larger than the limit of %d bytes", limit)
	}
	f.warn(s, a.Node, how.side, result.Warnings)
	if result.Bare && f.isNew("bare "+a.Node) {
		s.Log.Warn("the catalog is empty, without classes and resources: does site.pp, the ENC or Hiera assign classes to the node?", cli.FileKey, a.String())
	}
	return result.Catalog, nil
}

// storeconfigs is in the warning of Puppet about a collector of exported resources.
const storeconfigs = "without storeconfigs being set"

// warn passes warnings on, or logs each of them once.
func (f *CompileFlags) warn(s *cli.IOStreams, node string, side int, warnings []compile.Warning) {
	if f.OnWarnings != nil {
		f.OnWarnings(side, node, warnings)
	}
	for _, w := range warnings {
		collects := strings.Contains(w.Message, storeconfigs)
		if f.OnWarnings != nil && !collects {
			continue
		}
		text := w.String()
		if collects {
			text = "exported resources are not collected, so that catalogs lack them; name them with --exported puppetdb: or --exported PATH"
		}
		if f.isNew(text) {
			s.Log.Warn(text)
		}
	}
}

// isNew reports whether a message was not logged before.
func (f *CompileFlags) isNew(text string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.said[text]
	f.said[text] = true
	return !known
}

// Compilers returns the compilers of two refs of the repository of an address.
func (f *Flags) Compilers(ctx context.Context, s *cli.IOStreams, a compile.Address, old, new string) (from, to *compile.Compiler, err error) {
	b := a
	a.Ref, b.Ref = old, new
	if from, err = f.Compiler(ctx, s, a); err != nil {
		return nil, nil, err
	}
	to, err = f.Compiler(ctx, s, b)
	return from, to, err
}
