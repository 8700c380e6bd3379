package pcore

import "unsafe"

// wordTable finds what is told of the Go types of values. It is a hash table
// without collisions.
//
// A method of the values could tell the same. But where values come in no order,
// a processor cannot foresee where the call goes, and the wait is longer than
// all else that a question such as [Accepts] takes: 10,000 comparisons of types
// took 0.25 ms with such calls, and take 0.13 ms with this table.
//
// What is looked up is the first of the two words of an interface, which tells
// Go what the second one points to, and which is never followed here. When a
// word is not in the table, nothing is known.
type wordTable[T any] struct {
	factor uint64
	slots  [1 << wordBits]wordEntry[T]

	unknown T
}

type wordEntry[T any] struct {
	word uintptr
	told T
}

const wordBits = 9

func wordOfValue(v Value) uintptr { return *(*uintptr)(unsafe.Pointer(&v)) } //nolint:gosec // as told above

func wordOfType(t Type) uintptr { return *(*uintptr)(unsafe.Pointer(&t)) } //nolint:gosec // as told above

// at returns what is told of the types that have the word.
func (t *wordTable[T]) at(word uintptr) *T {
	s := &t.slots[t.slot(word)]
	if s.word != word {
		return &t.unknown
	}
	return &s.told
}

func (t *wordTable[T]) slot(word uintptr) uint64 { return uint64(word) * t.factor >> (64 - wordBits) }

// fill puts all into the table, and the word of nil as unknown. It looks for a
// factor with which each word has a slot of its own.
func (t *wordTable[T]) fill(all []wordEntry[T]) {
	const golden = 0x9e3779b97f4a7c15 // any odd number does
	all = append(all, wordEntry[T]{0, t.unknown})
	for t.factor = golden; !t.isPerfect(all); {
		t.factor *= golden
	}
	for _, e := range all {
		t.slots[t.slot(e.word)] = e
	}
}

func (t *wordTable[T]) isPerfect(all []wordEntry[T]) bool {
	var taken [1 << wordBits]bool
	for _, e := range all {
		slot := t.slot(e.word)
		if taken[slot] {
			return false
		}
		taken[slot] = true
	}
	return true
}
