package transcode

import (
	"errors"
	"io"

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

// Carry does what [Between] does for a document that may be larger than memory:
// it reads src twice from where it is, and writes to dst. The first pass looks
// whether the document is carried on the short road as a whole, and counts the
// members of large arrays and maps for the second, which writes them; both need
// memory for the depth of the document and for its longest string, not for its
// length. When carried is false, nothing was written, and the document has to
// take another road, which also tells what is wrong with it: it holds a local
// reference, or a `__ptype` that is not the first of its map, or more than the
// options allow, or it is not well-formed; or there is no road from one form to
// the other. Nor is a document carried that is, or has near its root and under
// one of the keys maps, if there are any, an array of anything but maps. Errors are those of src and dst.
func Carry(dst io.Writer, src io.ReadSeeker, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions, maps ...string) (carried bool, err error) {
	if Between(from, to) == nil {
		return false, nil
	}
	return carry(dst, src, from.Wire, d, e, pieceSize, maps)
}

func carry(dst io.Writer, src io.ReadSeeker, wire string, d serialization.DecodeOptions, e serialization.EncodeOptions, piece int, maps []string) (carried bool, err error) {
	r := fromMessagePack(d, e)
	if wire == "json" {
		r = fromJSON(d, e)
	}
	r.maps = maps
	if !r.isShort() {
		return false, nil
	}
	start, err := src.Seek(0, io.SeekCurrent)
	if err != nil {
		return false, err
	}
	var counts []count
	pass := func(dst io.Writer, counting bool) (ok bool, err error) {
		if _, err := src.Seek(start, io.SeekStart); err != nil {
			return false, err
		}
		f := feed{src: src, size: piece, left: d.ByteLimit(), pin: none}
		w := flow{dst: dst, full: piece}
		fresh := *r // what is learnt on the way counts from where it was learnt
		if wire == "json" {
			return newPacker(&fresh, f, w).stream(&counts, counting)
		}
		return newUnpacker(&fresh, f, w).stream(counting)
	}
	if ok, err := pass(io.Discard, true); !ok {
		return false, err
	}
	ok, err := pass(dst, false)
	if !ok && err == nil {
		err = errChanged
	}
	return true, err
}

// errChanged tells that a document that was carried when it was looked at is not
// any more.
var errChanged = errors.New("transcode: the input changed while it was read")

// stream carries a document in pieces, or counts the members of what is large.
func (p *packer) stream(counts *[]count, counting bool) (ok bool, err error) {
	p.streams = true
	if p.counting = counting; counting {
		p.least = int64(p.size)
	} else {
		p.counts = *counts
	}
	out, ok := p.document(nil)
	if counting {
		*counts = p.counted()
	}
	p.flow.pass(out)
	return ok, faults(&p.feed, &p.flow)
}

// stream carries a document in pieces, or checks it.
func (u *unpacker) stream(checking bool) (ok bool, err error) {
	u.checking = checking
	out, ok := u.document(nil)
	u.flow.pass(out)
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
