package richdata

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Local references may make a document larger than it is written, up to so
// many values and so many times those that are written: a few of them, each
// to a list of the ones before, would be larger than any memory as soon as
// somebody writes the value without them.
const (
	maxExpanded   = 1 << 20
	expandedRatio = 16
)

// weights counts how many values stand in others, each as often as it is
// referred to. What it has counted it remembers.
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

// referred notes that v is referred to.
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
