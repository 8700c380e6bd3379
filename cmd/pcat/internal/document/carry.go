package document

import (
	"context"
	"errors"
	"io"

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
	data := d.content.Bytes()
	if data != nil || f.Output.ToFile() {
		if f.Output.Private, err = d.holdsSecrets(data != nil); err != nil {
			return false, nil //nolint:nilerr // as the comment says
		}
	}
	if data != nil {
		if data, err = road(nil, data, lenient(), f.encodeOptions()); err != nil {
			return false, nil //nolint:nilerr // likewise
		}
	}
	err = f.Write(ctx, s, d, func(w io.Writer) error {
		if data != nil {
			_, err := w.Write(data)
			return err
		}
		carried, err := transcode.Carry(w, d.content.Reader(), d.Form, f.Target(d), lenient(), f.encodeOptions(), "resources", "edges", "data")
		if err == nil && !carried {
			return errNotCarried
		}
		return err
	})
	return !errors.Is(err, errNotCarried), err
}

// errNotCarried keeps a file from being written.
var errNotCarried = errors.New("document: the short road ends")

// lenient keeps what nobody knows here: the types of modules come with catalogs.
func lenient() serialization.DecodeOptions {
	return serialization.DecodeOptions{AllowUnknownTypes: true}
}

func (f *WriteFlags) encodeOptions() serialization.EncodeOptions {
	return serialization.EncodeOptions{Secrets: serialization.ClearSecrets, Indent: f.Blanks(), OnLoss: f.OnLoss}
}

// render returns d, one value, in the form of the output.
func (f *WriteFlags) render(d *Document) ([]byte, error) {
	target := f.Target(d)
	data, err := d.ReadAll()
	if err != nil {
		return nil, err
	}
	if road := transcode.Between(d.Form, target); road != nil {
		return road(nil, data, lenient(), f.encodeOptions())
	}
	o := lenient()
	o.Plain = d.decode.Plain
	v, err := d.Form.Decode(data, o)
	if err != nil {
		return nil, err
	}
	return target.Append(nil, v, f.encodeOptions())
}

// holdsSecrets reports whether a resource of d holds a secret. If all is to be looked at, it goes on
// once that is clear, and returns an error when d is no catalog throughout.
func (d *Document) holdsSecrets(all bool) (holds bool, err error) {
	for r, err := range d.Reader().Resources() {
		if err != nil {
			return false, err
		}
		if !holds {
			if holds, err = r.HoldsSecrets(); err != nil {
				return false, err
			}
		}
		if holds && !all {
			break
		}
	}
	return holds, nil
}
