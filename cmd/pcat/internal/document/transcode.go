package document

import (
	"context"
	"errors"
	"io"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/serialization"
)

// Transcode writes d, which contains a catalog, in the other rich format without making
// values. It reports false, and writes nothing, if [WriteFlags.WriteCatalog] must do that:
// if there is no such conversion, if the output is indented or must be approved, or if
// transcoding fails. The output waits in a spool until the document has been read to its
// end.
func (f *WriteFlags) Transcode(ctx context.Context, s *cli.IOStreams, d *Document) (done bool, err error) {
	if !document.OnePass(d.Format, f.Target(d)) || f.Indent > 0 || f.Approve != nil {
		return false, nil
	}
	output := s.SpoolFor(d.Size())
	defer func() { err = errors.Join(err, output.Close()) }()
	watch := document.Watch{Maps: []string{"resources", "edges", "data"}, SecretList: "sensitive_parameters"}
	done, err = document.TranscodeStream(output, d.content.Reader(), d.Format, f.Target(d), lenient(), f.encodeOptions(), &watch)
	if !done || err != nil {
		return err != nil, d.Failure(err)
	}
	f.expose(watch.Secrets)
	return true, f.Write(ctx, s, d, func(w io.Writer) error {
		_, err := output.WriteTo(w)
		return err
	})
}

// lenient keeps what nobody knows here: the types of modules come with catalogs.
func lenient() serialization.DecodeOptions {
	return serialization.DecodeOptions{AllowUnknownTypes: true}
}

func (f *WriteFlags) encodeOptions() serialization.EncodeOptions {
	return serialization.EncodeOptions{Secrets: serialization.PlainSecrets, Indent: f.Blanks(), OnLoss: f.OnLoss}
}

// render returns d, one value, in the format of the output.
func (f *WriteFlags) render(d *Document) ([]byte, error) {
	data, err := d.ReadAll()
	if err != nil {
		return nil, err
	}
	o := lenient()
	o.Plain = d.decode.Plain
	return document.Transcode(nil, data, d.Format, f.Target(d), o, f.encodeOptions())
}
