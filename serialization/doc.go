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
// serialization/formats has all formats: JSON, MessagePack, YAML, and the tabulated
// protocol over the first two. serialization/richdata has the types that decoders of
// rich data use.
package serialization
