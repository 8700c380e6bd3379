package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// Compression is the compression of a file.
type Compression int

// The supported compressions.
const (
	Uncompressed Compression = iota
	Gzip
	Zstd
)

// String returns the name of the compression.
func (c Compression) String() string {
	switch c {
	case Gzip:
		return "gzip"
	case Zstd:
		return "zstd"
	default:
		return "none"
	}
}

const (
	// A catalog compresses to about a tenth. Inputs that expand far more are made to exhaust a disk or
	// memory.
	maxExpansion  = 200
	freeExpansion = 16 << 20 // bytes allowed for any input

	// The header of an input determines the window, which takes memory. zstd needs up to 8 MiB without --ultra.
	maxWindow = 32 << 20

	magicLen = 4
)

// compressionOf returns the compression for the extension of a file.
func compressionOf(name string) Compression {
	switch filepath.Ext(name) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	default:
		return Uncompressed
	}
}

func detectCompression(magic []byte) Compression {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return Gzip
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return Zstd
	}
	return Uncompressed
}

// decompressor reads decompressed bytes. Close releases its resources, but not its source.
type decompressor interface {
	io.Reader
	Close()
}

// newDecompressor returns a decompressor for r; compressed counts the bytes read from the source of r.
func newDecompressor(c Compression, r io.Reader, compressed *countingReader) (decompressor, error) {
	switch c {
	case Gzip:
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, cutOff(err)
		}
		return &boundedDecompressor{z: z, close: func() { _ = z.Close() }, compressed: compressed}, nil
	case Zstd:
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return &boundedDecompressor{z: z, close: z.Close, compressed: compressed}, nil
	default:
		return uncompressed{r}, nil
	}
}

// NewCompressor returns a writer that compresses to w. Close ends the compressed data, and leaves
// w open.
func NewCompressor(c Compression, w io.Writer) (io.WriteCloser, error) {
	switch c {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	default:
		return nopCloser{w}, nil
	}
}

type uncompressed struct{ io.Reader }

func (uncompressed) Close() {}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// boundedDecompressor limits the expansion of a compressed input.
type boundedDecompressor struct {
	z          io.Reader
	close      func()
	compressed *countingReader
	out        int64
}

func (e *boundedDecompressor) Read(p []byte) (int, error) {
	n, err := e.z.Read(p)
	e.out += int64(n)
	if e.out > freeExpansion && e.out/maxExpansion > e.compressed.n {
		return n, fmt.Errorf("decompresses to more than %d times its size; if that is intended, decompress it first", maxExpansion)
	}
	if err = cutOff(err); errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = fmt.Errorf("needs a window larger than %v: decompress it first with zstd --long: %w", Size(maxWindow), err)
	}
	return n, err
}

// cutOff explains an unexpected end of compressed data.
func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("truncated compressed data: %w", err)
	}
	return err
}

func (e *boundedDecompressor) Close() { e.close() }

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
