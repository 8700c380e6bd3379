package document

import (
	"context"
	"errors"
	"hash/crc32"
	"io"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/document"
)

// Transcode writes d, which contains a catalog, in the other rich form without decoding values. It reports whether it
// wrote d: not with an indentation, and not if the output must be approved. If transcoding fails, it continues like
// [WriteFlags.WriteCatalog] with ts, which has better error messages.
func (f *WriteFlags) Transcode(ctx context.Context, s *cli.IOStreams, d *Document, ts ...catalog.Transform) (carried bool, err error) {
	if !document.OnePass(d.Form, f.Target(d)) || f.Indent > 0 || f.Approve != nil {
		return false, nil
	}
	return true, f.Write(ctx, s, d, func(w io.Writer) error {
		watch := document.Watch{Maps: []string{"resources", "edges", "data"}, SecretList: "sensitive_parameters"}
		out := &resumingWriter{w: w}
		carried, err := document.TranscodeStream(out, d.content.Reader(), d.Form, f.Target(d), lenient(), f.encodeOptions(), &watch)
		f.Output.Private = f.Output.Private || watch.Secrets
		if carried || err != nil {
			return err
		}
		out.restart()
		if err := f.copy(ctx, out, d, FindSecrets, ts); err != nil {
			return err
		}
		return out.end()
	})
}

// resumingWriter lets a second attempt write an output again from its start: the bytes that the first attempt has
// written are checked, but not written again.
type resumingWriter struct {
	w      io.Writer
	n      int64  // bytes written
	sum    uint32 // their checksum
	replay int64  // bytes that the second attempt still has to repeat
	check  uint32 // checksum of the repeated bytes
}

// restart begins the second attempt.
func (r *resumingWriter) restart() { r.replay = r.n }

// Write implements io.Writer.
func (r *resumingWriter) Write(p []byte) (int, error) {
	if r.replay == 0 {
		n, err := r.w.Write(p)
		r.n += int64(n)
		r.sum = crc32.Update(r.sum, crc32.IEEETable, p[:n])
		return n, err
	}
	known := int(min(int64(len(p)), r.replay))
	r.check = crc32.Update(r.check, crc32.IEEETable, p[:known])
	if r.replay -= int64(known); r.replay == 0 && r.check != r.sum {
		return 0, errChanged
	}
	n, err := r.w.Write(p[known:])
	return known + n, err
}

// end returns an error if the second attempt did not repeat all bytes.
func (r *resumingWriter) end() error {
	if r.replay > 0 {
		return errChanged
	}
	return nil
}

// errChanged means that both attempts, which must agree, wrote different bytes.
var errChanged = errors.New("the input changed while it was read")

// lenient accepts unknown types, because catalogs have types of modules.
func lenient() serialization.DecodeOptions {
	return serialization.DecodeOptions{AllowUnknownTypes: true}
}

func (f *WriteFlags) encodeOptions() serialization.EncodeOptions {
	return serialization.EncodeOptions{Secrets: serialization.ClearSecrets, Indent: f.Blanks(), OnLoss: f.OnLoss}
}

// render returns d, one value, in the form of the output.
func (f *WriteFlags) render(d *Document) ([]byte, error) {
	data, err := d.ReadAll()
	if err != nil {
		return nil, err
	}
	o := lenient()
	o.Plain = d.decode.Plain
	return document.Transcode(nil, data, d.Form, f.Target(d), o, f.encodeOptions())
}
