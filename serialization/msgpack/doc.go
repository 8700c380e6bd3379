// Package msgpack reads and writes values as MessagePack.
//
//	rich-msgpack  every value, as rich data (application/vnd.puppet.rich+msgpack)
//	msgpack       rich values as their text (application/x-msgpack)
//
// Both are read alike. No header is believed: memory is taken for what is
// really there. Of what MessagePack can hold and rich data never does,
//
//   - bin, a byte string, is read as a [pcore.Binary]; it is written again as
//     rich data, as the reference does;
//   - float 32 is read as a Float, and written as float 64;
//   - a key that is a number, a boolean, nil or a byte string makes a Hash with
//     that key; an array or a map as a key is an error;
//   - the extension types, NaN and the infinities are errors.
//
// Writing takes the smallest header for each value, byte for byte as Ruby's
// msgpack does; every Float is a float 64. An integer beyond an unsigned 64
// bit one cannot be written.
//
// [Value] makes a value a part of what github.com/vmihailenco/msgpack/v5
// encodes and decodes, within the limits of this package.
package msgpack
