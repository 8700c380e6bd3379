package wire

import (
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Sink is the destination of a [Writer]. BeginArray and BeginMap accept -1 for
// an unknown number of members.
type Sink interface {
	dataconv.Sink
	// Raw writes an encoded value.
	Raw(value []byte) error
	// Final returns the pushed bytes that will not change, and Drop discards
	// them.
	Final() []byte
	Drop()
}

// Writer implements [serialization.Writer] on a Sink.
type Writer struct {
	format string
	w      io.Writer
	sink   Sink
	emit   *dataconv.Emitter
	levels []outLevel
	err    error
}

// outLevel is an open array or map.
type outLevel struct {
	isMap   bool
	key     string // the last one
	n       int    // as announced
	written int
	inValue bool
}

// NewWriter returns a Writer that writes to w.
func NewWriter(format string, w io.Writer, sink Sink, mode dataconv.Mode, o serialization.EncodeOptions) *Writer {
	writer := &Writer{format: format, w: w, sink: sink}
	if report := o.OnLoss; report != nil {
		o.OnLoss = func(l serialization.Loss) {
			l.Path = append(writer.path(), l.Path...)
			report(l)
		}
	}
	writer.emit = dataconv.NewEmitter(sink, mode, o)
	return writer
}

// path returns the path to the value being written.
func (w *Writer) path() pcore.Path {
	var path pcore.Path
	for _, l := range w.levels {
		if l.isMap {
			path = path.Key(l.key)
		} else {
			path = path.Index(l.written - 1)
		}
	}
	return path
}

var (
	errKey    = errors.New("missing key before the value of a map member")
	errNoKey  = errors.New("a key outside of a map, or after another key")
	errNoEnd  = errors.New("no array or map is open, or a key has no value")
	errIsOpen = errors.New("an array or a map is not closed")
)

// BeginMap implements [serialization.Writer].
func (w *Writer) BeginMap(n int) error {
	if err := w.value(); err != nil {
		return err
	}
	w.sink.BeginMap(n)
	w.levels = append(w.levels, outLevel{isMap: true, n: n})
	return nil
}

// BeginArray implements [serialization.Writer].
func (w *Writer) BeginArray(n int) error {
	if err := w.value(); err != nil {
		return err
	}
	w.sink.BeginArray(n)
	w.levels = append(w.levels, outLevel{n: n})
	return nil
}

// End implements [serialization.Writer].
func (w *Writer) End() error {
	if w.err != nil {
		return w.err
	}
	top := w.top()
	switch {
	case top == nil || top.inValue:
		return w.fail(errNoEnd)
	case top.n >= 0 && top.n != top.written:
		return w.fail(fmt.Errorf("%d members announced, but %d written", top.n, top.written))
	case top.isMap:
		w.sink.EndMap()
	default:
		w.sink.EndArray()
	}
	w.levels = w.levels[:len(w.levels)-1]
	return w.flush(flushAt)
}

// Key implements [serialization.Writer].
func (w *Writer) Key(key string) error {
	if w.err != nil {
		return w.err
	}
	top := w.top()
	if top == nil || !top.isMap || top.inValue {
		return w.fail(errNoKey)
	}
	top.inValue, top.key = true, key
	w.sink.Key(key)
	return nil
}

// Value implements [serialization.Writer].
func (w *Writer) Value(v pcore.Value) error {
	if err := w.value(); err != nil {
		return err
	}
	if err := w.emit.Emit(v); err != nil {
		return w.fail(err)
	}
	return w.flush(flushAt)
}

// Raw implements [serialization.Writer].
func (w *Writer) Raw(raw []byte) error {
	if err := w.value(); err != nil {
		return err
	}
	if err := w.sink.Raw(raw); err != nil {
		return w.fail(err)
	}
	return w.flush(flushAt)
}

// Close implements [serialization.Writer].
func (w *Writer) Close() error {
	switch {
	case w.err != nil:
		return w.err
	case len(w.levels) > 0:
		return w.fail(errIsOpen)
	}
	return w.flush(0)
}

// value prepares for writing a value.
func (w *Writer) value() error {
	if w.err != nil {
		return w.err
	}
	if top := w.top(); top != nil {
		if top.isMap && !top.inValue {
			return w.fail(errKey)
		}
		top.inValue = false
		top.written++
	}
	return nil
}

func (w *Writer) top() *outLevel {
	if len(w.levels) == 0 {
		return nil
	}
	return &w.levels[len(w.levels)-1]
}

// flushAt is the number of bytes that are buffered before they are written.
const flushAt = 64 << 10

func (w *Writer) flush(above int) error {
	b := w.sink.Final()
	if len(b) < above {
		return nil
	}
	if _, err := w.w.Write(b); err != nil {
		w.err = err
		return err
	}
	w.sink.Drop()
	return nil
}

func (w *Writer) fail(err error) error {
	w.err = codec.InFormat(w.format, err)
	return w.err
}
