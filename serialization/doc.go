// Package serialization holds the contracts between values and their wire
// forms: what a codec can do, what it promises about hostile input and about
// secrets, and how its errors tell where they stand.
//
//	Decoder, Encoder              whole values, one after the other
//	Reader, Writer                a cursor in a document, member by member
//	DecodeOptions, EncodeOptions  limits and policies; their zero values are strict
//	Format, Registry              what a form is called and how it is recognized
//	Error                         format, offset, line and path of a failure
//
// The wires are packages of their own: serialization/json,
// serialization/msgpack and serialization/yaml. What the data on them means,
// the keys `__ptype` and `__pvalue`, is the business of
// serialization/richdata. serialization/formats knows all of them, and the
// tabulated protocol over the first two wires.
package serialization
