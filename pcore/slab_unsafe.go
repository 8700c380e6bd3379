//go:build !purego

package pcore

import "unsafe"

// scalarSlab creates Strings and numbers in chunks.
//
// Go converts a String or a number to a Value by copying it to an allocation of
// its own. The methods below make the Value point into a chunk instead. This
// takes unsafe code; slab_purego.go does without.
type scalarSlab struct {
	strings  []String
	integers []Integer
	floats   []Float
}

func (s *scalarSlab) string(text string) Value {
	if len(s.strings) == cap(s.strings) {
		s.strings = room(s.strings)
	}
	s.strings = append(s.strings, String(text))
	return boxedString(&s.strings[len(s.strings)-1])
}

func (s *scalarSlab) integer(i int64) Value {
	s.integers = append(room(s.integers), Integer(i))
	return boxedInteger(&s.integers[len(s.integers)-1])
}

func (s *scalarSlab) float(f float64) Value {
	s.floats = append(room(s.floats), Float(f))
	return boxedFloat(&s.floats[len(s.floats)-1])
}

func (s *scalarSlab) recycle() {
	s.strings = emptied(s.strings)
	s.integers, s.floats = s.integers[:0], s.floats[:0]
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
