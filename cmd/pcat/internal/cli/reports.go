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

// ReportFlags are the flags of a command that writes one or several reports. Set Forms and
// Name, and declare the flags with AddFlags.
type ReportFlags struct {
	Output  OutputFlags
	Form    string   // empty: that of the file, or text
	Reports []string // more reports, FORM=FILE

	Forms []ReportForm
	Name  string // of a file in examples, without its extension
}

// ReportForm is a form of a report.
type ReportForm struct {
	Name string
	// Extensions are the extensions of its files, beginning with the usual one.
	Extensions []string
}

// ReportForms returns the forms of the formats of a package that writes reports.
func ReportForms[F any](formats []F, form func(F) ReportForm) []ReportForm {
	all := make([]ReportForm, len(formats))
	for i, f := range formats {
		all[i] = form(f)
	}
	return all
}

// ReportOutput is one report to write.
type ReportOutput struct {
	OutputFlags

	Form string
}

// AddFlags declares -o, --format and --report.
func (r *ReportFlags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	r.Output.AddFileFlag(flags)
	flags.StringVar(&r.Form, "format", "", "`FORMAT` of the report: "+r.names()+"; default: from the extension of -o, otherwise text")
	flags.StringArrayVar(&r.Reports, "report", nil, "also write a report: `FORMAT=FILE`, - for stdout; repeatable")
	CompleteFlag(cmd, "format", slices.Collect(r.all())...)
}

// Outputs returns the reports of --format, --output and --report, the one on standard
// output last, because a closed pipe must not prevent the files. The first report is text
// on standard output by default. With --report, it is omitted if another one goes there, or
// with -q.
func (r *ReportFlags) Outputs(s *IOStreams) ([]ReportOutput, error) {
	first := ReportOutput{r.Output, r.Form}
	if first.Form == "" {
		first.Form = "text"
		if !first.ToStdout() && !special(first.File) {
			form, known := r.formOf(first.File)
			if !known {
				return nil, Usage("-o %s: the format of the report is unknown: use --format, or one of the extensions %s", first.File, r.extensions())
			}
			first.Form = form
		}
	} else if !r.known(first.Form) {
		return nil, Usage("--format: unknown format %q%s; use one of %s", first.Form, DidYouMean(first.Form, r.all()), r.names())
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
	given := r.Form != "" || r.Output.File != ""
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

// output parses a value of --report: FORM=FILE, or a FILE with the extension of a form.
func (r *ReportFlags) output(value string) (ReportOutput, error) {
	form, file, both := strings.Cut(value, "=")
	if !both {
		named, known := r.formOf(value)
		before, after, colon := strings.Cut(value, ":")
		switch {
		case colon && r.known(before):
			return ReportOutput{}, Usage("--report %s: use %s=%s", value, before, after)
		case r.known(value):
			return ReportOutput{}, Usage("--report %s: missing file; use %s, or %s=- for standard output", value, r.example(value), value)
		case !known:
			return ReportOutput{}, Usage("--report %s: use FORMAT=FILE, such as %s, or a file with one of the extensions %s", value, r.example("html"), r.extensions())
		}
		form, file = named, value
	}
	switch {
	case !r.known(form):
		return ReportOutput{}, Usage("--report %s: unknown format %q%s; use one of %s", value, form, DidYouMean(form, r.all()), r.names())
	case file == "":
		return ReportOutput{}, Usage("--report %s: missing file; is a variable unset? Use %s=- for standard output", value, form)
	}
	return ReportOutput{OutputFlags{File: file}, form}, nil
}

func (r *ReportFlags) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range r.Forms {
			if !yield(f.Name) {
				return
			}
		}
	}
}

func (r *ReportFlags) known(form string) bool {
	return slices.ContainsFunc(r.Forms, func(f ReportForm) bool { return f.Name == form })
}

func (r *ReportFlags) names() string { return strings.Join(slices.Collect(r.all()), ", ") }

// extensions lists the extensions by which the form of a report is known.
func (r *ReportFlags) extensions() string {
	var all []string
	for _, f := range r.Forms {
		all = append(all, f.Extensions...)
	}
	return strings.Join(all, ", ")
}

// example returns a value of --report for a form.
func (r *ReportFlags) example(form string) string {
	for _, f := range r.Forms {
		if f.Name == form && len(f.Extensions) > 0 {
			return form + "=" + r.Name + f.Extensions[0]
		}
	}
	return form + "=" + r.Name + ".txt"
}

// formOf returns the form whose extension the name of a file has.
func (r *ReportFlags) formOf(file string) (form string, known bool) { return FormOfFile(r.Forms, file) }

// FormOfFile returns the form whose extension the name of a file has, before the extension of
// a compression.
func FormOfFile(forms []ReportForm, file string) (form string, known bool) {
	file = strings.ToLower(file)
	file = strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst")
	longest := 0
	for _, f := range forms {
		for _, ext := range f.Extensions {
			if len(ext) > longest && strings.HasSuffix(file, ext) {
				form, longest = f.Name, len(ext)
			}
		}
	}
	return form, longest > 0
}

// WarnOfExtension warns if the name of a report looks like that of another form. SARIF and
// JSON Lines are also JSON, and all but pages are also text.
func (r *ReportFlags) WarnOfExtension(s *IOStreams, o *ReportOutput) {
	WarnOfExtension(s, r.Forms, o)
}

// WarnOfExtension warns if the name of an output looks like that of another of the forms;
// see [ReportFlags.WarnOfExtension].
func WarnOfExtension(s *IOStreams, forms []ReportForm, o *ReportOutput) {
	named, known := FormOfFile(forms, o.File)
	switch {
	case !known || named == o.Form || named == "text":
	case named == "json" && (o.Form == "sarif" || o.Form == "jsonl"):
	default:
		s.Log.Warn(fmt.Sprintf("the format of this report is %s, but its name looks like %s", o.Form, named), FileKey, o.File)
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

// special reports whether a file is a device or a pipe, whose name says nothing about a form.
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
				return Usage("only one report can be written to standard output: %s or %s; write the other one to a file", a.Form, b.Form)
			case a.ToStdout() || b.ToStdout():
			case sameFile(a.File, b.File) && !special(a.File):
				return Usage("two reports, %s and %s, have the same file: %s", a.Form, b.Form, b.File)
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
