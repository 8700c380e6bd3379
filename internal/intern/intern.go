// Package intern keeps facts about many resources in little memory. Most resources of a catalog
// have parameters with the values of others, so facts from equal bytes are shared.
//
//	Facts  texts under names, of one resource
//	Table  the facts of all resources
//
// Compact memory for facts belongs here; which facts are read is the decision of the packages
// that use them.
package intern

import (
	"encoding/binary"

	"github.com/pcatdev/pcat/catalog"
)

const (
	maxKeys   = 1 << 12 // keys that differ everywhere would only fill memory
	maxKeyLen = 1 << 10 // bytes of a key
)

// Table holds the [Facts] of resources. Those that follow from equal bytes, which are a key built
// with Reset, Text and Member, are shared. The zero value is empty.
type Table struct {
	list   []Facts
	known  map[string]int32
	key    []byte
	opaque bool // the bytes in key do not determine the facts
}

// Reset begins a key of members in a syntax, that of [catalog.Resource.Wire].
func (t *Table) Reset(wire string) {
	t.key, t.opaque = t.key[:0], false
	t.Text(wire)
}

// Text appends a text to the key.
func (t *Table) Text(text string) { t.key = appendText(t.key, text) }

// Member appends the name and the value of a member to the key.
func (t *Table) Member(m *catalog.Member) {
	if t.opaque = t.opaque || m.MayBeRich(); t.opaque {
		return
	}
	t.Text(m.Key)
	raw := m.Bytes()
	t.key = append(binary.AppendUvarint(t.key, uint64(len(raw))), raw...)
}

// Find returns the number of the facts that follow from the key.
func (t *Table) Find() (number int32, ok bool) {
	if !t.opaque {
		number, ok = t.known[string(t.key)]
	}
	return number, ok
}

// Add adds facts, which follow from the key, and returns their number: 0 for none.
func (t *Table) Add(facts []byte) int32 {
	number := int32(0)
	if len(facts) > 0 {
		t.list = append(t.list, Facts(facts))
		number = int32(len(t.list))
	}
	if !t.opaque && len(t.key) <= maxKeyLen && len(t.known) < maxKeys {
		if t.known == nil {
			t.known = make(map[string]int32)
		}
		t.known[string(t.key)] = number
	}
	return number
}

// At returns the facts with a number.
func (t *Table) At(number int32) Facts {
	if number == 0 {
		return ""
	}
	return t.list[number-1]
}
