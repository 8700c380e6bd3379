// Package transcode turns rich JSON into rich MessagePack and back, in one
// pass over the bytes.
//
//	JSONToMessagePack, MessagePackToJSON  a whole document in memory
//	Carry                                 one that may be larger than memory
//
// What comes out, and which documents are refused, is what decoding the
// document to values and encoding those gives: the value road. The short road
// carries bytes over and makes no values, as long as they would come out the
// same:
//
//   - null, booleans, numbers and strings; the text of a number is read and
//     written anew;
//   - arrays, and maps without the key `__ptype`, however it is spelled;
//   - maps that begin with `__ptype` and are written as writing their value
//     would: a Default alone, a Sensitive with its `__pvalue`, a Deferred with
//     its name and arguments, the scalars whose text is canonical, see
//     [richdata.IsCanonical], and objects of a type of which one was met before
//     that nobody knows.
//
// Any other map that begins with `__ptype` is made a value, alone, and written
// again. The whole document takes the value road when `__ptype` stands in
// another place of a map, when there is a local reference, when secrets are
// not to be written in clear or the output is to be laid out, when the input is
// to be read as plain data, and when anything is wrong: so errors are those of
// the value road, with offset and path, and cost nothing before there is one.
//
// The header of an array or a map of MessagePack tells how many members follow.
// In memory, it is put in when they were read. A document larger than memory is
// read twice, and the members of what is large are counted first, see
// [containers].
package transcode
