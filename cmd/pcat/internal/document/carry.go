package document

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/transcode"
)

// Carry writes d, which holds a catalog, in the other rich form without making anything of its
// parts, and reports whether that is the way to go: not when the output is to be laid out, and not
// when d cannot be read, for going through the catalog tells better why.
func (f *WriteFlags) Carry(ctx context.Context, s *cli.IOStreams, d *Document) (carried bool, err error) {
	road := transcode.Between(d.Form, f.Target(d))
	if road == nil || f.Indent > 0 {
		return false, nil
	}
	data, err := road(nil, d.Data, lenient(), f.encodeOptions())
	if err != nil {
		return false, nil //nolint:nilerr // as the comment says
	}
	f.Output.Private = mayDeclareSecrets(data) && d.holdsSecrets()
	return true, f.Write(ctx, s, d, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// lenient keeps what nobody knows here: the types of modules come with catalogs.
func lenient() serialization.DecodeOptions {
	return serialization.DecodeOptions{AllowUnknownTypes: true}
}

func (f *WriteFlags) encodeOptions() serialization.EncodeOptions {
	return serialization.EncodeOptions{Secrets: serialization.ClearSecrets, Indent: strings.Repeat(" ", max(0, f.Indent))}
}

// render returns d, one value, in the form of the output.
func (f *WriteFlags) render(d *Document) ([]byte, error) {
	target := f.Target(d)
	if road := transcode.Between(d.Form, target); road != nil {
		return road(nil, d.Data, lenient(), f.encodeOptions())
	}
	v, err := d.Form.Decode(d.Data, lenient())
	if err != nil {
		return nil, err
	}
	return target.Append(nil, v, f.encodeOptions())
}

// mayDeclareSecrets looks for what a secret is declared with. In what was written here, neither has
// another spelling.
func mayDeclareSecrets(written []byte) bool {
	return bytes.Contains(written, []byte("sensitive_parameters")) || bytes.Contains(written, []byte("Sensitive"))
}

// holdsSecrets reports whether a resource of d holds a secret, or may do so.
func (d *Document) holdsSecrets() bool {
	for r, err := range d.Reader().Resources() {
		if err != nil {
			return true
		}
		if holds, err := r.HoldsSecrets(); holds || err != nil {
			return true
		}
	}
	return false
}
