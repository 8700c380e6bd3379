// Package serialization defines the interfaces between values and their wire
// formats: the operations of a codec, its guarantees for hostile input and
// secrets, and the locations in its errors.
//
//	Decoder, Encoder              whole values, one after the other
//	Reader, Writer                a cursor in a document, member by member
//	DecodeOptions, EncodeOptions  limits and policies; their zero values are strict
//	Format, Registry              the names of a format and how it is recognized
//	Error                         format, offset, line and path of a failure
//
// The wires are packages of their own: serialization/json,
// serialization/msgpack and serialization/yaml. serialization/richdata has the
// choices about rich data that they share. serialization/formats knows all of
// them, and the tabulated protocol over the first two wires.
package serialization
