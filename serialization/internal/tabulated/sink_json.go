package tabulated

import (
	"bytes"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/json"
)

// jsonSink writes the stream as one array, with indentation.
type jsonSink struct {
	w    serialization.Writer
	held bytes.Buffer
	// open contains, for each extension whose array is open, the number of
	// elements still expected.
	open []int
}

// newJSONSink returns a sink that appends to before.
func newJSONSink(before []byte, indent string) (*jsonSink, error) {
	s := &jsonSink{held: *bytes.NewBuffer(before)}
	s.w = json.NewWriter(&s.held, dataconv.Rich, serialization.EncodeOptions{Indent: indent})
	return s, s.w.BeginArray(-1)
}

func (s *jsonSink) take() []byte {
	b := s.held.Bytes()
	s.held.Reset()
	return b
}

func (s *jsonSink) scalar(v pcore.Value) error {
	if err := s.w.Value(v); err != nil {
		return err
	}
	return s.counted()
}

func (s *jsonSink) extension(c code, n int, payload ...pcore.Value) error {
	if err := s.w.BeginArray(-1); err != nil {
		return err
	}
	if err := s.w.Value(pcore.Integer(c)); err != nil {
		return err
	}
	for _, v := range payload {
		if err := s.w.Value(v); err != nil {
			return err
		}
	}
	return s.began(n)
}

func (s *jsonSink) number(c code, n, payload int) error {
	if err := s.w.BeginArray(-1); err != nil {
		return err
	}
	if err := s.w.Value(pcore.Integer(c)); err != nil {
		return err
	}
	if err := s.w.Value(pcore.Integer(payload)); err != nil {
		return err
	}
	return s.began(n)
}

// began leaves the array of an extension open for n parts of the stream, or closes it.
func (s *jsonSink) began(n int) error {
	if n > 0 {
		s.open = append(s.open, n)
		return nil
	}
	if err := s.w.End(); err != nil {
		return err
	}
	return s.counted()
}

// counted closes the arrays that are complete. As in the reference, an element
// counts for the innermost array only. Because the start of a secret counts,
// too, the last element of an array with a secret is outside of the array.
func (s *jsonSink) counted() error {
	for last := len(s.open) - 1; last >= 0; last-- {
		s.open[last]--
		if s.open[last] > 0 {
			return nil
		}
		s.open = s.open[:last]
		if err := s.w.End(); err != nil {
			return err
		}
	}
	return nil
}

func (s *jsonSink) binary(v pcore.Binary) (code, pcore.Value) {
	return codeBase64, pcore.String(v.Base64())
}

// close ends the array.
func (s *jsonSink) close() error {
	if err := s.w.End(); err != nil {
		return err
	}
	return s.w.Close()
}
