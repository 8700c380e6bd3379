package dataconv

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Sink receives data in document order: between BeginMap and EndMap, Key
// precedes each value. Text is valid UTF-8 and floats are finite.
type Sink interface {
	Null()
	Boolean(v bool)
	Integer(v int64)
	// BigInteger returns an error if the wire format cannot represent v.
	BigInteger(v pcore.BigInteger) error
	Float(v float64)
	String(v string)
	BeginArray(n int)
	EndArray()
	BeginMap(n int)
	Key(v string)
	EndMap()
}

// plainSink is a Sink that writes most texts faster if it checks them itself.
// The methods write nothing and return false for a text that is not ASCII, or
// needs an escape.
type plainSink interface {
	PlainString(v string) bool
	PlainKey(v string) bool
}

// Emitter pushes values into a Sink. It is not safe for concurrent use.
type Emitter struct {
	sink  Sink
	plain plainSink // the sink, or nil
	mode  Mode
	opts  serialization.EncodeOptions
	path  pcore.Path
	// steps has room for the path of most values.
	steps [4]pcore.Step
	// secrets counts the Sensitives of stringified data, which are numbered to
	// keep them distinct.
	secrets int
	written map[pcore.Value]string
}

// NewEmitter returns an Emitter that writes to sink.
func NewEmitter(sink Sink, mode Mode, o serialization.EncodeOptions) *Emitter {
	e := &Emitter{sink: sink, mode: mode, opts: o}
	e.plain, _ = sink.(plainSink)
	e.path = e.steps[:0]
	return e
}

// Emit pushes v, a whole document. If it fails, part of v may have been pushed.
// Errors are *[serialization.Error] with the path.
func (e *Emitter) Emit(v pcore.Value) error {
	e.path = e.path[:0]
	e.written = nil
	return e.emit(v)
}

func (e *Emitter) emit(v pcore.Value) error {
	if e.simple(v) {
		return nil
	}
	switch v := v.(type) {
	case pcore.BigInteger:
		if err := e.sink.BigInteger(v); err != nil {
			return e.fail(err)
		}
	case pcore.Float:
		return e.float(float64(v))
	case pcore.String:
		return e.text(string(v)) // not UTF-8
	case *pcore.Array:
		if e.referring() {
			return e.once(v, func() error { return e.array(v) })
		}
		return e.array(v)
	case *pcore.Hash:
		if e.referring() {
			return e.once(v, func() error { return e.hash(v) })
		}
		return e.hash(v)
	case *pcore.Sensitive:
		return e.once(v, func() error { return e.sensitive(v) })
	default:
		if e.mode == Rich {
			return e.rich(v)
		}
		if e.mode == Stringified && isNameless(v) {
			codec.Lose(&e.opts, e.path, serialization.LostValue, v, pcore.Undef{})
			e.sink.Null()
			return nil
		}
		text, err := e.plainText(v)
		if err != nil {
			return err
		}
		codec.Lose(&e.opts, e.path, serialization.LostType, v, pcore.String(text))
		return e.text(text)
	}
	return nil
}

func (e *Emitter) float(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return e.fail(fmt.Errorf("%w: NaN and Infinity cannot be represented", serialization.ErrRange))
	}
	e.sink.Float(f)
	return nil
}

func (e *Emitter) text(s string) error {
	if !utf8.ValidString(s) {
		return e.fail(fmt.Errorf("%w; use a Binary for bytes", serialization.ErrUTF8))
	}
	e.sink.String(s)
	return nil
}

func (e *Emitter) key(s string) error {
	if e.plain != nil && e.plain.PlainKey(s) {
		return nil
	}
	if !utf8.ValidString(s) {
		return e.fail(fmt.Errorf("a key: %w", serialization.ErrUTF8))
	}
	e.sink.Key(s)
	return nil
}

func (e *Emitter) array(v *pcore.Array) error {
	e.sink.BeginArray(v.Len())
	for i := range v.Len() {
		elem := v.At(i)
		if e.simple(elem) {
			continue
		}
		if err := e.within(pcore.Step{Kind: pcore.StepIndex, Index: i}, elem); err != nil {
			return err
		}
	}
	e.sink.EndArray()
	return nil
}

func (e *Emitter) hash(v *pcore.Hash) error {
	if e.mode != Rich {
		return e.plainHash(v)
	}
	if !v.HasPlainKeys() {
		return e.hashList(v)
	}
	return e.entries(v)
}

