package dataconv

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Local references can make the decoded document larger than its encoding. The
// limit is maxExpanded values plus expandedRatio times the encoded values: with
// a few lists, each referring to the previous ones, the value would exceed any
// memory once it is written without references.
const (
	maxExpanded   = 1 << 20
	expandedRatio = 16
)

// weights caches the number of values in a value, in which a value that is
// referred to several times counts several times.
type weights map[pcore.Value]int

func (w weights) of(v pcore.Value) int {
	switch v.(type) {
	case *pcore.Array, *pcore.Hash, *pcore.Sensitive, *pcore.Deferred, *pcore.Object:
	default:
		return 1
	}
	if n, ok := w[v]; ok {
		return n
	}
	n := 1
	err := pcore.Walk(v, func(c *pcore.Cursor) error {
		if c.Depth() == 0 {
			return nil
		}
		n = min(n+w.of(c.Value()), maxExpanded)
		return pcore.SkipChildren
	})
	if err != nil {
		n = maxExpanded
	}
	w[v] = n
	return n
}

// referred adds the weight of v, the target of a reference, and checks the
// limit.
func (b *Builder) referred(v pcore.Value) (pcore.Value, error) {
	if b.weights == nil {
		b.weights = weights{}
	}
	b.expanded += b.weights.of(v)
	if b.expanded > maxExpanded+expandedRatio*b.pushed {
		return nil, fmt.Errorf("%w: expanding local references makes the document many times larger than its encoding", serialization.ErrTooLarge)
	}
	return v, nil
}
