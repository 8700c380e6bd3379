package catalog

import (
	"io"

	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/serialization"
)

// WriteOptions are the options of a [Writer].
type WriteOptions struct {
	// Secrets is the policy for every Sensitive and for the parameters that a
	// resource lists in `sensitive_parameters`. The zero value rejects them.
	// Resources are written with their original bytes only with
	// [serialization.PlainSecrets].
	Secrets serialization.SecretMode
	// Indent is the indentation of one level in a textual form. Use the one of
	// [Reader.Layout] to keep the layout of a document.
	Indent string
	// Reformat writes everything anew instead of copying original bytes, so
	// that Indent applies throughout.
	Reformat bool
	// OnLoss is called for each value that the form cannot represent, with the
	// path from the root of the document.
	OnLoss func(serialization.Loss)
}

// Writer writes the parts of a document. It is not safe for concurrent use.
type Writer struct {
	out     serialization.Writer
	format  serialization.Format
	options WriteOptions
	dst     io.Writer
	// counts indicates that maps and arrays have as many members as the Count
	// of their Part.
	counts  bool
	newline bool
	scratch []byte // reused by carried
}

// NewWriter returns a Writer that writes a document of the given form to dst.
func NewWriter(dst io.Writer, format serialization.Format, o WriteOptions) *Writer {
	return &Writer{
		out:     format.NewWriter(dst, serialization.EncodeOptions{Secrets: o.Secrets, Indent: o.Indent, OnLoss: o.OnLoss}),
		format:  format,
		options: o,
		dst:     dst,
	}
}

// holds reports whether bytes of a form can be written unchanged.
func (w *Writer) holds(from *source) bool {
	return w.clear() && !w.options.Reformat && from.format.SameWire(w.format) &&
		(from.format.Name == w.format.Name || w.format.Rich)
}

// carried transcodes the bytes of c to the form of w, if that is possible
// without decoding the value.
func (w *Writer) carried(c content) (raw []byte, ok bool) {
	if c.raw == nil || !w.clear() || w.options.Indent != "" {
		return nil, false
	}
	if !document.OnePass(c.from.format, w.format) {
		return nil, false
	}
	raw, err := document.Transcode(w.scratch[:0], c.raw, c.from.format, w.format, c.from.options, serialization.EncodeOptions{Secrets: w.options.Secrets})
	if err != nil {
		return nil, false // decoding the value reports the cause
	}
	w.scratch = raw
	return raw, true
}

func (w *Writer) clear() bool { return w.options.Secrets == serialization.PlainSecrets }

// Write writes a part. The error is an *[Error].
func (w *Writer) Write(p Part) error {
	return located(w.write(p), Location{}, -1)
}

func (w *Writer) write(p Part) error {
	if p.Key != "" || p.keyed {
		if err := w.out.Key(p.Key); err != nil {
			return err
		}
	}
	switch p.Kind {
	case PartMap:
		return w.out.BeginMap(w.count(p))
	case PartArray:
		return w.out.BeginArray(w.count(p))
	case PartEnd:
		return w.out.End()
	case PartMember:
		return located(p.Member.write(w), Location{Path: path(p.Key)}, -1)
	case PartResource:
		return p.Resource.write(w)
	case PartEdge:
		return located(p.Edge.write(w), Location{Path: path("edges")}, -1)
	}
	return ErrShape
}

func (w *Writer) count(p Part) int {
	if !w.counts {
		return -1
	}
	return p.Count
}

// WriteCatalog writes a whole catalog, without an envelope.
func (w *Writer) WriteCatalog(c *Catalog) error {
	first := true
	for p := range c.parts() {
		if first {
			p.Key, p.keyed = "", false
			first = false
		}
		if err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// Close flushes buffered data. It does not close the underlying writer.
func (w *Writer) Close() error {
	if err := w.out.Close(); err != nil {
		return located(err, Location{}, -1)
	}
	if w.newline {
		if _, err := w.dst.Write([]byte{'\n'}); err != nil {
			return located(err, Location{}, -1)
		}
	}
	return nil
}
