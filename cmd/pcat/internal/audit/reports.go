package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// output is one report to write.
type output struct {
	cli.OutputFlags

	form string
}

// outputs returns the reports of --format, --output and --report, the one on standard output last, because a closed pipe
// must not prevent the files. The first report is text on standard output by default. With --report, it is omitted if
// another one goes there, or with -q.
func (opts *Options) outputs() ([]output, error) {
	if opts.JSON {
		if opts.Format != "" && opts.Format != "json" {
			return nil, cli.Usage("--json and --format %s cannot be used together", opts.Format)
		}
		opts.Format = "json"
	}
	first := output{opts.Output, opts.Format}
	if first.form == "" {
		first.form = "text"
		if !first.ToStdout() && !special(first.File) {
			f, known := report.FormatOf(first.File)
			if !known {
				return nil, cli.Usage("-o %s: the form of the report is unknown: use --format, or one of the extensions %s", first.File, extensions())
			}
			first.form = f.Name
		}
	} else if !knownForm(first.form) {
		return nil, cli.Usage("--format: unknown form %q; use one of %s", first.form, formatNames())
	}
	var all []output
	for _, value := range opts.Reports {
		o, err := outputOf(value)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	onStdout := slices.ContainsFunc(all, func(o output) bool { return o.ToStdout() })
	given := opts.Format != "" || opts.Output.File != ""
	if given || len(all) == 0 || !onStdout && !opts.quiet() {
		all = slices.Insert(all, 0, first)
	}
	slices.SortStableFunc(all, func(a, b output) int { return rank(a) - rank(b) })
	return all, distinct(all)
}

func (opts *Options) quiet() bool {
	return !opts.Streams.Log.Enabled(context.Background(), slog.LevelWarn)
}

// rank is higher for standard output.
func rank(o output) int {
	if o.ToStdout() {
		return 1
	}
	return 0
}

// outputOf parses a value of --report: FORM=FILE, or a FILE with the extension of a form.
func outputOf(value string) (output, error) {
	form, file, both := strings.Cut(value, "=")
	if !both {
		f, known := report.FormatOf(value)
		before, after, colon := strings.Cut(value, ":")
		switch {
		case colon && knownForm(before):
			return output{}, cli.Usage("--report %s: use %s=%s", value, before, after)
		case knownForm(value):
			return output{}, cli.Usage("--report %s: missing file; use %s, or %s=- for standard output", value, example(value), value)
		case !known:
			return output{}, cli.Usage("--report %s: use FORM=FILE, such as html=audit.html, or a file with one of the extensions %s", value, extensions())
		}
		form, file = f.Name, value
	}
	switch {
	case !knownForm(form):
		return output{}, cli.Usage("--report %s: unknown form %q%s; use one of %s", value, form, cli.DidYouMean(form, slices.Values(names())), formatNames())
	case file == "":
		return output{}, cli.Usage("--report %s: missing file; is a variable unset? Use %s=- for standard output", value, form)
	}
	return output{cli.OutputFlags{File: file}, form}, nil
}

func knownForm(name string) bool { return slices.Contains(names(), name) }

func names() []string {
	var all []string
	for _, f := range report.Formats() {
		all = append(all, f.Name)
	}
	return all
}

func formatNames() string { return strings.Join(names(), ", ") }

// extensions lists the extensions by which the form of a report is known.
func extensions() string {
	var all []string
	for _, f := range report.Formats() {
		all = append(all, f.Extensions...)
	}
	return strings.Join(all, ", ")
}

// example returns a value of --report for a form.
func example(form string) string {
	for _, f := range report.Formats() {
		if f.Name == form && len(f.Extensions) > 0 {
			return form + "=audit" + f.Extensions[0]
		}
	}
	return form + "=audit.txt"
}

// special reports whether a file is a device or a pipe, whose name says nothing about a form.
func special(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// distinct returns a usage error if two reports have one file, or are both for standard output.
func distinct(all []output) error {
	for i := range all {
		for k := range i {
			a, b := &all[k], &all[i]
			switch {
			case a.ToStdout() && b.ToStdout():
				return cli.Usage("only one report can be written to standard output: %s or %s; write the other one to a file", a.form, b.form)
			case a.ToStdout() || b.ToStdout():
			case sameFile(a.File, b.File) && !special(a.File):
				return cli.Usage("two reports, %s and %s, have the same file: %s", a.form, b.form, b.File)
			}
		}
	}
	return nil
}

// sameFile reports whether two names, of files that need not exist, are those of one file.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	if err == nil && otherErr == nil {
		return os.SameFile(one, other)
	}
	return err != nil && otherErr != nil && resolved(a) == resolved(b)
}

