// Package redact is the command pcat redact.
package redact

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/sensitive/seal"
)

// The values of --mode.
const (
	modeMask      = "mask"
	modeDrop      = "drop"
	modeDigest    = "digest"
	modePseudonym = "pseudonym"
	modeEncrypt   = "encrypt"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Args    []string
	Read    document.ReadFlags
	Write   document.WriteFlags
	Jobs    cli.JobFlags
	Key     cli.KeyFlags
	Mode    string

	NodeCert   string
	SignerCert string
	SignerKey  string

	// SecretsFrom names inputs whose secrets are redacted in the others. They are not written.
	SecretsFrom []string

	Also   []string // names, to redact them, too
	Only   string   // declared, or empty for findings, too
	Config string   // lists findings that stay; empty for none
	Check  bool
	FailOn cli.Gate // of Check
	// Explain is of Check: say whose copies are in a location, and how they are spelled.
	Explain bool
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams, FailOn: cli.Gate{Steps: []string{anyStep, undeclared}, Noun: "step"}}
	cmd := &cobra.Command{
		Use:   "redact [FILE...]",
		Short: "Remove the secrets from a catalog before you share it",
		Long: `Replace the secrets of a catalog: parameters listed in sensitive_parameters,
Sensitive values at any depth, the undeclared secrets that pcat audit finds, and
all copies of them in titles, tags, edges, commands and content, including
base64, hexadecimal, percent and JSON encodings. Equal secrets get equal
markers, so references stay intact.

The output is audited again and searched for every secret. Nothing is written if
a secret is left (exit code 5), or if an input has a value that is too large to
search completely (exit code 3). Secrets that are too short or too common to
search for are replaced only at their own location; -v lists them. A line on
standard error counts the replaced secrets; -q omits it.

--only declared keeps undeclared secrets and counts them. --config keeps the
findings that this file allows, and lists them. Both make the output unsafe to
share.

--also names replaces names, too: hosts and domains, users and groups, IP and
hardware addresses, mail addresses. Each name has the same marker in all inputs
of a run: host-1.domain-1.invalid, user-1, 192.0.2.1. The names of system
accounts, packages and modules stay, and names in base64 are not found.

--output-dir writes the results below a directory, and masks secrets in file
names. Files in a directory that are not catalogs are skipped. If one of several
inputs cannot be read, --output-dir and -i write nothing, because other catalogs
may contain its secrets.

--secrets-from FILE also replaces the secrets of FILE, but does not write FILE.
For a report, name the catalog of the same run.

--check writes nothing. It lists the locations that would change, and exits with
1 if there are any. Secrets that are already encrypted are not listed. --also
names also lists the locations of names. With --explain, --check also lists the
copies at each location, their sources and their encodings.

Modes of --mode:

  mask       numbered markers: redacted-1-by-pcat
  drop       remove the secret where the catalog stays valid without it
  digest     keyed digests: equal for equal secrets in all catalogs with the
             same key. Without a key, a random key is used for this run.
  pseudonym  like digest, but as pronounceable words
  encrypt    for the node only: each secret becomes a Deferred call of
             node_decrypt (module node_encrypt), encrypted for --node-cert.
             Copies inside other text are masked. pcat unseal decrypts.`,
		Example: `  pcat redact catalog.json > shareable.json
  pcat redact --check catalogs/
  pcat redact --check --explain catalog.json
  pcat redact --output-dir shareable catalogs/
  pcat redact --also names catalog.json > public.json
  pcat redact --secrets-from agent: last_run_report.yaml > shareable.yaml
  pcat redact --mode digest --key-file audit.key -i catalogs/
  pcat redact --mode drop -t rich-json catalog.msgpack
  pcat redact --mode encrypt --node-cert web01.example.com.pem catalog.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			if cmd.Flags().Changed(cli.GateFlag) && !opts.Check {
				return cli.Usage("--fail-on needs --check, which lists the locations")
			}
			if opts.Explain && !opts.Check {
				return cli.Usage("--explain needs --check, which lists the locations")
			}
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.RunData = true
	opts.Read.AddFlags(cmd)
	opts.Write.AddFlags(cmd, "`FORMAT` of the output (default as the input)")
	opts.Key.AddFlags(cmd.Flags(), "of --mode digest and pseudonym")
	flags := cmd.Flags()
	opts.Jobs.AddFlags(flags)
	flags.StringVar(&opts.Mode, "mode", modeMask, "`MODE` of replacement: "+modes)
	cli.CompleteFlag(cmd, "mode", modeMask, modeDrop, modeDigest, modePseudonym, modeEncrypt)
	flags.StringSliceVar(&opts.Also, "also", nil, "also redact `WHAT`: names (of hosts and users, addresses, mail)")
	cli.CompleteFlag(cmd, "also", alsoNames)
	flags.StringVar(&opts.Only, "only", "", "redact only `WHAT`: declared (secrets and their copies)")
	cli.CompleteFlag(cmd, "only", declared)
	flags.StringArrayVar(&opts.SecretsFrom, "secrets-from", nil, "also redact the secrets of `FILE`, which is not written; repeatable")
	flags.StringVar(&opts.Config, "config", "", "keep the findings that `FILE`, such as .pcat-audit.yaml, allows")
	audit.DescribeKey(cmd)
	flags.BoolVar(&opts.Check, "check", false, "write nothing, but list the locations that would be redacted; exit with 1 if there are any")
	flags.BoolVar(&opts.Explain, "explain", false, "with --check, list the copies at each location, their sources and their encodings")
	opts.FailOn.AddFlag(cmd, anyStep, "locations of this `STEP` or higher, with --check; undeclared is a location without a declared secret")
	flags.StringVar(&opts.NodeCert, "node-cert", "", "encrypt for the node with the certificate in `FILE` (PEM)")
	flags.StringVar(&opts.SignerCert, "signer-cert", "", "sign with the certificate in `FILE` (default a generated one)")
	flags.StringVar(&opts.SignerKey, "signer-key", "", "read the private key of --signer-cert from `FILE`")
	return cmd
}

// Run redacts the inputs. Secrets of one input are followed in all of them.
func Run(ctx context.Context, opts *Options) error {
	masker, err := opts.masker()
	if err != nil {
		return err
	}
	if err := errors.Join(opts.FailOn.Check(), opts.checkOnly(), opts.checkAlso(), opts.Read.Check(), opts.Jobs.Check()); err != nil {
		return err
	}
	opts.Read.Remote().Compile.Contents = opts.Check
	sources, err := opts.inputs(ctx)
	if err != nil {
		return err
	}
	r := &run{Options: opts, sources: sources, written: len(sources)}
	if r.sources, err = opts.withSecrets(ctx, sources); err != nil {
		return err
	}
	r.progress = opts.Streams.StartProgress(passes(int64(len(r.sources))))
	defer r.progress.Stop()
	defer func() { r.keep(nil) }()
	if opts.Check {
		return r.check(ctx)
	}
	return r.redact(ctx, masker)
}

// run is the state while the inputs are redacted.
type run struct {
	*Options
	sources  []cli.Source
	written  int // the first ones of the sources; the others only have secrets
	inputs   []*input
	atOnce   bool          // several inputs are worked on at the same time
	progress *cli.Progress // counts the opened inputs
	// kept is the document that was read last, or standard input, which can be read only once.
	kept *document.Document
}

// passes returns the text that shows the progress for the number of inputs that were
// opened: each pass opens all.
func passes(inputs int64) func(opened int64) string {
	return func(opened int64) string {
		pass := max(0, opened-1) / max(1, inputs)
		return fmt.Sprintf("redacting: pass %d, %d of %d", pass+1, opened-pass*inputs, inputs)
	}
}

func (r *run) redact(ctx context.Context, masker sensitive.Masker) error {
	o, err := r.options(ctx)
	if err != nil {
		return err
	}
	o.Masker, o.Begin = masker, r.Write.Output.MaskNames
	result, err := redact.Run(ctx, r.open(), o)
	failures := r.failures(ctx, result.Failures)
	if err != nil {
		return errors.Join(append(failures, r.ended(err))...)
	}
	failed := errors.Join(failures...)
	r.log(result, failed == nil)
	return r.Write.Finish(r.Streams, failed)
}

// options returns the options of a run, without the masker.
func (r *run) options(ctx context.Context) (o redact.Options, err error) {
	o.Jobs, o.OnlyDeclared, o.Explain, o.Names = 1, r.Only == declared, r.Explain, len(r.Also) > 0
	if r.Jobs.Several(r.sources) {
		o.Jobs, o.Each = r.Jobs.Jobs, r.each
	}
	o.Audit, err = r.auditor(ctx)
	return o, err
}

// open returns the inputs.
func (r *run) open() (inputs []redact.Input) {
	for i, src := range r.sources {
		in := &input{run: r, src: src, written: i < r.written}
		r.inputs = append(r.inputs, in)
		redacted := redact.Input{Name: src.Name, Open: in.open, Target: in.target, Original: in.original}
		if in.written {
			redacted.Write = in.write
		}
		inputs = append(inputs, redacted)
	}
	return inputs
}

// failures returns the errors of the inputs as the command prints them.
func (r *run) failures(ctx context.Context, errs []error) (failures []error) {
	for i, in := range r.inputs {
		failures = append(failures, in.failure(ctx, errs[i]))
	}
	return failures
}

// modes lists the values of --mode.
const modes = modeMask + ", " + modeDrop + ", " + modeDigest + ", " + modePseudonym + " or " + modeEncrypt

// alsoNames is the value of --also.
const alsoNames = "names"

func (opts *Options) checkAlso() error {
	for _, what := range opts.Also {
		if what != alsoNames {
			return cli.Usage("--also: unknown value %q; use %s", what, alsoNames)
		}
	}
	switch {
	case len(opts.Also) == 0:
		return nil
	case opts.Mode == modeEncrypt:
		return cli.Usage("--also does not work with --mode encrypt: the node needs the names")
	}
	return nil
}

func (opts *Options) masker() (sensitive.Masker, error) {
	keyed := opts.Mode == modeDigest || opts.Mode == modePseudonym
	if !keyed && opts.Key.Given() {
		return nil, cli.Usage("--key-file and --key-env need --mode digest or pseudonym")
	}
	if opts.Mode != modeEncrypt && opts.NodeCert+opts.SignerCert+opts.SignerKey != "" {
		return nil, cli.Usage("--node-cert, --signer-cert and --signer-key need --mode encrypt")
	}
	switch opts.Mode {
	case modeMask:
		return sensitive.NewMask(), nil
	case modeDrop:
		return sensitive.NewDrop(), nil
	case modeDigest:
		return opts.keyed(sensitive.NewDigest)
	case modePseudonym:
		return opts.keyed(sensitive.NewPseudonym)
	case modeEncrypt:
		sealer, err := opts.sealer()
		if err != nil {
			return nil, err
		}
		return sensitive.NewEncrypt(seal.Function, sealer), nil
	}
	return nil, cli.Usage("--mode: unknown mode %q; use %s", opts.Mode, modes)
}

func (opts *Options) keyed(masker func([]byte) (sensitive.Masker, error)) (sensitive.Masker, error) {
	key, err := opts.Key.Key(opts.Streams)
	if err != nil {
		return nil, err
	}
	if key == nil {
		key = sensitive.NewKey()
	}
	m, err := masker(key)
	if err != nil {
		return nil, cli.Usage("%w", err)
	}
	return m, nil
}

// log logs the result. The counts include inputs that failed, so they are logged only if all are written.
func (r *run) log(result *redact.Result, written bool) {
	log, report := r.Streams.Log, &result.Report
	if n := result.Remaining; n > 0 {
		log.Warn(fmt.Sprintf("the output contains %s; without --only %s, pcat redact also replaces what pcat audit finds", document.Counted(n, "undeclared secret"), declared))
	}
	for _, n := range report.NotFollowed {
		log.Info("copies not searched for", cli.LocationKey, n.Location, "reason", n.Reason)
	}
	switch {
	case !written:
	case r.written == 1 && !r.sources[0].Found:
		r.Streams.Notice(summary(report)+nameSummary(result.Names, len(r.Also) > 0), slog.String(cli.FileKey, r.sources[0].Name))
	default: // the name of a file that was found can contain a secret
		r.Streams.Notice(r.numbers().String() + ": " + summary(report) + nameSummary(result.Names, len(r.Also) > 0))
	}
}

// numbers returns the numbers of the inputs that are written.
func (r *run) numbers() rundata.Numbers {
	numbers := rundata.Numbers{}
	for _, in := range r.inputs[:r.written] {
		for kind, n := range in.numbers {
			numbers[kind] += n
		}
	}
	return numbers
}

// summary returns the counts of a report in a line.
func summary(report *sensitive.Report) string {
	var in []string
	if report.Locations > 0 {
		in = append(in, document.Counted(report.Locations, "location"))
	}
	if report.Copies > 0 {
		in = append(in, copies(report.Copies))
	}
	text := "no secret to replace"
	switch {
	case report.Secrets > 0 && len(in) > 0:
		text = document.Counted(report.Secrets, "secret") + " replaced in " + strings.Join(in, " and ")
	case len(in) > 0: // secrets are counted if their copies are searched for
		text = strings.Join(in, " and ") + " replaced"
	}
	switch n := len(report.NotFollowed); n {
	case 0:
		return text
	case 1:
		return text + "; 1 text is not followed (-v lists it)"
	default:
		return text + fmt.Sprintf("; %d texts are not followed (-v lists them)", n)
	}
}

// nameSummary returns the counts of names, to follow the counts of secrets.
func nameSummary(names redact.NameCounts, asked bool) string {
	var all []string
	for _, c := range []struct {
		n    int
		noun string
	}{
		{names.Hosts, "host"}, {names.Domains, "domain"}, {names.Users, "user"}, {names.Groups, "group"}, {names.Addresses, "address"},
		{names.Mails, "mail address"},
	} {
		if c.n > 0 {
			all = append(all, document.Counted(c.n, c.noun))
		}
	}
	switch {
	case !asked:
		return ""
	case len(all) == 0:
		return "; no name to replace"
	}
	return "; names replaced: " + strings.Join(all, ", ")
}

func copies(n int) string {
	if n == 1 {
		return "1 copy"
	}
	return strconv.Itoa(n) + " copies"
}
