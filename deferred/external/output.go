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
	// full is called when there is more than max bytes; nil to go on and
	// drop the rest.
	full func()
	cut  bool
}

// Write implements [io.Writer]. It takes everything, so that the program does
// not wait for somebody to read.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	if room := o.max - o.kept.Len(); n > room {
		p = p[:room]
		if !o.cut && o.full != nil {
			o.full()
		}
		o.cut = true
	}
	o.kept.Write(p)
	return n, nil
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
