package roundtrip

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
)

// batchSize is the size in bytes of the documents that a large one is divided
// into, unless one resource is larger.
const batchSize = 256 << 10

// Stream verifies a document like [Document], with a small part of it in memory.
// It reads src more than once from its current position.
//
// Stream divides a catalog in JSON or MessagePack into batches of resources, and
// verifies each as a document of its own. Offsets in the output of other formats
// are then approximate. Anything else is verified as a whole, in memory: another
// format or document, local references, and a document that cannot be read.
func Stream(src io.ReadSeeker, format serialization.Format, through []serialization.Format, o Options) (*Result, error) {
	return stream(src, format, through, o, batchSize)
}

func stream(src io.ReadSeeker, format serialization.Format, through []serialization.Format, o Options, size int) (*Result, error) {
	start, err := src.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if format.IsJSON() || format.IsMessagePack() {
		if r, err := inBatches(src, start, format, through, o, size); err == nil {
			return r, nil
		}
		if _, err := src.Seek(start, io.SeekStart); err != nil {
			return nil, err
		}
	}
	data, err := io.ReadAll(src)
	if err != nil {
		return nil, err
	}
	return Document(data, format, through, o)
}

// inBatches verifies a catalog in batches. After an error, which may have a
// cause that only the whole document shows, there is no result.
func inBatches(src io.ReadSeeker, start int64, format serialization.Format, through []serialization.Format, o Options, size int) (*Result, error) {
	o.Decode.AllowUnknownTypes = true
	r := &Result{Format: format.Name, Formats: make([]Conversion, len(through))}
	for i := range through {
		r.Formats[i] = Conversion{Format: through[i].Name, Status: Same}
	}
	b := batches{format: format, size: size}
	source, codec := newCodec(o), newCodec(o)
	copied := true // every batch in its own format
	err := b.each(catalog.NewReader(src, format, o.Decode), func(data []byte, open []level) error {
		if mayRefer(data) {
			return errWhole
		}
		v, err := source.decode(format, data)
		if err != nil {
			return err
		}
		c := check{data: data, format: format, value: v, opts: o, open: open, codec: codec}
		c.opts.ValuesOnly = true // the spelling is checked below
		for i := range through {
			if conversion := &r.Formats[i]; !conversion.stopped {
				next := c.conversion(through[i], conversion.Status == Lossy)
				copied = copied && (next.copied || through[i].Name != format.Name)
				conversion.merge(next)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	end, err := src.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	r.Size = int(end - start)
	for i := range r.Formats {
		if f := through[i]; r.Formats[i].Status == Same && f.Name == format.Name && !o.ValuesOnly {
			if r.Formats[i], err = streamSpelling(r.Formats[i], src, start, format, o, !copied); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// errWhole is the error for a document that must be verified as a whole.
var errWhole = errors.New("verify: not a catalog without local references")

// mayRefer reports whether data may contain a local reference.
func mayRefer(data []byte) bool {
	for _, spelling := range []string{"LocalRef", `\u004`, `\u005`, `\u006`} {
		if bytes.Contains(data, []byte(spelling)) {
			return true
		}
	}
	return false
}

// merge adds the result for the next batch. The result for the whole document is
// that of the first step of a conversion that fails in any batch.
func (r *Conversion) merge(next Conversion) {
	written, losses := r.written, r.Losses+next.Losses
	switch {
	case next.Status == Lossy && (r.Status != Lossy || next.stopped):
		*r = next
		r.Losses = losses
	case r.Status == Lossy:
		r.Losses = losses
	case next.Status == Different && (r.Status == Same || next.Difference.Step.order() < r.Difference.Step.order()):
		*r = next
		if r.Difference.Offset >= 0 {
			r.Difference.Offset += written
		}
	}
	r.written = written + next.written
}

// order returns the position of a step in a conversion.
func (s Step) order() int {
	return slices.Index([]Step{StepRead, StepValue, StepRewrite, StepOnePass, StepSpelling}, s)
}

// batches divides a document into documents of about size bytes.
type batches struct {
	format serialization.Format
	size   int
	open   []level // the maps and arrays around the current part
	out    bytes.Buffer
	w      *catalog.Writer
	held   int // size of the parts in the batch
}

// level is an open map or array.
type level struct {
	part catalog.Part
	// members is the number of members that began in the document; before is
	// the number of those before the first one in the batch.
	members, before int
}

// each calls f with each batch, which is valid until f returns, and the maps and
// arrays that continue in it.
func (b *batches) each(r *catalog.Reader, f func(data []byte, open []level) error) error {
	found := false
	b.begin()
	var continued []level
	for p, err := range r.Parts() {
		if err != nil {
			return err
		}
		found = found || p.Kind == catalog.PartResource || p.Kind == catalog.PartEdge
		if err := b.write(p); err != nil {
			return err
		}
		if len(b.open) > 0 && b.held < b.size {
			continue
		}
		if err := b.end(continued, f); err != nil {
			return err
		}
		if continued, err = b.resume(); err != nil {
			return err
		}
	}
	if !found {
		return errWhole
	}
	return nil
}

func (b *batches) begin() {
	b.out.Reset()
	b.held = 0
	b.w = catalog.NewWriter(&b.out, b.format, catalog.WriteOptions{Secrets: serialization.PlainSecrets})
}

func (b *batches) write(p catalog.Part) error {
	if err := b.w.Write(p); err != nil {
		return err
	}
	b.held += sizeOf(p)
	switch {
	case p.Kind == catalog.PartEnd:
		b.open = b.open[:len(b.open)-1]
		return nil
	case len(b.open) > 0:
		b.open[len(b.open)-1].members++
	}
	if p.Kind == catalog.PartMap || p.Kind == catalog.PartArray {
		b.open = append(b.open, level{part: p})
	}
	return nil
}

// sizeOf returns the size of a part in bytes.
func sizeOf(p catalog.Part) int {
	switch p.Kind {
	case catalog.PartResource:
		return len(p.Resource.Bytes())
	case catalog.PartEdge:
		return len(p.Edge.Bytes())
	case catalog.PartMember:
		return len(p.Member.Bytes())
	default:
		return len(p.Key)
	}
}

// end closes the batch and calls f.
func (b *batches) end(continued []level, f func([]byte, []level) error) error {
	for range b.open {
		if err := b.w.Write(catalog.Part{Kind: catalog.PartEnd}); err != nil {
			return err
		}
	}
	if err := b.w.Close(); err != nil {
		return err
	}
	return f(b.out.Bytes(), continued)
}

// resume begins the next batch with the maps and arrays that are open, and
// returns them.
func (b *batches) resume() ([]level, error) {
	b.begin()
	for i := range b.open {
		l := &b.open[i]
		if l.before = l.members; i < len(b.open)-1 {
			l.before-- // the last one continues, too
		}
		if err := b.w.Write(l.part); err != nil {
			return nil, err
		}
	}
	return slices.Clone(b.open), nil
}

// inDocument changes a path in a batch to the path in the document. open are the
// maps and arrays that continue in the batch.
func inDocument(at catalog.Location, open []level) catalog.Location {
	if !at.Ref.IsZero() {
		return at
	}
	for i, l := range open {
		if i >= len(at.Path) {
			break
		}
		step := &at.Path[i]
		first := step.Index == 0
		if l.part.Kind == catalog.PartArray {
			step.Index += l.before
		}
		if i+1 < len(open) && !(l.part.Kind == catalog.PartArray && first || isKey(*step, open[i+1].part.Key)) {
			break
		}
	}
	return at
}

// streamSpelling is check.spelling for a catalog that is not in memory. Unless
// reformat is set, only the bytes around its parts can differ.
func streamSpelling(conversion Conversion, src io.ReadSeeker, start int64, format serialization.Format, o Options, reformat bool) (Conversion, error) {
	// The document is read twice at the same time, through one file.
	text := bufio.NewReaderSize(&from{src, start}, 64<<10)
	head, err := text.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return conversion, err
	}
	options := catalog.WriteOptions{Secrets: serialization.PlainSecrets, Reformat: reformat}
	if format.Text {
		options.Indent = indentOf(head)
	}
	compared := &comparingWriter{text: text}
	w := catalog.NewWriter(compared, format, options)
	r := catalog.NewReader(&from{src, start}, format, o.Decode)
	err = catalog.Copy(context.Background(), w, r)
	rest, _ := text.Peek(1)
	switch {
	case errors.Is(err, errDiffers):
	case err != nil:
		return conversion, err
	case len(rest) == 0:
		return conversion, nil
	case r.Layout().Newline: // belongs to the rest
		compared.same--
	}
	return different(conversion, &Difference{Step: StepSpelling, Offset: compared.same}), nil
}

// errDiffers is the error of a comparingWriter.
var errDiffers = errors.New("verify: different bytes")

// comparingWriter compares what is written with a text.
type comparingWriter struct {
	text *bufio.Reader
	same int64 // number of equal bytes
}

// Write implements io.Writer.
func (w *comparingWriter) Write(p []byte) (int, error) {
	for n := 0; n < len(p); {
		want, err := w.text.Peek(min(len(p)-n, w.text.Size()))
		if i := firstByte(p[n:], want); int(i) < len(want) || len(want) == 0 {
			w.same += i
			if err != nil && !errors.Is(err, io.EOF) {
				return n, err
			}
			return n, errDiffers
		}
		n += len(want)
		w.same += int64(len(want))
		if _, err := w.text.Discard(len(want)); err != nil {
			return n, err
		}
	}
	return len(p), nil
}

// from reads a file from an offset, whatever its current one.
type from struct {
	src    io.ReadSeeker
	offset int64
}

// Read implements io.Reader.
func (r *from) Read(p []byte) (int, error) {
	if _, err := r.src.Seek(r.offset, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := r.src.Read(p)
	r.offset += int64(n)
	return n, err
}
