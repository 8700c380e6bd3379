package document

import (
	"errors"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/serialization"
)

// output is the destination of a transcoder. It is not used while the whole
// output is in memory.
type output struct {
	dst  io.Writer
	full int // the number of bytes to flush at
	err  error
}

func (f *output) flush(out []byte) []byte {
	if f.err == nil {
		_, f.err = f.dst.Write(out)
	}
	return out[:0]
}

// pieceSize is the number of bytes of a document in memory at a time, unless a
// string, a fragment, or a small array or map is larger.
const pieceSize = 64 << 10

// Watch contains the keys that [TranscodeStream] looks for, and its findings.
// The zero value looks for nothing.
type Watch struct {
	// Maps are keys of arrays, in the top four levels, that must contain only
	// maps.
	Maps []string
	// SecretList is the key of a list of secret keys of the same map.
	SecretList string
	// Secrets is set if the document contains a Sensitive, or a list that is
	// not empty under SecretList.
	Secrets bool
}

// TranscodeStream is [Transcode] for a document that may be larger than memory
// and forms for which [OnePass] is true. It reads src from its current position
// and writes to dst. JSON is read twice: the first pass counts the members of
// large arrays and maps. The memory used depends on the depth of the document
// and its longest string, not on its length.
//
// If done is false, the document must be converted in another way, which also
// finds the reason: it has a local reference, exceeds a limit, contains a value
// that the target cannot represent, is malformed, or is or contains an array
// with elements other than maps where watch requires maps. The bytes already
// written to dst must then be discarded. Errors are those of src and dst. Watch
// may be nil.
func TranscodeStream(dst io.Writer, src io.ReadSeeker, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions, watch *Watch) (done bool, err error) {
	if !OnePass(from, to) {
		return false, nil
	}
	return transcodeInPieces(dst, src, from, to, d, e, pieceSize, watch)
}

func transcodeInPieces(dst io.Writer, src io.ReadSeeker, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions, piece int, watch *Watch) (done bool, err error) {
	r := newTranscoder(from, to, d, e)
	if !r.copiesBytes() {
		return false, nil
	}
	if watch == nil {
		watch = &Watch{}
	}
	r.maps, r.secretList, r.lossless = watch.Maps, watch.SecretList, true
	start, err := src.Seek(0, io.SeekCurrent)
	if err != nil {
		return false, err
	}
	in, out := window{src: src, size: piece, left: codec.ByteLimit(&d), pin: none}, output{dst: dst, full: piece}
	if !from.IsJSON() {
		u := newMsgpackToJSON(r, in, out)
		rest, ok := u.document(nil)
		u.output.flush(rest)
		watch.Secrets = r.secrets
		return ok, faults(&u.window, &u.output)
	}
	counts, ok, err := countMembers(src, piece, d)
	if !ok || err != nil {
		return false, err
	}
	if _, err := src.Seek(start, io.SeekStart); err != nil {
		return false, err
	}
	p := newJSONToMsgpack(r, in, out)
	p.streams, p.counts = true, counts
	rest, ok := p.document(nil)
	p.output.flush(rest)
	watch.Secrets = r.secrets
	return ok, faults(&p.window, &p.output)
}

// faults returns the error of the input or the output, but not of the document.
func faults(f *window, w *output) error {
	if f.err != nil && !errors.Is(f.err, errTooLarge) {
		return f.err
	}
	return w.err
}