// resolved returns an absolute path of a file that need not exist, without the symbolic links of its directory.
func resolved(file string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return file
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Join(dir, filepath.Base(file))
}

// checkOutputs checks, before the audit, that the reports can be written, and that they replace no input and no other
// file that the run reads. Only a report in a form for --since may replace the file of --since. It returns the sources
// without reports of earlier runs that were found in a directory and will be replaced.
func (opts *Options) checkOutputs(ctx context.Context, outputs []output, sources []cli.Source, config string) ([]cli.Source, error) {
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
		if o.form == "jsonl" || o.form == "json" {
			since = ""
		}
		for _, read := range slices.Concat([]string{config, opts.Baseline, since, opts.Key.File, opts.Read.Files.FilesFrom}, opts.Rules) {
			if read != "" && sameFile(o.File, read) {
				return nil, cli.Usage("the report would replace %s, which this run reads; write it to another file", read)
			}
		}
		if err := o.CheckWritable(opts.Streams); err != nil {
			return nil, err
		}
		opts.warnOfExtension(o)
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

// warnOfExtension warns if the name of a report looks like that of another form. SARIF and JSON Lines are also JSON, and
// all but pages are also text.
func (opts *Options) warnOfExtension(o *output) {
	named, known := report.FormatOf(o.File)
	switch {
	case !known || named.Name == o.form || named.Name == "text":
	case named.Name == "json" && (o.form == "sarif" || o.form == "jsonl"):
	default:
		opts.Streams.Log.Warn(fmt.Sprintf("the form of this report is %s, but its name looks like %s", o.form, named.Name), cli.FileKey, o.File)
	}
}

// write writes the reports, and then says which files it wrote. Each is complete or not there, and a failure does not
// prevent the others.
func (opts *Options) write(ctx context.Context, outputs []output, found *audit.Report) error {
	var errs []error
	var files []*output
	counted, now := false, time.Now()
	for i := range outputs {
		o := &outputs[i]
		err := o.Write(ctx, opts.Streams, nil, func(w io.Writer) error { return report.Write(w, o.form, found, opts.reportOptions(o, now)) })
		switch {
		case errors.Is(err, audit.ErrSecret):
			err = &cli.Error{Code: cli.ExitInternal, File: o.File, Err: audit.ErrSecret}
		case err == nil && !o.ToStdout():
			opts.warnOfPartial(o, found)
			files = append(files, o)
		case err == nil:
			counted = o.form == "text"
		}
		errs = append(errs, err)
	}
	for _, o := range files {
		opts.Streams.Notice(written(o.form, found), slog.String(cli.FileKey, o.File))
	}
	if !counted {
		for _, line := range report.Counts(found) {
			opts.Streams.Notice(line)
		}
	}
	return errors.Join(errs...)
}

// warnOfPartial warns that a report for --since lacks the findings of --max-findings. A run with the same filters is
// complete, and the form json has the numbers.
func (opts *Options) warnOfPartial(o *output, found *audit.Report) {
	if n := found.Omitted; n > 0 && o.form == "jsonl" {
		opts.Streams.Log.Warn(notThere(n)+" in this report; --since with it will count them as new", cli.FileKey, o.File)
	}
}

// reportOptions are the options for one report.
func (opts *Options) reportOptions(o *output, now time.Time) report.Options {
	options := report.Options{
		ShowSecrets: opts.ShowSecrets,
		Version:     cli.Release(),
		Time:        now,
		SourceRoot:  opts.SourceRoot,
		SourceURL:   opts.SourceURL,
		All:         opts.All,
	}
	if o.ToStdout() {
		options.Color, options.Width = opts.Streams.Color(), opts.Streams.Columns(opts.Streams.Out)
	}
	return options
}

// written returns the message about a report that was written.
func written(form string, found *audit.Report) string {
	known := 0
	for i := range found.Findings {
		if found.Findings[i].State == audit.Known {
			known++
		}
	}
	n := len(found.Findings)
	switch {
	case !found.Compared:
		return findings(n) + " written"
	case slices.ContainsFunc(report.Formats(), func(f report.Format) bool { return f.Name == form && f.Keeps }):
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
