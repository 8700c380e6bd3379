// Package language sets up the evaluation of the Puppet language for pcat resolve and all
// commands with expressions. Its [Flags] create a [World]: functions, types, files, facts,
// and the policy for effects and memory.
package language

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/hiera"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Flags describe the [World] of an evaluation. Declare them with AddFlags.
type Flags struct {
	Like       LikeFlag
	Facts      string   // a file
	ModulePath []string // folders of modules
	Allow      []string // effects: read, read=PATH, run, net
	MaxMemory  cli.Size // for all calls together; 0 for no limit
	Hiera      HieraFlags
}

// maxMemory is the default of MaxMemory. Including garbage and the memory of the command
// itself, a run stays below 1 GiB.
const maxMemory cli.Size = 512 << 20

// AddFlags declares the flags.
func (f *Flags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.Like.AddFlags(cmd)
	manual.Exits(cmd, cli.ExitBadInput)
	flags.StringVar(&f.Facts, "facts", "", "read the facts of the node from `FILE` (JSON or YAML)")
	AddModulePath(cmd, &f.ModulePath, "functions, types, files and templates")
	flags.StringArrayVar(&f.Allow, "allow", nil, "allow functions to have an `EFFECT`: read (read files; read=PATH for one directory or file), run (run commands) or net (use the network)")
	cli.CompleteFlag(cmd, "allow", "read", "read=", "run", "net")
	f.MaxMemory = maxMemory
	flags.Var(&f.MaxMemory, "max-memory", "maximum `SIZE` of the memory of all calls together; 0 for no limit")
}

// AddModulePath declares only --modulepath. kinds names the things to find in modules.
func AddModulePath(cmd *cobra.Command, paths *[]string, kinds string) {
	cmd.Flags().StringSliceVar(paths, "modulepath", nil, "find "+kinds+" in the modules of `DIR,...` or DIR:...")
	cli.CompleteFlag(cmd, "modulepath")
}

// World is the environment of an evaluation, as described by [Flags].
type World struct {
	Reference pcore.Reference
	Functions *function.Registry // the functions of pcat
	Finder    function.Finder    // the functions of pcat and of modules
	Types     typeexpr.Resolver  // the types of modules; nil for none
	Effects   function.Effects
	Facts     *pcore.Hash // nil when none are given
	Env       function.Env
	Hiera     *hiera.Hierarchy // nil without --hiera
}

// workLimit bounds the work of one run, in steps and bytes of text: a hostile template ends
// within seconds and a few hundred megabytes.
const workLimit = 20_000_000

// CallAllowance is added to the limit for each Deferred of a catalog, so that many
// templates are possible.
const CallAllowance = 10_000

// Refill resets the limit of work, for another run.
func (w *World) Refill() { w.Env.Budget.Refill(workLimit) }

// Fresh returns a copy of the world with a separate limit of work, for a concurrent run.
func (w *World) Fresh() *World {
	fresh := *w
	fresh.bound()
	return &fresh
}

// World reads the facts and checks the flags.
func (f *Flags) World(ctx context.Context, s *cli.IOStreams, files *cli.InputFlags) (*World, error) {
	w := &World{}
	var err error
	if w.Reference, err = f.Like.Reference(s); err != nil {
		return nil, err
	}
	tree, err := f.policy(w)
	if err != nil {
		return nil, err
	}
	if f.Facts != "" {
		v, err := ReadData(ctx, s, files, f.Facts)
		if err != nil {
			return nil, err
		}
		if w.Facts, err = factsOf(v); err != nil {
			return nil, cli.BadInput(f.Facts, "", err)
		}
	}
	if w.Functions, err = stdlib.New(w.Reference); err != nil {
		return nil, err
	}
	w.Finder = w.Functions
	warnMissing(s, tree)
	if len(tree.ModulePath) > 0 {
		l := eval.NewLoader(tree, w.Functions, modulesMode(w.Reference))
		w.Finder, w.Types = l, l
	}
	w.Types = typeexpr.Like(w.Reference, w.Types)
	types := w.Types
	w.Env = function.Env{
		Files:     tree,
		ParseType: func(text string) (pcore.Type, error) { return typeexpr.Parse(text, types) },
		Log:       Logger(ctx, s.Log),
	}
	if f.MaxMemory > 0 {
		w.Env.Memory = function.NewMemory(int64(f.MaxMemory))
		s.LimitHeap(int64(f.MaxMemory))
	}
	w.bound()
	if w.Hiera, err = f.hierarchy(w, tree); err != nil {
		return nil, err
	}
	return w, nil
}

