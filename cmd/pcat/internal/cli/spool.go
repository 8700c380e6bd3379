package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// inMemory is the maximum size of an input, or of a pending output, that is kept in memory.
// Larger data goes to a file, which takes two to five times as long per byte; few catalogs
// are that large.
const inMemory = 16 << 20

// Spool stores data for repeated reads: in memory while it is small, then in a temporary
// file. Only the owner can read the file, and it has no name, so that it disappears with
// the process. On systems that do not support this, Close or an interrupt removes it.
// Create one with [IOStreams.Spool]. It is safe for concurrent reads, but not while it is
// written.
type Spool struct {
	streams *IOStreams
	limit   int
	data    []byte
	file    *os.File // nil while all is in memory
	size    int64
}

// Spool returns an empty Spool.
func (s *IOStreams) Spool() *Spool { return &Spool{streams: s, limit: inMemory} }

// SpoolFor returns an empty Spool for about size bytes: if they are too many for memory, it
// writes to a file from the beginning.
func (s *IOStreams) SpoolFor(size int64) *Spool {
	p := s.Spool()
	if size > inMemory {
		p.limit = 0
	}
	return p
}

// Write implements io.Writer.
func (p *Spool) Write(b []byte) (int, error) {
	if p.file == nil && len(p.data)+len(b) <= p.limit {
		if len(p.data)+len(b) > cap(p.data) {
			p.grow(len(b))
		}
		p.data = append(p.data, b...)
		p.size += int64(len(b))
		return len(b), nil
	}
	if p.file == nil {
		if err := p.spill(); err != nil {
			return 0, err
		}
	}
	n, err := p.file.Write(b)
	p.size += int64(n)
	return n, spoolError(err)
}

// ReadFrom implements io.ReaderFrom. It reads directly into memory up to the limit.
func (p *Spool) ReadFrom(r io.Reader) (read int64, err error) {
	for p.file == nil && len(p.data) < p.limit {
		if len(p.data) == cap(p.data) {
			p.grow(1)
		}
		n, err := r.Read(p.data[len(p.data):cap(p.data)])
		p.data = p.data[:len(p.data)+n]
		p.size += int64(n)
		read += int64(n)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return read, err
		}
	}
	rest, err := io.Copy(struct{ io.Writer }{p}, r)
	return read + rest, err
}

// grow makes room for n more bytes within the limit, and for many more: unused memory costs
// nothing, and growing again copies everything.
func (p *Spool) grow(n int) {
	const first, times = 64 << 10, 8
	size := min(max(first, times*cap(p.data), len(p.data)+n), p.limit)
	grown := make([]byte, len(p.data), size)
	copy(grown, p.data)
	p.data = grown
}

// spill moves the data in memory to a file.
func (p *Spool) spill() error {
	f, err := p.streams.temps.create(func() (*os.File, error) { return os.CreateTemp("", "pcat-") })
	if err != nil {
		return spoolError(err)
	}
	p.streams.temps.unlink(f.Name())
	if _, err := f.Write(p.data); err != nil {
		return spoolError(errors.Join(err, f.Close()))
	}
	p.file, p.data = f, nil
	return nil
}

// spoolError returns err as an [Error] about temporary files, without the name of the
// unlinked file. Nil stays nil.
func spoolError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return &Error{Code: ExitInternal, Err: fmt.Errorf("cannot write a temporary file in %s: %w; set TMPDIR to use another directory", os.TempDir(), WithoutPath(err))}
}

// Size returns how many bytes were written.
func (p *Spool) Size() int64 { return p.size }

// Bytes returns all data, or nil if it is not in memory.
func (p *Spool) Bytes() []byte { return p.data }

// ReadAt implements io.ReaderAt.
func (p *Spool) ReadAt(b []byte, at int64) (int, error) {
	if p.file == nil {
		return bytes.NewReader(p.data).ReadAt(b, at)
	}
	return p.file.ReadAt(b, at)
}

// WriteTo implements io.WriterTo.
func (p *Spool) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, io.NewSectionReader(p, 0, p.size))
}

// Close releases the data.
func (p *Spool) Close() error {
	p.data = nil
	if p.file == nil {
		return nil
	}
	err := p.file.Close()
	p.streams.temps.remove(p.file.Name())
	return spoolError(err)
}
