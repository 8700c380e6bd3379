// Package query is the command pcat query.
package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/cmd/pcat/internal/query/presets"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Options are the inputs of one run.
type Options struct {
	Streams     *cli.IOStreams
	Args        []string
	Read        document.ReadFlags
	Jobs        cli.JobFlags
	World       language.Flags
	Totals      document.TotalFlags
	Expression  string
	Resources   []string // types, references or patterns; none for all
	Presets     []string // names
	PresetFiles []string
	ListPresets bool
	JSON        cli.JSONFlags
	Raw         bool
	Count       bool
	By          string // a name or an expression
	CSV         string // expressions
	Table       string // expressions
	Missing     string // an expression
	GroupBy     string // an expression
	FailOn      cli.Gate
	Lax         bool
	Strict      bool
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams, FailOn: cli.Gate{Steps: []string{anyStep}, Noun: "step"}}
	cmd := &cobra.Command{
		Use:   "query [-e EXPR] [--preset NAME,...] [FILE...]",
		Short: "Find resources by an expression, or print a value for each",
		Long: `List all resources, or only the resources for which an expression of the Puppet
language is true. If the result is false or undef, nothing is printed. Any other
result is printed after the resource. --preset uses predefined expressions; see
--list-presets. With --preset and -e, both must match.

The expression can use
  $type, $title, $parameters, $tags, $exported
  $file, $line              the manifest
  $sensitive                the names of the sensitive parameters; their values
                            in $parameters are Sensitive
  $certname, $environment   of the catalog
  $container, $containers   the class or defined type with the resource; and all
                            its containers: 'Class[Nginx]' in $containers
  $requires, $required_by   the resources that are applied before and after it
  $notifies, $notified_by   the resources that it refreshes, and that refresh
                            it: /^Service/ in $notifies
Relationships are strings such as 'Package[nginx]', from the parameters of both
resources. A missing parameter is undef. Comparing undef with =~ or < is false,
and an element of undef is undef. String comparison ignores case. A lower-case
word needs no quotes: file is 'file', which equals 'File'. Keywords need quotes:
'class', 'node'. File without quotes is a type, which does not equal any string.

If an operator does not support a value, such as a match with a number or a
Sensitive, the resource is skipped, with one warning per cause. With --strict or
--fail-on any, this is an error.

For more than 4 inputs, each resource or result is printed once, with the number
of nodes that have it. --each, --json and -r print everything of each input. --by counts by node, type, title, another variable or an expression.
--table prints a table with the values of expressions, and --csv prints a table
for a spreadsheet. --group-by groups resources with equal values, such as files
with the same content, but omits undef and Sensitive values. --missing lists the
nodes without a matching resource.

A file of presets (YAML or JSON) contains names with expressions:

  no-backup: $type == file and $parameters[backup] == false
  big-file:
    doc: files with much content
    expression: $type == file and "${parameters[content]}".length > 100000

Declared secrets, secrets that pcat audit finds, and copies of both are masked
before the expression is evaluated, except with --show-secrets. Masked secrets
of different inputs are not compared.`,
		Example: `  pcat query -e '$type == file and "${parameters[mode]}" =~ /[2367]$/' a.json
  pcat query --preset world-writable,exec-no-timeout --fail-on any nodes/
  pcat query --preset all --by preset catalogs/
  pcat query -e '$type == package' --by '$parameters[ensure]' catalogs/
  pcat query --csv '$certname, $title, $parameters[ensure]' catalogs/ > all.csv
  pcat query --resource 'Service[sshd]' --table '$parameters[ensure]' catalogs/
  pcat query --missing '$type == package and $title == chrony' catalogs/
  pcat query -e '$type == file' --group-by '$parameters[content]' catalogs/
  pcat query -e '$type == exec and /^Service/ in $notifies' catalog.json
  pcat query -e '!$sensitive.empty' --jsonl catalog.msgpack`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			for _, name := range []string{"expression", "preset", "by", "csv", "table", "missing", "group-by"} {
				if f := cmd.Flags().Lookup(name); f.Changed && slices.Contains([]string{"", "[]"}, f.Value.String()) {
					return cli.Usage("--%s has no value; is a variable unset?", name)
				}
			}
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&opts.Expression, "expression", "e", "", "evaluate `EXPR` for each resource")
	flags.StringSliceVar(&opts.Presets, "preset", nil, "use the presets `NAME,...`; all for all of them")
	flags.StringArrayVar(&opts.PresetFiles, "preset-file", nil, "read presets from `FILE`; default $PCAT_PRESET_FILE")
	flags.BoolVar(&opts.ListPresets, "list-presets", false, "list the presets; with --json, also their expressions")
	flags.BoolVar(&opts.Count, "count", false, "print the number of resources, of each input and in total")
	flags.StringVar(&opts.By, "by", "", "count by `KEY`: node, type, title, preset, another variable, or an expression")
	flags.StringVar(&opts.CSV, "csv", "", "print CSV with the columns `EXPR,...`")
	flags.StringVar(&opts.Table, "table", "", "print a table with the columns `EXPR,...`")
	flags.StringVar(&opts.Missing, "missing", "", "print the nodes without a resource for which `EXPR` is true")
	flags.StringVar(&opts.GroupBy, "group-by", "", "print the resources that have the same value of `EXPR`")
	opts.Totals.AddFlags(flags)
	opts.JSON.AddFlags(cmd, opts.Streams, "resources and their values")
	flags.BoolVarP(&opts.Raw, "raw", "r", false, "print only values, and strings without quotes")
	opts.FailOn.AddFlag(cmd, "none", "resources that are found, a `STEP`")
	flags.BoolVar(&opts.Lax, "lax", false, "treat unknown variables as undef, and convert strings to numbers, as Puppet 7 does")
	flags.BoolVar(&opts.Strict, "strict", false, "treat undef in a match or a comparison, and operators that do not apply to a value, as errors")
	flags.StringArrayVar(&opts.Resources, "resource", nil, "only resources that match a `TYPE` or reference: 'File[/etc/*]'")
	opts.Read.RunData = true
	opts.Read.AddFlags(cmd)
	opts.Read.AddShowFlags(cmd)
	opts.Jobs.AddFlags(flags)
	opts.World.AddFlags(cmd)
	manual.Environment(cmd, manual.Fact{Name: presetEnv, Meaning: "the files of --preset-file if the flag is not given, separated as in PATH"})
	names := []string{"all"}
	for _, p := range presets.All() {
		names = append(names, p.Name)
	}
	cli.CompleteFlag(cmd, "preset", names...)
	cli.CompleteFlag(cmd, "by", append([]string{"node", "preset"}, query.Variables()...)...)
	return cmd
}