// bound sets a new limit of work, and a separate account under the limit of memory.
func (w *World) bound() {
	w.Env.Budget = function.NewBudget(workLimit)
	w.Env.Memory = w.Env.Memory.Account()
}

// modules are the files of a module path.
func modules(paths []string) (tree function.Tree) {
	for _, path := range paths {
		tree.ModulePath = append(tree.ModulePath, filepath.SplitList(path)...)
	}
	return tree
}

// warnMissing warns of missing folders: the module path of a server may contain some, but
// otherwise a wrong name would only show as unknown functions and types.
func warnMissing(s *cli.IOStreams, tree function.Tree) {
	for _, dir := range tree.ModulePath {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			s.Log.Warn("no such module directory", cli.FileKey, dir)
		}
	}
}

// ModuleTypes returns the types that the modules of a path define, nil when the path is empty.
func ModuleTypes(s *cli.IOStreams, paths []string) typeexpr.Resolver {
	tree := modules(paths)
	if len(tree.ModulePath) == 0 {
		return nil
	}
	warnMissing(s, tree)
	return Modules(paths, pcore.OpenVox8)
}

// Modules returns a loader for the modules of a path.
func Modules(paths []string, reference pcore.Reference) *eval.Loader {
	return eval.NewLoader(modules(paths), nil, modulesMode(reference))
}

// modulesMode returns the mode in which modules are read: lax, so that modules written for
// an older version can be read, too.
func modulesMode(reference pcore.Reference) eval.Mode {
	mode := eval.Lax()
	mode.Reference = reference
	return mode
}

// policy sets the allowed effects and files. Modules in the module path can always be read.
func (f *Flags) policy(w *World) (function.Tree, error) {
	tree := modules(f.ModulePath)
	if len(tree.ModulePath) > 0 {
		w.Effects |= function.ReadsFiles
	}
	for _, allowed := range f.Allow {
		effect, dir, hasDir := strings.Cut(allowed, "=")
		switch {
		case effect == "read" && hasDir && dir == "":
			return tree, cli.Usage("--allow %s: missing path; use read=PATH with a directory or a file, or read for all files", allowed)
		case effect == "read" && hasDir:
			abs, err := filepath.Abs(dir)
			if err != nil {
				return tree, cli.BadInput(dir, "", err)
			}
			tree.Folders = append(tree.Folders, abs)
			w.Effects |= function.ReadsFiles
		case effect == "read":
			tree.Folders = append(tree.Folders, "/")
			w.Effects |= function.ReadsFiles
		case allowed == "run":
			w.Effects |= function.RunsCommands
		case allowed == "net":
			w.Effects |= function.UsesNetwork
		default:
			return tree, cli.Usage("--allow: unknown effect %q; use read, read=PATH, run or net", allowed)
		}
	}
	return tree, nil
}

// ReadData reads a file of data, in any format.
func ReadData(ctx context.Context, s *cli.IOStreams, files *cli.InputFlags, name string) (pcore.Value, error) {
	one := *files
	one.FilesFrom = ""
	sources, err := one.Sources(ctx, s, []string{name})
	if err != nil {
		return nil, err
	}
	if len(sources) != 1 {
		return nil, cli.Usage("%s: expected one file", name)
	}
	return ReadSource(ctx, sources[0])
}

// ReadSource reads a source of data, in any format.
func ReadSource(ctx context.Context, src cli.Source) (pcore.Value, error) {
	data, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	format, err := formats.Default().Detect("", data, src.Name)
	if err != nil {
		return nil, cli.BadInput(src.Name, "", fmt.Errorf("%w: the file name must end with .yaml or .json", serialization.ErrFormat))
	}
	v, err := format.Decode(data, serialization.DecodeOptions{})
	if err != nil {
		return nil, cli.BadInput(src.Name, "", err)
	}
	return v, nil
}

// factsOf returns the facts in the output of Puppet or Facter, or in an answer of PuppetDB.
func factsOf(v pcore.Value) (*pcore.Hash, error) {
	doc, ok := v.(*pcore.Hash)
	if !ok {
		return nil, errors.New("facts must be a map from names to values")
	}
	facts, _, err := rundata.FactsOf(doc)
	return facts, err
}

// Logger returns a function that logs the messages of functions.
func Logger(ctx context.Context, log *slog.Logger) func(function.Level, string) {
	return func(level function.Level, text string) { log.Log(ctx, levelOf(level), text) }
}

