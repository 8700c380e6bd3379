package diff

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/manual"
)

// CompileFlags are the flags for the comparison of catalogs that are compiled. Declare them
// with AddFlags.
type CompileFlags struct {
	Range                string   // OLD..NEW
	FromFacts, ToFacts   []string // NAME=VALUE
	FromPuppet, ToPuppet string
	Affected             bool // compile only these

	mu       sync.Mutex
	warnings [2]map[string]map[compile.Warning]compile.Warning // by side, node and the warning without its line
}

// The numbers of the sides.
const (
	oldSide = iota
	newSide
)

// AddFlags declares the flags.
func (f *CompileFlags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Range, "compile", "", "compare the catalogs of two refs: `OLD..NEW`; OLD...NEW begins at their common commit, and . is the working tree. Arguments are certnames")
	flags.StringArrayVar(&f.FromFacts, "from-fact", nil, "compile the old catalogs with `NAME=VALUE`, such as os.family=RedHat; repeatable")
	flags.StringArrayVar(&f.ToFacts, "to-fact", nil, "compile the new catalogs with `NAME=VALUE`; repeatable")
	flags.StringVar(&f.FromPuppet, "from-puppet", "", "compile the old catalogs with the Puppet in `DIR`, as for --puppet")
	flags.StringVar(&f.ToPuppet, "to-puppet", "", "compile the new catalogs with the Puppet in `DIR`")
	flags.BoolVar(&f.Affected, "affected", false, "for --compile, compile only the nodes that pcat affected lists; the others are unchanged")
	cli.CompleteFlag(cmd, "from-puppet")
	cli.CompleteFlag(cmd, "to-puppet")
	manual.Group(flags, "Flags for comparing compiled catalogs", "compile", "affected", "from-fact", "to-fact", "from-puppet", "to-puppet")
}

// apply replaces the arguments by the addresses of --compile.
func (f *CompileFlags) apply(opts *Options) error {
	if f.Range == "" {
		if f.Affected {
			return cli.Usage("--affected needs --compile OLD..NEW")
		}
		return nil
	}
	if opts.Against != "" || opts.Pairs != "" {
		return cli.Usage("--compile cannot be used together with --against or --pairs")
	}
	if len(opts.Args) > 1 {
		return cli.Usage("--compile compares one node or, without an argument, all nodes with facts")
	}
	old, new, err := remote.ParseRange("compile", f.Range)
	if err != nil {
		return err
	}
	a, err := remote.ParseNode(strings.Join(opts.Args, ""))
	if err != nil {
		return err
	}
	b := a
	a.Ref, b.Ref = old, new
	opts.Args = []string{a.String(), b.String()}
	return nil
}

// side returns the sources of a side.
func (opts *Options) side(ctx context.Context, number int, arg string) ([]cli.Source, error) {
	opts.setSide(number)
	return opts.sources(ctx, arg)
}

func (opts *Options) setSide(number int) {
	f := opts.Compile
	side := remote.Side{Number: number, Facts: f.FromFacts, Puppet: f.FromPuppet}
	if number == newSide {
		side.Facts, side.Puppet = f.ToFacts, f.ToPuppet
	}
	opts.Read.Remote().Compile.Side = side
}

// affected returns the sources of the nodes that the change can affect, and of those that do not
// compile. It adds the others to the fleet as unchanged.
func (opts *Options) affected(ctx context.Context, fleet *diff.Fleet, old, new []cli.Source) (olds, news []cli.Source, err error) {
	var compilers [2]*compile.Compiler
	for side, arg := range opts.Args {
		a, err := remote.ParseNode(arg)
		if err != nil {
			return nil, nil, err
		}
		opts.setSide(side)
		if compilers[side], err = opts.Read.Remote().Compiler(ctx, opts.Streams, a); err != nil {
			return nil, nil, err
		}
	}
	var mu sync.Mutex
	same := make(map[string]bool)
	names := make(map[string]bool, len(new))
	for _, src := range new {
		names[src.Node()] = true
	}
	both := slices.DeleteFunc(slices.Clone(old), func(src cli.Source) bool { return !names[src.Node()] })
	err = opts.Jobs.Run(ctx, io.Discard, both, func(ctx context.Context, src cli.Source, _ io.Writer) error {
		effect, err := compilers[oldSide].Affects(ctx, src.Node(), compilers[newSide])
		mu.Lock()
		defer mu.Unlock()
		// A node that cannot be examined is compiled, which reports the error.
		same[src.Node()] = err == nil && len(effect.Reasons) == 0 && !effect.Failed
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	for _, src := range both {
		if same[src.Node()] {
			fleet.Unchanged(src.Node())
		}
	}
	unchanged := func(src cli.Source) bool { return same[src.Node()] }
	return slices.DeleteFunc(old, unchanged), slices.DeleteFunc(new, unchanged), nil
}

// listen collects the warnings of both sides.
func (opts *Options) listen() {
	f := opts.Compile
	for i := range f.warnings {
		f.warnings[i] = make(map[string]map[compile.Warning]compile.Warning)
	}
	opts.Read.Remote().Compile.OnWarnings = func(side int, node string, warnings []compile.Warning) {
		f.mu.Lock()
		defer f.mu.Unlock()
		all := make(map[compile.Warning]compile.Warning, len(warnings))
		for _, w := range warnings {
			key := w
			key.Line = 0
			all[key] = w
		}
		f.warnings[side][node] = all
	}
}

// newWarnings adds the warnings of new catalogs, without those of the old one of the node,
// to the fleet.
func (opts *Options) newWarnings(fleet *diff.Fleet) {
	f := opts.Compile
	f.mu.Lock()
	defer f.mu.Unlock()
	for node, all := range f.warnings[newSide] {
		known, compiled := f.warnings[oldSide][node]
		if !compiled {
			continue
		}
		for key, w := range all {
			if _, ok := known[key]; !ok {
				fleet.Warn(node, w.String())
			}
		}
	}
}

// notCompiled returns a function that adds a node that does not compile, or the errors if
// one has another reason.
func notCompiled(fleet *diff.Fleet, node string, oldErr, newErr error) (func(), error) {
	old, oldFailed := errors.AsType[*compile.Failure](oldErr)
	new, newFailed := errors.AsType[*compile.Failure](newErr)
	if oldErr != nil && !oldFailed || newErr != nil && !newFailed {
		return nil, errors.Join(oldErr, newErr)
	}
	return func() { fleet.Failed(node, failure(old), failure(new)) }, nil
}

func failure(f *compile.Failure) *diff.Failure {
	if f == nil {
		return nil
	}
	return &diff.Failure{Message: f.Message, File: f.File, Line: int64(f.Line)}
}
