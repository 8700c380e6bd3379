package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/pcatdev/pcat/internal/compress"
)

// Content is the decompressed content of an input, which can be read repeatedly. Plain
// files are read in place; pipes and compressed files are copied to a [Spool] first. It is
// safe for concurrent reads.
type Content struct {
	in    *Input
	at    io.ReaderAt
	start int64 // of the content in at
	size  int64
	data  func() []byte // returns nil if the content is too large for memory
	close func() error
}

// Content returns the content of the source. It reads a pipe or a compressed file
// completely. The caller must close the result.
func (src Source) Content(ctx context.Context) (c *Content, err error) {
	in, err := src.Open(ctx)
	if err != nil {
		return nil, err
	}
	if src.Remote() {
		return in.remoteContent()
	}
	if c, err := in.inPlace(); c != nil || err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	spool := src.streams.Spool()
	if _, err := io.Copy(spool, in); err != nil {
		return nil, errors.Join(err, spool.Close())
	}
	src.streams.expect(spool.Size())
	return &Content{in: in, at: spool, size: spool.Size(), data: spool.Bytes, close: spool.Close}, nil
}

// inPlace returns the content of an uncompressed regular file, and nil for other inputs.
func (in *Input) inPlace() (*Content, error) {
	if in.file == nil || in.Compression() != compress.None {
		return nil, nil
	}
	info, err := in.file.Stat()
	if err != nil || info.Size() <= in.start {
		return nil, nil //nolint:nilerr // files without a known size can still be read
	}
	size := info.Size() - in.start
	if size > in.maxSize {
		return nil, errors.Join(in.tooLarge(), in.Close())
	}
	c := &Content{in: in, at: in.file, start: in.start, size: size, close: in.Close}
	if size > inMemory {
		in.streams.expect(size)
		c.data = func() []byte { return nil }
	} else {
		c.data = sync.OnceValue(c.load)
	}
	return c, nil
}

// load returns the whole content, or nil if it cannot be read; a later read reports the error.
func (c *Content) load() []byte {
	c.in.streams.expect(c.size)
	data := make([]byte, c.size)
	if _, err := io.ReadFull(c.Reader(), data); err != nil {
		return nil
	}
	return data
}

// With returns a content that has data instead of the input. Closing it closes c.
func (c *Content) With(data []byte) *Content {
	return &Content{in: c.in, at: bytes.NewReader(data), size: int64(len(data)), data: func() []byte { return data }, close: c.close}
}

// WithSpool is With for data in a Spool, which is closed with the content.
func (c *Content) WithSpool(data *Spool) *Content {
	closeAll := func() error { return errors.Join(data.Close(), c.close()) }
	return &Content{in: c.in, at: data, size: data.Size(), data: data.Bytes, close: closeAll}
}

// SpoolFor returns an empty Spool for about size bytes made of the source.
func (src Source) SpoolFor(size int64) *Spool { return src.streams.SpoolFor(size) }

// Input returns the input of the content, for its name and compression.
func (c *Content) Input() *Input { return c.in }

// Size returns the number of bytes.
func (c *Content) Size() int64 { return c.size }

// Bytes returns the whole content if it is small enough to be kept in memory, otherwise nil.
func (c *Content) Bytes() []byte { return c.data() }

// ReadAt implements io.ReaderAt. Errors are [Error]s that name the input; reading ends with the error
// of the context once that is done.
func (c *Content) ReadAt(p []byte, at int64) (int, error) {
	if err := c.in.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.at.ReadAt(p, c.start+at)
	if err != nil && !errors.Is(err, io.EOF) {
		err = BadInput(c.in.Name, "", err)
	}
	return n, err
}

// Reader returns a reader that starts at the beginning.
func (c *Content) Reader() io.ReadSeeker { return io.NewSectionReader(c, 0, c.size) }

// ReadAll returns the whole content, even if it is not kept in memory.
func (c *Content) ReadAll() ([]byte, error) {
	if data := c.Bytes(); data != nil {
		return data, nil
	}
	data := make([]byte, c.size)
	n, err := io.ReadFull(c.Reader(), data)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}

// Close releases the content. Standard input stays open.
func (c *Content) Close() error { return c.close() }

// startOffset returns the position that a file is read from.
func startOffset(f *os.File) int64 {
	if f == nil {
		return 0
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return at
}

func (in *Input) tooLarge() error {
	return BadInput(in.Name, "", fmt.Errorf("larger than %v; use --max-size to allow more", Size(in.maxSize)))
}
