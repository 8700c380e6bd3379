// Package tabulated reads and writes the serialization protocol of Pcore, which
// writes repeated values once.
//
// A document is a stream of scalars and extensions, each a code with a payload.
// The extensions for arrays, maps and objects contain the number of following
// values that belong to them:
//
//	0x00 inner tabulation   the index of an earlier text or scalar
//	0x01 tabulation         the index of an earlier value
//	0x10 array start        the number of elements
//	0x11 map start          the number of entries
//	0x12 Pcore object start the name of the type in parts, the number of attributes
//	0x13 object start       the number of attributes, plus one for the type before them
//	0x14 sensitive start    the secret follows
//	0x20 default
//	0x21 comment            skipped in reading, never written
//	0x30 regexp             0x31 type reference   0x32 symbol
//	0x33 time               0x34 timespan         seconds, nanoseconds
//	0x35 version            0x36 version range
//	0x37 binary             0x38 base64           0x39 URI
//
// The protocol has two flavours. In [JSON] the stream is an array, and an
// extension is an array that begins with the code. The values counted by a
// start are nested in its array, for readability only. In [MessagePack] the
// stream is a sequence of values, and an extension is an extension type. The
// output is byte-for-byte identical to the reference, which has only the JSON
// flavour.
//
// An Object is written with the name of its type or, with
// [serialization.EncodeOptions.EmbedTypes], with the definition of the type
// before the first instance. An Object of an unknown type is written as an
// object start with a type reference and a map of the attributes by name. The
// reference does not have this notation: it uses positional attributes, whose
// names only the type defines. Unlike rich data, the protocol can represent a
// type that refers to itself through an alias.
//
// # Identity of values
//
// The reference tabulates Ruby objects. In this package, arrays, hashes,
// objects, regular expressions, versions, ranges and URIs are the same value if
// they are the same pointer, Binaries if they share their bytes, and Symbols if
// they are equal. Two types without parameters are the same if their names are
// equal, because the reference has one object for each. A Timestamp or Timespan
// is always written in full: the reference counts them when writing but not
// when reading, so it reads undef or another value for a tabulated time and for
// later references. This package counts like the writer.
//
//   - extension.go: the codes
//   - flavour.go: the exported functions
//   - serializer.go, identity.go: values to extensions; sink_json.go,
//     sink_msgpack.go: extensions to bytes
//   - deserializer.go, object.go: extensions to values; source_json.go,
//     source_msgpack.go: bytes to extensions
//   - reader.go, writer.go: the cursors
package tabulated
