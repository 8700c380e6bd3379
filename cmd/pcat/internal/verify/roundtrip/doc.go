// Package roundtrip checks that a document survives conversion to every format.
//
// [Document] decodes a document and converts it to each format that supports it.
// It writes the format, reads it again and compares all values, including the
// order of keys and, where values have one, the spelling of numbers. Writing the
// result once more must produce the same bytes, as must a one-pass conversion if
// there is one. In its own format, the document must be reproduced byte for byte.
//
// [Stream] does the same for a catalog larger than memory, in batches of
// resources.
//
// Results contain locations, kinds and sizes, but no values, because a document
// may contain secrets.
package roundtrip
