package external

import (
	"bytes"
	"errors"
	"sync"
)

// Limits of a program's output, in bytes.
const (
	// maxResult is the maximum size of a result. A program is killed beyond
	// it.
	maxResult = 64 << 20
	// maxSaid is the maximum size kept of the standard error.
	maxSaid = 8 << 10
)

// errTooLong means that a result is longer than maxResult.
var errTooLong = errors.New("its output exceeds 64 MiB")

// output keeps the beginning of a program's output. It is safe for concurrent
// use.
type output struct {
	mu   sync.Mutex
	kept bytes.Buffer
	max  int
	// hold, if not nil, takes memory for the kept bytes.
	hold func(n int64) error
	// full, if not nil, is called when the output exceeds max or hold fails.
	// The rest of the output is dropped in any case.
	full func(error)
	cut  bool
}

// copies is the number of copies of a result in memory: two while the buffer
// grows, and one as values.
const copies = 3

// Write implements [io.Writer]. It accepts all bytes, so that the program never
// blocks on its output.
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

// cutOff drops all further output.
func (o *output) cutOff(err error) {
	if !o.cut && o.full != nil {
		o.full(err)
	}
	o.cut = true
}

// String returns the kept output.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept.String()
}

// reset discards the kept output.
func (o *output) reset() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept.Reset()
	o.cut = false
}
