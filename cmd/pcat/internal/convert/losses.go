package convert

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/convert/losses"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// lossFlags control the handling of values that the output format cannot represent.
type lossFlags struct {
	File   string
	Strict bool

	ledger *losses.Ledger
	lines  *cli.Spool // the lines for File, written at the end; nil without a file
}

func (f *lossFlags) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.File, "ledger", "", "list the values that the output format cannot represent in `FILE`")
	flags.BoolVar(&f.Strict, "strict", false, "write nothing if the conversion is lossy")
}

func (f *lossFlags) output() *cli.OutputFlags {
	return &cli.OutputFlags{File: f.File, Private: true} // a secret may be undeclared in another parameter
}

// begin creates the ledger. It returns a usage error if the file is an input or the output.
func (f *lossFlags) begin(opts *Options, sources []cli.Source) error {
	if f.File == "" {
		f.ledger = losses.New(nil)
		return nil
	}
	output := &opts.Write.Output
	if f.File == cli.Stdin && output.ToStdout() && !output.InPlace {
		return cli.Usage("--ledger - and the output cannot both go to standard output; name a file for one of them")
	}
	for _, src := range sources {
		if f.File != cli.Stdin && filepath.Clean(f.File) == filepath.Clean(output.Target(src.Name)) && !output.InPlace {
			return cli.Usage("%s is the file of --ledger, and the output for %s", f.File, src.Name)
		}
	}
	if err := f.output().Check(opts.Streams, sources, false); err != nil {
		return err
	}
	f.lines = opts.Streams.Spool()
	f.ledger = losses.New(f.lines)
	return nil
}

// watch starts to record the losses of doc. done takes the error of writing, and logs a
// summary or adds it to the error.
func (f *lossFlags) watch(opts *Options, doc *document.Document, log *slog.Logger) (done func(error) error) {
	format := opts.Write.Target(doc).Name
	f.ledger.Begin(doc.Name, format)
	var mask *sensitive.Redactor
	f.ledger.Hide(func() losses.Mask {
		mask, _ = doc.Redactor() // an error is that of writing, too
		return mask
	})
	opts.Write.OnLoss = f.ledger.Lost
	if opts.Read.Plain {
		opts.Write.OnLoss = f.lostInPlain
	}
	refused := false
	if f.Strict {
		opts.Write.Approve = func() error {
			if f.ledger.Count() == 0 {
				return nil
			}
			refused = true
			return &cli.Error{Code: cli.ExitFindings, File: doc.Name, Err: errors.New(f.ledger.Summary() + "; nothing was written (--strict)")}
		}
	}
	return func(err error) error {
		if f.ledger.Count() > 0 && !refused && err == nil {
			log.Warn(f.ledger.Summary(), cli.FileKey, doc.Name)
		}
		opts.Read.WarnFound(log, f.lines != nil && mask != nil && mask.MasksFound())
		return errors.Join(err, f.ledger.Err())
	}
}

// lostInPlain records a loss between plain formats. It ignores hashes that could be read as
// rich data, because the input has the same ambiguity.
func (f *lossFlags) lostInPlain(loss serialization.Loss) {
	if loss.Kind != serialization.LostMeaning {
		f.ledger.Lost(loss)
	}
}

// end writes the ledger.
func (f *lossFlags) end(ctx context.Context, s *cli.IOStreams) (err error) {
	if f.lines == nil {
		return nil
	}
	defer func() { err = errors.Join(err, f.lines.Close()) }()
	return f.output().Write(ctx, s, nil, func(w io.Writer) error {
		_, err := f.lines.WriteTo(w)
		return err
	})
}
