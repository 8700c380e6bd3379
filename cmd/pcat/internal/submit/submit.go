// Package submit implements the submit command.
package submit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/puppetdb"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/source"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Options are the settings of the submit command.
type Options struct {
	Streams *cli.IOStreams

	Read     document.ReadFlags
	Jobs     cli.JobFlags
	Producer string
	Wait     time.Duration
	// AllowSecrets submits catalogs in which an audit finds secrets.
	AllowSecrets bool
	Args         []string

	address source.Address
	client  *source.Client
	stdin   *document.Document // nil before it was read
}

// NewCmd returns the submit command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "submit puppetdb:[//HOST:PORT/] PATH...",
		Short: "Send catalogs to PuppetDB",
		Long: `Send catalogs to PuppetDB, as Puppet Server does after each compilation. A
catalog replaces the stored catalog of its node. It is sent in the format of
PuppetDB's terminus: without Sensitive parameters, and with rich values as text.

PuppetDB encrypts and redacts nothing. If an audit finds a secret that is not a
Sensitive parameter, nothing is sent; "pcat redact" removes such secrets, and
--allow-secrets sends them.

PuppetDB accepts each catalog before it processes it. pcat submit therefore
first checks for errors that make PuppetDB discard a catalog silently (duplicate
resources, edges to missing resources, invalid tags), and then waits until the
catalog is stored.`,
		Example: `  pcat submit puppetdb: web01.json
  pcat submit puppetdb://puppetdb.example.com catalogs/
  pcat redact catalog.json | pcat submit 'puppetdb://localhost:8080/?tls=no' -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	opts.Read.AddFlags(cmd)
	opts.Jobs.AddFlags(flags)
	flags.StringVar(&opts.Producer, "producer", "", "the `CERTNAME` of the sending server (default from the settings)")
	flags.DurationVar(&opts.Wait, "wait", 30*time.Second, "wait at most `TIME` until each catalog is stored; 0 does not wait")
	flags.BoolVar(&opts.AllowSecrets, "allow-secrets", false, "send catalogs with plain-text secrets")
	return cmd
}

// Run sends the catalogs.
func Run(ctx context.Context, opts *Options) (err error) {
	if err := errors.Join(opts.Read.Check(), opts.Jobs.Check(), opts.target()); err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args[1:])
	if err != nil {
		return err
	}
	if !opts.AllowSecrets {
		if err := opts.checkSecrets(ctx, sources); err != nil {
			return err
		}
	}
	opts.Jobs.Doing = "submitting"
	return opts.Jobs.Run(ctx, io.Discard, sources, func(ctx context.Context, src cli.Source, _ io.Writer) (err error) {
		doc, err := opts.open(ctx, src)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, doc.Close()) }()
		all, err := doc.Catalogs()
		if err != nil {
			return err
		}
		for _, c := range all {
			if err := opts.submit(ctx, doc, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// target sets the address and the client.
func (opts *Options) target() (err error) {
	to := opts.Args[0]
	if !source.IsAddress(to) {
		return cli.Usage("%s is not a target: begin with puppetdb:, for example: pcat submit puppetdb: catalog.json", to)
	}
	remote := opts.Read.Remote()
	if opts.address, err = remote.Address(to); err != nil {
		return err
	}
	if a := opts.address; a.System != source.PuppetDB || a.Node != "" || a.Query != "" {
		return cli.Usage("%s: catalogs can be sent to puppetdb: or puppetdb://HOST:PORT/; the node is the one in the catalog", to)
	}
	client, settings, err := remote.Client(opts.Streams)
	if err != nil {
		return err
	}
	if opts.client = client; opts.Producer == "" {
		opts.Producer = settings.Certname
	}
	return nil
}

// open opens a source. Standard input, which can be read once, is kept.
func (opts *Options) open(ctx context.Context, src cli.Source) (*document.Document, error) {
	if src.Name != cli.Stdin {
		return opts.Read.Open(ctx, src)
	}
	if opts.stdin == nil {
		var err error
		if opts.stdin, err = opts.Read.Open(ctx, src); err != nil {
			return nil, err
		}
	}
	return opts.stdin, nil
}

// checkSecrets returns an error if the audit finds a secret that PuppetDB would store.
func (opts *Options) checkSecrets(ctx context.Context, sources []cli.Source) error {
	auditor, err := redact.NewAuditor(audit.Options{Jobs: opts.Jobs.Jobs})
	if err != nil {
		return err
	}
	inputs := make([]redact.Input, len(sources))
	for i, src := range sources {
		inputs[i].Open = func(ctx context.Context) (*catalog.Reader, io.Closer, error) {
			doc, err := opts.open(ctx, src)
			if err != nil {
				return nil, nil, err
			}
			if doc == opts.stdin {
				return doc.Reader(), nil, nil
			}
			return doc.Reader(), doc, nil
		}
		inputs[i].Name = src.Name
	}
	result, err := redact.Check(ctx, inputs, redact.Options{Audit: auditor, Jobs: opts.Jobs.Jobs})
	if err != nil {
		return err
	}
	var failures []error
	for i, locations := range result.Replacements {
		if err := result.Failures[i]; err != nil {
			failures = append(failures, cli.BadInput(sources[i].Name, "", err))
			continue
		}
		for _, p := range locations {
			if !p.Declared || len(p.Findings) > 0 { // a value can have a declared secret and another one
				failures = append(failures, cli.BadInput(sources[i].Name, p.At.String(), errors.New("a secret in plain text, which PuppetDB would store")))
			}
		}
	}
	if len(failures) > 0 {
		return errors.Join(append(failures, cli.BadInput("", "", errors.New("nothing was sent; remove the secrets with pcat redact, or use --allow-secrets")))...)
	}
	return nil
}

// submit sends a catalog of a document.
func (opts *Options) submit(ctx context.Context, doc *document.Document, c *catalog.Catalog) error {
	if problems := puppetdb.Problems(c); len(problems) > 0 {
		return doc.Failure(doc.Masked(rejected(doc, problems)))
	}
	now := time.Now()
	payload, err := puppetdb.Replace(c, puppetdb.Submission{Producer: opts.Producer, Time: now})
	if err != nil {
		return doc.Failure(err)
	}
	format, err := formats.Default().ByName("stringified-json")
	if err != nil {
		return err
	}
	data, err := format.Append(nil, payload, serialization.EncodeOptions{Secrets: serialization.PlainSecrets}) // the format of commands hides them
	if err != nil {
		return doc.Failure(err)
	}
	err = opts.client.Submit(ctx, opts.address, source.Command{Certname: c.Name(), Payload: data, Time: now}, opts.Wait)
	if errors.Is(err, source.ErrNotStored) {
		err = fmt.Errorf("the catalog of %q was accepted, but %w: PuppetDB is slow, or it has discarded the catalog; the reason is in its log, and in stockpile/discard/ of its vardir", c.Name(), err)
	}
	if err != nil {
		return cli.BadInput(doc.Name, "", doc.Masked(err))
	}
	doc.Log().Info("stored: the catalog of "+c.Name(), cli.FileKey, doc.Name)
	return nil
}

// rejected returns the error for a catalog that PuppetDB would discard.
func rejected(doc *document.Document, problems []puppetdb.Problem) error {
	const most = 5
	var lines []string
	for _, p := range problems {
		line := p.What
		if at := doc.Named(p.At).String(); at != "" {
			line = at + ": " + line
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("and %d more", more))
	}
	return errors.New("PuppetDB would discard this catalog: " + strings.Join(lines, "; "))
}