// entries writes a Hash with keys that are Strings as a map.
func (e *Emitter) entries(v *pcore.Hash) error {
	e.sink.BeginMap(v.Len())
	for i := range v.Len() {
		entry := v.At(i)
		key, _ := entry.Key.(pcore.String)
		if err := e.key(string(key)); err != nil {
			return err
		}
		if e.simple(entry.Value) {
			continue
		}
		if err := e.within(pcore.Step{Kind: pcore.StepEntry, Index: i, Key: entry.Key}, entry.Value); err != nil {
			return err
		}
	}
	e.sink.EndMap()
	return nil
}

// simple writes v if it is one of the values that most members are, which every
// form can represent, so that no path is needed.
func (e *Emitter) simple(v pcore.Value) bool {
	switch v := v.(type) {
	case pcore.String:
		if e.plain != nil && e.plain.PlainString(string(v)) {
			return true
		}
		if !utf8.ValidString(string(v)) {
			return false
		}
		e.sink.String(string(v))
	case pcore.Undef:
		e.sink.Null()
	case pcore.Boolean:
		e.sink.Boolean(bool(v))
	case pcore.Integer:
		e.sink.Integer(int64(v))
	case pcore.Float:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return false
		}
		e.sink.Float(float64(v))
	default:
		return false
	}
	return true
}

// hashList writes a Hash with keys that are not plain as a list of keys and
// values in turn.
func (e *Emitter) hashList(v *pcore.Hash) error {
	e.beginTyped("Hash", 1)
	e.sink.Key(ValueKey)
	e.sink.BeginArray(2 * v.Len())
	for i := range v.Len() {
		entry := v.At(i)
		if err := e.within(pcore.Step{Kind: pcore.StepKey, Index: i, Key: entry.Key, Listed: true}, entry.Key); err != nil {
			return err
		}
		if err := e.within(pcore.Step{Kind: pcore.StepEntry, Index: i, Key: entry.Key, Listed: true}, entry.Value); err != nil {
			return err
		}
	}
	e.sink.EndArray()
	e.sink.EndMap()
	return nil
}

// beginTyped opens a map with `__ptype` and n more members.
func (e *Emitter) beginTyped(name string, n int) {
	e.sink.BeginMap(1 + n)
	e.sink.Key(TypeKey)
	e.sink.String(name)
}

func (e *Emitter) member(key string, step pcore.Step, v pcore.Value) error {
	if err := e.key(key); err != nil {
		return err
	}
	return e.within(step, v)
}

func (e *Emitter) within(step pcore.Step, v pcore.Value) error {
	e.path = append(e.path, step)
	if err := e.emit(v); err != nil {
		return err
	}
	e.path = e.path[:len(e.path)-1]
	return nil
}

// fail returns err with the path to the current value. The path ends at the
// outermost Sensitive, because the keys inside may be secret.
func (e *Emitter) fail(err error) error {
	path := make(pcore.Path, 0, len(e.path))
	for _, step := range e.path {
		path = append(path, step)
		if step.Kind == pcore.StepSecret {
			break
		}
	}
	return &serialization.Error{Offset: -1, Path: path, Err: err}
}

// referring reports whether repeated values are written as references.
func (e *Emitter) referring() bool { return e.opts.LocalReferences && e.mode == Rich }

// once calls write for v or, if local references are enabled and v was written
// before, writes a reference to its first occurrence.
func (e *Emitter) once(v pcore.Value, write func() error) error {
	if !e.referring() {
		return write()
	}
	if path, ok := e.written[v]; ok {
		if path == "" {
			return write()
		}
		e.beginTyped("LocalRef", 1)
		e.sink.Key(ValueKey)
		e.sink.String(path)
		e.sink.EndMap()
		return nil
	}
	if e.written == nil {
		e.written = map[pcore.Value]string{}
	}
	e.written[v] = e.localPath()
	return write()
}

// localPath returns the path of the current value in the notation of a local
// reference, or "" if a key in the path cannot be written in it.
func (e *Emitter) localPath() string {
	undef := false
	for _, step := range e.path {
		switch step.Kind {
		case pcore.StepKey:
			return ""
		case pcore.StepEntry:
			switch step.Key.(type) {
			case pcore.String, pcore.Integer, pcore.Float, pcore.Boolean:
			case pcore.Undef:
				undef = true
			default:
				return ""
			}
		default:
		}
	}
	if !undef {
		return e.path.String()
	}
	local := []byte("$")
	for i, step := range e.path {
		if step.Kind == pcore.StepEntry && pcore.Is[pcore.Undef](step.Key) {
			local = append(local, "[null]"...)
		} else {
			local = append(local, strings.TrimPrefix(e.path[i:i+1].String(), "$")...)
		}
	}
	return string(local)
}
