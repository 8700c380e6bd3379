package document

import (
	"errors"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/serialization"
)

// Stream indexes a document piece by piece, with one piece in memory. It must not be
// used by several goroutines at once. Create one with [NewStream].
type Stream struct {
	src     io.Reader
	scanner *indexer
	left    int64 // bytes that may still be read
	err     error
}

// ErrNoIndex is the error for a document that is malformed or has another shape. It
// must be decoded instead.
var ErrNoIndex = errors.New("document: no index")

const (
	// pieceLen is the number of bytes read for a piece.
	pieceLen = 2 << 20
	// longestPart is the maximum length of a part in bytes, and of the memory used for
	// a document without an Index.
	longestPart = 8 << 20
)

// NewStream returns a Stream of the document in src. The other parameters are those
// of [NewIndex].
func NewStream(src io.Reader, o serialization.DecodeOptions, lists []string, watched string) *Stream {
	s := &Stream{src: src, scanner: newScanner(nil, o, watched), left: codec.ByteLimit(&o)}
	s.scanner.out = newIndex(nil, lists)
	if !suits(o) {
		s.err = ErrNoIndex
	}
	return s
}

// Next returns the next piece: whole parts and everything between them. Positions
// count from the beginning of its Data. The pieces in order are the document, byte for
// byte. The error is io.EOF after the last piece, [ErrNoIndex], or that of reading.
//
// A piece remains valid. HasList and Key include earlier pieces.
func (s *Stream) Next() (*Index, error) {
	if s.err != nil {
		return nil, s.err
	}
	o, err := s.next()
	if err != nil {
		s.err = err
	}
	return o, err
}

func (s *Stream) next() (*Index, error) {
	c := s.scanner
	if c.whole {
		return nil, io.EOF
	}
	for data := c.data; ; {
		var err error
		if data, err = s.read(data); err != nil {
			return nil, err
		}
		out := newIndex(data, c.out.lists)
		copy(out.found, c.out.found)
		c.out, c.data, c.text = out, data, make([]byte, 0, len(data)/textShare)
		end, ok := c.document(0)
		switch {
		case c.whole && !ok, end == 0 && len(data) >= longestPart:
			return nil, ErrNoIndex
		case c.whole:
			end = len(data)
		case end == 0:
			continue // a longer part: read more
		}
		out.Data, out.Text = data[:end:end], c.text
		c.data = data[end:]
		return out, nil
	}
}

// read returns rest and the input that follows, and notes the end of input.
func (s *Stream) read(rest []byte) ([]byte, error) {
	data := make([]byte, len(rest)+max(pieceLen, len(rest)))
	copy(data, rest)
	n, err := io.ReadFull(s.src, data[len(rest):])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		s.scanner.whole, err = true, nil
	}
	if s.left -= int64(n); s.left < 0 {
		return nil, ErrNoIndex
	}
	return data[:len(rest)+n], err
}
