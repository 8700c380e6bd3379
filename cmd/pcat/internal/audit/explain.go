package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/settings"
	"github.com/pcatdev/pcat/internal/terminal"
)

// NewExplainCmd returns the command pcat explain.
func NewExplainCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	var asJSON cli.JSONFlags
	cmd := &cobra.Command{
		Use:   "explain FILE... REFERENCE|FINGERPRINT",
		Short: "Explain why pcat audit reports a value or does not",
		Long: `Explain why pcat audit reports a value or does not. The explanation lists the
terms of the score and of the severity, or the reason against a finding.
REFERENCE is the location of the value as pcat audit shows it, such as
'Class[Db]/db_password', a resource as in pcat show, or a JSON pointer.
Everything below REFERENCE is explained. If the audit used a key, a FINGERPRINT needs
the same key: from the flags, or from audit.key in the working directory, in the
directory of an input, or in their parents. Secrets are masked. Standard input is
read only once, so an alias, a title without a type and a fingerprint need files.`,
		Example: `  pcat explain catalog.json 'Class[Db]/db_password'
  pcat explain catalogs/ 'File[/etc/app.conf]/content'
  pcat explain catalog.json "$FINGERPRINT"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			switch {
			case last < 0 || last == 0 && opts.Read.Files.FilesFrom == "":
				return cli.Usage("missing FILE or REFERENCE; for example: pcat explain catalog.json 'Class[Db]/db_password'")
			case last > 0 && !isLocation(args[last]) && isLocation(args[0]):
				return cli.Usage("name the location last: pcat explain %s '%s'", strings.Join(args[1:], " "), args[0])
			}
			opts.Args = args[:last]
			return explain(cmd.Context(), opts, args[last], asJSON.Given())
		},
	}
	cmd.ValidArgsFunction = opts.Read.CompleteReferences(streams)
	opts.Read.RunData = true
	opts.Read.AddFlags(cmd)
	flags := cmd.Flags()
	opts.Key.AddFlags(flags, "of the fingerprints")
	opts.Decided.AddFlags(cmd)
	DescribeKey(cmd)
	flags.StringArrayVar(&opts.Rules, "rules", nil, "add rules from `FILE`: TOML for gitleaks, or YAML as in .pcat-audit.yaml")
	asJSON.AddFlags(cmd, streams, "findings, and values that are not findings")
	manual.Exits(cmd, cli.ExitFindings)
	return cmd
}

// explain prints the explanations of a location or a finding.
func explain(ctx context.Context, opts *Options, what string, asJSON bool) error {
	at := target{targetOf(what)}
	var unknown error // there is no such resource
	if !at.isFingerprint() {
		resolved, err := opts.resolve(ctx, what)
		if err != nil {
			return err
		}
		at, unknown = append(at, resolved.names...), resolved.unknown
	}
	if keyed, valid := audit.KeyedFingerprint(what); keyed && valid {
		opts.KeyDir = opts.nearKey()
	}
	found, dropped, err := opts.explained(ctx, at)
	if err != nil {
		return err
	}
	e := &explanation{json: asJSON, judgements: map[judged]*audit.Judgement{}}
	for i := range found.Judgements {
		j := &found.Judgements[i]
		e.judgements[judged{j.Catalog, j.At.String(), j.Name, j.Start}] = j
	}
	for i := range found.Findings {
		if f := &found.Findings[i]; at.isOf(f) {
			e.finding(f, "")
		}
	}
	for i := range dropped {
		if f := &dropped[i].Finding; at.isOf(f) {
			e.finding(f, dropReason(&dropped[i]))
		}
	}
	for i := range found.Judgements {
		if j := &found.Judgements[i]; j.Against != "" && at.holds(j.At.String(), j.Location, j.Pointer) {
			e.passed(j)
		}
	}
	if e.err != nil {
		return e.err
	}
	if err := found.Check(e.out.Bytes()); err != nil {
		return &cli.Error{Code: cli.ExitInternal, Err: err}
	}
	text := e.out.String()
	if !asJSON {
		text = opts.Streams.Fit(text)
	}
	if _, err := io.WriteString(opts.Streams.Out, text); err != nil {
		return err
	}
	if err := failed(found); err != nil || e.any {
		return err
	}
	if unknown != nil {
		return unknown
	}
	switch keyed, valid := audit.KeyedFingerprint(what); {
	case !keyed || !valid:
	case !found.Keyed:
		return &cli.Error{Code: cli.ExitFindings, Err: fmt.Errorf("nothing to explain at %q: the fingerprint was made with a key; %s is neither above the working directory nor above the inputs: use --key-file or --key-env", what, keyName)}
	case opts.usedKey != "":
		return &cli.Error{Code: cli.ExitFindings, Err: fmt.Errorf("nothing to explain at %q: no finding has this fingerprint with the key in %s; if it was made with another key, use --key-file or --key-env", what, opts.usedKey)}
	}
	return &cli.Error{Code: cli.ExitFindings, Err: fmt.Errorf("nothing to explain at %q: there is no finding, and no value whose name may be that of a secret; 'pcat audit --jsonl' lists locations and fingerprints", what)}
}

// explained audits the inputs with the judgements at a location. It returns the findings that
// the configuration does not report, too. If the location is a fingerprint, the judgements are
// those at the locations of its findings, which a run before finds.
func (opts *Options) explained(ctx context.Context, at target) (*audit.Report, []auditconfig.Dropped, error) {
	t, err := opts.task(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	run := func(explain func(location, pointer string) bool) (*audit.Report, error) {
		return opts.audit(ctx, t, make([]string, len(t.sources)), audit.Options{Explain: explain})
	}
	explain := func(location, pointer string) bool { return at.holds(location, pointer) }
	if at.isFingerprint() {
		before, err := run(nil)
		if err != nil {
			return nil, nil, err
		}
		locations := map[string]bool{}
		for i := range before.Findings {
			if f := &before.Findings[i]; at.isOf(f) {
				locations[f.At.String()] = true
			}
		}
		explain = func(location, _ string) bool { return locations[location] }
	}
	found, err := run(explain)
	if err != nil {
		return nil, nil, err
	}
	return found, t.decisions.config.Apply(found, time.Now()).Dropped, nil
}

// target are the spellings of a location, or a fingerprint.
type target []string

// targetOf returns the location without the name of the value after ` as `, which a report has.
func targetOf(s string) string {
	if i := strings.LastIndex(s, " as "); i > strings.LastIndexByte(s, ']') {
		s = s[:i]
	}
	return strings.TrimSuffix(s, "/")
}

// isLocation reports whether an argument is a location or a fingerprint.
func isLocation(arg string) bool { return document.IsTarget(arg) || (target{arg}).isFingerprint() }

// nearKey returns the directory of the nearest audit.key: the working directory, that of an input, or a directory above
// one of these. It is empty for none.
func (opts *Options) nearKey() string {
	dirs := []string{"."}
	for _, input := range opts.Args {
		dirs = append(dirs, input, filepath.Dir(input))
	}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, keyName)); err == nil {
			return dir
		}
	}
	for _, dir := range dirs {
		if key, err := settings.Find(dir, keyName); err == nil {
			return filepath.Dir(key)
		}
	}
	return ""
}

// resolved are the locations that a reference means in the inputs.
type resolved struct {
	names   target   // in the spelling of reports
	unknown error    // the error that names similar resources; nil if a resource was found
	inputs  []string // that were searched
}

// resolve returns the locations that a reference means in the inputs: of resources that have
// another spelling, an alias or a name, and of a title without a type.
func (opts *Options) resolve(ctx context.Context, what string) (*resolved, error) {
	sources, err := opts.Read.Sources(ctx, opts.Streams, &cli.JobFlags{}, opts.Args)
	if err != nil {
		return nil, err
	}
	of := document.Reference(what)
	sources = slices.DeleteFunc(sources, func(src cli.Source) bool { return src.Name == cli.Stdin })
	all := &resolved{}
	for _, src := range sources {
		if err := opts.resolveIn(ctx, src, of, all); err != nil {
			return nil, err
		}
	}
	known := len(all.names) > 0
	pointer := strings.HasPrefix(what, "/")
	if ref := of.Ref(); !of.IsBare() {
		all.names = append(all.names, strings.Join(append([]string{ref.String()}, of.Path()...), "/"))
	}
	if !known && !pointer && len(all.inputs) > 0 {
		where := all.inputs[0]
		if n := len(all.inputs); n > 1 {
			where = document.Counted(n, "input")
		}
		near, err := opts.similar(ctx, sources, of)
		if err != nil {
			return nil, err
		}
		all.unknown = &cli.Error{Code: cli.ExitFindings, Err: errors.New(document.NotFound(of.Name(), where, near))}
	}
	return all, nil
}

// resolveIn adds the locations in one input. The audit reports an input that cannot be read.
func (opts *Options) resolveIn(ctx context.Context, src cli.Source, of locate.Target, found *resolved) (err error) {
	doc, err := opts.Read.Open(ctx, src.Silent())
	if err != nil {
		return nil
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	all, err := locate.Find(doc.Parts(ctx, catalog.Chain()), of)
	if err != nil {
		return nil
	}
	for _, c := range all {
		if err := document.AmbiguousIn(c, doc.Name, []locate.Target{of}); err != nil {
			return err
		}
		for _, f := range c.Found {
			found.names = append(found.names, strings.Join(append([]string{f.Resource.Ref().String()}, f.Path...), "/"))
		}
	}
	found.inputs = append(found.inputs, doc.Name)
	return nil
}

// similar returns the resources in the inputs whose names are similar to a reference. It leaves out inputs that cannot
// be read, which the audit reports.
func (opts *Options) similar(ctx context.Context, sources []cli.Source, of locate.Target) (all locate.Suggestions, err error) {
	for _, src := range sources {
		doc, err := opts.Read.Open(ctx, src.Silent())
		if err != nil {
			continue
		}
		if mask, err := doc.Redactor(); err == nil {
			if near, err := locate.Near(doc.Parts(ctx, mask), of); err == nil {
				all.Add(near)
			}
		}
		if err := doc.Close(); err != nil {
			return all, err
		}
	}
	return all, nil
}

// isFingerprint reports whether a location consists of the digits of a fingerprint.
func (p target) isFingerprint() bool {
	return len(p[0]) >= 32 && strings.Trim(p[0], "0123456789abcdef") == ""
}

// isOf reports whether a finding has the fingerprint, or is at the location or below it, also
// by its location as a report has it.
func (p target) isOf(f *audit.Finding) bool {
	return f.Fingerprint == p[0] || p.holds(f.At.String(), f.Pointer, f.Location())
}

// holds reports whether one of the names of a location is the target, or below it.
func (p target) holds(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(p, func(at string) bool {
			rest, ok := strings.CutPrefix(name, at)
			return ok && (rest == "" || rest[0] == '/')
		})
	})
}

// explained is an explanation for programs: of a finding, or of a value that is none.
type explained struct {
	File string `json:"file"`
	Node string `json:"node,omitempty"`
	at
	Pointer string `json:"pointer"` // in the document, masked
	// Finding is the finding as in the JSON of pcat audit, and Dropped why it is not reported.
	Finding       json.RawMessage `json:"finding,omitempty"`
	Dropped       string          `json:"dropped,omitempty"`
	SeverityTerms []severityTerm  `json:"severity_terms,omitempty"`
	// Name is the name of a value that is no finding, and Against the reason.
	Name    string `json:"name,omitempty"`
	Against string `json:"against,omitempty"`
	// Score is the sum of the terms; a secret has at least Threshold.
	Score     float64 `json:"score,omitempty"`
	Threshold float64 `json:"threshold,omitempty"`
	Terms     []term  `json:"terms,omitempty"`
}

// at is a location; empty for a member of the catalog.
type at struct {
	Ref  string `json:"ref,omitempty"`
	Path string `json:"path,omitempty"` // JSON pointer in the resource
}

type severityTerm struct {
	Steps    int    `json:"steps"`
	Severity string `json:"severity"` // after this term
	Reason   string `json:"reason"`
}

type term struct {
	Points float64 `json:"points"`
	Reason string  `json:"reason"`
}

// encode writes an explanation as a line of JSON, with the terms of a judgement, which may be nil.
func (e *explanation) encode(x explained, j *audit.Judgement) {
	e.any = true
	if j != nil && len(j.Terms) > 0 {
		x.Score, x.Threshold = j.Score(), audit.Threshold
		for _, t := range j.Terms {
			x.Terms = append(x.Terms, term{t.Points, t.Reason})
		}
	}
	e.err = errors.Join(e.err, terminal.Encode(&e.out, x))
}

// judged identifies a judgement.
type judged struct {
	catalog, at, name string
	start             int
}

// explanation writes explanations.
type explanation struct {
	json       bool
	err        error // of an encoding
	out        bytes.Buffer
	judgements map[judged]*audit.Judgement
	any        bool
}

// finding explains a finding, which is not reported if there is a reason for that.
func (e *explanation) finding(f *audit.Finding, dropped string) {
	j := e.judgements[judged{f.Catalog, f.At.String(), f.Name, f.Start}]
	if j != nil && j.Against != "" {
		j = nil
	}
	if e.json {
		text, err := report.AppendFinding(nil, f)
		e.err = errors.Join(e.err, err)
		x := explained{File: f.Catalog, Node: f.Node, Pointer: f.Pointer, Finding: text, Dropped: dropped}
		e.err = errors.Join(e.err, json.Unmarshal(text, &x.at))
		for _, t := range f.SeverityTerms() {
			x.SeverityTerms = append(x.SeverityTerms, severityTerm{t.Steps, t.Severity.String(), t.Reason})
		}
		e.encode(x, j)
		return
	}
	e.header(f.Location(), f.Catalog, f.Node)
	fmt.Fprintf(&e.out, "  %s: %s, %s, confidence %s", terminal.Line(f.Rule), f.Severity, f.Class, f.Confidence)
	if masked := f.Masked(); masked != "" {
		e.out.WriteString(", " + terminal.Line(masked))
	}
	fmt.Fprintf(&e.out, "\n  %s\n", terminal.Line(f.Message))
	e.severity(f)
	if dropped != "" {
		fmt.Fprintf(&e.out, "  It is not reported: %s\n", terminal.Line(dropped))
	}
	if j != nil {
		e.terms(j)
	}
	fmt.Fprintf(&e.out, "\n  'pcat list rules %s' has the remedy. The fingerprint is %s.\n", terminal.Line(f.Rule), f.Fingerprint)
}

// severity writes the terms of the severity of a finding.
func (e *explanation) severity(f *audit.Finding) {
	terms := f.SeverityTerms()
	if len(terms) == 0 {
		return
	}
	first, last := terms[0], terms[len(terms)-1].Severity
	fmt.Fprintf(&e.out, "  severity %s: %s for %s", last, first.Severity, first.Reason)
	for _, t := range terms[1:] {
		fmt.Fprintf(&e.out, ", %+d because %s", t.Steps, t.Reason)
	}
	if f.Severity != last {
		fmt.Fprintf(&e.out, "; the configuration makes it %s", f.Severity)
	}
	e.out.WriteByte('\n')
}

// passed explains a value that is no finding.
func (e *explanation) passed(j *audit.Judgement) {
	if e.json {
		e.encode(explained{File: j.Catalog, at: at{j.Ref, j.Path}, Pointer: j.Pointer, Name: j.Name, Against: j.Against}, j)
		return
	}
	e.header(j.Location, j.Catalog, "")
	fmt.Fprintf(&e.out, "  no finding: the value of %s is %s\n", terminal.Line(j.Name), j.Against)
	e.terms(j)
}

// header writes the first line about a location, after an empty line if it is not the
// first one.
func (e *explanation) header(location, catalog, node string) {
	if e.any {
		e.out.WriteByte('\n')
	}
	e.any = true
	e.out.WriteString(terminal.Line(location) + " in " + terminal.Line(catalog))
	if node != "" {
		e.out.WriteString(", node " + terminal.Line(node))
	}
	e.out.WriteByte('\n')
}

func (e *explanation) terms(j *audit.Judgement) {
	if len(j.Terms) == 0 {
		return
	}
	fmt.Fprintf(&e.out, "\n  The score of %s is %.1f; a secret has at least %.0f.\n", terminal.Line(j.Name), j.Score(), audit.Threshold)
	for _, t := range j.Terms {
		fmt.Fprintf(&e.out, "  %6.1f  %s\n", t.Points, t.Reason)
	}
}
