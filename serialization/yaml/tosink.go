package yaml

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// toSink is a receiver that writes data without decoding it.
type toSink struct {
	s    dataconv.Sink
	open []opened
	// duplicates allows duplicate keys in a map.
	duplicates bool
}

// opened is an open list or map.
type opened struct {
	n    int                 // members so far
	keys map[string]struct{} // nil for a list
	key  string              // key of the current member of a map
	typ  string              // its `__ptype`, if it has been read
}

func (t *toSink) top() *opened {
	if len(t.open) == 0 {
		return &opened{}
	}
	return &t.open[len(t.open)-1]
}

func (t *toSink) add(v pcore.Value) error {
	top := t.top()
	top.n++
	switch v := v.(type) {
	case pcore.Undef:
		t.s.Null()
	case pcore.Boolean:
		t.s.Boolean(bool(v))
	case pcore.Integer:
		t.s.Integer(int64(v))
	case pcore.BigInteger:
		return t.s.BigInteger(v)
	case pcore.Float:
		t.s.Float(float64(v))
	case pcore.String:
		if top.keys != nil && top.key == dataconv.TypeKey {
			top.typ = string(v)
		}
		t.s.String(string(v))
	case pcore.Binary, *pcore.Regexp:
		return dataconv.NewEmitter(t.s, richdata.Rich, serialization.EncodeOptions{}).Emit(v)
	default: // not a YAML scalar
	}
	return nil
}

func (t *toSink) key(v pcore.Value) error {
	s, ok := v.(pcore.String)
	if !ok {
		return fmt.Errorf("%w: a map key is not a string", serialization.ErrUnsupported)
	}
	top := t.top()
	top.key = string(s)
	if _, known := top.keys[top.key]; known && !t.duplicates {
		return serialization.ErrDuplicateKey
	}
	top.keys[top.key] = struct{}{}
	t.s.Key(top.key)
	return nil
}

func (t *toSink) beginArray() error {
	t.open = append(t.open, opened{})
	t.s.BeginArray(-1)
	return nil
}

func (t *toSink) beginMap() error {
	t.open = append(t.open, opened{keys: map[string]struct{}{}})
	t.s.BeginMap(-1)
	return nil
}

func (t *toSink) endArray() error {
	t.s.EndArray()
	t.closed()
	return nil
}

func (t *toSink) endMap() error {
	t.s.EndMap()
	t.closed()
	return nil
}

func (t *toSink) closed() {
	t.open = t.open[:len(t.open)-1]
	t.top().n++
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
