// Package json reads and writes values as JSON, RFC 8259, strictly.
//
//	rich-json         every value, as rich data (application/vnd.puppet.rich+json)
//	json              rich values as their text (application/json)
//	stringified-json  the same with secrets replaced: what PuppetDB gets
//
// All three are read alike. Reading is strict: a byte order mark, comments,
// NaN, a control character or half a surrogate pair in a string, text that is
// not UTF-8, a key that occurs twice, a number beyond a 64 bit float and
// anything after the end are errors, with offset, line, column and path. An
// integer beyond 64 bits stays what it is, a [pcore.BigInteger].
//
// Writing is byte for byte what Ruby's JSON.generate prints, and with an
// indent what its pretty_generate prints in versions since 2.8, whose empty
// arrays and maps are [] and {}.
package json
