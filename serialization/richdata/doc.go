// Package richdata turns values into plain data and back: the encoding with
// `__ptype` and `__pvalue` of which every wire carries the same.
//
//	Builder        data, pushed in piece by piece, becomes a value
//	Emitter        a value becomes data, pushed into a Sink piece by piece
//	Decode, Encode the same between values, for programs that hold data already
//
// A wire has no part in it: it knows null, booleans, numbers, strings, arrays
// and maps, and pushes them. See the chapter on rich data of the specification
// and the converters of the reference, ToDataConverter, FromDataConverter and
// ToStringifiedConverter.
//
// Where the reference reads the members of an Object by position and ignores
// their names, here names count; both agree on whatever either of them writes
// in order.
package richdata

// The keys by which rich data is told from other maps.
const (
	TypeKey  = "__ptype"
	ValueKey = "__pvalue"
)
