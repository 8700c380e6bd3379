package yaml

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// receiver receives the data of a document.
type receiver interface {
	add(v pcore.Value) error
	key(v pcore.Value) error
	beginArray() error
	endArray() error
	beginMap() error
	endMap() error
	path() pcore.Path
}

// collection is an open list or map.
type collection struct {
	at    int // its position
	isMap bool
	atKey bool // a key or the end of the map is next
	key   int  // the position of the last key of a map
}

// walk pushes the node that begins with e into to. It is nested in depth lists and
// maps.
func (s *events) walk(e yamlwire.Event, to receiver, depth int) error {
	var open []collection
	s.startValue(e.At)
	for {
		err := s.push(&open, e, to, depth)
		switch {
		case err != nil && isPlaced(err):
			return err
		case err != nil:
			if last := len(open) - 1; last >= 0 && errors.Is(err, serialization.ErrDuplicateKey) {
				e.At = open[last].key // that the value differs is known at its end
			}
			return s.fail(&e, to.path(), err)
		case len(open) == 0:
			return nil
		}
		if e, err = s.next(); err != nil {
			return err
		}
	}
}

// push pushes an event into to.
func (s *events) push(open *[]collection, e yamlwire.Event, to receiver, depth int) error {
	last := len(*open) - 1
	if last >= 0 && (*open)[last].isMap {
		top := &(*open)[last]
		top.atKey = !top.atKey
		if !top.atKey && e.Kind != yamlwire.MappingEnd {
			top.key = e.At
			return s.key(e, to)
		}
	}
	switch e.Kind {
	case yamlwire.SequenceStart, yamlwire.MappingStart:
		if depth+last+1 >= codec.Depth(&s.opts) {
			return fmt.Errorf("%w: more than %d levels of lists and maps", serialization.ErrDepth, codec.Depth(&s.opts))
		}
		if !isContainer(e) {
			return unknownTag()
		}
		isMap := e.Kind == yamlwire.MappingStart
		*open = append(*open, collection{at: e.At, isMap: isMap, atKey: isMap})
		if isMap {
			return to.beginMap()
		}
		return to.beginArray()
	case yamlwire.SequenceEnd:
		*open = (*open)[:last]
		return to.endArray()
	case yamlwire.MappingEnd:
		e.At = (*open)[last].at
		*open = (*open)[:last]
		err := to.endMap()
		if errors.As(err, new(*serialization.Error)) {
			return s.fail(&e, nil, err) // err has its path
		}
		return err
	default:
		v, err := s.scalar(&e)
		if err != nil {
			return err
		}
		return to.add(v)
	}
}

func (s *events) key(e yamlwire.Event, to receiver) error {
	if e.Kind != yamlwire.Scalar {
		return fmt.Errorf("%w: a map key is a list or a map", serialization.ErrUnsupported)
	}
	v, err := s.keyValue(&e)
	if err != nil {
		return err
	}
	return to.key(v)
}

// toBuilder is a receiver that builds a value.
type toBuilder struct{ b *dataconv.Builder }

func (t toBuilder) add(v pcore.Value) error { t.b.Add(v); return nil }
func (t toBuilder) key(v pcore.Value) error { t.b.KeyValue(v, -1); return nil }
func (t toBuilder) beginArray() error       { return t.b.BeginArray() }
func (t toBuilder) endArray() error         { t.b.EndArray(); return nil }
func (t toBuilder) beginMap() error         { return t.b.BeginMap() }
func (t toBuilder) endMap() error           { return t.b.EndMap() }
func (t toBuilder) path() pcore.Path        { return t.b.Path() }