// anyStep is the step of --fail-on.
const anyStep = "any"

// Run asks about all resources of the inputs.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	presets, err := opts.presets(ctx)
	if err != nil {
		return err
	}
	if opts.ListPresets {
		return opts.list(presets)
	}
	world, err := opts.World.World(ctx, opts.Streams, &opts.Read.Files)
	if err != nil {
		return err
	}
	parse := func() (*questions, error) { return opts.parse(opts.evaluator(world), presets) }
	asked, err := parse()
	if err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	p := opts.printer(sources, asked)
	if opts.CSV != "" {
		if err := writeRow(opts.Streams.Out, p.columns); err != nil {
			return err
		}
	}
	var read atomic.Bool
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, func(ctx context.Context, doc *document.Document, out io.Writer) error {
		asked, err := parse() // with a bound of work of its own
		if err != nil {
			return err
		}
		read.Store(true)
		one := p.input(doc.Name)
		shown := out
		if one.collects() {
			shown = io.Discard
		}
		err = doc.Printed(ctx, shown, opts.JSON.Given(), func(mask document.Mask, shown io.Writer) error {
			src := &query.Source{Open: doc.Reader, Mask: mask, Named: one.collects() || opts.Missing != "", Select: asked.selects}
			err := p.failing.Find(ctx, p.order[doc.Name], doc.Name, src, asked.search, asked.all(), func(m *query.Match) error {
				return one.match(ctx, asked, m, shown)
			})
			if err != nil {
				return err
			}
			return one.catalogs(src.Nodes, shown)
		})
		if err == nil {
			err = one.end(out)
		}
		if one.found() > 0 && opts.FailOn.Reached(anyStep) {
			err = errors.Join(err, cli.Exit(cli.ExitFindings))
		}
		return err
	})
	if err != nil && !read.Load() {
		return err
	}
	return errors.Join(err, p.failing.Report(opts.Streams, opts.strict()), p.end(opts.Streams.Out))
}

func (opts *Options) check() error {
	switch i := slices.IndexFunc(opts.Args, isExpression); {
	case opts.Expression == "" && i >= 0:
		return cli.Usage("%s looks like an expression; use -e", opts.Args[i])
	case opts.By != "" && opts.Totals.Each:
		return cli.Usage("--by counts over all inputs; for each, use --by '[$certname, %s]'", byExpression(opts.By))
	}
	flag, columns := opts.columns()
	words := errors.Join(checkWords("--by", byExpression(opts.By)), checkWords("--group-by", byExpression(opts.GroupBy)), checkWords(flag, strings.Split(columns, ",")...))
	return errors.Join(words, opts.FailOn.Check(), opts.Read.Check(), opts.Jobs.Check())
}

// evaluator returns an evaluator with a bound of work of its own.
func (opts *Options) evaluator(world *language.World) *eval.Evaluator {
	return world.Fresh().Evaluator(language.Leniency{Language: opts.Lax, Undef: !opts.Strict})
}

