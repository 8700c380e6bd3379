package document

import (
	"errors"
	"io"

	"github.com/pcatdev/pcat/serialization"
)

// Stream outlines a document piece by piece, so that memory holds one piece of it.
// It must not be used by several goroutines at once; make one with [NewStream].
type Stream struct {
	src     io.Reader
	scanner *scanner
	left    int64 // bytes that may still be read
	err     error
}

// ErrNoOutline is returned for a document that has no outline: it is not
// well-formed, or has another shape. It has to be read otherwise.
var ErrNoOutline = errors.New("outline: the document has no outline")

const (
	// pieceLen is how many bytes are read for a piece.
	pieceLen = 2 << 20
	// longestPart is the length in bytes up to which a part is held as a whole. It
	// also bounds how much is read of a document that has no outline.
	longestPart = 8 << 20
)

// NewStream returns a Stream of the document that src gives. The other parameters are
// those of [Of].
func NewStream(src io.Reader, o serialization.DecodeOptions, lists []string, watched string) *Stream {
	s := &Stream{src: src, scanner: newScanner(nil, o, watched), left: o.ByteLimit()}
	s.scanner.out = newOutline(nil, lists)
	if !suits(o) {
		s.err = ErrNoOutline
	}
	return s
}

// Next returns the next piece: whole parts, and all that is between them. Its
// positions are those in its own Data. The pieces together are the document, byte for
// byte. The error is io.EOF behind the last piece, [ErrNoOutline], or that of reading.
//
// A piece stays as it is. HasList and Key know the pieces before.
func (s *Stream) Next() (*Outline, error) {
	if s.err != nil {
		return nil, s.err
	}
	o, err := s.next()
	if err != nil {
		s.err = err
	}
	return o, err
}

func (s *Stream) next() (*Outline, error) {
	c := s.scanner
	if c.whole {
		return nil, io.EOF
	}
	for data := c.data; ; {
		var err error
		if data, err = s.read(data); err != nil {
			return nil, err
		}
		out := newOutline(data, c.out.lists)
		copy(out.found, c.out.found)
		c.out, c.data, c.text = out, data, make([]byte, 0, len(data)/textShare)
		end, ok := c.document(0)
		switch {
		case c.whole && !ok, end == 0 && len(data) >= longestPart:
			return nil, ErrNoOutline
		case c.whole:
			end = len(data)
		case end == 0:
			continue // with more of a part that is longer
		}
		out.Data, out.Text = data[:end:end], c.text
		c.data = data[end:]
		return out, nil
	}
}

// read returns rest and what follows it in the input. It notes the end of that.
func (s *Stream) read(rest []byte) ([]byte, error) {
	data := make([]byte, len(rest)+max(pieceLen, len(rest)))
	copy(data, rest)
	n, err := io.ReadFull(s.src, data[len(rest):])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		s.scanner.whole, err = true, nil
	}
	if s.left -= int64(n); s.left < 0 {
		return nil, ErrNoOutline
	}
	return data[:len(rest)+n], err
}
