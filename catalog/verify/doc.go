// Package verify proves that a document stays what it is in every form.
//
// [Document] decodes a document and takes it through each form that can hold
// it: it is written, read again and compared with what it was, value by value
// with the order of keys and the spelling of numbers as far as values have one;
// written once more, the bytes must be the same. Where a form is reached in one
// pass over the bytes as well, that road must lead to the same bytes. And in
// its own form the document must come out byte for byte as it came in.
//
// What is found names a place and kinds and sizes, never a value: a document may
// hold secrets.
//
//   - verify.go: the roads
//   - difference.go: where two values first differ
//   - place.go: the resource and parameter of a path
package verify
