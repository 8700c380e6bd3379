// Package tabulated reads and writes the serialization protocol of Pcore, in
// which what occurs twice is written once.
//
// A document is a stream of scalars and extensions, each a code with a
// payload. Arrays, maps and objects are an extension that tells how much of
// the stream belongs to them:
//
//	0x00 inner tabulation   a text or scalar of before, by its index
//	0x01 tabulation         a value of before, by its index
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
// There are two flavours of it. In [JSON] the stream is an array and an
// extension an array that begins with the code; what follows a start stands in
// the array of the start as far as it is counted there, for the eye only. In
// [MessagePack] the stream is one value after the other and an extension an
// extension type. The documents of the reference are reproduced byte for byte;
// it has the JSON flavour only.
//
// An Object is written by the name of its type, or with the definition of the
// type before the first instance ([serialization.EncodeOptions.EmbedTypes]).
// One whose type nobody knows is an object start with a type reference and a
// map of the attributes by name, which the reference has no notation for: it
// takes attributes by position, and only the type tells them. A type that
// refers to itself through an alias, which rich data cannot hold, is no problem
// here.
//
// # What is the same value
//
// The reference tabulates Ruby objects. Here arrays, hashes, objects, regular
// expressions, versions, ranges and URIs are the same value when they are the
// same pointer, Binaries when they share their bytes, Symbols when they are
// equal; so is a type without parameters, of which the reference has one each.
// A Timestamp or Timespan is written in full each time: the reference counts
// them in writing but not in reading, and so reads undef, or another value, for
// one that is tabulated and for what comes after. This package counts as the
// writer does.
//
//   - extension.go: the codes
//   - flavour.go: what programs call
//   - serializer.go, identity.go: values to extensions; sink_json.go,
//     sink_msgpack.go: those to bytes
//   - deserializer.go, object.go: extensions to values; source_json.go,
//     source_msgpack.go: bytes to those
//   - reader.go, writer.go: the cursors
package tabulated