// levelOf returns the log level for a level of the language.
func levelOf(level function.Level) slog.Level {
	switch level {
	case function.Debug:
		return slog.LevelDebug
	case function.Info, function.Notice:
		return slog.LevelInfo
	case function.Warning:
		return slog.LevelWarn
	default:
		return slog.LevelError
	}
}

// needsFacts is the advice for [function.ErrNeedsFacts].
const needsFacts = "pass facts with --facts FILE, for example from facter -j"

// Remedy returns err with a remedy, if there is one.
func Remedy(err error) error {
	if errors.Is(err, function.ErrNeedsFacts) {
		return fmt.Errorf("%w: %s", err, needsFacts)
	}
	if todo := advice(err); todo != "" {
		return fmt.Errorf("%w; %s", err, todo)
	}
	return err
}

// advice returns the remedy for an error; empty for none.
func advice(err error) string {
	if errors.Is(err, typeexpr.ErrUnknownType) {
		return "to find the types of modules, use --modulepath DIR"
	}
	if errors.Is(err, function.ErrMemory) {
		return "make the result of the call smaller, or raise the limit with --max-memory SIZE"
	}
	if errors.Is(err, function.ErrBudget) {
		return "make the call do less work"
	}
	if errors.Is(err, function.ErrNeedsFacts) {
		return needsFacts
	}
	if errors.Is(err, hiera.ErrNoKey) {
		return "pass the private key of hiera-eyaml with --eyaml-key FILE"
	}
	if unknown, ok := errors.AsType[*function.UnknownError](err); ok {
		return unavailable(unknown.Name)
	}
	if file, ok := errors.AsType[*function.FileRefusedError](err); ok {
		return allowing(permissions(function.ReadsFiles, file.Path))
	}
	if refused, ok := errors.AsType[*function.RefusedError](err); ok {
		return allowing(permissions(refused.Effects, refused.Path))
	}
	return ""
}

// allowing returns the advice to add flags; empty for none.
func allowing(flags string) string {
	if flags == "" {
		return ""
	}
	return "use " + flags + " to allow it"
}

// unavailable returns the reason why there is no function of that name, or a remedy. Some
// functions of Puppet cannot work in pcat.
func unavailable(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(name), "::"), "stdlib::")
	switch name {
	case "contain", "create_resources", "hiera_include", "import", "include", "realize", "require", "tag", "tagged",
		"assert_private", "defined_with_params", "ensure_packages", "ensure_resource", "ensure_resources", "getparam", "private", "str2resource":
		return "it needs a catalog compiler, and pcat has none"
	case "parsehocon":
		return "pcat does not read HOCON; convert the text to JSON, and use parsejson"
	case "parsepson":
		return "PSON ended with Puppet 7; use parsejson"
	case "get_module_path", "load_module_metadata":
		return "it needs the modules of a server; module_directory finds a module on the --modulepath"
	case "has_ip_address", "has_ip_network":
		return "it reads legacy facts; use stdlib::has_interface_with"
	case "generate", "pry", "validate_augeas", "validate_cmd", "validate_x509_rsa_key_pair":
		return "it needs Ruby or a program of the server"
	case "hiera", "hiera_array", "hiera_hash", "lookup":
		return "to look up data, use --hiera DIR with the directory of an environment, or FILE with a hiera.yaml"
	case "puppetdb_query":
		return "it needs data from a server, which pcat does not have"
	case "inline_template", "template":
		return "it needs Ruby; epp and inline_epp are available"
	}
	if strings.HasPrefix(name, "validate_") || strings.HasPrefix(name, "is_") {
		return "puppetlabs-stdlib 9 removed such functions; use data types: assert_type, =~ or is_a"
	}
	return "to find the functions of modules, use --modulepath DIR"
}

// Permissions returns the flags that allow the effects; empty if no flag is needed.
func Permissions(e function.Effects) string { return permissions(e, "") }

// permissions is Permissions for a function that reads the file at a path, or any file if
// path is empty.
func permissions(e function.Effects, path string) string {
	read := "DIR"
	if path != "" {
		read = shellWord(path)
	}
	var flags []string
	for _, p := range []struct {
		effect function.Effects
		flag   string
	}{
		{function.ReadsFiles, "--allow read=" + read},
		{function.RunsCommands, "--allow run"},
		{function.UsesNetwork, "--allow net"},
	} {
		if e.Has(p.effect) {
			flags = append(flags, p.flag)
		}
	}
	return strings.Join(flags, " ")
}

// shellWord returns text as a word of a shell, in quotes if necessary.
func shellWord(text string) string {
	special := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+@%:,=", r))
	}
	if strings.IndexFunc(text, special) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
