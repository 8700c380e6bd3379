// Package document processes encoded documents without decoding them to values.
//
//	Index      the parts of a JSON document and the rich data in them
//	Stream     an Index of each piece of a document larger than memory
//	Transcode  converts a document to another format
//	Repair     converts strings with invalid UTF-8 to Binary values
//
// # Index
//
// An [Index] is for a program that changes little of a large document and leaves the rest
// unchanged. One pass finds the parts and makes all the checks of decoding except those
// of types: grammar, UTF-8, duplicate keys, and the limits on depth and length. It
// returns no errors: a document without an Index, because it is malformed or not a map,
// must be decoded instead.
//
// # Transcoding
//
// Transcoding has the same result, and rejects the same documents, as decoding the
// document to values and encoding the values. One pass over the bytes copies everything
// whose encoding would not change:
//
//   - null, booleans, numbers and strings; a number is parsed and formatted;
//   - arrays, and maps without the key `__ptype` in any spelling;
//   - maps that begin with `__ptype` and whose value would be written the same:
//     a Default alone, a Sensitive with its `__pvalue`, a Deferred with its name
//     and arguments, scalars with canonical text, and
//     objects of an unknown type that occurred before.
//
// Any other map that begins with `__ptype` is decoded and encoded on its own. The whole
// document is decoded and encoded if `__ptype` is not the first key of a map, if there is
// a local reference, if secrets must not be written as plain text, if the output is
// indented, if the input is plain data, or if there is any error. Errors are therefore
// those of decoding, with offset and path.
//
// The header of a MessagePack array or map contains the number of its members. In memory,
// it is written after they have been read. A document larger than memory is read twice,
// and the first pass counts the members of large arrays and maps.
//
// # Repair
//
// Old servers wrote the bytes of files into catalogs unchanged: PSON is JSON with strings
// in any encoding, and old MessagePack does not distinguish text from bytes. [Repair]
// fixes nothing else; the decoder finds other errors. Keys stay invalid, because a Binary
// key would make a different kind of Hash.
//
// Work on documents that needs no values belongs here, for every format; the meaning of a
// catalog does not.
package document
