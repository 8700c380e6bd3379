package yaml

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// toSink is a receiver that writes data without decoding it.
type toSink struct {
	s    dataconv.Sink
	open []opened
	// flow is s if repeated members are dropped. Nil writes them.
	flow *flowSink
}

// opened is an open list or map.
type opened struct {
	n    int             // members so far
	keys map[string]span // the keys, with the first value of each in flow; nil for a list
	key  string          // key of the current member of a map
	// The starts in flow of the current member, with its separator, and of its value.
	member, value int
	typ           string // its `__ptype`, if it has been read
}

func (t *toSink) top() *opened {
	if len(t.open) == 0 {
		return &opened{}
	}
	return &t.open[len(t.open)-1]
}

func (t *toSink) add(v pcore.Value) error {
	top := t.top()
	switch v := v.(type) {
	case pcore.Undef:
		t.s.Null()
	case pcore.Boolean:
		t.s.Boolean(bool(v))
	case pcore.Integer:
		t.s.Integer(int64(v))
	case pcore.BigInteger:
		if err := t.s.BigInteger(v); err != nil {
			return err
		}
	case pcore.Float:
		t.s.Float(float64(v))
	case pcore.String:
		if top.keys != nil && top.key == dataconv.TypeKey {
			top.typ = string(v)
		}
		t.s.String(string(v))
	case pcore.Binary, *pcore.Regexp:
		if err := dataconv.NewEmitter(t.s, dataconv.Rich, serialization.EncodeOptions{}).Emit(v); err != nil {
			return err
		}
	default: // not a YAML scalar
	}
	return t.ended()
}

func (t *toSink) key(v pcore.Value) error {
	s, ok := v.(pcore.String)
	if !ok {
		return fmt.Errorf("%w: a map key is not a string", serialization.ErrUnsupported)
	}
	top := t.top()
	top.key = string(s)
	if _, known := top.keys[top.key]; !known {
		top.keys[top.key] = span{}
	}
	if t.flow == nil {
		t.s.Key(top.key)
		return nil
	}
	top.member = len(t.flow.b)
	t.flow.Key(top.key)
	top.value = len(t.flow.b)
	return nil
}

func (t *toSink) beginArray() error {
	t.open = append(t.open, opened{})
	t.s.BeginArray(-1)
	return nil
}

func (t *toSink) beginMap() error {
	t.open = append(t.open, opened{keys: map[string]span{}})
	t.s.BeginMap(-1)
	return nil
}

func (t *toSink) endArray() error {
	t.s.EndArray()
	return t.closed()
}

func (t *toSink) endMap() error {
	t.s.EndMap()
	return t.closed()
}

func (t *toSink) closed() error {
	t.open = t.open[:len(t.open)-1]
	return t.ended()
}

// span is a range of a text.
type span struct{ start, end int }

// ended notes the end of a value. It drops a member that repeats another one, and fails if the
// values differ.
func (t *toSink) ended() error {
	top := t.top()
	if top.keys == nil || t.flow == nil {
		top.n++
		return nil
	}
	value := span{top.value, len(t.flow.b)}
	switch b, first := t.flow.b, top.keys[top.key]; {
	case first.end == 0:
		top.keys[top.key] = value
	case string(b[first.start:first.end]) != string(b[value.start:value.end]):
		return serialization.ErrDuplicateKey
	default:
		t.flow.b = b[:top.member]
	}
	top.n++
	return nil
}

// path returns the path to the current value, which ends at the outermost
// Sensitive.
func (t *toSink) path() pcore.Path {
	path := make(pcore.Path, 0, len(t.open))
	for _, o := range t.open {
		switch {
		case o.keys == nil:
			path = append(path, pcore.Step{Kind: pcore.StepIndex, Index: o.n})
		case len(o.keys) > 0 && dataconv.MayBeSecret(pcore.String(o.key), o.typ):
			return append(path, pcore.Step{Kind: pcore.StepSecret})
		case len(o.keys) > 0:
			path = append(path, pcore.Step{Kind: pcore.StepEntry, Index: o.n, Key: pcore.String(o.key)})
		}
	}
	return path
}
