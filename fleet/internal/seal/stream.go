package seal

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// A stream is a random name, and frames: the length of a sealed value, and the value, which
// holds up to frameSize bytes. The location of each contains the name of the stream and the
// number of the frame. The last frame has the highest bit of its length set.
const (
	frameSize = 1 << 20
	lastFrame = 1 << 31
	nameSize  = 16
)

// ErrCut reports that a stream ends too early.
var ErrCut = errors.New("the file is cut off")

// stream is the common part of a Writer and a FileReader.
type stream struct {
	box      *Box
	location string
	n        uint64
}

func newStream(b *Box, purpose string, name []byte) stream {
	return stream{box: b, location: purpose + "/" + hex.EncodeToString(name)}
}

// next returns the location of the next frame.
func (s *stream) next(last bool) string {
	s.n++
	return fmt.Sprintf("%s/%d/%t", s.location, s.n, last)
}

// Writer encrypts a stream of any size, for a [FileReader]. The stream is valid only with
// Close.
type Writer struct {
	stream
	w    io.Writer
	data []byte
}

// NewWriter returns a Writer for a purpose.
func NewWriter(w io.Writer, b *Box, purpose string) (*Writer, error) {
	name := make([]byte, nameSize)
	_, _ = rand.Read(name) // never fails
	if _, err := w.Write(name); err != nil {
		return nil, err
	}
	return &Writer{stream: newStream(b, purpose, name), w: w}, nil
}

// Write implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if len(w.data) == frameSize {
			if err := w.flush(false); err != nil {
				return 0, err
			}
		}
		part := min(len(p), frameSize-len(w.data))
		w.data, p = append(w.data, p[:part]...), p[part:]
	}
	return n, nil
}

// Close writes the end of the stream. It does not close the file.
func (w *Writer) Close() error { return w.flush(true) }

func (w *Writer) flush(last bool) error {
	sealed := w.box.Seal(w.next(last), w.data)
	w.data = w.data[:0]
	length := uint32(len(sealed))
	if last {
		length |= lastFrame
	}
	if _, err := w.w.Write(binary.BigEndian.AppendUint32(nil, length)); err != nil {
		return err
	}
	_, err := w.w.Write(sealed)
	return err
}

// FileReader decrypts the stream of a [Writer]. The errors are [ErrCut] and [ErrSealed].
type FileReader struct {
	stream
	r    *bufio.Reader
	data []byte
	last bool
}

// NewFileReader returns a FileReader for the purpose that the Writer had.
func NewFileReader(r io.Reader, b *Box, purpose string) (*FileReader, error) {
	f := &FileReader{r: bufio.NewReaderSize(r, 64<<10)}
	name := make([]byte, nameSize)
	if err := f.fill(name); err != nil {
		return nil, err
	}
	f.stream = newStream(b, purpose, name)
	return f, nil
}

// Read implements [io.Reader].
func (f *FileReader) Read(p []byte) (int, error) {
	for len(f.data) == 0 {
		if f.last {
			return 0, f.end()
		}
		if err := f.frame(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.data)
	f.data = f.data[n:]
	return n, nil
}

// frame reads the next frame.
func (f *FileReader) frame() error {
	var head [4]byte
	if err := f.fill(head[:]); err != nil {
		return err
	}
	length := binary.BigEndian.Uint32(head[:])
	f.last = length&lastFrame != 0
	if length &^= lastFrame; length > frameSize+Overhead {
		return ErrSealed
	}
	sealed := make([]byte, length)
	if err := f.fill(sealed); err != nil {
		return err
	}
	var err error
	f.data, err = f.box.Open(f.next(f.last), sealed)
	return err
}

// fill reads all of p.
func (f *FileReader) fill(p []byte) error {
	_, err := io.ReadFull(f.r, p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	return err
}

// end returns [io.EOF] if the stream ends after its last frame.
func (f *FileReader) end() error {
	if _, err := f.r.ReadByte(); !errors.Is(err, io.EOF) {
		if err != nil {
			return err
		}
		return ErrSealed // something follows
	}
	return io.EOF
}
