// Package hiera looks up values in the data of a Puppet environment, as Hiera 5 does:
//
//	Hierarchy     the data of the global layer, an environment and its modules
//	Query         a lookup: keys, a type, a merge strategy, defaults
//	Explanation   how a lookup was made, as puppet lookup --explain prints it
//	Functions     lookup, hiera, hiera_array and hiera_hash
//	Error         the failure of a lookup, with Puppet's message
//
// Each layer has a configuration, hiera.yaml, of version 5. Its hierarchy names files, whose paths
// can have variables, in YAML, JSON, or YAML with texts that hiera-eyaml has encrypted. Other backends
// are an error when a lookup gets to them, and so are other versions of the configuration.
//
// # Files
//
// The files that a [Hierarchy] reads are those that Options.Files allows. With a [function.Tree],
// paths and links that lead out of the allowed folders are an error.
//
// # Secrets
//
// Decrypted values are Sensitive at any depth of a result, also in texts that contain them, and
// after convert_to. Type checks and merges see the plain values, as in Puppet. Explanations and errors
// contain neither them nor values that convert_to makes Sensitive.
//
// # Limits
//
// Lookups within lookups, the number of files and the size of all files are limited. Each step
// costs units of the Budget of the environment.
package hiera
