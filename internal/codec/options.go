// Package codec applies the options of package serialization, and gives its errors a location: what
// all codecs and the readers of documents do alike. The bytes of a format do not belong here.
package codec

import (
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Limits used for zero fields of [serialization.DecodeOptions].
const (
	defaultMaxDepth  = 512
	defaultMaxString = 256 << 20
	defaultMaxBytes  = 4 << 30
)

// Depth returns the maximum nesting depth.
func Depth(o *serialization.DecodeOptions) int {
	if o.MaxDepth <= 0 {
		return defaultMaxDepth
	}
	return o.MaxDepth
}

// StringLimit returns the maximum length of one string in bytes.
func StringLimit(o *serialization.DecodeOptions) int {
	return int(limit(int64(o.MaxString), defaultMaxString))
}

// ByteLimit returns the maximum length of the input in bytes.
func ByteLimit(o *serialization.DecodeOptions) int64 { return limit(o.MaxBytes, defaultMaxBytes) }

func limit(n, byDefault int64) int64 {
	switch {
	case n == 0:
		return byDefault
	case n < 0:
		return 1<<63 - 1
	}
	return n
}

// Lose calls OnLoss, if set, with a copy of path.
func Lose(o *serialization.EncodeOptions, path pcore.Path, kind serialization.LossKind, before, after pcore.Value) {
	if o.OnLoss != nil {
		o.OnLoss(serialization.Loss{Path: slices.Clone(path), Kind: kind, Before: before, After: after})
	}
}
