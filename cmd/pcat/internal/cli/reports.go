package cli

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ReportFlags are the flags of a command that writes one or several reports. Set Formats and
// Name, and declare the flags with AddFlags.
type ReportFlags struct {
	Output  OutputFlags
	Format  string   // empty: that of the file, or text
	Reports []string // more reports, FORMAT=FILE

	Formats []ReportFormat
	Name    string // of a file in examples, without its extension
}

// ReportFormat is a format of a report.
type ReportFormat struct {
	Name string
	// Extensions are the extensions of its files, beginning with the usual one.
	Extensions []string
}

// ReportFormats returns the formats of a package that writes reports.
func ReportFormats[F any](formats []F, format func(F) ReportFormat) []ReportFormat {
	all := make([]ReportFormat, len(formats))
	for i, f := range formats {
		all[i] = format(f)
	}
	return all
}

// ReportOutput is one report to write.
type ReportOutput struct {
	OutputFlags

	Format string
}

// AddFlags declares -o, --format and --report.
func (r *ReportFlags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	r.Output.AddFileFlag(flags)
	flags.StringVar(&r.Format, "format", "", "`FORMAT` of the report: "+r.names()+"; default: from the extension of -o, otherwise text")
	flags.StringArrayVar(&r.Reports, "report", nil, "also write a report: `FORMAT=FILE`, - for stdout; repeatable")
	CompleteFlag(cmd, "format", slices.Collect(r.all())...)
}

// Outputs returns the reports of --format, --output and --report, the one on standard
// output last, because a closed pipe must not prevent the files. The first report is text
// on standard output by default. With --report, it is omitted if another one goes there, or
// with -q.
func (r *ReportFlags) Outputs(s *IOStreams) ([]ReportOutput, error) {
	first := ReportOutput{r.Output, r.Format}
	if first.Format == "" {
		first.Format = "text"
		if !first.ToStdout() && !special(first.File) {
			format, known := r.formatOf(first.File)
			if !known {
				return nil, Usage("-o %s: the format of the report is unknown: use --format, or one of the extensions %s", first.File, r.extensions())
			}
			first.Format = format
		}
	} else if !r.known(first.Format) {
		return nil, Usage("--format: unknown format %q%s; use one of %s", first.Format, DidYouMean(first.Format, r.all()), r.names())
	}
	var all []ReportOutput
	for _, value := range r.Reports {
		o, err := r.output(value)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	onStdout := slices.ContainsFunc(all, func(o ReportOutput) bool { return o.ToStdout() })
	given := r.Format != "" || r.Output.File != ""
	quiet := !s.Log.Enabled(context.Background(), slog.LevelWarn)
	if given || len(all) == 0 || !onStdout && !quiet {
		all = slices.Insert(all, 0, first)
	}
	last := func(o ReportOutput) int {
		if o.ToStdout() {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b ReportOutput) int { return cmp.Compare(last(a), last(b)) })
	return all, distinct(all)
}

// output parses a value of --report: FORMAT=FILE, or a FILE with the extension of a format.
func (r *ReportFlags) output(value string) (ReportOutput, error) {
	format, file, both := strings.Cut(value, "=")
	if !both {
		named, known := r.formatOf(value)
		before, after, colon := strings.Cut(value, ":")
		switch {
		case colon && r.known(before):
			return ReportOutput{}, Usage("--report %s: use %s=%s", value, before, after)
		case r.known(value):
			return ReportOutput{}, Usage("--report %s: missing file; use %s, or %s=- for standard output", value, r.example(value), value)
		case !known:
			return ReportOutput{}, Usage("--report %s: use FORMAT=FILE, such as %s, or a file with one of the extensions %s", value, r.example("html"), r.extensions())
		}
		format, file = named, value
	}
	switch {
	case !r.known(format):
		return ReportOutput{}, Usage("--report %s: unknown format %q%s; use one of %s", value, format, DidYouMean(format, r.all()), r.names())
	case file == "":
		return ReportOutput{}, Usage("--report %s: missing file; is a variable unset? Use %s=- for standard output", value, format)
	}
	return ReportOutput{OutputFlags{File: file}, format}, nil
}

func (r *ReportFlags) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range r.Formats {
			if !yield(f.Name) {
				return
			}
		}
	}
}

