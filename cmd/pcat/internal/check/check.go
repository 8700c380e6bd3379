// Package check is the command pcat check.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/check/config"
	"github.com/pcatdev/pcat/cmd/pcat/internal/check/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/sensitive"
)

// Options are the inputs of one run.
type Options struct {
	Streams    *cli.IOStreams
	Args       []string
	Read       document.ReadFlags
	Jobs       cli.JobFlags
	ModulePath []string
	Format     string
	JSON       cli.JSONReport
	NoHints    bool
	AllHints   bool
	Brief      bool
	FailOn     cli.Gate
	Config     cli.ConfigFlags
	Location   document.LocationFlags

	locator manifest.Locator
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams, FailOn: cli.Gate{Steps: severities, Noun: "severity"}}
	cmd := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Find dependency cycles, missing and duplicate resources",
		Long: `Find errors in a catalog before an agent does: dependency cycles, with the
shortest way round and the relationship to remove; references and edges to
missing resources; duplicate titles, aliases and names; resources without a
container; and unknown types. Each error is printed with Puppet's message.

A hint points to fragile ordering: the catalog works, but a needed relationship
is not declared, or a relationship does not do what it appears to. Hints do not
change the exit code.

Findings that .pcat-check.yaml accepts are omitted. This file is searched for in
the working directory and its parents.

Declared secrets, secrets that pcat audit finds, and copies of both are
masked.`,
		Example: `  pcat check catalog.json
  pcat check --modulepath modules catalogs/
  pcat check --format sarif catalogs/ > check.sarif
  pcat check --format json catalog.json | jq '.findings[].fix'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Read.Remote().Compile.CheckSources = true
	opts.Read.AddMaskFlag(cmd)
	opts.Jobs.AddFlags(cmd.Flags())
	language.AddModulePath(cmd, &opts.ModulePath, "resource types")
	flags := cmd.Flags()
	flags.StringVar(&opts.Format, "format", "text", "`FORMAT` of the report: "+strings.Join(report.Formats(), ", "))
	opts.JSON.AddFlags(flags, true)
	flags.BoolVar(&opts.NoHints, "no-hints", false, "omit hints")
	flags.BoolVar(&opts.AllHints, "all-hints", false, "print also the hints that most catalogs have:\nredundant-relation")
	flags.BoolVar(&opts.Brief, "brief", false, "omit the messages of Puppet, and the steps of cycles")
	opts.FailOn.AddFlag(cmd, "warning", "findings of this `SEVERITY` or higher")
	opts.Config.AddFlags(cmd, config.Name)
	opts.Location.AddFlags(cmd)
	cli.CompleteFlag(cmd, "format", report.Formats()...)
	return cmd
}

// severities are the names of the severities, from the lowest.
var severities = []string{"hint", "warning", "error"}

// Run checks the inputs.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	accepted, err := opts.accepted()
	if err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	opts.locator = opts.Location.Locator(opts.Streams, &opts.Read, opts.Format == "text")
	o := faults.Options{NoHints: opts.NoHints, AllHints: opts.AllHints, Locator: opts.locator}
	if dirs := directories(append(opts.ModulePath, accepted.ModulePath...)); len(dirs) > 0 {
		var mutex sync.Mutex
		has := faults.ModuleTypes(dirs...)
		o.HasType = func(name string) bool {
			mutex.Lock()
			defer mutex.Unlock()
			return has(name)
		}
	}
	var mutex sync.Mutex
	found := make(map[string][]report.Result)
	failed := make(map[string]string)
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, func(ctx context.Context, doc *document.Document, _ io.Writer) error {
		results, err := opts.one(ctx, doc, o)
		mutex.Lock()
		defer mutex.Unlock()
		found[doc.Name] = results
		if err != nil {
			failed[doc.Name] = err.Error()
		}
		return err
	})
	var r report.Report
	for _, src := range sources {
		r.Results = append(r.Results, found[src.Name]...)
		if message, ok := failed[src.Name]; ok {
			r.Failures = append(r.Failures, report.Failure{File: src.Name, Message: message})
		}
	}
	opts.accept(accepted, &r)
	if len(r.Results) > 0 || opts.Format != "text" {
		if err := report.Write(opts.Streams.Out, opts.Format, &r, report.Options{
			Version: cli.Release(), Color: opts.Streams.Color(), Width: opts.Streams.Columns(opts.Streams.Out), Brief: opts.Brief, Locator: opts.locator,
		}); err != nil {
			return err
		}
	}
	if err == nil && opts.fails(&r) {
		return cli.Exit(cli.ExitFindings)
	}
	return err
}

// check returns an error for invalid flags.
func (opts *Options) check() error {
	form, err := opts.JSON.Format(opts.Format, "text")
	if err != nil {
		return err
	}
	opts.Format = form
	if !slices.Contains(report.Formats(), opts.Format) {
		return cli.Usage("--format: unknown format %q; use one of %s", opts.Format, strings.Join(report.Formats(), ", "))
	}
	if err := opts.FailOn.Check(); err != nil {
		return err
	}
	if opts.AllHints && opts.NoHints {
		return cli.Usage("--all-hints and --no-hints cannot be used together")
	}
	if err := opts.Config.Check(); err != nil {
		return err
	}
	for _, dir := range directories(opts.ModulePath) {
		if info, err := os.Stat(dir); err != nil {
			return cli.BadInput(dir, "", err)
		} else if !info.IsDir() {
			return cli.Usage("--modulepath %s: not a directory", dir)
		}
	}
	return errors.Join(opts.Read.Check(), opts.Jobs.Check(), opts.Location.Check())
}

// accepted reads the configuration. Without one, it is empty.
func (opts *Options) accepted() (*config.Config, error) {
	data, err := opts.Config.Read(config.Find)
	path := opts.Config.File
	if err != nil || path == "" {
		return &config.Config{}, err
	}
	c, err := config.Parse(data)
	if err != nil {
		return nil, cli.BadInput(path, "", err)
	}
	for i, dir := range c.ModulePath {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(path), dir)
		}
		if _, err := os.Stat(dir); err != nil {
			return nil, cli.BadInput(path, "modulepath", err)
		}
		c.ModulePath[i] = dir
	}
	return c, nil
}

// accept removes the accepted findings, and warns of entries that expired or matched nothing.
func (opts *Options) accept(c *config.Config, r *report.Report) {
	used := make([]bool, len(c.Allow))
	now := time.Now()
	for i := range r.Results {
		r.Results[i].Findings = c.Apply(r.Results[i].Findings, now, used)
	}
	for i := range c.Allow {
		switch e := &c.Allow[i]; {
		case e.Expired(now):
			opts.Streams.Log.Warn(fmt.Sprintf("%s: line %d: the entry expired on %s", opts.Config.File, e.Line, e.Expires.Format(time.DateOnly)))
		case !used[i]:
			opts.Streams.Log.Info(fmt.Sprintf("%s: line %d: the entry matched nothing", opts.Config.File, e.Line))
		}
	}
}

func directories(paths []string) []string {
	var dirs []string
	for _, path := range paths {
		dirs = append(dirs, filepath.SplitList(path)...)
	}
	return dirs
}

// one checks the catalogs of one document. It writes the results to a guard, which returns
// an error if a secret is in them.
func (opts *Options) one(ctx context.Context, doc *document.Document, o faults.Options) (results []report.Result, err error) {
	err = doc.Guarded(ctx, io.Discard, "json", func(mask *sensitive.Redactor, out io.Writer) error {
		for r, err := range faults.Catalogs(doc.Reader(), mask, o) {
			if err != nil {
				return doc.Failure(err)
			}
			results = append(results, report.Result{File: doc.Name, Node: r.Node, Findings: r.Findings})
		}
		return report.Write(out, "json", &report.Report{Results: results}, report.Options{Locator: opts.locator})
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// fails reports whether a finding is severe enough for exit code 1.
func (opts *Options) fails(r *report.Report) bool {
	for i, name := range severities {
		if r.Count(faults.Severity(i)) > 0 && opts.FailOn.Reached(name) {
			return true
		}
	}
	return false
}
