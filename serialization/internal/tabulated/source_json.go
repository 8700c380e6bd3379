package tabulated

import (
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/json"
)

// jsonSource reads the stream from an array. The nesting of the arrays of
// extensions has no meaning: the stream is their contents in order.
type jsonSource struct {
	r     serialization.Reader
	depth int // the number of open arrays; 0 before and after the document
}

// outerLevels is the number of arrays that may be open in addition to those of
// values: the array of the document and the array of a scalar.
const outerLevels = 2

func newJSONSource(r io.Reader, o serialization.DecodeOptions) *jsonSource {
	o.MaxDepth = codec.Depth(&o) + outerLevels
	return &jsonSource{r: json.NewReader(r, o)}
}

func (s *jsonSource) next() (code, pcore.Value, error) {
	if s.depth == 0 {
		if err := s.begin(); err != nil {
			return scalar, nil, err
		}
	}
	for {
		t, err := s.r.Token()
		if err != nil {
			return scalar, nil, truncated(err)
		}
		switch t {
		case serialization.TokenEnd:
			if err := s.leave(); err != nil || s.depth == 0 {
				return scalar, nil, orEOF(err)
			}
		case serialization.TokenArray:
			c, err := s.enter()
			return c, nil, err
		case serialization.TokenMap:
			return scalar, nil, s.syntax("a map is not part of the protocol")
		default:
			v, err := s.r.Value()
			return scalar, v, err
		}
	}
}

// begin enters the next document.
func (s *jsonSource) begin() error {
	t, err := s.r.Token()
	switch {
	case err != nil:
		return err
	case t != serialization.TokenArray:
		return s.syntax("a tabulated document must be an array")
	}
	_, err = s.r.Enter()
	s.depth++
	return err
}

func (s *jsonSource) leave() error {
	s.depth--
	return s.r.Leave()
}

// enter enters the array of an extension.
func (s *jsonSource) enter() (code, error) {
	if _, err := s.r.Enter(); err != nil {
		return scalar, err
	}
	s.depth++
	v, err := s.payload()
	if err != nil {
		return scalar, err
	}
	c, ok := v.(pcore.Integer)
	if !ok || c < 0 || c > maxCode {
		return scalar, s.syntax("an array must begin with the code of an extension")
	}
	return code(c), nil
}

func (s *jsonSource) payload() (pcore.Value, error) {
	switch t, err := s.r.Token(); {
	case err != nil:
		return nil, truncated(err)
	case t == serialization.TokenEnd:
		return nil, s.syntax("the payload of an extension is too short")
	case t == serialization.TokenArray || t == serialization.TokenMap:
		return nil, s.syntax("the payload of an extension must contain only scalars")
	}
	return s.r.Value()
}

func (s *jsonSource) endPayload(c code) error {
	if c.starts() {
		return nil
	}
	switch t, err := s.r.Token(); {
	case err != nil:
		return truncated(err)
	case t != serialization.TokenEnd:
		return s.syntax("the payload of an extension is too long")
	}
	return s.leave()
}

func (s *jsonSource) offset() int64 { return s.r.Offset() }

// end returns an error if data follows the document.
func (s *jsonSource) end() error { return s.r.End() }

func (s *jsonSource) syntax(text string) error {
	return fmt.Errorf("%w: %s", serialization.ErrSyntax, text)
}

// truncated returns err, which occurred inside a document, with io.EOF replaced
// by ErrTruncated.
func truncated(err error) error {
	if err == io.EOF { //nolint:errorlint // the contract of Reader
		return serialization.ErrTruncated
	}
	return err
}

func orEOF(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}
