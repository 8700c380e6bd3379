package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// events reads the events of a stream of documents. An alias is replaced by the events
// of its node.
type events struct {
	opts   serialization.DecodeOptions
	parser *yamlwire.Parser
	// aliases are the parsers of the nodes of the current aliases, each of which is
	// inside of the node before.
	aliases []*yamlwire.Parser
	written int // events outside of aliases
	aliased int // events because of an alias
	walked  int // events of the current value, which is read as a whole
	from    int // the position of the current value
	err     error
	slab    pcore.Slab // for Strings
}

// Aliases can make a document larger than its text. The limit is maxAliased
// events plus aliasRatio times the events in the text.
const (
	maxAliased = 10000
	aliasRatio = 10
)

// A value that is read as a whole (a resource, another member of a catalog, or a
// document that is no catalog) takes many times its text in memory if its elements are
// short. More than maxElements must have shortElement bytes each on average.
const (
	maxElements  = 1 << 20
	shortElement = 8
)

func newEvents(r io.Reader, o serialization.DecodeOptions) *events {
	return &events{opts: o, parser: yamlwire.New(&limited{r: r, left: codec.ByteLimit(&o)})}
}

// reset makes s read data.
func (s *events) reset(data []byte) {
	*s = events{opts: s.opts, slab: s.slab}
	if int64(len(data)) <= codec.ByteLimit(&s.opts) {
		s.parser = yamlwire.NewBytes(data)
	} else {
		s.parser = yamlwire.New(&limited{r: bytes.NewReader(data), left: codec.ByteLimit(&s.opts)})
	}
}

// begin returns the first event of the next document, or io.EOF if there are no more.
func (s *events) begin() (yamlwire.Event, error) {
	e, err := s.next()
	if err == nil && e.Kind == yamlwire.StreamEnd {
		err = s.stop(io.EOF)
	}
	if err != nil {
		return yamlwire.Event{}, err
	}
	s.written, s.aliased = 0, 0
	return s.next()
}

// end reads the end of the document, behind its last value.
func (s *events) end() error {
	_, err := s.next()
	return err
}

// next returns the next event, which is no alias.
func (s *events) next() (yamlwire.Event, error) {
	for s.err == nil {
		p, inAlias := s.parser, len(s.aliases) > 0
		if inAlias {
			p = s.aliases[len(s.aliases)-1]
		}
		e, err := p.Next()
		if err != nil {
			return e, s.stop(parseError(err))
		}
		switch {
		case e.Kind == yamlwire.StreamEnd && inAlias:
			s.aliases = s.aliases[:len(s.aliases)-1]
			continue
		case e.Kind == yamlwire.Alias:
			node, ok := p.Anchored(e)
			if !ok {
				return e, s.stop(s.fail(&e, nil, fmt.Errorf("%w: an alias refers to an unknown anchor", serialization.ErrSyntax)))
			}
			s.aliases = append(s.aliases, node)
			continue
		}
		return e, s.count(e, inAlias)
	}
	return yamlwire.Event{}, s.err
}

func (s *events) count(e yamlwire.Event, inAlias bool) error {
	s.walked++
	if s.walked > maxElements && e.At-s.from < shortElement*s.walked {
		return s.stop(s.fail(&e, nil, fmt.Errorf("%w: a value with more than %d short elements; convert the document to JSON, for example with ruby -ryaml -rjson",
			serialization.ErrTooLarge, maxElements)))
	}
	if !inAlias {
		s.written++
		return nil
	}
	s.aliased++
	if s.aliased > maxAliased+aliasRatio*s.written {
		return s.stop(s.fail(&e, nil, fmt.Errorf("%w: expanding aliases makes the document many times larger than its encoding", serialization.ErrTooLarge)))
	}
	return nil
}

// startValue notes that a value begins at the given position.
func (s *events) startValue(at int) { s.walked, s.from = 0, at }

// stop makes err the result of all further calls, and returns it.
func (s *events) stop(err error) error {
	s.err = err
	return err
}

// fail returns err with the position of e, which may be nil.
func (s *events) fail(e *yamlwire.Event, path pcore.Path, err error) error {
	out := &serialization.Error{Format: name, Offset: -1, Path: path, Err: err}
	var inner *serialization.Error
	if errors.As(err, &inner) {
		out.Path, out.Err = append(append(pcore.Path(nil), path...), inner.Path...), inner.Err
		out.Line, out.Column = inner.Line, inner.Column
	}
	if e != nil && out.Line == 0 {
		out.Line, out.Column = s.parser.Position(e.At)
	}
	return out
}

// isPlaced reports whether err has a line.
func isPlaced(err error) bool {
	var e *serialization.Error
	return errors.As(err, &e) && e.Line > 0
}
