//go:build !purego

package pcore

import "unsafe"

// scalarSlab creates Strings and numbers in chunks.
//
// Go converts a String or a number to a Value by copying it to an allocation of
// its own. The methods below make the Value point into a chunk instead. This
// takes unsafe code; slab_purego.go does without.
type scalarSlab struct {
	strings  chunks[String]
	integers chunks[Integer]
	floats   chunks[Float]
}

func (s *scalarSlab) string(text string) Value {
	if len(s.strings.current) == cap(s.strings.current) {
		s.strings.begin(1)
	}
	s.strings.current = append(s.strings.current, String(text))
	return boxedString(&s.strings.current[len(s.strings.current)-1])
}

func (s *scalarSlab) integer(i int64) Value {
	if len(s.integers.current) == cap(s.integers.current) {
		s.integers.begin(1)
	}
	s.integers.current = append(s.integers.current, Integer(i))
	return boxedInteger(&s.integers.current[len(s.integers.current)-1])
}

func (s *scalarSlab) float(f float64) Value {
	p := s.floats.one()
	*p = Float(f)
	return boxedFloat(p)
}

func (s *scalarSlab) size(n *SlabSize) {
	n.strings, n.integers, n.floats = s.strings.len(), s.integers.len(), s.floats.len()
}

func (s *scalarSlab) expect(n SlabSize) {
	s.strings.expect(n.strings)
	s.integers.expect(n.integers)
	s.floats.expect(n.floats)
}

func (s *scalarSlab) recycle() {
	s.strings.recycle()
	s.integers.recycle()
	s.floats.recycle()
}

// boxed is the memory layout of a Value: two words, the type and a pointer to
// the data, which Go never modifies; nor does the slab. The garbage collector
// supports pointers into the middle of a chunk. TestSlab compares the results
// with values made by the language.
type boxed struct{ _, data unsafe.Pointer }

func boxedString(p *String) Value {
	var v Value = String("")
	(*boxed)(unsafe.Pointer(&v)).data = unsafe.Pointer(p) //nolint:gosec // see boxed
	return v
}

func boxedInteger(p *Integer) Value {
	var v Value = Integer(0)
	(*boxed)(unsafe.Pointer(&v)).data = unsafe.Pointer(p) //nolint:gosec // see boxed
	return v
}

func boxedFloat(p *Float) Value {
	var v Value = Float(0)
	(*boxed)(unsafe.Pointer(&v)).data = unsafe.Pointer(p) //nolint:gosec // see boxed
	return v
}
