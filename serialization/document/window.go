package document

import (
	"errors"
	"io"
)

// feed is a document of which a piece is in memory: all of it, or as much as
// is looked at. A position is one in data; calls that read on return where the
// one they were given is now.
type feed struct {
	data []byte
	room []byte    // what data is a part of, when it is read from src
	src  io.Reader // gives what follows data; nil when nothing does
	size int       // of a piece
	base int64     // where in the document data begins
	left int64     // how much may still be read
	err  error     // of src, but for its end
	// pin is a position that must stay in memory, -1 when there is none.
	pin int
}

// more reads on, with everything from keep on left in memory, and reports
// whether it tried: not when data ends where the document does. It writes over
// what data held.
func (f *feed) more(keep int) (at int, ok bool) {
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
		f.src, f.data = nil, f.data[:n] // it ends too early, which no road survives
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

// errTooLarge ends the short road: what is wrong is told by the long one.
var errTooLarge = errors.New("transcode: the document exceeds the size limit")

// need reads on until n bytes stand at i, if there are so many.
func (f *feed) need(i, n int) int {
	for len(f.data)-i < n {
		at, ok := f.more(i)
		if !ok {
			break
		}
		i = at
	}
	return i
}
