// Package outline finds where the parts of a JSON document stand, and what in
// them is rich data, in one pass that makes no values.
//
//	Of       makes the Outline of a document in memory
//	Stream   makes one of each piece of a document that is too large for that
//	Outline  the parts of a document, its rich values, its text without escapes
//
// It is for a program that changes little of a large document and leaves the
// rest as it is. The pass makes all the checks that decoding makes but those of
// types: grammar, UTF-8, keys that occur twice, the limits on depth and length.
// It tells nothing of what is wrong: a document of which there is no Outline,
// because it is not well-formed or laid out in another manner than on one line,
// has to be read otherwise.
package outline
