package diff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/sensitive"
)

// LayoutFlags configure how changes are written. Declare them with AddFlags.
type LayoutFlags struct {
	Unified    int
	MaxLines   int
	Full       bool
	All        bool
	SideBySide bool
	MaxBytes   int
	Link       string
	Marker     string
}

// AddFlags declares the flags.
func (l *LayoutFlags) AddFlags(flags *pflag.FlagSet) {
	flags.IntVarP(&l.Unified, "unified", "U", 2, "print `N` lines around each change of a text")
	flags.IntVar(&l.MaxLines, "max-lines", 0, "print at most `N` lines of a change; 0 for all (default 20, in markdown 60, in html 1000)")
	flags.BoolVar(&l.Full, "full", false, "print all lines of a change in full")
	flags.BoolVar(&l.All, "all", false, "also print changes that mean the same to Puppet, and all changes of classes and defines")
	flags.BoolVar(&l.SideBySide, "side-by-side", false, "print old and new lines side by side")
	flags.IntVar(&l.MaxBytes, "max-bytes", 60000, "shorten markdown to at most `N` bytes; GitHub accepts 65,536 characters")
	flags.StringVar(&l.Link, "link", "", "end markdown with the `URL` of the full report")
	flags.StringVar(&l.Marker, "marker", "", "begin markdown with <!-- pcat-diff:`ID` -->, by which a bot finds its comment")
}

// leastMarkdown is the smallest limit of Markdown that leaves room for its headline.
const leastMarkdown = 1000

func (l *LayoutFlags) check() error {
	switch {
	case l.Unified < 0 || l.MaxLines < 0:
		return cli.Usage("-U and --max-lines cannot be negative")
	case l.Full && l.MaxLines > 0:
		return cli.Usage("--full and --max-lines cannot be used together")
	case l.MaxBytes < leastMarkdown:
		return cli.Usage("--max-bytes must be at least %d", leastMarkdown)
	case strings.Trim(l.Marker, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/") != "":
		return cli.Usage("--marker %s: use letters, digits, and . _ /", l.Marker)
	}
	return nil
}

// reportOptions are the options of one report.
func (opts *Options) reportOptions(o *cli.ReportOutput) report.Options {
	l := &opts.Layout
	options := report.Options{
		Context: l.Unified, MaxLines: l.MaxLines, SideBySide: l.SideBySide, MaxBytes: l.MaxBytes, Link: l.Link, Marker: l.Marker,
		Locator: opts.Location.Locator(opts.Streams, &opts.Read, o.ToStdout() && o.Format == "text"),
		Explain: opts.Explain, All: opts.Layout.All, Version: cli.Release(), Time: time.Now(),
	}
	if l.Unified == 0 {
		options.Context = -1
	}
	if l.Full {
		options.MaxLines = -1
	}
	if o.ToStdout() {
		options.Color, options.Width = opts.Streams.Color(), opts.Streams.Columns(opts.Streams.Out)
	}
	return options
}

func reportFormat(f report.Format) cli.ReportFormat {
	return cli.ReportFormat{Name: f.Name, Extensions: f.Extensions}
}

// outputs returns the reports to write. It checks, before the comparison, that they can be
// written and replace no input.
func (opts *Options) outputs() ([]cli.ReportOutput, error) {
	all, err := opts.Report.Outputs(opts.Streams)
	if err != nil {
		return nil, err
	}
	for i := range all {
		o := &all[i]
		if o.ToStdout() {
			continue
		}
		if err := o.Replaces(slices.Concat(opts.Args, []string{opts.Pairs, opts.Against, opts.Config.File, opts.Key.File})...); err != nil {
			return nil, err
		}
		if err := o.CheckWritable(opts.Streams); err != nil {
			return nil, err
		}
		opts.Report.WarnOfExtension(opts.Streams, o)
	}
	return all, nil
}

// write writes the reports, and then says which files it wrote. Each is complete or not
// there, and a failure does not prevent the others.
func (opts *Options) write(ctx context.Context, r *diff.Report) error {
	var errs []error
	for i := range opts.reports {
		o := &opts.reports[i]
		err := o.Write(ctx, opts.Streams, nil, func(w io.Writer) error {
			return report.Write(w, o.Format, r, opts.reportOptions(o))
		})
		switch {
		case errors.Is(err, sensitive.ErrLeak):
			err = &cli.Error{Code: cli.ExitInternal, File: o.File, Err: sensitive.ErrLeak}
		case err == nil && !o.ToStdout():
			opts.Streams.Notice(written(len(r.Changes)), slog.String(cli.FileKey, o.File))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// written returns the message about a report that was written.
func written(changes int) string {
	if changes == 1 {
		return "1 change written"
	}
	return fmt.Sprintf("%d changes written", changes)
}
