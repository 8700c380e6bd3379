//go:build purego

package pcore

// scalarSlab creates Strings and numbers without unsafe code: each has an
// allocation of its own. See slab_unsafe.go.
type scalarSlab struct{}

func (*scalarSlab) string(text string) Value { return String(text) }

func (*scalarSlab) integer(i int64) Value { return Integer(i) }

func (*scalarSlab) float(f float64) Value { return Float(f) }

func (*scalarSlab) size(*SlabSize) {}

func (*scalarSlab) expect(SlabSize) {}

func (*scalarSlab) recycle() {}
