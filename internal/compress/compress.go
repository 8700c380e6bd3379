// Package compress reads and writes files that are compressed as a whole, with
// gzip or zstd. It limits how far untrusted data can expand.
//
// Compression of whole files belongs here; an audit unpacks compressed values itself.
package compress

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Method is a compression method.
type Method int

// The supported methods.
const (
	None Method = iota
	Gzip
	Zstd
)

// Methods returns the supported methods.
func Methods() []Method { return []Method{None, Gzip, Zstd} }

// String returns the name of the method: gzip, zstd or none.
func (m Method) String() string {
	switch m {
	case Gzip:
		return "gzip"
	case Zstd:
		return "zstd"
	default:
		return "none"
	}
}

// Extension returns the extension of file names for the method: .gz, .zst, or nothing.
func (m Method) Extension() string {
	switch m {
	case Gzip:
		return ".gz"
	case Zstd:
		return ".zst"
	default:
		return ""
	}
}

const (
	// A catalog shrinks to about a tenth. An input that expands far more was made
	// to fill a disk or the memory.
	maxExpansion = 200

	// The window is memory that a header can demand. zstd needs up to 8 MiB
	// without --ultra.
	maxWindow     = 32 << 20
	maxWindowText = "32MiB"
)

// FreeExpansion is the number of bytes that any input may expand to.
const FreeExpansion = 16 << 20

// ByName returns the method that the extension of a file name indicates.
func ByName(name string) Method {
	switch filepath.Ext(name) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	default:
		return None
	}
}

// TrimExtension returns the name of a file without .gz and .zst.
func TrimExtension(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}

func byContent(head []byte) Method {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Gzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return Zstd
	}
	return None
}

// Reader reads decompressed bytes. It is not safe for concurrent use.
type Reader struct {
	method Method
	body   io.Reader
	close  func()
}

// NewReader returns a Reader of the data in r, whose method it detects by the first
// bytes. Data that expands to more than 200 times its size and [FreeExpansion] is
// an error.
func NewReader(r io.Reader) (*Reader, error) {
	counted := &countingReader{r: r}
	head := bufio.NewReader(counted) // small, since most data is not compressed
	magic, err := head.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	d := &Reader{method: byContent(magic), body: head, close: func() {}}
	switch d.method {
	case Gzip:
		z, err := gzip.NewReader(bufio.NewReaderSize(head, 64<<10))
		if err != nil {
			return nil, explain(err)
		}
		d.body, d.close = &expanding{z: z, compressed: counted}, func() { _ = z.Close() }
	case Zstd:
		z, err := zstd.NewReader(bufio.NewReaderSize(head, 64<<10), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		d.body, d.close = &expanding{z: z, compressed: counted}, z.Close
	}
	return d, nil
}

// Method returns the detected method.
func (d *Reader) Method() Method { return d.method }

// Read implements [io.Reader].
func (d *Reader) Read(p []byte) (int, error) { return d.body.Read(p) }

// Close releases the memory of the Reader. It does not close the source.
func (d *Reader) Close() { d.close() }

// NewWriter returns a writer that compresses to w. Close ends the compressed data,
// and leaves w open.
func NewWriter(m Method, w io.Writer) (io.WriteCloser, error) {
	switch m {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	default:
		return nopCloser{w}, nil
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// expanding limits the expansion of compressed data.
type expanding struct {
	z          io.Reader
	compressed *countingReader
	out        int64
}

func (e *expanding) Read(p []byte) (int, error) {
	n, err := e.z.Read(p)
	e.out += int64(n)
	if e.out > FreeExpansion && e.out/maxExpansion > e.compressed.n {
		return n, fmt.Errorf("decompresses to more than %d times its size; if that is intended, decompress it first", maxExpansion)
	}
	return n, explain(err)
}

// explain adds the cause, or advice, to an error of a decompressor.
func explain(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("truncated compressed data: %w", err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return fmt.Errorf("needs a window larger than %s: decompress it first with zstd --long: %w", maxWindowText, err)
	}
	return err
}

// countingReader counts the bytes that were read from r.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
