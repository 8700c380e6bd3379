// Package dataconv converts values to plain data and back, with the keys `__ptype` and
// `__pvalue`. The encoding is the same in every wire format.
//
//	Builder         builds a value from data that is pushed into it
//	Emitter         pushes a value as data into a Sink
//	Decode, Encode  convert between values and data in memory
//
// The wire formats are not involved: they only push null, booleans, numbers,
// strings, arrays and maps. See the chapter on rich data in the specification
// and the converters ToDataConverter, FromDataConverter and
// ToStringifiedConverter of the reference.
//
// The reference reads the members of an Object by position and ignores their
// names. This package uses their names; both agree on data that either of them
// writes in order.
//
// The rules of rich data belong here; tokens and bytes belong to the wire formats.
package dataconv

// Keys that distinguish rich data from other maps.
const (
	TypeKey  = "__ptype"
	ValueKey = "__pvalue"
)
