// Package decode decodes the encoded parts of a text: base64 and hexadecimal digits
// (base64.go), percent-encoding (decode.go), strings with escapes (escape.go), UTF-16
// (utf16.go), compressed text (compression.go), and the members of archives (archive.go).
//
// Bytes that are not UTF-8 are read as text in an encoding of eight bits (bytes.go).
//
// Encodings may be nested. A [Decoder] decodes what may be text or a key (begins.go), within
// limits for the depth, the size and the compression ratio.
package decode
