package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

func reportFormat(f report.Format) cli.ReportFormat {
	return cli.ReportFormat{Name: f.Name, Extensions: f.Extensions}
}

// outputs returns the reports to write.
func (opts *Options) outputs() ([]cli.ReportOutput, error) {
	format, err := opts.JSON.Format(opts.Report.Format, "")
	if err != nil {
		return nil, err
	}
	opts.Report.Format = format
	return opts.Report.Outputs(opts.Streams)
}

// checkOutputs checks, before the audit, that the reports can be written, and that they replace no input and no other
// file that the run reads. Only a report in a format for --since may replace the file of --since. It returns the sources
// without reports of earlier runs that were found in a directory and will be replaced.
func (opts *Options) checkOutputs(ctx context.Context, outputs []cli.ReportOutput, sources []cli.Source, config string) ([]cli.Source, error) {
	all := sources
	for i := range outputs {
		o := &outputs[i]
		replaced := func(src cli.Source) bool { return o.Check(opts.Streams, []cli.Source{src}, false) != nil }
		sources = slices.DeleteFunc(slices.Clone(sources), func(src cli.Source) bool { return src.Found && replaced(src) && !opts.begins(ctx, src) })
		if k := slices.IndexFunc(sources, replaced); k >= 0 {
			return nil, cli.Usage("the report would replace %s, an input; write it to another file", sources[k].Name)
		}
		if o.ToStdout() {
			continue
		}
		since := opts.Since
		if o.Format == "jsonl" || o.Format == "json" {
			since = ""
		}
		if err := o.Replaces(slices.Concat([]string{config, opts.Baseline, since, opts.Key.File, opts.Read.Files.FilesFrom}, opts.Rules)...); err != nil {
			return nil, err
		}
		if err := o.CheckWritable(opts.Streams); err != nil {
			return nil, err
		}
		opts.Report.WarnOfExtension(opts.Streams, o)
	}
	if len(sources) == 0 {
		sources = all // nothing to audit is an error
	}
	if !opts.UpdateBaseline {
		return sources, nil
	}
	return sources, (&cli.OutputFlags{File: opts.Baseline}).CheckWritable(opts.Streams)
}

// begins reports whether the source starts like a catalog.
func (opts *Options) begins(ctx context.Context, src cli.Source) bool {
	found, err := opts.Read.BeginsCatalog(ctx, src)
	return err == nil && found
}

// write writes the reports, and then says which files it wrote. Each is complete or not
// there, and a failure does not prevent the others.
func (opts *Options) write(ctx context.Context, outputs []cli.ReportOutput, found *audit.Report) error {
	var errs []error
	var files []*cli.ReportOutput
	counted, now := false, time.Now()
	for i := range outputs {
		o := &outputs[i]
		err := o.Write(ctx, opts.Streams, nil, func(w io.Writer) error { return report.Write(w, o.Format, found, opts.reportOptions(o, now)) })
		switch {
		case errors.Is(err, audit.ErrSecret):
			err = &cli.Error{Code: cli.ExitInternal, File: o.File, Err: audit.ErrSecret}
		case err == nil && !o.ToStdout():
			opts.warnOfPartial(o, found)
			files = append(files, o)
		case err == nil:
			counted = o.Format == "text"
		}
		errs = append(errs, err)
	}
	for _, o := range files {
		opts.Streams.Notice(written(o.Format, found), slog.String(cli.FileKey, o.File))
	}
	if !counted {
		for _, line := range report.Counts(found) {
			opts.Streams.Notice(line)
		}
	}
	return errors.Join(errs...)
}

// warnOfPartial warns that a report for --since lacks the findings of --max-findings. A run
// with the same filters is complete, and the format json has the numbers.
func (opts *Options) warnOfPartial(o *cli.ReportOutput, found *audit.Report) {
	if n := found.Omitted; n > 0 && o.Format == "jsonl" {
		opts.Streams.Log.Warn(notThere(n)+" in this report; --since with it will count them as new", cli.FileKey, o.File)
	}
}

// reportOptions are the options for one report.
func (opts *Options) reportOptions(o *cli.ReportOutput, now time.Time) report.Options {
	options := report.Options{
		ShowSecrets: opts.ShowSecrets,
		Version:     cli.Release(),
		Time:        now,
		Locator:     opts.Location.Locator(opts.Streams, &opts.Read, o.ToStdout() && o.Format == "text"),
		All:         opts.All,
	}
	if o.ToStdout() {
		options.Color, options.Width = opts.Streams.Color(), opts.Streams.Columns(opts.Streams.Out)
	}
	return options
}

// written returns the message about a report that was written.
func written(format string, found *audit.Report) string {
	known := 0
	for i := range found.Findings {
		if found.Findings[i].State == audit.Known {
			known++
		}
	}
	n := len(found.Findings)
	switch {
	case format == "hiera": // has class parameters, not findings
		return "lookup_options written"
	case !found.Compared:
		return findings(n) + " written"
	case slices.ContainsFunc(report.Formats(), func(f report.Format) bool { return f.Name == format && f.Keeps }):
		return fmt.Sprintf("%s written (%d new, %d known)", findings(n), n-known, known)
	}
	return findings(n-known) + " written (new ones only)"
}

func findings(n int) string {
	if n == 1 {
		return "1 finding"
	}
	return fmt.Sprintf("%d findings", n)
}
