package wire

import (
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Edits are changes of a value that drop repeated members of its maps. They are in order and
// do not overlap.
type Edits []Edit

// Edit replaces a range of bytes.
type Edit struct {
	Start, End int
	By         []byte
}

// Cut drops a range, at the end of the value as far as it was read, with the edits in it.
func (e *Edits) Cut(start, end int) {
	*e = append((*e)[:e.before(start)], Edit{Start: start, End: end})
}

// Insert adds an edit in front of those of later ranges.
func (e *Edits) Insert(edit Edit) { *e = slices.Insert(*e, e.before(edit.Start), edit) }

// before returns the number of edits before a position.
func (e *Edits) before(position int) int {
	n, _ := slices.BinarySearchFunc(*e, position, func(edit Edit, position int) int { return edit.Start - position })
	return n
}

// apply returns data with the edits.
func (e Edits) apply(data []byte) []byte {
	if len(e) == 0 {
		return data
	}
	var out []byte
	end := 0
	for _, edit := range e {
		out = append(append(out, data[end:edit.Start]...), edit.By...)
		end = edit.End
	}
	return append(out, data[end:]...)
}

// Members are the members of a map with repeated ones.
type Members struct {
	Values map[string][]byte // the first value of each key
	Next   int               // position up to which Values has the members
	Count  int               // number of members that were dropped
}

// Add adds the value of a key, unless it has one.
func (m *Members) Add(key, value []byte) {
	if m.Values == nil {
		m.Values = map[string][]byte{}
	}
	if _, known := m.Values[string(key)]; !known {
		m.Values[string(key)] = value
	}
}

// AreEqual reports whether two valid values are equal.
func AreEqual(s Syntax, a, b []byte, o serialization.DecodeOptions) bool {
	o.Plain, o.MaxDepth, o.AllowDuplicates = true, len(a)+len(b)+1, false
	v, err := Decode(s, a, o)
	if err != nil {
		return false
	}
	w, err := Decode(s, b, o)
	return err == nil && pcore.Identical(v, w)
}
