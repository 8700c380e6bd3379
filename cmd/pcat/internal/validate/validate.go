// Package validate is the command pcat validate.
package validate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/hiera"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// Options are the inputs of one run.
type Options struct {
	Streams    *cli.IOStreams
	Args       []string
	Read       document.ReadFlags
	Jobs       cli.JobFlags
	Like       language.LikeFlag
	ModulePath []string
	Facts      string // a file
	Hiera      language.HieraFlags
	JSON       cli.JSONFlags
	FailOn     cli.Gate
	Location   document.LocationFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams, FailOn: cli.Gate{Steps: []string{anyStep}, Noun: "step"}}
	cmd := &cobra.Command{
		Use:   "validate [FILE...] --modulepath DIR",
		Short: "Check a catalog against the types its modules declare",
		Long: `Check the parameters of classes and defined types against the types that the
modules declare for them, and Objects against their Object types, as the
compiler does. Each mismatch is printed with its location, and the exit code is
1, except with --fail-on none. It is 3 if a catalog or a manifest cannot be
read.

--hiera also checks the data of class parameters. A value of the wrong type is a
mismatch, reported with its file, and a required parameter with data is not
missing. The name of the catalog is trusted.certname.

Only the parameter lists of manifests are read, and only the types in them are
evaluated. Resources of other types, such as the types of Puppet itself, are
skipped; -v prints their number. If all resources were skipped, the exit code is
3, except with --allow-empty. Declared secrets, secrets that pcat audit finds, and
copies of both are masked.`,
		Example: `  pcat validate catalog.json --modulepath modules
  pcat validate --modulepath site:modules --jsonl catalogs/*.msgpack
  pcat validate catalog.json --modulepath modules --hiera . --facts facts.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	opts.Jobs.AddFlags(cmd.Flags())
	language.AddModulePath(cmd, &opts.ModulePath, "classes, defined types and types")
	opts.Hiera.AddFlags(cmd)
	cmd.Flags().StringVar(&opts.Facts, "facts", "", "with --hiera: read the facts of the node from `FILE` (JSON or YAML)")
	opts.Like.AddFlags(cmd)
	opts.Location.AddFlags(cmd)
	opts.FailOn.AddFlag(cmd, anyStep, "mismatches, a `STEP`")
	opts.JSON.AddFlags(cmd, opts.Streams, "mismatches")
	return cmd
}

// Run validates the inputs.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	reference, err := opts.Like.Reference(opts.Streams)
	if err != nil {
		return err
	}
	modules := language.Modules(opts.ModulePath, reference)
	var checked, passed, findings atomic.Int64
	opts.Jobs.Doing = "validating"
	locator := opts.Location.Locator(opts.Streams, &opts.Read, !opts.JSON.Given())
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, func(ctx context.Context, doc *document.Document, out io.Writer) error {
		v := faults.NewValidator(modules)
		if opts.Hiera.Data != "" {
			var err error
			if v.Data, err = opts.data(ctx, doc); err != nil {
				return err
			}
		}
		n, err := opts.validate(ctx, v, locator, doc, out)
		checked.Add(int64(v.Checked))
		passed.Add(int64(v.Passed))
		findings.Add(int64(n))
		return err
	})
	opts.Streams.Log.Info("validated", "checked", checked.Load(), "skipped", passed.Load(), "findings", findings.Load())
	switch {
	case err != nil:
		return err
	case findings.Load() > 0 && opts.FailOn.Reached(anyStep):
		return cli.Exit(cli.ExitFindings)
	case findings.Load() > 0:
		return nil
	case checked.Load() == 0 && passed.Load() > 0: // a wrong folder is not to look as if all were well
		return opts.Read.Files.Nothing("", "nothing was checked: none of the resources has a type from these modules")
	}
	return nil
}

// data returns a function that checks the data of parameters for the node of a document.
func (opts *Options) data(ctx context.Context, doc *document.Document) (func(name string, t pcore.Type) (bool, error), error) {
	flags := language.Flags{Like: opts.Like, Facts: opts.Facts, ModulePath: opts.ModulePath, Hiera: opts.Hiera}
	world, err := flags.World(ctx, opts.Streams, &cli.InputFlags{})
	if err != nil {
		return nil, err
	}
	scope := world.Evaluator(language.Leniency{}).Scope(ctx)
	if err := scope.Set("trusted", language.Trusted(nodeOf(doc))); err != nil {
		return nil, err
	}
	env := world.Env
	env.Functions, env.Variables = world.Finder, scope
	return func(name string, t pcore.Type) (bool, error) {
		held := env.Memory.Held()
		defer func() { env.Memory.ReleaseTo(held) }()
		x := &hiera.Explanation{}
		_, err := world.Hiera.Lookup(ctx, &env, hiera.Query{Keys: []string{name}, Type: t, Explanation: x})
		if errors.Is(err, hiera.ErrNotFound) {
			return false, nil
		}
		if files := x.Files(); err != nil && len(files) > 0 {
			err = fmt.Errorf("%s: %w", strings.Join(files, ", "), language.Remedy(err))
		}
		return true, err
	}, nil
}

// nodeOf returns the name of the node of a catalog. It is known once a resource is read.
func nodeOf(doc *document.Document) string {
	r := doc.Reader()
	for range r.Resources() { //nolint:errcheck // the validation reports it
		break
	}
	return r.Header().Name()
}

// check returns an error for invalid flags. A missing folder is an error, because nothing
// would be checked.
func (opts *Options) check() error {
	if len(opts.ModulePath) == 0 {
		return cli.Usage("missing --modulepath DIR, the directory of the modules; for example: pcat validate --modulepath modules catalog.json")
	}
	for _, path := range opts.ModulePath {
		for _, dir := range filepath.SplitList(path) {
			if info, err := os.Stat(dir); err != nil {
				return cli.BadInput(dir, "", err)
			} else if !info.IsDir() {
				return cli.Usage("--modulepath %s: not a directory", dir)
			}
		}
	}
	if opts.Hiera.Data == "" {
		switch {
		case opts.Facts != "":
			return cli.Usage("--facts needs --hiera DIR or FILE")
		case opts.Hiera.Key != "":
			return cli.Usage("--eyaml-key needs --hiera DIR or FILE")
		}
	}
	return errors.Join(opts.Read.Check(), opts.Jobs.Check(), opts.FailOn.Check(), opts.Location.Check())
}

// anyStep is the step of --fail-on.
const anyStep = "any"

// validate prints the findings of one document, and returns their number.
func (opts *Options) validate(ctx context.Context, v *faults.Validator, locator manifest.Locator, doc *document.Document, out io.Writer) (findings int, err error) {
	doc.WarnFlattened(doc.Log())
	wire := ""
	if opts.JSON.Given() {
		wire = "json"
	}
	err = doc.Guarded(ctx, out, wire, func(mask *sensitive.Redactor, out io.Writer) error {
		p := &printer{streams: opts.Streams, json: opts.JSON.Given(), locator: locator, file: doc.Name, mask: mask, w: out}
		defer func() { findings = p.printed }()
		return p.resources(ctx, v, doc)
	})
	return findings, err
}

// printer prints findings.
type printer struct {
	streams *cli.IOStreams
	json    bool
	locator manifest.Locator
	file    string
	mask    *sensitive.Redactor
	w       io.Writer
	printed int
}

// resources validates all resources of a document. A manifest that cannot be read keeps none but
// its own resources from being validated.
func (p *printer) resources(ctx context.Context, v *faults.Validator, doc *document.Document) error {
	var failures []error
	for r, err := range doc.Reader().Resources() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return errors.Join(append(failures, doc.Failure(err))...)
		}
		findings, err := v.Resource(r)
		if err != nil {
			failures = append(failures, doc.Failure(err))
		}
		for _, f := range findings {
			if err := p.print(ctx, r, f); err != nil {
				return err
			}
		}
	}
	return errors.Join(failures...)
}

// finding is the JSON format of a finding.
type finding struct {
	File     string `json:"file"`
	Ref      string `json:"ref"`
	Path     string `json:"path,omitempty"`
	Message  string `json:"message"`
	Manifest string `json:"manifest,omitempty"`
	Line     int64  `json:"line,omitempty"`
}

func (p *printer) print(ctx context.Context, r *catalog.Resource, f faults.Fault) error {
	at := p.mask.Location(f.At)
	out := finding{File: p.file, Ref: at.Ref.String(), Path: at.Pointer(), Line: r.Line()}
	var err error
	if out.Message, err = p.masked(ctx, f.Message); err != nil {
		return err
	}
	out.Message = p.mask.TextAt(out.Message, f.At) // it can quote the value
	file, err := p.masked(ctx, r.File())
	if err != nil {
		return err
	}
	p.printed++
	if p.json {
		out.Manifest = p.locator.Path(file)
		return terminal.Encode(p.w, out)
	}
	declared := ""
	if line := p.locator.Text(file, out.Line); line != "" {
		declared = " (" + p.locator.Hyperlink(line, file, out.Line) + ")"
	}
	_, err = io.WriteString(p.w, p.streams.Fit(terminal.Sprintf("%s: %s: %s", out.File, at.String(), out.Message)+declared+"\n"))
	return err
}

// masked returns a text without the copies of secrets in it.
func (p *printer) masked(ctx context.Context, text string) (string, error) {
	m := catalog.NewMember("message", pcore.String(text))
	clean, err := p.mask.Member(ctx, &m)
	if err != nil {
		return "", err
	}
	v, err := clean.Value()
	if err != nil {
		return "", err
	}
	s, _ := v.(pcore.String)
	return string(s), nil
}
