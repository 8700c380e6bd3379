package catalog

import (
	"bytes"
	"io"

	"github.com/pcatdev/pcat/internal/jsonwire"
)

// recorder keeps the input from a mark on, because the cursor does not keep it: the
// input shows the layout of the document and the text before an error.
type recorder struct {
	r    io.Reader // nil if buf is the whole input
	buf  []byte
	room []byte // memory of buf and of what was dropped before it
	base int64  // offset of buf in the input
	last byte   // last byte read so far
}

// Read implements io.Reader.
func (t *recorder) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n > 0 {
		if n > cap(t.buf)-len(t.buf) {
			t.room = append(append(t.room[:0], t.buf...), p[:n]...)
			t.buf = t.room
		} else {
			t.buf = append(t.buf, p[:n]...)
		}
		t.last = p[n-1]
	}
	return n, err
}

// forget drops the input before offset.
func (t *recorder) forget(offset int64) {
	if n := offset - t.base; t.r != nil && n > 0 && n <= int64(len(t.buf)) {
		t.buf = t.buf[n:]
		t.base = offset
	}
}

// from returns the input that was read from offset on.
func (t *recorder) from(offset int64) []byte {
	n := offset - t.base
	if n < 0 || n > int64(len(t.buf)) {
		return nil
	}
	return t.buf[n:]
}

// keep returns raw, the bytes at offset, as a slice that will not be
// overwritten.
func (t *recorder) keep(raw []byte, offset int64) []byte {
	if t.r == nil {
		if held := t.from(offset); len(held) >= len(raw) && bytes.Equal(held[:len(raw)], raw) {
			return held[:len(raw):len(raw)]
		}
	}
	return bytes.Clone(raw)
}

// Layout is the layout of a textual document.
type Layout struct {
	// Indent is the indentation of one level, or "" if the document has no line
	// breaks between its parts.
	Indent string
	// Newline indicates that the document ends with a line break. It is set
	// once the document has been read.
	Newline bool
}

// indentOf returns the indentation of the first member in head, the beginning
// of a document.
func indentOf(head []byte) string {
	head = head[:min(len(head), 256)]
	i := jsonwire.SkipBlanks(head, 0)
	if i == len(head) || head[i] != '{' && head[i] != '[' {
		return ""
	}
	blanks := head[i+1 : jsonwire.SkipBlanks(head, i+1)]
	return string(blanks[bytes.LastIndexByte(blanks, '\n')+1:])
}
