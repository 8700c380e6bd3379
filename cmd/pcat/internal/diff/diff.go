// Package diff is the command pcat diff.
package diff

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/diff/config"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/manual"
)

// Options are the inputs of one run.
type Options struct {
	Compile  *CompileFlags
	Streams  *cli.IOStreams
	Args     []string
	Read     document.ReadFlags
	Jobs     cli.JobFlags
	Report   cli.ReportFlags
	JSON     cli.JSONReport // for the format json
	Profiles []string
	Ignore   []string
	Only     []string
	Kinds    []string
	Where    string
	Config   cli.ConfigFlags
	Import   []string // rules of octocatalog-diff to print
	Pairs    string   // a file with the names of pairs
	Against  string   // a file with the old catalog of all pairs
	NameOnly bool
	Stat     bool
	Explain  bool
	Strict   bool // conditions that fail are errors
	// StrictEnvironment counts the environments.
	StrictEnvironment bool
	Key               cli.KeyFlags
	FailOn            []string
	Assert            string
	Layout            LayoutFlags
	Location          document.LocationFlags

	profiled bool // --profile was given
	reports  []cli.ReportOutput
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams, Compile: &CompileFlags{}, Report: cli.ReportFlags{Formats: cli.ReportFormats(report.Formats(), reportFormat), Name: "diff"}}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW | --compile OLD..NEW | --against OLD NEW... | --pairs FILE",
		Short: "Compare catalogs by meaning: changes, effects, and equal nodes",
		Long: `Compare two catalogs of a node, or two directories with catalogs of many nodes,
which are paired by certname. Each catalog can have any format. OLD or NEW can
be - for standard input.

Meaningless differences are ignored: the order of unordered parts, files and
lines, and versions. --profile ignores more:

  puppetdb         one side comes from PuppetDB
  stringified      one side is a plain format, with rich values as text
  agent-cache      one side was saved by an agent, with Deferred values resolved
  upgrade          1 and "1", x and [x], in types of Puppet
  upgrade-defines  the same in all resources
  content          the same data in JSON, YAML or INI files
  eol              LF and CRLF
  final-newline    line breaks at the end of a file
  compile-dir      the directory in which a catalog was compiled
  effect           changes without an effect on the node

By default, the first three are used if the catalogs need them. Declared secrets
of both catalogs, undeclared secrets that pcat audit finds, and copies of both
are masked everywhere; --mask declared masks only declared secrets and their
copies.

The rules in .pcat-diff.yaml ignore changes and set ranks. Their conditions and
--where are expressions of the Puppet language, which can use
  $op                       add, remove, change, move
  $kind                     as for --kind
  $type, $title, $tags, $container, $file
                            of the resource, and the manifest
  $path                     a JSON pointer, such as '/parameters/mode'; '' for a
                            whole resource
  $old, $new                the values; Sensitive if they are secrets
  $lines                    the changed lines of texts, with - or + before each
  $node, $rank
A match with undef (=~) is false, for example for $old of an added resource. If
a condition cannot be evaluated, the change is reported, with one warning per
condition; --strict makes this an error. Ignored changes do not count for the
exit code.

--report writes more reports in addition to the text on standard output: a page
for a browser, Markdown for a pull request, or SARIF. The extension of a file
selects its format.

--compile main..feature compiles and compares the catalogs of two branches; see
"pcat help sources". A node whose catalog does not compile is reported as failed
and counts as a difference. --fail-on compile ignores nodes that failed before
with the same message. --affected compiles only the nodes that the change can
affect; see pcat affected.

The exit code is 0 if there are no differences, 1 if there are, and 3 if a
catalog cannot be read or a rule of .pcat-diff.yaml has expired.`,
		Example: `  pcat diff old.json new.json
  pcat diff --profile default,upgrade puppet7/ puppet8/
  pcat diff --format markdown --link https://ci/job/7 old/ new/ > comment.md
  pcat diff --report html=diff.html --report sarif=diff.sarif old/ new/
  pcat diff --side-by-side -U 1 old.json new.json
  pcat diff --fail-on danger --format json old.json new.json
  pcat diff --only 'File[/etc/*]' --where '$rank != info' old/ new/
  pcat diff --against golden.json --stat catalogs/
  pcat diff --compile main..feature
  pcat diff --compile main..feature --affected
  pcat diff 'compile:web01?ref=main' 'compile:web01?ref=.'
  pcat diff --import-octocatalog 'File[/tmp/*]::parameters::owner=+>root'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			opts.profiled = cmd.Flags().Changed("profile")
			opts.Layout.Full = opts.Layout.Full || opts.Layout.MaxLines == 0 && cmd.Flags().Changed("max-lines")
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&opts.Profiles, "profile", []string{"auto"}, "ignore the differences of `PROFILES`, separated by commas")
	flags.StringVar(&opts.Pairs, "pairs", "", "compare the pairs in `FILE` (- for stdin): lines with OLD, a tab, NEW")
	flags.StringArrayVar(&opts.Ignore, "ignore", nil, "ignore the changes at `LOCATION`: File[/etc/motd]/content, Exec[*], Cron[*]/minute")
	flags.StringArrayVar(&opts.Only, "only", nil, "report only the changes at `LOCATION`, as for --ignore")
	flags.StringSliceVar(&opts.Kinds, "kind", nil, "report only the changes of `KINDS`: "+strings.Join(kindNames(), ", "))
	flags.StringVar(&opts.Where, "where", "", "report only the changes for which `EXPR` is true")
	flags.BoolVar(&opts.Explain, "explain", false, "also count the changes that each rule and profile ignored")
	flags.StringArrayVar(&opts.Import, "import-octocatalog", nil, "convert `RULE`, the value of --ignore or --ignore-attr of octocatalog-diff, and all arguments to rules for .pcat-diff.yaml")
	flags.BoolVar(&opts.Strict, "strict", false, "treat failures of conditions, and undef in their matches and comparisons, as errors")
	flags.BoolVar(&opts.StrictEnvironment, "strict-environment", false, "count a different environment of a node as a change")
	flags.StringVar(&opts.Against, "against", "", "compare all arguments with the catalog in `OLD`, which can be of any node")
	flags.BoolVar(&opts.NameOnly, "name-only", false, "print only the references of the changed resources")
	flags.BoolVar(&opts.Stat, "stat", false, "print one line per node with the number of changed resources")
	opts.Config.AddFlags(cmd, config.Name)
	flags.StringSliceVar(&opts.FailOn, cli.GateFlag, []string{"any"}, "exit with 1 for changes of this `RANK` or higher: "+ladder().Ladder()+"; or for a kind of --kind, where secret means that a value lost or gained Sensitive; or for compile: a new catalog does not compile, and the old one did not fail with the same message")
	flags.StringVar(&opts.Assert, "assert", "", "`MODE` is equal (exit with 1 on any difference) or compliant (exit with 1 if NEW lacks a part of OLD)")
	opts.Layout.AddFlags(flags)
	opts.Location.AddFlags(cmd)
	opts.Key.AddFlags(flags, "of digests of secrets")
	opts.Report.AddFlags(cmd)
	opts.JSON.AddFlags(flags, true)
	opts.Read.AddMaskFlag(cmd)
	flags.BoolVar(&opts.Read.Files.AllowEmpty, "allow-empty", false, "accept a directory without catalogs; otherwise the exit code is 3")
	flags.StringVarP(&opts.Read.From, "from", "f", "auto", "`FORMAT` of the catalogs; auto detects it for each of them")
	flags.Var(&opts.Read.Files.MaxSize, "max-size", "maximum `SIZE` of an input after decompression")
	flags.StringVar(&opts.Read.AddRemoteFlags(cmd).Nodes, "nodes", "", "for puppetdb: and puppetserver: without a certname, compare the nodes of `QUERY`, PQL or AST (default all)")
	opts.Jobs.AddFlags(flags)
	opts.Compile.AddFlags(cmd)
	cli.CompleteFlag(cmd, "profile", profileNames()...)
	cli.CompleteFlag(cmd, "kind", kindNames()...)
	cli.CompleteFlag(cmd, cli.GateFlag, failOn()...)
	cli.CompleteFlag(cmd, "assert", "equal", "compliant")
	manual.Exits(cmd, cli.ExitFindings, cli.ExitBadInput)
	return cmd
}

func profileNames() []string {
	var names []string
	for _, p := range diff.Profiles() {
		names = append(names, string(p))
	}
	return names
}

func kindNames() []string {
	var names []string
	for _, k := range diff.Kinds() {
		names = append(names, string(k))
	}
	return names
}

// ladder returns the ranks of --fail-on.
func ladder() *cli.Gate {
	return &cli.Gate{Steps: []string{"any", diff.RankWrite.String(), diff.RankRestart.String(), diff.RankDanger.String()}}
}

// failOn returns the values of --fail-on. A kind that is called like one of the others has
// their meaning.
func failOn() []string {
	all := append(ladder().Steps, "secret", compileGate, "none")
	for _, k := range kindNames() {
		if !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	return all
}

func (opts *Options) check() error {
	if err := opts.Compile.apply(opts); err != nil {
		return err
	}
	format, err := opts.JSON.Format(opts.Report.Format, "")
	if err != nil {
		return err
	}
	opts.Report.Format = format
	switch {
	case opts.Against != "" && opts.Pairs != "":
		return cli.Usage("--against and --pairs cannot be used together")
	case opts.Pairs != "" && len(opts.Args) > 0:
		return cli.Usage("--pairs replaces OLD and NEW")
	case opts.Against == cli.Stdin:
		return cli.Usage("--against cannot be -: it is read for each catalog")
	case opts.Against != "" && len(opts.Args) == 0:
		return cli.Usage("name catalogs to compare with %s: pcat diff --against OLD NEW...", opts.Against)
	case opts.Against == "" && opts.Pairs == "" && len(opts.Args) != 2:
		return cli.Usage("name two catalogs, or two directories: pcat diff OLD NEW")
	case opts.Pairs == "" && opts.Against == "" && opts.Args[0] == cli.Stdin && opts.Args[1] == cli.Stdin:
		return cli.Usage("only one of OLD and NEW can be -")
	case opts.NameOnly && opts.Stat:
		return cli.Usage("--name-only and --stat cannot be used together")
	case (opts.NameOnly || opts.Stat) && opts.Report.Format != "":
		return cli.Usage("--name-only and --stat replace --format")
	}
	for _, k := range opts.Kinds {
		if err := oneOf("--kind", k, kindNames()); err != nil {
			return err
		}
	}
	if opts.NameOnly {
		opts.Report.Format = "names"
	}
	if opts.Stat {
		opts.Report.Format = "stat"
	}
	for _, on := range opts.FailOn {
		if err := oneOf("--fail-on", on, failOn()); err != nil {
			return err
		}
	}
	if len(opts.FailOn) > 1 && slices.Contains(opts.FailOn, "none") {
		return cli.Usage("--fail-on none cannot be used together with others")
	}
	if err := oneOf("--assert", opts.Assert, []string{"", "equal", "compliant"}); err != nil {
		return err
	}
	for _, p := range opts.Profiles {
		if err := oneOf("--profile", p, profileNames()); err != nil {
			return err
		}
	}
	return errors.Join(opts.Config.Check(), opts.Layout.check(), opts.Location.Check(), opts.Read.Check(), opts.Jobs.Check())
}

func oneOf(flag, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return cli.Usage("%s %s: unknown value%s\nUse one of %s", flag, value, cli.DidYouMean(value, slices.Values(known)),
		strings.TrimPrefix(strings.Join(known, ", "), ", "))
}

// Run compares the catalogs.
func Run(ctx context.Context, opts *Options) error {
	if len(opts.Import) > 0 {
		return opts.importRules(ctx)
	}
	if err := opts.check(); err != nil {
		return err
	}
	o, expired, err := opts.options(ctx)
	if err != nil {
		return err
	}
	if opts.reports, err = opts.outputs(); err != nil {
		return err
	}
	fleet := diff.NewFleet(opts.Read.Finder(), o)
	opts.listen()
	failed := errors.Join(opts.compare(ctx, fleet), expired)
	if ctx.Err() != nil {
		return failed
	}
	r := fleet.Report()
	if failed != nil && len(r.Changed)+len(r.Unchanged)+len(r.OnlyOld)+len(r.OnlyNew)+len(r.Failed) == 0 {
		return failed
	}
	failed = errors.Join(failed, opts.failures(r))
	err = opts.write(ctx, r)
	opts.Read.WarnFound(opts.Streams.Log, r.ShowsFound())
	if err != nil {
		return errors.Join(failed, err)
	}
	if opts.fails(r) {
		return errors.Join(failed, cli.Exit(cli.ExitFindings))
	}
	return failed
}

// fails reports whether the exit code is 1.
func (opts *Options) fails(r *diff.Report) bool {
	switch opts.Assert {
	case "equal":
		return len(r.Changes) > 0 || !r.Equal()
	case "compliant":
		return !r.Compliant()
	}
	return slices.ContainsFunc(opts.FailOn, func(on string) bool { return failsOn(on, r) })
}

// compileGate is the value of --fail-on for new catalogs that do not compile, unless the old one failed in the same way.
const compileGate = "compile"

func failsOn(on string, r *diff.Report) bool {
	kind := diff.Kind(on)
	switch on {
	case "none":
		return false
	case compileGate:
		return r.FailsNewly()
	case "any":
		return !r.Equal()
	case diff.RankWrite.String():
		return r.Rank() >= diff.RankWrite
	case diff.RankRestart.String():
		return r.Rank() >= diff.RankRestart
	case diff.RankDanger.String():
		return r.Rank() >= diff.RankDanger
	case "secret":
		kind = "sensitive"
	}
	return slices.ContainsFunc(r.Changes, func(c diff.Change) bool { return c.Kind == kind })
}

// allCompiled reports whether all catalogs are compiled here: no others have the contents of files.
func (opts *Options) allCompiled() bool {
	other := func(arg string) bool { return !compile.IsAddress(arg) }
	return !slices.ContainsFunc(opts.Args, other) && (opts.Against == "" || compile.IsAddress(opts.Against))
}

// compare compares all pairs. The error joins the ones of the catalogs that cannot be read.
func (opts *Options) compare(ctx context.Context, fleet *diff.Fleet) error {
	if opts.Pairs != "" {
		pairs, missing, err := opts.listed(ctx)
		if err != nil {
			return err
		}
		return errors.Join(missing, opts.pairs(ctx, fleet, pairs))
	}
	opts.Read.Remote().Compile.Contents = opts.allCompiled()
	if opts.Against != "" {
		return opts.against(ctx, fleet)
	}
	old, err := opts.side(ctx, oldSide, opts.Args[0])
	if err != nil {
		return err
	}
	new, err := opts.side(ctx, newSide, opts.Args[1])
	if err != nil {
		return err
	}
	defer opts.newWarnings(fleet)
	if opts.Compile.Affected {
		if old, new, err = opts.affected(ctx, fleet, old, new); err != nil {
			return err
		}
	}
	if len(old) == 1 && len(new) == 1 && !old[0].Found && !new[0].Found {
		add, err := opts.pair(ctx, fleet, old[0], new[0])
		if err != nil {
			return err
		}
		add()
		return nil
	}
	return opts.fleet(ctx, fleet, old, new)
}

// sources returns the inputs that arguments name. No report may replace one.
func (opts *Options) sources(ctx context.Context, args ...string) ([]cli.Source, error) {
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, args)
	if err != nil {
		return nil, err
	}
	for i := range opts.reports {
		if opts.reports[i].Check(opts.Streams, sources, false) != nil {
			return nil, cli.Usage("the report would replace %s, an input; write it to another file", opts.reports[i].File)
		}
	}
	return sources, nil
}

// pair compares the catalogs of two sources, and returns a function that adds the result to
// the fleet.
func (opts *Options) pair(ctx context.Context, fleet *diff.Fleet, old, new cli.Source) (add func(), err error) {
	var a, b *document.Document
	var before, after diff.Side
	var oldErr, newErr error
	var both sync.WaitGroup
	both.Go(func() { a, before, oldErr = opts.Read.OpenSide(ctx, old) })
	b, after, newErr = opts.Read.OpenSide(ctx, new)
	both.Wait()
	defer func() { err = errors.Join(err, a.Close(), b.Close()) }()
	if oldErr != nil || newErr != nil {
		return notCompiled(fleet, cmp.Or(new.Node(), old.Node()), oldErr, newErr)
	}
	p, err := fleet.Compare(ctx, before, after)
	if ctx.Err() != nil {
		return nil, err
	}
	return func() { fleet.Add(p) }, document.DiffFailure(err, a, b)
}
