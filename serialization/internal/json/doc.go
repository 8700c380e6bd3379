// Package json reads and writes values as JSON (RFC 8259), strictly.
//
//	rich-json         every value, as rich data (application/vnd.puppet.rich+json)
//	json              rich values as their text (application/json)
//	stringified-json  the same with secrets replaced, as sent to PuppetDB
//
// All three are read in the same way. Reading is strict: a byte order mark,
// comments, NaN, a control character or an unpaired surrogate in a string,
// invalid UTF-8, a duplicate key with another value, a number outside the range of
// a 64-bit float, and trailing data are errors, with offset, line, column and path.
// An integer of more than 64 bits is read exactly, as a [pcore.BigInteger].
//
// The output is identical to the output of Ruby's JSON.generate and, with an
// indent, to its pretty_generate in version 2.8 and later, which writes empty
// arrays and maps as [] and {}.
package json
