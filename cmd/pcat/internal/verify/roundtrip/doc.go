// Package roundtrip checks that a document survives conversion to every form.
//
// [Document] decodes a document and converts it to each form that supports it.
// It writes the form, reads it again and compares all values, including the
// order of keys and, where values have one, the spelling of numbers. Writing the
// result once more must produce the same bytes, as must a one-pass conversion if
// there is one. In its own form, the document must be reproduced byte for byte.
//
// [Stream] does the same for a catalog larger than memory, in batches of
// resources.
//
// Results contain locations, kinds and sizes, but no values, because a document
// may contain secrets.
package roundtrip
