package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// inMemory is how many bytes of an input, or of an output that waits, are held in memory. What is
// larger stands in a file, and takes two to five times as long for each byte: hardly any catalog is.
const inMemory = 16 << 20

// Spool holds data until it is read, as often as wanted: in memory while it is small, then in a
// temporary file. Only the owner can read that, and it has no name from the start, so that it is gone
// with the process, however that ends; where a system does not allow that, Close removes it, and an
// interrupt does. Make one with [IOStreams.Spool]. It can be read from several goroutines at once, but
// not while it is written.
type Spool struct {
	streams *IOStreams
	limit   int
	data    []byte
	file    *os.File // nil while all is in memory
	size    int64
}

// Spool returns an empty Spool.
func (s *IOStreams) Spool() *Spool { return &Spool{streams: s, limit: inMemory} }

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

// ReadFrom implements io.ReaderFrom. What is held in memory is read to its place there.
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

// grow makes room for n more bytes, as far as the limit allows, and for many more: memory that is not used
// costs nothing, and the next time all has to be copied.
func (p *Spool) grow(n int) {
	const first, times = 64 << 10, 8
	size := min(max(first, times*cap(p.data), len(p.data)+n), p.limit)
	grown := make([]byte, len(p.data), size)
	copy(grown, p.data)
	p.data = grown
}

// spill moves what is in memory to a file.
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

// spoolError is nil for nil. It does not tell the name of the file, which nobody can find.
func spoolError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return &Error{Code: ExitInternal, Err: fmt.Errorf("cannot write a temporary file in %s: %w; set TMPDIR to use another directory", os.TempDir(), WithoutPath(err))}
}

// Size returns how many bytes were written.
func (p *Spool) Size() int64 { return p.size }

// Bytes returns all that was written, or nil when that is not in memory.
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

// Close gives back what the data took.
func (p *Spool) Close() error {
	p.data = nil
	if p.file == nil {
		return nil
	}
	err := p.file.Close()
	p.streams.temps.remove(p.file.Name())
	return spoolError(err)
}
