package wire

import (
	"bytes"
	"io"
)

// Window is the part of an input that is in memory: the unread input, as far as
// it was needed. A window on a []byte contains all of it without copying.
type Window struct {
	r     io.Reader
	buf   []byte
	pos   int
	final bool
	limit int64
	keys  Keys

	// base is the offset of buf in the input; lines and column are the position
	// of its first byte, from 0.
	base   int64
	lines  int
	column int
}

// firstRead is the size of the first read in bytes. Then the buffer is doubled.
const firstRead = 64 << 10

// NewWindow returns a window on the input r, at most limit bytes. The contents
// of a *bytes.Buffer are not copied.
func NewWindow(r io.Reader, limit int64) *Window {
	if b, ok := r.(*bytes.Buffer); ok && int64(b.Len()) <= limit {
		return NewWindowBytes(b.Bytes())
	}
	return &Window{r: r, limit: limit}
}

// NewWindowBytes returns a window on data.
func NewWindowBytes(data []byte) *Window { return &Window{buf: data, final: true} }

// reset makes w a window on data.
func (w *Window) reset(data []byte) { *w = Window{buf: data, final: true, keys: w.keys} }

// Rest returns the unread bytes. The slice is valid until More is called.
func (w *Window) Rest() []byte { return w.buf[w.pos:] }

// Advance skips the first n bytes of Rest.
func (w *Window) Advance(n int) { w.pos += n }

// Offset returns the position of Rest in the input.
func (w *Window) Offset() int64 { return w.base + int64(w.pos) }

// position returns the line and the column, both from 1, of the byte at index n
// of Rest. The column counts bytes.
func (w *Window) position(n int) (line, column int) {
	before := w.buf[:min(w.pos+n, len(w.buf))]
	newlines := bytes.Count(before, newline)
	if newlines == 0 {
		return w.lines + 1, w.column + len(before) + 1
	}
	return w.lines + newlines + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

var newline = []byte{'\n'}

// More reads more input into Rest. It must not be called if the window is
// final.
func (w *Window) More() error {
	w.discard()
	have := len(w.buf)
	if have == cap(w.buf) {
		grown := make([]byte, have, max(firstRead, 2*have))
		copy(grown, w.buf)
		w.buf = grown
	}
	n, err := io.ReadAtLeast(w.r, w.buf[have:cap(w.buf)], 1)
	w.buf = w.buf[:have+n]
	if w.base+int64(len(w.buf)) > w.limit {
		return tooLarge(w.limit)
	}
	if err == io.EOF {
		w.final = true
		return nil
	}
	return err
}

// discard drops the bytes already read if they are at least half of the buffer.
func (w *Window) discard() {
	if w.pos < len(w.buf)-w.pos {
		return
	}
	line, column := w.position(0)
	w.lines, w.column = line-1, column-1
	w.base += int64(w.pos)
	w.buf = w.buf[:copy(w.buf, w.buf[w.pos:])]
	w.pos = 0
}
