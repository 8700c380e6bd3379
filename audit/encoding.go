package audit

import (
	"encoding/binary"
	"errors"

	"github.com/pcatdev/pcat/audit/internal/leaf"
)

// ErrStored reports that stored data is damaged, or was written by another version of this
// module.
var ErrStored = errors.New("audit: stored data is damaged or of another version")

// encoder writes the stored form of a [Part] or a [Segment].
type encoder struct {
	b        []byte
	catalogs map[*leaf.Catalog]int // of a part: their numbers, from 1
	err      error
}

func (w *encoder) number(n uint64) { w.b = binary.AppendUvarint(w.b, n) }
func (w *encoder) integer(n int)   { w.b = binary.AppendVarint(w.b, int64(n)) }

func (w *encoder) text(s string) {
	w.number(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *encoder) flag(is bool) {
	n := byte(0)
	if is {
		n = 1
	}
	w.b = append(w.b, n)
}

// list writes the number of elements, and each of them.
func list[T any](w *encoder, elements []T, write func(*encoder, T)) {
	w.number(uint64(len(elements)))
	for _, e := range elements {
		write(w, e)
	}
}

// pairs writes the number of elements of a map, and each of them with its key.
func pairs[T any](w *encoder, elements map[string]T, write func(*encoder, T)) {
	w.number(uint64(len(elements)))
	for key, e := range elements {
		w.text(key)
		write(w, e)
	}
}

// decoder reads the stored form of a [Part] or a [Segment]. Its texts share the memory of
// the form. After the first fault, all that it reads is empty.
type decoder struct {
	rest     string
	catalogs []*leaf.Catalog // of a part: by their numbers
	bad      bool
}

// complete reports whether all data was read, and was not damaged.
func (r *decoder) complete() bool { return !r.bad && r.rest == "" }

// fail ends the reading of damaged data.
func (r *decoder) fail() { r.bad, r.rest = true, "" }

func (r *decoder) number() uint64 {
	var n uint64
	for i := range min(len(r.rest), binary.MaxVarintLen64) {
		c := r.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

func (r *decoder) integer() int {
	n := r.number()
	return int(n>>1) ^ -int(n&1)
}

// small reads a number of one byte.
func (r *decoder) small() uint8 {
	n := r.number()
	if n > 0xff {
		r.fail()
	}
	return uint8(n)
}

// bounded reads an integer from 0 to most.
func (r *decoder) bounded(most int) int {
	n := r.integer()
	if n < 0 || n > most {
		r.fail()
		return 0
	}
	return n
}

// count reads the number of elements, each of which takes at least a byte.
func (r *decoder) count() int {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *decoder) text() string {
	n := r.count()
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text
}

func (r *decoder) flag() bool { return r.small() != 0 }

// Damaged data can claim more elements than it has. So memory is reserved for maxReserved
// elements at most before they are read. A map may also reserve for one element in minPair
// bytes of the rest, because a table that grows takes several times longer.
const (
	maxReserved = 1 << 10
	minPair     = 16
)

// elements reads a list.
func elements[T any](r *decoder, read func(*decoder) T) []T {
	n := r.count()
	if n == 0 {
		return nil
	}
	all := make([]T, 0, min(n, maxReserved))
	for range n {
		if r.bad {
			return nil
		}
		all = append(all, read(r))
	}
	return all
}

// table reads a map.
func table[T any](r *decoder, read func(*decoder) T) map[string]T {
	n := r.count()
	if n == 0 {
		return nil
	}
	all := make(map[string]T, min(n, max(maxReserved, len(r.rest)/minPair)))
	for range n {
		if r.bad {
			return nil
		}
		key := r.text()
		all[key] = read(r)
	}
	return all
}
