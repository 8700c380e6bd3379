//go:build !purego

package pcore_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// A slab does not allocate for each value.
func TestSlabAllocations(t *testing.T) {
	const n = 10_000
	text := []byte("a text of some length")
	if got := testing.AllocsPerRun(5, func() {
		var s pcore.Slab
		elems := make([]pcore.Value, 4)
		entries := make([]pcore.Value, 8)
		for i := range n {
			elems[i%4] = s.Text(text)
			entries[2*(i%4)], entries[2*(i%4)+1] = elems[i%4], s.Integer(int64(1000+i))
			if i%4 == 3 {
				s.Array(elems)
				s.Hash(entries)
			}
		}
	}); got > 2.5*n/50 {
		t.Errorf("%.0f allocations for %d values", got, 5*n/2)
	}
}
