// Package msgpack reads and writes values as MessagePack.
//
//	rich-msgpack  every value, as rich data (application/vnd.puppet.rich+msgpack)
//	msgpack       rich values as their text (application/x-msgpack)
//
// Both are read in the same way. Lengths in headers are not trusted: memory is
// allocated for data that is present. MessagePack elements that rich data never
// uses are handled as follows:
//
//   - bin, a byte string, is read as a [pcore.Binary] and written back as rich
//     data, as in the reference;
//   - float 32 is read as a Float and written as float 64;
//   - a key that is a number, a boolean, nil or a byte string becomes a key of the
//     Hash; an array or a map as a key is an error;
//   - extension types, NaN and infinities are errors.
//
// Each value is written with the smallest header, identical to the output of
// Ruby's msgpack; every Float is a float 64. An integer outside the range from
// -2**63 to 2**64-1 cannot be written.
package msgpack
