package msgpack

import (
	"slices"

	"github.com/pcatdev/pcat/internal/mpwire/pack"
	"github.com/pcatdev/pcat/pcore"
)

// sink appends data to b. It implements wire.Sink.
type sink struct {
	b []byte
	// open contains the open arrays and maps. held is the number of them that
	// began without a number of members. Their headers are inserted at the end,
	// so no bytes behind them are final until then.
	open []level
	held int
}

type level struct {
	start int // in b, the start of the members; the header of a held level goes there
	n     int // members so far
	held  bool
}

// add counts a value.
func (s *sink) add() {
	if len(s.open) > 0 {
		s.open[len(s.open)-1].n++
	}
}

func (s *sink) Null() {
	s.add()
	s.b = append(s.b, pack.Nil)
}

func (s *sink) Boolean(v bool) {
	s.add()
	if v {
		s.b = append(s.b, pack.True)
	} else {
		s.b = append(s.b, pack.False)
	}
}

func (s *sink) Integer(v int64) {
	s.add()
	s.b = pack.Int(s.b, v)
}

func (s *sink) BigInteger(v pcore.BigInteger) error {
	bits, err := bigBits(v)
	if err != nil {
		return err
	}
	s.add()
	s.b = pack.Uint(s.b, bits)
	return nil
}

func (s *sink) Float(v float64) {
	s.add()
	s.b = pack.Float(s.b, v)
}

func (s *sink) String(v string) {
	s.add()
	s.b = append(pack.Text(s.b, len(v)), v...)
}

// Key does not count, because members of a map are counted by their values.
func (s *sink) Key(v string) { s.b = append(pack.Text(s.b, len(v)), v...) }

// Raw implements wire.Sink, as do Final and Drop.
func (s *sink) Raw(value []byte) error {
	s.add()
	s.b = append(s.b, value...)
	return nil
}

func (s *sink) BeginArray(n int) { s.begin(n, pack.FixArray, pack.Array16) }
func (s *sink) EndArray()        { s.end(pack.FixArray, pack.Array16) }
func (s *sink) BeginMap(n int)   { s.begin(n, pack.FixMap, pack.Map16) }
func (s *sink) EndMap()          { s.end(pack.FixMap, pack.Map16) }

func (s *sink) begin(n int, fix, medium byte) {
	s.add()
	if n >= 0 {
		s.b = pack.Count(s.b, n, fix, medium)
	} else {
		s.held++
	}
	s.open = append(s.open, level{start: len(s.b), held: n < 0})
}

func (s *sink) end(fix, medium byte) {
	top := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if !top.held {
		return
	}
	s.held--
	var scratch [5]byte
	s.b = slices.Insert(s.b, top.start, pack.Count(scratch[:0], top.n, fix, medium)...)
}

// Final returns nil while a header is missing.
func (s *sink) Final() []byte {
	if s.held > 0 {
		return nil
	}
	return s.b
}

func (s *sink) Drop() { s.b = s.b[:0] }
