package document

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// PrintFlags say how a command prints values. Declare them with AddFlags.
type PrintFlags struct {
	To          string // the name of a format; empty for the notation of the language
	Raw         bool   // a String is printed as it is
	ShowSecrets bool
}

// AddFlags declares the flags.
func (f *PrintFlags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.To, "to", "t", "", "print values in `FORMAT` (see pcat list formats; default Puppet notation)")
	flags.BoolVarP(&f.Raw, "raw", "r", false, "print a String without quotes")
	flags.BoolVar(&f.ShowSecrets, "show-secrets", false, "print secrets instead of masking them")
	cli.CompleteFlag(cmd, "to", formats.Default().Names()...)
}

// Check returns a usage error for invalid flags.
func (f *PrintFlags) Check() error {
	if f.Raw && f.To != "" {
		return cli.Usage("-r and -t cannot be used together")
	}
	_, err := format("-t", f.To)
	return err
}

// Print prints a value on lines of its own. Secrets are redacted unless they are asked for.
func (f *PrintFlags) Print(w io.Writer, v pcore.Value) error {
	text, err := f.append(nil, v)
	if err != nil {
		return cli.BadInput("", "", err)
	}
	_, err = w.Write(text)
	return err
}

// Text returns the text of a value in the notation of the language, as Print prints it, on
// one line; that of a String without quotes.
func (f *PrintFlags) Text(v pcore.Value) (string, error) {
	if f.ShowSecrets {
		var err error
		if v, err = opened(v); err != nil {
			return "", cli.BadInput("", "", err)
		}
	}
	text, ok := v.(pcore.String)
	if !ok {
		text = pcore.String(v.String())
	}
	return terminal.Line(string(text)), nil
}

func (f *PrintFlags) append(b []byte, v pcore.Value) ([]byte, error) {
	to, err := format("-t", f.To)
	if err != nil {
		return nil, err
	}
	if to.Name == "" {
		return f.appendText(b, v)
	}
	if b, err = to.Append(b, v, f.encoding()); err != nil {
		return nil, err
	}
	if to.IsJSON() {
		b = append(terminal.JSON(b), '\n')
	}
	return b, nil
}

// encoding returns how values are written in a format.
func (f *PrintFlags) encoding() serialization.EncodeOptions {
	if f.ShowSecrets {
		return serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
	}
	return serialization.EncodeOptions{Secrets: serialization.RedactSecrets}
}

func (f *PrintFlags) appendText(b []byte, v pcore.Value) ([]byte, error) {
	if f.ShowSecrets {
		var err error
		if v, err = opened(v); err != nil {
			return nil, err
		}
	}
	if text, ok := v.(pcore.String); ok && f.Raw {
		b = append(b, text...)
		if len(text) > 0 && text[len(text)-1] == '\n' {
			return b, nil
		}
		return append(b, '\n'), nil
	}
	return append(append(b, terminal.Line(v.String())...), '\n'), nil
}

// opened returns v with each Sensitive replaced by its value.
func opened(v pcore.Value) (pcore.Value, error) {
	return pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if secret, ok := c.Value().(*pcore.Sensitive); ok {
			return secret.Reveal(), nil //nolint:forbidigo // asked for by --show-secrets
		}
		return c.Value(), nil
	})
}
