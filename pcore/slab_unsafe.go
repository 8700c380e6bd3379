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
	p := s.strings.one()
	*p = String(text)
	return boxedString(p)
}

func (s *scalarSlab) integer(i int64) Value {
	p := s.integers.one()
	*p = Integer(i)
	return boxedInteger(p)
}

func (s *scalarSlab) float(f float64) Value {
	p := s.floats.one()
	*p = Float(f)
	return boxedFloat(p)
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
