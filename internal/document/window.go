package document

import (
	"errors"
	"io"
)

// window is the piece of a document that is in memory. Positions count from the
// beginning of data; a method that reads more returns the new position for the
// one it was given.
type window struct {
	data []byte
	room []byte    // contains data if it is read from src
	src  io.Reader // the rest of the document, or nil
	size int       // of a piece
	base int64     // offset of data in the document
	left int64     // bytes that may still be read
	err  error     // of src, except for io.EOF
	// pin is a position to keep in memory, or none.
	pin int
}

// more reads more of the document, keeping everything from keep in memory, and
// overwrites data. It reports false at the end of the document.
func (f *window) more(keep int) (at int, ok bool) {
	if f.src == nil {
		return keep, false
	}
	from := keep
	if f.pin >= 0 {
		from = min(f.pin, keep)
		f.pin -= from
	}
	rest := f.data[from:]
	f.base += int64(from)
	size := max(f.size, 2*len(rest))
	if size > len(f.room) {
		f.room = make([]byte, size)
	}
	n := copy(f.room, rest)
	read, err := io.ReadFull(f.src, f.room[n:size])
	f.data = f.room[:n+read]
	if f.left -= int64(read); f.left < 0 {
		f.src, f.data = nil, f.data[:n] // a truncated document is not transcoded
		f.err = errTooLarge
	}
	if err != nil {
		f.src = nil
		if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
			f.err = err
		}
	}
	return keep - from, true
}

// errTooLarge makes transcoding fail; decoding reports the reason.
var errTooLarge = errors.New("document: larger than the limit")

// need reads more until there are n bytes at i, or the document ends.
func (f *window) need(i, n int) int {
	for len(f.data)-i < n {
		at, ok := f.more(i)
		if !ok {
			break
		}
		i = at
	}
	return i
}
