package document

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/pcatdev/pcat/serialization"
)

// flow is where the output goes: nowhere while it is held in memory as a whole.
type flow struct {
	dst  io.Writer
	full int // how much output is handed over at once
	err  error
}

func (f *flow) pass(out []byte) []byte {
	if f.err == nil {
		_, f.err = f.dst.Write(out)
	}
	return out[:0]
}

// pieceSize is how much of a document is in memory at a time, unless a string, a
// fragment or an array or map that is not large takes more.
const pieceSize = 64 << 10

// Watch is what [Carry] is told about documents that hold catalogs, and tells. The
// zero value knows nothing of them.
type Watch struct {
	// Maps are keys under which, near the root, arrays of maps stand only.
	Maps []string
	// SecretList is the key of lists of what is secret in the map around them.
	SecretList string
	// Secrets is set when a Sensitive was carried, or a list that is not empty
	// under SecretList.
	Secrets bool
}

// Carry does what [Between] does for a document that may be larger than memory:
// it reads src twice from where it is, and writes to dst. First it looks over the
// document, and counts the members of large arrays and maps; then it carries
// it. Both need memory for the depth of the document and for its longest string,
// not for its length. When carried is false, the document has to take another road
// from its beginning on, which also tells what is wrong with it: it holds a local
// reference, or more than the options allow, or something of which a loss would be
// told, or it is not well-formed; or there is no road from one form to the other.
// Nor is a document carried that is an array of anything but maps, or has one where
// watch, which may be nil, has maps only. What was written to dst by then, if
// anything was, is what any other road begins with, too. Errors are those of src
// and dst.
func Carry(dst io.Writer, src io.ReadSeeker, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions, watch *Watch) (carried bool, err error) {
	if Between(from, to) == nil {
		return false, nil
	}
	return carry(dst, src, from.Wire, d, e, pieceSize, watch)
}

func carry(dst io.Writer, src io.ReadSeeker, wire string, d serialization.DecodeOptions, e serialization.EncodeOptions, piece int, watch *Watch) (carried bool, err error) {
	r := fromMessagePack(d, e)
	if wire == "json" {
		r = fromJSON(d, e)
	}
	if !r.isShort() {
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
	s := stream{road: *r, src: src, start: start, piece: piece}
	look, carry := s.skim, s.unpack
	if wire == "json" {
		look, carry = s.survey, s.pack
	}
	ok, doubtful, err := look()
	if ok && err == nil && (doubtful || d.AllowDuplicates) { // it goes nowhere first
		ok, err = carry(io.Discard)
	}
	if !ok || err != nil {
		return false, err
	}
	ok, err = carry(dst)
	watch.Secrets = s.secrets
	return ok, err
}

// stream is a document that is read in pieces, more than once.
type stream struct {
	road   road // of which each pass takes a copy: what is learnt on the way counts from where it was learnt
	src    io.ReadSeeker
	start  int64
	piece  int
	counts []count
	// secrets tells that a pass found some.
	secrets bool
}

// rewind returns the document from its beginning on.
func (s *stream) rewind() (feed, error) {
	_, err := s.src.Seek(s.start, io.SeekStart)
	return feed{src: s.src, size: s.piece, left: s.road.decode.ByteLimit(), pin: none}, err
}

// survey counts the members of what is large in JSON.
func (s *stream) survey() (ok, doubtful bool, err error) {
	f, err := s.rewind()
	if err != nil {
		return false, false, err
	}
	look := survey{limit: s.road.decode.Depth(), least: int64(s.piece)}
	if err := look.run(f.src, f.size, f.left); err != nil || look.broken {
		return false, false, err
	}
	s.counts = look.counts
	slices.SortFunc(s.counts, func(a, b count) int { return cmp.Compare(a.start, b.start) })
	return true, look.doubtful, nil
}

// pack carries JSON.
func (s *stream) pack(dst io.Writer) (ok bool, err error) {
	f, err := s.rewind()
	if err != nil {
		return false, err
	}
	fresh := s.road
	p := newPacker(&fresh, f, flow{dst: dst, full: s.piece})
	p.streams, p.counts = true, s.counts
	out, ok := p.document(nil)
	p.flow.pass(out)
	s.secrets = fresh.secrets
	return ok, faults(&p.feed, &p.flow)
}

// skim looks whether MessagePack is what it seems to be.
func (s *stream) skim() (ok, doubtful bool, err error) {
	f, err := s.rewind()
	if err != nil {
		return false, false, err
	}
	look := skim{feed: f, depth: s.road.decode.Depth(), limit: s.road.decode.StringLimit()}
	plain := look.run()
	return true, !plain, faults(&look.feed, &flow{})
}

// unpack carries MessagePack.
func (s *stream) unpack(dst io.Writer) (ok bool, err error) {
	f, err := s.rewind()
	if err != nil {
		return false, err
	}
	fresh := s.road
	u := newUnpacker(&fresh, f, flow{dst: dst, full: s.piece})
	out, ok := u.document(nil)
	u.flow.pass(out)
	s.secrets = fresh.secrets
	return ok, faults(&u.feed, &u.flow)
}

// faults returns what is wrong with the input or the output, not with what it
// holds.
func faults(f *feed, w *flow) error {
	if f.err != nil && !errors.Is(f.err, errTooLarge) {
		return f.err
	}
	return w.err
}
