package yaml

import (
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// reader implements [serialization.Reader] on the events of a stream.
type reader struct {
	events *events
	next   *yamlwire.Event // the next event, or nil if it has not been read
	levels []position
	// inDocument indicates that the beginning of a document has been read, and not
	// its end.
	inDocument bool
	err        error
}

// position is a list or a map that contains the cursor.
type position struct {
	isMap bool
	atKey bool
	index int    // of the next member
	key   string // the last one
	seen  map[string]struct{}
}

// NewReader returns a cursor at the beginning of r. It keeps the text of a whole
// document in memory. Raw returns a value as a document of its own in flow style, not the
// original bytes.
func NewReader(r io.Reader, o serialization.DecodeOptions) serialization.Reader {
	return &reader{events: newEvents(r, o)}
}

// here returns the next event.
func (r *reader) here() (yamlwire.Event, error) {
	if r.err != nil {
		return yamlwire.Event{}, r.err
	}
	if r.next != nil {
		return *r.next, nil
	}
	var e yamlwire.Event
	var err error
	if r.inDocument {
		e, err = r.events.next()
	} else if e, err = r.events.begin(); err == nil {
		r.inDocument = true
	}
	switch {
	case err == io.EOF: //nolint:errorlint // the contract of begin
		return e, err
	case err != nil:
		return e, r.fail(&e, err)
	}
	r.next = &e
	return e, nil
}

func (r *reader) top() *position {
	if len(r.levels) == 0 {
		return nil
	}
	return &r.levels[len(r.levels)-1]
}

func isEnd(e yamlwire.Event) bool {
	return e.Kind == yamlwire.SequenceEnd || e.Kind == yamlwire.MappingEnd
}

func (r *reader) fail(e *yamlwire.Event, err error) error {
	r.err = r.events.fail(e, r.Path(), err)
	return r.err
}

func (r *reader) misused(text string) error {
	return r.fail(nil, fmt.Errorf("%w: %s", serialization.ErrValue, text))
}

// Token implements [serialization.Reader].
func (r *reader) Token() (serialization.Token, error) {
	e, err := r.here()
	switch {
	case err != nil:
		return 0, err
	case isEnd(e):
		return serialization.TokenEnd, nil
	case r.top() != nil && r.top().atKey:
		return serialization.TokenKey, nil
	case e.Kind == yamlwire.SequenceStart:
		return serialization.TokenArray, nil
	case e.Kind == yamlwire.MappingStart:
		return serialization.TokenMap, nil
	}
	v, err := r.events.scalar(&e)
	if err != nil {
		return 0, r.fail(&e, err)
	}
	switch v.(type) {
	case pcore.Undef:
		return serialization.TokenNull, nil
	case pcore.Boolean:
		return serialization.TokenBoolean, nil
	case pcore.String:
		return serialization.TokenString, nil
	case pcore.Binary:
		return serialization.TokenBinary, nil
	default:
		return serialization.TokenNumber, nil
	}
}

// value returns the first event of the next value.
func (r *reader) value() (yamlwire.Event, error) {
	e, err := r.here()
	switch {
	case err == io.EOF: //nolint:errorlint // the contract of here
		return e, r.fail(nil, serialization.ErrTruncated)
	case err != nil:
		return e, err
	case isEnd(e) || r.top() != nil && r.top().atKey:
		return e, r.misused("expected a value")
	}
	return e, nil
}

// done notes that a value has been read.
func (r *reader) done() error {
	r.next = nil
	r.events.startValue(0)
	if top := r.top(); top != nil {
		top.index++
		top.atKey = top.isMap
		return nil
	}
	r.inDocument = false
	if err := r.events.end(); err != nil {
		r.err = err
	}
	return r.err
}

// Enter implements [serialization.Reader].
func (r *reader) Enter() (n int, err error) {
	e, err := r.value()
	switch {
	case err != nil:
		return -1, err
	case e.Kind == yamlwire.Scalar:
		return -1, r.misused("expected a list or a map")
	case len(r.levels) >= codec.Depth(&r.events.opts):
		return -1, r.fail(&e, serialization.ErrDepth)
	case !isContainer(e):
		return -1, r.fail(&e, unknownTag())
	}
	r.next = nil
	isMap := e.Kind == yamlwire.MappingStart
	r.levels = append(r.levels, position{isMap: isMap, atKey: isMap})
	return -1, nil
}

// Leave implements [serialization.Reader].
func (r *reader) Leave() error {
	if r.err != nil {
		return r.err
	}
	if r.top() == nil {
		return r.misused("no array or map is open")
	}
	for {
		switch t, err := r.Token(); {
		case err != nil:
			return err
		case t == serialization.TokenEnd:
			r.levels = r.levels[:len(r.levels)-1]
			return r.done()
		case t == serialization.TokenKey:
			if _, err := r.Key(); err != nil {
				return err
			}
		default:
			if err := r.Skip(); err != nil {
				return err
			}
		}
	}
}

// Key implements [serialization.Reader].
func (r *reader) Key() (string, error) {
	e, err := r.here()
	if err != nil {
		return "", err
	}
	top := r.top()
	if isEnd(e) || top == nil || !top.atKey {
		return "", r.misused("expected a key")
	}
	if e.Kind != yamlwire.Scalar {
		return "", r.fail(&e, fmt.Errorf("%w: a map key is a list or a map", serialization.ErrUnsupported))
	}
	v, err := r.events.keyValue(&e)
	if err != nil {
		return "", r.fail(&e, err)
	}
	key, ok := v.(pcore.String)
	if !ok {
		return "", r.fail(&e, fmt.Errorf("%w: a map key is not a string", serialization.ErrUnsupported))
	}
	top.key, top.atKey = string(key), false
	r.next = nil
	if top.seen == nil {
		top.seen = map[string]struct{}{}
	}
	if _, known := top.seen[top.key]; known && !r.events.opts.AllowDuplicates {
		return top.key, r.events.fail(&e, r.Path(), serialization.ErrDuplicateKey)
	}
	top.seen[top.key] = struct{}{}
	return top.key, nil
}

// Value implements [serialization.Reader].
func (r *reader) Value() (pcore.Value, error) {
	b := dataconv.NewBuilder(r.events.opts)
	b.Under(len(r.levels))
	if err := r.walk(toBuilder{b}); err != nil {
		return nil, err
	}
	return b.Value(), nil
}

// walk pushes the next value into to.
func (r *reader) walk(to receiver) error {
	e, err := r.value()
	if err != nil {
		return err
	}
	if err := r.events.walk(e, to, len(r.levels)); err != nil {
		return r.fail(&e, err)
	}
	return r.done()
}

// Raw implements [serialization.Reader].
func (r *reader) Raw() (serialization.Raw, error) {
	var flow flowSink
	to := &toSink{s: &flow}
	if !r.events.opts.AllowDuplicates {
		to.flow = &flow
	}
	if err := r.walk(to); err != nil {
		return serialization.Raw{}, err
	}
	return serialization.Raw{Bytes: flow.b, Offset: -1}, nil
}

// Skip implements [serialization.Reader].
func (r *reader) Skip() error {
	_, err := r.Raw()
	return err
}

// Offset implements [serialization.Reader]. Raw returns no bytes of the input, so it
// returns -1.
func (r *reader) Offset() int64 { return -1 }

// Path implements [serialization.Reader].
func (r *reader) Path() pcore.Path {
	var path pcore.Path
	for i := range r.levels {
		p := &r.levels[i]
		switch {
		case !p.isMap:
			path = path.Index(p.index)
		case !p.atKey:
			path = append(path, pcore.Step{Kind: pcore.StepEntry, Index: p.index, Key: pcore.String(p.key)})
		}
	}
	return path
}

// End implements [serialization.Reader].
func (r *reader) End() error {
	if r.top() != nil {
		return r.misused("a list or a map is not closed")
	}
	switch e, err := r.here(); {
	case err == io.EOF: //nolint:errorlint // the contract of here
		return nil
	case err != nil:
		return err
	default:
		return r.fail(&e, serialization.ErrTrailing)
	}
}
