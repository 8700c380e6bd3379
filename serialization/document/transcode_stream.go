package document

import (
	"cmp"
	"errors"
	"io"
	"slices"

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
// and forms for which [OnePass] is true. It reads src twice from its current
// position and writes to dst. The first pass counts the members of large arrays
// and maps. The memory used depends on the depth of the document and its
// longest string, not on its length.
//
// If done is false, the document must be converted in another way, which also
// finds the reason: it has a local reference, exceeds a limit, contains a value
// that the target cannot represent, is malformed, or is or contains an array
// with elements other than maps where watch requires maps. The bytes already
// written to dst are then the beginning of the result of any other way, if
// there is one. Errors are those of src and dst. Watch may be nil.
func TranscodeStream(dst io.Writer, src io.ReadSeeker, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions, watch *Watch) (done bool, err error) {
	if !OnePass(from, to) {
		return false, nil
	}
	return transcodeInPieces(dst, src, from.Wire, d, e, pieceSize, watch)
}

func transcodeInPieces(dst io.Writer, src io.ReadSeeker, wire string, d serialization.DecodeOptions, e serialization.EncodeOptions, piece int, watch *Watch) (done bool, err error) {
	r := fromMessagePack(d, e)
	if wire == "json" {
		r = fromJSON(d, e)
	}
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
	s := streamTranscoder{transcoder: *r, src: src, start: start, piece: piece}
	precheck, transcode := s.precheckMsgpack, s.msgpackToJSON
	if wire == "json" {
		precheck, transcode = s.precheckJSON, s.jsonToMsgpack
	}
	ok, doubtful, err := precheck()
	if ok && err == nil && (doubtful || d.AllowDuplicates) { // check without writing
		ok, err = transcode(io.Discard)
	}
	if !ok || err != nil {
		return false, err
	}
	ok, err = transcode(dst)
	watch.Secrets = s.secrets
	return ok, err
}

// streamTranscoder transcodes a document that is read in pieces, more than once.
type streamTranscoder struct {
	transcoder transcoder // copied by each pass, because types are learned in order
	src        io.ReadSeeker
	start      int64
	piece      int
	counts     []count
	// secrets is set if a pass found secrets.
	secrets bool
}

// rewind returns a window at the beginning of the document.
func (s *streamTranscoder) rewind() (window, error) {
	_, err := s.src.Seek(s.start, io.SeekStart)
	return window{src: s.src, size: s.piece, left: s.transcoder.decode.ByteLimit(), pin: none}, err
}

// precheckJSON counts the members of large arrays and maps.
func (s *streamTranscoder) precheckJSON() (ok, doubtful bool, err error) {
	f, err := s.rewind()
	if err != nil {
		return false, false, err
	}
	check := jsonPrecheck{limit: s.transcoder.decode.Depth(), least: int64(s.piece)}
	if err := check.run(f.src, f.size, f.left); err != nil || check.broken {
		return false, false, err
	}
	s.counts = check.counts
	slices.SortFunc(s.counts, func(a, b count) int { return cmp.Compare(a.start, b.start) })
	return true, check.doubtful, nil
}

// jsonToMsgpack transcodes JSON.
func (s *streamTranscoder) jsonToMsgpack(dst io.Writer) (ok bool, err error) {
	f, err := s.rewind()
	if err != nil {
		return false, err
	}
	fresh := s.transcoder
	p := newJSONToMsgpack(&fresh, f, output{dst: dst, full: s.piece})
	p.streams, p.counts = true, s.counts
	out, ok := p.document(nil)
	p.output.flush(out)
	s.secrets = fresh.secrets
	return ok, faults(&p.window, &p.output)
}

// precheckMsgpack reports doubtful when transcoding might fail after output was written.
func (s *streamTranscoder) precheckMsgpack() (ok, doubtful bool, err error) {
	f, err := s.rewind()
	if err != nil {
		return false, false, err
	}
	check := msgpackPrecheck{window: f, depth: s.transcoder.decode.Depth(), limit: s.transcoder.decode.StringLimit()}
	plain := check.run()
	return true, !plain, faults(&check.window, &output{})
}

// msgpackToJSON transcodes MessagePack.
func (s *streamTranscoder) msgpackToJSON(dst io.Writer) (ok bool, err error) {
	f, err := s.rewind()
	if err != nil {
		return false, err
	}
	fresh := s.transcoder
	u := newMsgpackToJSON(&fresh, f, output{dst: dst, full: s.piece})
	out, ok := u.document(nil)
	u.output.flush(out)
	s.secrets = fresh.secrets
	return ok, faults(&u.window, &u.output)
}

// faults returns the error of the input or the output, but not of the document.
func faults(f *window, w *output) error {
	if f.err != nil && !errors.Is(f.err, errTooLarge) {
		return f.err
	}
	return w.err
}