// strict reports whether an operator that does not apply to a value is an error.
func (opts *Options) strict() bool { return opts.Strict || opts.FailOn.Reached(anyStep) }

// presets returns the presets that are asked for, or all for a list.
func (opts *Options) presets(ctx context.Context) ([]query.Preset, error) {
	all := presets.All()
	files := opts.PresetFiles
	if len(files) == 0 {
		files = filepath.SplitList(opts.Streams.Getenv(presetEnv))
	}
	var own []string
	for _, file := range files {
		data, err := language.ReadData(ctx, opts.Streams, &opts.Read.Files, file)
		if err != nil {
			return nil, err
		}
		found, err := presets.Parse(data)
		if err != nil {
			return nil, cli.BadInput(file, "", err)
		}
		for _, p := range found {
			if slices.ContainsFunc(all, func(other query.Preset) bool { return other.Name == p.Name }) || p.Name == "all" {
				return nil, cli.BadInput(file, "", fmt.Errorf("the preset %s exists already; choose another name", p.Name))
			}
			all = append(all, p)
			own = append(own, p.Name)
		}
	}
	names := opts.Presets
	switch {
	case opts.ListPresets:
		return all, nil
	case len(names) == 0 && len(opts.PresetFiles) > 0:
		names = own // the only reason to name the file
	}
	found, missing := presets.Find(all, names)
	if missing != "" {
		return nil, cli.Usage("--preset %s: unknown preset%s\npcat query --list-presets lists the presets", missing, cli.DidYouMean(missing, presetNames(all)))
	}
	return found, nil
}

// presetEnv names the files of presets when no flag does.
const presetEnv = "PCAT_PRESET_FILE"

func presetNames(all []query.Preset) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range all {
			if !yield(p.Name) {
				return
			}
		}
	}
}

// questions are the parsed expressions of one run.
type questions struct {
	search  *query.Search
	by      *query.Query   // nil without --by
	groupBy *query.Query   // nil without --group-by
	columns *query.Columns // nil without --csv and --table
	presets int
	selects func(*catalog.Resource) bool // of --resource
}

func (opts *Options) parse(e *eval.Evaluator, presets []query.Preset) (*questions, error) {
	flag, expression := "-e", opts.Expression
	if opts.Missing != "" {
		flag, expression = "--missing", opts.Missing
	}
	search, err := query.NewSearch(e, flag, expression, presets)
	if err != nil {
		return nil, language.Failure(err)
	}
	selects, err := document.Selectors("--resource", opts.Resources)
	if err != nil {
		return nil, err
	}
	q := &questions{search: search, presets: len(presets), selects: selects}
	if opts.By != "" {
		q.by, err = query.New(e, "--by", byExpression(opts.By))
	}
	if opts.GroupBy != "" && err == nil {
		q.groupBy, err = query.New(e, "--group-by", byExpression(opts.GroupBy))
	}
	if flag, columns := opts.columns(); columns != "" && err == nil {
		q.columns, err = query.NewColumns(e, flag, columns)
	}
	return q, language.Failure(err)
}

// columns returns the flag with the columns of a table, and its value; empty for none.
func (opts *Options) columns() (flag, expressions string) {
	if opts.Table != "" {
		return "--table", opts.Table
	}
	return "--csv", opts.CSV
}

// checkWords returns a usage error if an expression of a flag is a single word, which has
// the same value for each resource: a variable was meant.
func checkWords(flag string, expressions ...string) error {
	variables := func(yield func(string) bool) {
		for _, name := range query.Variables() {
			if !yield("$" + name) {
				return
			}
		}
	}
	for _, e := range expressions {
		if e = strings.TrimSpace(e); bareWord.Get().MatchString(e) {
			hint := cmp.Or(cli.DidYouMean("$"+e, variables), "; for the parameter, use $parameters["+e+"]")
			return cli.Usage("%s %s: a word is the same for each resource; use a variable%s", flag, e, hint)
		}
	}
	return nil
}

var bareWord = lazyregexp.New(`^[a-z][a-z0-9_]*$`)

// isExpression reports whether an argument, which should be the name of a file, is an expression.
func isExpression(arg string) bool {
	return strings.HasPrefix(arg, "$") || strings.Contains(arg, " == ")
}

// byExpression returns the expression for a key of --by, in which a variable needs no $.
func byExpression(key string) string {
	if key == "node" {
		return "$certname"
	}
	if key == "preset" || slices.Contains(query.Variables(), key) {
		return "$" + key
	}
	return key
}

// all returns the queries for each match.
func (q *questions) all() []*query.Query {
	var all []*query.Query
	if q.by != nil {
		all = append(all, q.by)
	}
	if q.groupBy != nil {
		all = append(all, q.groupBy)
	}
	if q.columns != nil {
		all = append(all, q.columns.Query)
	}
	return all
}
