// Package verify is the command pcat verify.
package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/cmd/pcat/internal/verify/roundtrip"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Options are the inputs of one run.
type Options struct {
	Streams    *cli.IOStreams
	Args       []string
	Read       document.ReadFlags
	Jobs       cli.JobFlags
	ModulePath []string
	Values     bool
	JSON       cli.JSONFlags
	FailOn     cli.Gate
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams, Read: document.ReadFlags{Values: true}, FailOn: cli.Gate{Steps: []string{lossy, changed}, Noun: "step"}}
	cmd := &cobra.Command{
		Use:   "verify [FILE...]",
		Short: "Check that a catalog survives conversion to every format",
		Long: `Convert a catalog, or any rich data, to every format that can represent it, read
the result, and compare all values and the order of keys. Writing the result
again must produce the same bytes, and so must direct transcoding where it
exists. In its own format, the document must stay the same byte for byte. The
exit code is 1 if anything differs, or with --fail-on lossy if a format cannot
represent a document; it is 3 if a document cannot be read. Files of unknown format in a directory are skipped.

For a difference, the location, kinds and sizes are printed, but never a value.
Catalogs in JSON or MessagePack larger than 1 MiB are checked in batches of
resources; other documents are kept in memory.`,
		Example: `  pcat verify catalog.json
  pcat verify --jsonl catalogs/ | jq 'select(.same | not)'
  pcat verify --values hand-written.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Jobs.AddFlags(cmd.Flags())
	language.AddModulePath(cmd, &opts.ModulePath, "types")
	cmd.Flags().BoolVar(&opts.Values, "values", false, "compare only values: ignore white space, escapes and number formats")
	opts.FailOn.AddFlag(cmd, changed, "documents of this `STEP` or higher")
	opts.JSON.AddFlags(cmd, opts.Streams, "documents")
	return cmd
}

// Summary describes one document.
type Summary struct {
	File string `json:"file"`
	Same bool   `json:"same"`
	*roundtrip.Result
}

// The steps of --fail-on.
const (
	lossy   = "lossy"   // a format cannot represent the document
	changed = "changed" // the document does not survive
)

// step returns the step of --fail-on that a document reaches, empty for none.
func (s *Summary) step() string {
	switch {
	case !s.Same:
		return changed
	case slices.ContainsFunc(s.Formats, func(c roundtrip.Conversion) bool {
		return c.Status != roundtrip.Same && c.Status != roundtrip.Different
	}):
		return lossy
	}
	return ""
}

// Run verifies each document.
func Run(ctx context.Context, opts *Options) error {
	if err := errors.Join(opts.Read.Check(), opts.Jobs.Check(), opts.FailOn.Check()); err != nil {
		return err
	}
	o := roundtrip.Options{ValuesOnly: opts.Values}
	if types := language.ModuleTypes(opts.Streams, opts.ModulePath); types != nil {
		o.Decode.Types = richdata.Types{Resolver: types}
		opts.Read.Types = o.Decode.Types
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	opts.Jobs.Doing = "verifying"
	return opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, func(_ context.Context, doc *document.Document, out io.Writer) error {
		return opts.verify(doc, o, out)
	})
}

func (opts *Options) verify(doc *document.Document, o roundtrip.Options, out io.Writer) error {
	o.Display = doc.Named
	r, err := verified(doc, o)
	if err != nil {
		return unreadable(doc, err)
	}
	s := Summary{File: doc.Name, Same: r.Same(), Result: r}
	if opts.JSON.Given() {
		err = terminal.Encode(out, s)
	} else {
		_, err = io.WriteString(out, opts.Streams.Fit(text(s)))
	}
	if err == nil && opts.FailOn.Reached(s.step()) {
		err = cli.Exit(cli.ExitFindings)
	}
	return err
}

// unreadable returns the error for a document, with the location in a catalog that other
// commands report.
func unreadable(doc *document.Document, err error) error {
	broken := errors.Is(err, serialization.ErrSyntax) || errors.Is(err, serialization.ErrTruncated) || errors.Is(err, serialization.ErrTrailing)
	if broken && doc.HoldsCatalog() {
		for _, err := range doc.Reader().Parts() {
			if err != nil {
				return doc.Failure(err)
			}
		}
	}
	return cli.BadInput(doc.Name, "", doc.Masked(err))
}

// maxWhole is the size in bytes of the largest document that is checked as a whole.
// A batch of a larger one fits the cache of a processor.
const maxWhole = 1 << 20

// verified returns the result for a document.
func verified(doc *document.Document, o roundtrip.Options) (*roundtrip.Result, error) {
	if data := doc.Bytes(); data != nil && len(data) <= maxWhole {
		return roundtrip.Document(data, doc.Format, formats.Default().Formats(), o)
	}
	return roundtrip.Stream(doc.Content(), doc.Format, formats.Default().Formats(), o)
}

// text returns a line for the document, and one for each format that changes it or cannot represent it.
func text(s Summary) string {
	var b strings.Builder
	same := 0
	for _, conversion := range s.Formats {
		switch conversion.Status {
		case roundtrip.Same:
			same++
		case roundtrip.Different:
			at := ""
			if conversion.Difference.Text != "" {
				at = conversion.Difference.Text + ": "
			}
			b.WriteString(terminal.Sprintf("  %s: different: %s%s\n", conversion.Format, at, conversion.Difference))
		default:
			b.WriteString(terminal.Sprintf("  %s: %s\n", conversion.Format, loss(conversion)))
		}
	}
	verdict := "unchanged"
	switch {
	case s.Same:
	case onlyLayout(s.Formats):
		verdict = "other layout, same values; --values ignores it"
	default:
		verdict = "CHANGED"
	}
	return terminal.Sprintf("%s: %s, %d bytes: %s (same in %d of %d formats)\n", s.File, s.Format, s.Size, verdict, same, len(s.Formats)) + b.String()
}

// onlyLayout reports whether white space, escapes and spellings of numbers are all that differs.
func onlyLayout(all []roundtrip.Conversion) bool {
	return !slices.ContainsFunc(all, func(c roundtrip.Conversion) bool {
		return c.Status == roundtrip.Different && c.Difference.Step != roundtrip.StepSpelling
	})
}

// loss describes why a format cannot represent the document.
func loss(conversion roundtrip.Conversion) string {
	at := ""
	if conversion.Text != "" {
		at = " at " + conversion.Text
	}
	switch conversion.Losses {
	case 0:
		return "cannot represent the document: " + conversion.Reason + at
	case 1:
		return "lossy: " + conversion.Reason + at
	default:
		return fmt.Sprintf("lossy: %s%s; %d losses in total", conversion.Reason, at, conversion.Losses)
	}
}
