package audit

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/terminal"
)

// NewExplainCmd returns the command pcat explain.
func NewExplainCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "explain FINGERPRINT|PLACE PATH...",
		Short: "Explain why pcat audit reports a value, or passes over it",
		Long: `Explain why pcat audit reports a value, or passes over it: the terms of its score,
or what speaks against it. PLACE is the location of the value as pcat audit
shows it, such as 'Class[Db]/db_password', or a JSON pointer; everything below it
is explained. A FINGERPRINT identifies one finding; if the audit used a key, give
the same key. Secrets are masked.`,
		Example: `  pcat explain 'Class[Db]/db_password' catalog.json
  pcat explain 'File[/etc/app.conf]/content' catalogs/
  pcat explain 87b6511c1963c65a811861601c5d69090f6cf6630946f6c658aec302db2c4b8f catalog.json`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args[1:]
			return explain(cmd.Context(), opts, args[0])
		},
	}
	opts.Read.AddFlags(cmd)
	flags := cmd.Flags()
	opts.Key.AddFlags(flags, "of the fingerprints")
	opts.Decided.AddFlags(flags)
	flags.StringArrayVar(&opts.Rules, "rules", nil, "add rules from `FILE`: TOML for gitleaks, or YAML as in .pcat-audit.yaml")
	return cmd
}

// explain prints the explanations of a place or a finding.
func explain(ctx context.Context, opts *Options, what string) error {
	opts.FailOn, opts.Format = "high", "text"
	found, err := opts.judge(ctx)
	if err != nil {
		return err
	}
	for _, f := range found.Failures {
		opts.Streams.Log.Error(f.Err.Error(), cli.FileKey, f.Name)
	}
	var out bytes.Buffer
	place := placeOf(what)
	for i := range found.Findings {
		if f := &found.Findings[i]; f.Fingerprint == what || place.holds(f.At.String(), f.Pointer) {
			writeFinding(&out, found, f)
		}
	}
	for i := range found.Judgements {
		if j := &found.Judgements[i]; j.Against != "" && place.holds(j.At.String(), j.Pointer) {
			writePassed(&out, j)
		}
	}
	if out.Len() == 0 {
		return &cli.Error{Code: cli.ExitFindings, Err: fmt.Errorf("nothing to explain at %q: there is no finding, and no value whose name may be that of a secret; 'pcat audit --format jsonl' lists places and fingerprints", what)}
	}
	if err := found.Check(out.Bytes()); err != nil {
		return err
	}
	_, err = out.WriteTo(opts.Streams.Out)
	return err
}

// judge audits the inputs with explanations.
func (opts *Options) judge(ctx context.Context) (*audit.Report, error) {
	if _, err := opts.check(); err != nil {
		return nil, err
	}
	key, err := opts.key()
	if err != nil {
		return nil, err
	}
	sources, err := opts.Read.Files.Sources(opts.Streams, opts.Args)
	if err != nil {
		return nil, err
	}
	d, err := opts.decisions(sources, key)
	if err != nil {
		return nil, err
	}
	candidates, err := opts.candidates(ctx, sources)
	if err != nil {
		return nil, err
	}
	auditor, err := opts.auditor(ctx, key, d, audit.Options{Explain: true})
	if err != nil {
		return nil, err
	}
	p := startProgress(opts.Streams, len(candidates))
	defer p.stop()
	return auditor.Run(ctx, opts.inputs(ctx, candidates, make([]string, len(candidates)), p))
}

// place is a location on the command line.
type place string

func placeOf(s string) place { return place(strings.TrimSuffix(s, "/")) }

// holds reports whether one of the names of a location is the place, or below it.
func (p place) holds(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		rest, ok := strings.CutPrefix(name, string(p))
		return ok && (rest == "" || rest[0] == '/')
	})
}

func writeFinding(out *bytes.Buffer, r *audit.Report, f *audit.Finding) {
	header(out, location(f.Type, f.Title, f.Parameter, f.Pointer), f.Catalog, f.Node)
	fmt.Fprintf(out, "  %s: %s, %s, confidence %s", terminal.Line(f.Rule), f.Severity, f.Class, f.Confidence)
	if masked := f.Masked(); masked != "" {
		out.WriteString(", " + terminal.Line(masked))
	}
	fmt.Fprintf(out, "\n  %s\n", terminal.Line(f.Message))
	at := f.At.String()
	i := slices.IndexFunc(r.Judgements, func(j audit.Judgement) bool {
		return j.Against == "" && j.Start == f.Start && j.Name == f.Name && j.At.String() == at
	})
	if i >= 0 {
		writeTerms(out, &r.Judgements[i])
	}
	fmt.Fprintf(out, "\n  'pcat rules %s' has the remedy. The fingerprint is %s.\n", terminal.Line(f.Rule), f.Fingerprint)
}

func writePassed(out *bytes.Buffer, j *audit.Judgement) {
	header(out, j.Place, j.Catalog, "")
	fmt.Fprintf(out, "  no finding: the value of %s is %s\n", terminal.Line(j.Name), j.Against)
	writeTerms(out, j)
}

// header writes the first line about a location, after an empty line if it is not the
// first one.
func header(out *bytes.Buffer, location, catalog, node string) {
	if out.Len() > 0 {
		out.WriteByte('\n')
	}
	out.WriteString(terminal.Line(location) + " in " + terminal.Line(catalog))
	if node != "" {
		out.WriteString(", node " + terminal.Line(node))
	}
	out.WriteByte('\n')
}

// location returns the location of a finding: its resource, or else its pointer.
func location(typ, title, parameter, pointer string) string {
	if typ == "" {
		return pointer
	}
	at := typ + "[" + title + "]"
	if parameter != "" {
		at += "/" + parameter
	}
	return at
}

func writeTerms(out *bytes.Buffer, j *audit.Judgement) {
	if len(j.Terms) == 0 {
		return
	}
	fmt.Fprintf(out, "\n  The score of %s is %.1f; a secret has at least %.0f.\n", terminal.Line(j.Name), j.Score(), audit.Threshold)
	for _, t := range j.Terms {
		fmt.Fprintf(out, "  %6.1f  %s\n", t.Points, t.Reason)
	}
}
