package stdlib

import (
	"math"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Sizes of an array element and of a hash entry in bytes, as [function.SizeOf] estimates them.
const (
	elementSize = 32
	entrySize   = 128
)

// reserveElements takes memory and budget for an array of n elements that is
// about to be built.
func reserveElements(c *function.Call, n int) error {
	if err := c.Memory.Hold(times(n, elementSize)); err != nil {
		return err
	}
	return c.Spend(n)
}

// reserveEntries takes memory and budget for a hash of n entries that is about
// to be built.
func reserveEntries(c *function.Call, n int) error {
	if err := c.Memory.Hold(times(n, entrySize)); err != nil {
		return err
	}
	return c.Spend(n)
}

// times multiplies without overflow.
func times(n int, size int64) int64 {
	if int64(n) > math.MaxInt64/size {
		return math.MaxInt64
	}
	return int64(n) * size
}

// textOf converts v with text, and holds the memory for the conversion. A scalar
// needs no more than its own text.
func textOf(c *function.Call, v pcore.Value, text func(pcore.Value) string) (string, error) {
	switch v.(type) {
	case pcore.String, pcore.Undef, pcore.Boolean, pcore.Integer, pcore.Float:
		return text(v), c.Hold(0)
	default:
	}
	const inner = 2 // the texts of the members, and the whole text
	n := function.SizeOf(v)
	if err := c.Memory.Hold(inner * n); err != nil {
		return "", err
	}
	const share = 8 // bytes per unit; the code that writes the text pays for its bytes
	if err := c.Spend(int(n / share)); err != nil {
		return "", err
	}
	return text(v), nil
}
