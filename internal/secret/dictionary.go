package secret

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"sync"
)

// dictionary finds the longest pattern that begins at a position of a text. The time for
// each position grows with the logarithm of the length of the patterns, however many
// there are and however much they have in common. It replaces a search by anchors where
// so many patterns share an anchor that comparing all of them would take too long.
//
// The length of a pattern is found bit by bit, from the highest bit on: a bit is set if
// the text up to this length is a known prefix. Known are the prefixes of each pattern
// that this search meets on its way to the pattern: their lengths are that of the pattern
// without some of the lowest bits. Prefixes are compared by their digests alone.
type dictionary struct {
	base   uint64   // of the digests
	powers []uint64 // powers[b] is the base to the power of 1<<b
	// prefixes holds, by digest, the longest pattern that a prefix begins with, or none.
	prefixes map[uint64]int32
	words    []word
	longest  int
}

// lazyDictionary is a dictionary that is made when it is needed first. It is safe for
// concurrent use.
type lazyDictionary struct {
	once sync.Once
	made *dictionary
}

func (l *lazyDictionary) get(newDictionary func() *dictionary) *dictionary {
	l.once.Do(func() { l.made = newDictionary() })
	return l.made
}

// word is a pattern of a dictionary.
type word struct {
	pattern int32 // number in a Hit
	shorter int32 // the longest other word that this one begins with, or none
	size    int
}

// newDictionary returns a dictionary of patterns and their numbers. Of equal patterns, it
// has only the first.
func newDictionary(base uint64, patterns iter.Seq2[int32, []byte]) *dictionary {
	type numbered struct {
		text    []byte
		pattern int32
	}
	var list []numbered
	d := &dictionary{base: base, prefixes: map[uint64]int32{}}
	for pattern, text := range patterns {
		list = append(list, numbered{text, pattern})
		d.longest = max(d.longest, len(text))
	}
	for square := base; len(d.powers) < bits.Len(uint(d.longest)); square = multiply(square, square) {
		d.powers = append(d.powers, square)
	}
	// The longest pattern that a prefix begins with is known only once all patterns up to
	// its length have been added.
	slices.SortStableFunc(list, func(a, b numbered) int { return cmp.Compare(len(a.text), len(b.text)) })
	var prefix []uint64
	for _, p := range list {
		prefix = prefixDigests(prefix, base, p.text)
		d.add(p.pattern, prefix)
	}
	return d
}

// add adds a pattern with the given digests of its prefixes.
func (d *dictionary) add(pattern int32, prefix []uint64) {
	size, length := len(prefix)-1, 0
	for b := bits.Len(uint(size)) - 1; b >= 0; b-- {
		if size>>b&1 == 0 {
			continue
		}
		length += 1 << b
		if _, known := d.prefixes[prefix[length]]; known {
			continue
		}
		longest := d.begins(prefix, length-1)
		if length == size {
			d.words = append(d.words, word{pattern, longest, size})
			longest = int32(len(d.words) - 1)
		}
		d.prefixes[prefix[length]] = longest
	}
}

// begins returns the longest word of at most most bytes that a text begins with, or none.
// prefix[n] is the digest of something of a fixed length and the first n bytes of the
// text.
func (d *dictionary) begins(prefix []uint64, most int) (longest int32) {
	most = min(most, len(prefix)-1)
	longest = none
	length, power := 0, uint64(1) // power is the base to the power of length
	for b := len(d.powers) - 1; b >= 0; b-- {
		n := length + 1<<b
		if n > most {
			continue
		}
		p := multiply(power, d.powers[b])
		if k, known := d.prefixes[reduce(prefix[n]+modulus-multiply(prefix[0], p))]; known {
			longest, length, power = k, n, p
		}
	}
	return longest
}

// find yields the hits that begin in text[from:to] and reports whether to continue. If
// more than [mostPerAnchor] patterns begin at a position, it yields only the longest of them.
// Occurrences of the longest one may overlap.
func (d *dictionary) find(v *verifier, from, to int, yield func(Hit) bool) bool {
	prefix := prefixDigests(nil, d.base, v.text[from:min(to+d.longest, len(v.text))])
	free := map[int32]int{} // earliest start of the next hit of a word
	covered := 0            // end of the hits so far
	for start := from; start < to; start++ {
		v.work += len(d.powers)
		k := d.begins(prefix[start-from:], d.longest)
		for n := 0; k != none && n < mostPerAnchor; n++ {
			w := &d.words[k]
			if end := start + w.size; start >= free[k] || n == 0 && end > covered {
				free[k], covered = end, max(end, covered)
				if !yield(Hit{start, end, v.from + int(w.pattern)}) {
					return false
				}
			}
			v.work++
			k = w.shorter
		}
	}
	return true
}
