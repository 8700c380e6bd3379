// Package psych reads and writes YAML like Ruby's Psych, which the functions
// parseyaml and to_yaml use: version 1.1 with its booleans, octal and base 60
// numbers, and symbols; its output is byte for byte in the style of libyaml.
//
//	Scalar     the value of a plain scalar
//	Dump       a value as a document
//	Load       a document as a value
package psych