func (r *ReportFlags) known(format string) bool {
	return slices.ContainsFunc(r.Formats, func(f ReportFormat) bool { return f.Name == format })
}

func (r *ReportFlags) names() string { return strings.Join(slices.Collect(r.all()), ", ") }

// extensions lists the extensions by which the format of a report is known.
func (r *ReportFlags) extensions() string {
	var all []string
	for _, f := range r.Formats {
		all = append(all, f.Extensions...)
	}
	return strings.Join(all, ", ")
}

// example returns a value of --report for a format.
func (r *ReportFlags) example(format string) string {
	for _, f := range r.Formats {
		if f.Name == format && len(f.Extensions) > 0 {
			return format + "=" + r.Name + f.Extensions[0]
		}
	}
	return format + "=" + r.Name + ".txt"
}

// formatOf returns the format whose extension the name of a file has.
func (r *ReportFlags) formatOf(file string) (format string, known bool) {
	return FormatOfFile(r.Formats, file)
}

// FormatOfFile returns the format whose extension the name of a file has, before the extension of
// a compression.
func FormatOfFile(formats []ReportFormat, file string) (format string, known bool) {
	file = strings.ToLower(file)
	file = strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst")
	longest := 0
	for _, f := range formats {
		for _, ext := range f.Extensions {
			if len(ext) > longest && strings.HasSuffix(file, ext) {
				format, longest = f.Name, len(ext)
			}
		}
	}
	return format, longest > 0
}

// WarnOfExtension warns if the name of a report looks like that of another format. SARIF and
// JSON Lines are also JSON, and all but pages are also text.
func (r *ReportFlags) WarnOfExtension(s *IOStreams, o *ReportOutput) {
	WarnOfExtension(s, r.Formats, o)
}

// WarnOfExtension warns if the name of an output looks like that of another of the forms;
// see [ReportFlags.WarnOfExtension].
func WarnOfExtension(s *IOStreams, formats []ReportFormat, o *ReportOutput) {
	named, known := FormatOfFile(formats, o.File)
	switch {
	case !known || named == o.Format || named == "text":
	case named == "json" && (o.Format == "sarif" || o.Format == "jsonl"):
	default:
		s.Log.Warn(fmt.Sprintf("the format of this report is %s, but its name looks like %s", o.Format, named), FileKey, o.File)
	}
}

// Replaces returns a usage error if the report would replace a file that the run reads.
func (o *ReportOutput) Replaces(read ...string) error {
	for _, file := range read {
		if file != "" && !o.ToStdout() && sameFile(o.File, file) {
			return Usage("the report would replace %s, which this run reads; write it to another file", file)
		}
	}
	return nil
}

// special reports whether a file is a device or a pipe, whose name says nothing about a format.
func special(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// distinct returns a usage error if two reports have one file, or are both for standard output.
func distinct(all []ReportOutput) error {
	for i := range all {
		for k := range i {
			a, b := &all[k], &all[i]
			switch {
			case a.ToStdout() && b.ToStdout():
				return Usage("only one report can be written to standard output: %s or %s; write the other one to a file", a.Format, b.Format)
			case a.ToStdout() || b.ToStdout():
			case sameFile(a.File, b.File) && !special(a.File):
				return Usage("two reports, %s and %s, have the same file: %s", a.Format, b.Format, b.File)
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
	folders := map[string]string{}
	return err != nil && otherErr != nil && realName(folders, a) == realName(folders, b)
}

// JSONReport are the short forms of --format json and --format jsonl. The zero value is neither.
type JSONReport struct{ document, stream bool }

// AddFlags declares --json and, for a report that can be a stream, --jsonl.
func (j *JSONReport) AddFlags(flags *pflag.FlagSet, stream bool) {
	flags.BoolVar(&j.document, "json", false, "same as --format json")
	if stream {
		flags.BoolVar(&j.stream, "jsonl", false, "same as --format jsonl")
	}
}

// Format returns the format of a report: named, the value of --format, unless --json or --jsonl is
// set. usual is the default of --format, which they replace.
func (j *JSONReport) Format(named, usual string) (string, error) {
	flag := "json"
	switch {
	case j.stream:
		flag = "jsonl"
	case !j.document:
		return named, nil
	}
	if named != usual && named != flag {
		return "", Usage("--%s and --format %s cannot be used together", flag, named)
	}
	return flag, nil
}
