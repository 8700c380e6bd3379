package yaml

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// toSink is the receiver that writes data again, as it stands.
type toSink struct {
	s *sink
	// keys are those of the maps that are open.
	keys []map[string]struct{}
	// duplicates tells that a map may hold a key twice.
	duplicates bool
}

func (t *toSink) add(v pcore.Value) error {
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
		t.s.String(string(v))
	case pcore.Binary:
		return richdata.NewEmitter(t.s, richdata.Rich, serialization.EncodeOptions{}).Emit(v)
	}
	return nil
}

func (t *toSink) key(v pcore.Value) error {
	s, ok := v.(pcore.String)
	if !ok {
		return fmt.Errorf("%w: the key of a map is no string", serialization.ErrUnsupported)
	}
	top := t.keys[len(t.keys)-1]
	if _, known := top[string(s)]; known && !t.duplicates {
		return serialization.ErrDuplicateKey
	}
	top[string(s)] = struct{}{}
	t.s.Key(string(s))
	return nil
}

func (t *toSink) beginArray(n int) error { t.s.BeginArray(n); return nil }
func (t *toSink) endArray() error        { t.s.EndArray(); return nil }
func (t *toSink) path() pcore.Path       { return nil }

func (t *toSink) beginMap(n int) error {
	t.keys = append(t.keys, map[string]struct{}{})
	t.s.BeginMap(n)
	return nil
}

func (t *toSink) endMap() error {
	t.keys = t.keys[:len(t.keys)-1]
	t.s.EndMap()
	return nil
}
