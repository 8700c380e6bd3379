// Package intern shares what is read from equal bytes: most resources of a catalog have
// parameters with the values of others.
//
// Tables of shared values belong here; which members of a resource are read is the decision of
// the packages that use them.
package intern

import (
	"encoding/binary"

	"github.com/pcatdev/pcat/catalog"
)

const (
	maxKeys   = 1 << 12 // values that differ everywhere would only fill memory
	maxKeyLen = 1 << 10 // bytes of a key
)

// Table maps keys to shared values. A key is built with Reset, Text and Member. The zero value
// is empty.
type Table[T any] struct {
	values map[string]T
	key    []byte
	opaque bool // the bytes in key do not determine the value
}

// Reset begins a key of members in a syntax, that of [catalog.Resource.Wire].
func (t *Table[T]) Reset(wire string) {
	t.key, t.opaque = t.key[:0], false
	t.Text(wire)
}

// Text appends a text to the key.
func (t *Table[T]) Text(text string) {
	t.key = append(binary.AppendUvarint(t.key, uint64(len(text))), text...)
}

// Member appends the name and the value of a member to the key.
func (t *Table[T]) Member(m *catalog.Member) {
	if t.opaque = t.opaque || m.MayBeRich(); t.opaque {
		return
	}
	t.Text(m.Key)
	raw := m.Bytes()
	t.key = append(binary.AppendUvarint(t.key, uint64(len(raw))), raw...)
}

// Get returns the value of the key.
func (t *Table[T]) Get() (value T, ok bool) {
	if !t.opaque {
		value, ok = t.values[string(t.key)]
	}
	return value, ok
}

// Set sets the value of the key, if the table has room for it.
func (t *Table[T]) Set(value T) {
	if t.opaque || len(t.key) > maxKeyLen || len(t.values) >= maxKeys {
		return
	}
	if t.values == nil {
		t.values = make(map[string]T)
	}
	t.values[string(t.key)] = value
}
