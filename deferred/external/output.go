package external

import (
	"bytes"
	"errors"
	"sync"
)

// Bounds of what a program may print, in bytes.
const (
	// maxResult bounds a result. A program that prints more is killed.
	maxResult = 64 << 20
	// maxSaid bounds what is kept of the messages on standard error.
	maxSaid = 8 << 10
)

// errTooLong tells that a result is longer than maxResult.
var errTooLong = errors.New("its output is longer than 64 MiB")

// output keeps the beginning of what a program prints. It is safe for
// concurrent use.
type output struct {
	mu   sync.Mutex
	kept bytes.Buffer
	max  int
	// hold takes memory for bytes that are kept; nil takes none.
	hold func(n int64) error
	// full is called when there is more than max bytes, or than hold takes;
	// nil to go on and drop the rest.
	full func(error)
	cut  bool
}

// copies is how often the bytes of a result are held: once more while there is
// not room for them, and once as values.
const copies = 3

// Write implements [io.Writer]. It takes everything, so that the program does
// not wait for somebody to read.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	if room := o.max - o.kept.Len(); n > room {
		p = p[:room]
		o.cutOff(errTooLong)
	}
	if o.hold != nil && !o.cut {
		if err := o.hold(copies * int64(len(p))); err != nil {
			o.cutOff(err)
		}
	}
	if !o.cut || o.full == nil {
		o.kept.Write(p)
	}
	return n, nil
}

// cutOff drops what comes from now on.
func (o *output) cutOff(err error) {
	if !o.cut && o.full != nil {
		o.full(err)
	}
	o.cut = true
}

// String returns what was kept so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept.String()
}

// reset forgets what was kept.
func (o *output) reset() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept.Reset()
	o.cut = false
}
