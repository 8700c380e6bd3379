// Package redact is the command pcat redact.
package redact

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
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
	Key     cli.KeyFlags
	Mode    string

	NodeCert   string
	SignerCert string
	SignerKey  string
}

// NewCmd returns the command. run replaces what it does, for tests; nil does the real work.
func NewCmd(streams *cli.IOStreams, run func(context.Context, *Options) error) *cobra.Command {
	opts := &Options{Streams: streams}
	if run == nil {
		run = Run
	}
	cmd := &cobra.Command{
		Use:   "redact [FILE...]",
		Short: "Take the secrets out of a catalog, so that it can be shared",
		Long: `Write a catalog without its secrets: parameters listed in sensitive_parameters, Sensitive values at
any depth, and every copy of them elsewhere, in titles, tags, edges, commands and content, also in
base64, hexadecimal, percent or JSON encoding. The same secret becomes the same marker everywhere, so
the output is a catalog whose references still meet.

Before a byte is written, the output is searched for every secret once more; a hit ends the run with
exit code 5. Secrets that are too short or too common to be followed are replaced in their own place
only, and counted in a warning; -v lists them.

Modes: "mask" counts the secrets (redacted-1-by-pcat). "drop" leaves them out where the catalog can
do without. "digest" writes a keyed digest, the same for the same secret in every catalog under the
same key; without a key it is random and holds for this run. "pseudonym" does so in words that can be
said. "encrypt" keeps the secrets, for the node alone: each text becomes a Deferred call of
node_decrypt, of the module node_encrypt, with the text encrypted for --node-cert; copies inside other
text are masked. pcat unseal is the way back.`,
		Example: `  pcat redact catalog.json > shareable.json
  pcat redact --mode digest --key-file audit.key -i catalogs/
  pcat redact --mode drop -t rich-json catalog.msgpack
  pcat redact --mode encrypt --node-cert web01.example.com.pem catalog.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Write.AddFlags(cmd, "`FORM` of the output; that of the input without it")
	opts.Key.AddFlags(cmd.Flags(), "of --mode digest and pseudonym")
	flags := cmd.Flags()
	flags.StringVar(&opts.Mode, "mode", modeMask, "what stands in place of a secret: `MODE` is "+modes)
	cli.CompleteFlag(cmd, "mode", modeMask, modeDrop, modeDigest, modePseudonym, modeEncrypt)
	flags.StringVar(&opts.NodeCert, "node-cert", "", "encrypt for the node whose certificate is in `FILE`, PEM")
	flags.StringVar(&opts.SignerCert, "signer-cert", "", "sign what is encrypted with the certificate in `FILE`; one is made without it")
	flags.StringVar(&opts.SignerKey, "signer-key", "", "the private key of --signer-cert is in `FILE`")
	return cmd
}

// Run redacts the inputs. Secrets of one input are followed in all of them.
func Run(ctx context.Context, opts *Options) error {
	masker, err := opts.masker()
	if err != nil {
		return err
	}
	if err := opts.Read.Check(); err != nil {
		return err
	}
	sources, err := opts.Read.Files.Sources(opts.Streams, opts.Args)
	if err != nil {
		return err
	}
	if err := opts.Write.Check(opts.Streams, sources); err != nil {
		return err
	}
	r := sensitive.New(sensitive.Options{Masker: masker})
	last, failures := opts.collect(ctx, r, sources)
	defer last.close()
	for _, src := range sources {
		if failures[src.Name] == nil {
			failures[src.Name] = opts.redact(ctx, r, src, last)
		}
	}
	opts.tell(r.Report())
	var all []error
	for _, src := range sources {
		all = append(all, failures[src.Name])
	}
	return errors.Join(all...)
}

// modes lists the values of --mode.
const modes = modeMask + ", " + modeDrop + ", " + modeDigest + ", " + modePseudonym + " or " + modeEncrypt

func (opts *Options) masker() (sensitive.Masker, error) {
	keyed := opts.Mode == modeDigest || opts.Mode == modePseudonym
	if !keyed && opts.Key.Given() {
		return nil, cli.Usage("a key is for --mode digest and pseudonym only")
	}
	if opts.Mode != modeEncrypt && opts.NodeCert+opts.SignerCert+opts.SignerKey != "" {
		return nil, cli.Usage("certificates are for --mode encrypt only")
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
	return nil, cli.Usage("--mode %q is not known: use %s", opts.Mode, modes)
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

// kept is the document that was read last, or standard input, which can be read only once.
type kept struct{ doc *document.Document }

// keep keeps a document, unless standard input is kept.
func (k *kept) keep(doc *document.Document) {
	old := k.doc
	if old != nil && old.Name == cli.Stdin {
		old = doc
	} else {
		k.doc = doc
	}
	if old != nil {
		_ = old.Close() // it was read
	}
}

func (k *kept) close() {
	if k.doc != nil {
		_ = k.doc.Close() // it was read
	}
}

// collect learns the secrets of all inputs. Failures are by the name of the input.
func (opts *Options) collect(ctx context.Context, r *sensitive.Redactor, sources []cli.Source) (*kept, map[string]error) {
	failures := make(map[string]error)
	last := &kept{}
	for _, src := range sources {
		doc, err := opts.Read.Open(ctx, src)
		if err == nil {
			err = doc.Failure(r.Collect(doc.Reader()))
			last.keep(doc)
		}
		if err != nil {
			failures[src.Name] = err
		}
	}
	return last, failures
}

func (opts *Options) redact(ctx context.Context, r *sensitive.Redactor, src cli.Source, last *kept) (err error) {
	doc := last.doc
	if doc == nil || doc.Name != src.Name {
		if doc, err = opts.Read.Open(ctx, src); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, doc.Close()) }()
	}
	err = opts.Write.Write(ctx, opts.Streams, doc, func(w io.Writer) error {
		src := doc.Reader()
		return r.RedactAs(ctx, w, opts.Write.Target(doc), src, opts.Write.Options(src))
	})
	if errors.Is(err, sensitive.ErrLeak) {
		return &cli.Error{Code: cli.ExitInternal, File: src.Name, Err: sensitive.ErrLeak}
	}
	return err
}

func (opts *Options) tell(report sensitive.Report) {
	log := opts.Streams.Log
	for _, n := range report.NotFollowed {
		log.Info("not followed", "place", n.Place, "reason", string(n.Reason))
	}
	if n := len(report.NotFollowed); n > 0 {
		secrets := "1 secret is"
		if n > 1 {
			secrets = fmt.Sprintf("%d secrets are", n)
		}
		log.Warn(secrets + " replaced in place only, too short or too common to look for copies; -v lists them")
	}
	log.Info("redacted", "secrets", report.Secrets, "places", report.Places, "copies", report.Copies)
}
