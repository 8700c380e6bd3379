// Package unseal is the command pcat unseal.
package unseal

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/sensitive/seal"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Args    []string
	Read    document.ReadFlags
	Write   document.WriteFlags
	Jobs    cli.JobFlags
	Key     string
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "unseal --key FILE [FILE...]",
		Short: "Decrypt the secrets of a catalog with the key of its node",
		Long: `Decrypt the node_decrypt calls of a catalog with the private key of the node:
calls from pcat redact --mode encrypt and from the module node_encrypt. As on an
agent, a decrypted parameter is listed in sensitive_parameters; deeper inside a
parameter, the text becomes a Sensitive.

The output contains plain-text secrets. Output files, and directories that
--output-dir creates, are readable by their owner only.`,
		Example: `  pcat unseal --key web01.example.com.pem catalog.json
  pcat unseal --key web01.example.com.pem -i catalogs/
  pcat unseal --key web01.example.com.pem --output-dir private catalogs/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Write.AddFlags(cmd, "`FORMAT` of the output (default as the input)")
	opts.Jobs.AddFlags(cmd.Flags())
	cmd.Flags().StringVar(&opts.Key, "key", "", "read the private key of the node from `FILE` (PEM)")
	return cmd
}

// Run decrypts in the inputs.
func Run(ctx context.Context, opts *Options) error {
	opener, err := opts.opener()
	if err != nil {
		return err
	}
	if err := errors.Join(opts.Read.Check(), opts.Jobs.Check()); err != nil {
		return err
	}
	sources, err := opts.Write.Sources(ctx, opts.Streams, &opts.Read, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	opts.Write.Output.Private = true
	opts.Jobs.Doing = "decrypting"
	err = opts.Read.Each(ctx, &opts.Jobs, sources, io.Discard, func(ctx context.Context, doc *document.Document, _ io.Writer) error {
		write := opts.Write // which notes whether this output contains secrets
		return write.WriteCatalog(ctx, opts.Streams, doc, opener)
	})
	return opts.Write.Finish(opts.Streams, err)
}

func (opts *Options) opener() (*seal.Opener, error) {
	if opts.Key == "" {
		return nil, cli.Usage("missing --key FILE, the private key of the node; for example: pcat unseal --key node.pem catalog.json")
	}
	return OpenerOf(opts.Key)
}

// OpenerOf returns an opener with the private key in a file.
func OpenerOf(file string) (*seal.Opener, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, cli.BadInput(file, "", err)
	}
	key, err := seal.ParseKey(text)
	if err != nil {
		return nil, cli.BadInput(file, "", err)
	}
	return seal.NewOpener(key), nil
}
