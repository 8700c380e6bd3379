// Package psych reads and writes YAML as Ruby's Psych does, which the functions
// parseyaml and to_yaml stand on: version 1.1 with its booleans, numbers in
// base 8 and 60, and symbols; written in the style of libyaml, byte for byte.
//
//	Scalar     what a plain scalar means
//	Dump       a value as a document
//	Load       a document as a value
package psych
