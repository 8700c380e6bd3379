// Package psych reads and writes YAML like Ruby's Psych, which the functions parseyaml
// and to_yaml use. It supports YAML 1.1 with its booleans, octal and base-60 numbers, and
// symbols. The output matches the style of libyaml byte for byte.
//
//	Scalar     parses a plain scalar
//	Write      encodes a value as a document
//	Load       decodes a document
//
// The YAML of Ruby belongs here; the YAML of configuration files is in package settings.
package psych
