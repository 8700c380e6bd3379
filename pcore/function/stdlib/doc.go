// Package stdlib holds the functions that the Puppet language comes with, as
// far as they make sense outside of a catalog compilation, and those of the
// puppetlabs-stdlib module that templates use most. They behave as the
// reference does, down to its errors.
//
// One file holds one group:
//
//	case.go        upcase, downcase, capitalize, camelcase, strip, chomp, …
//	text.go        join, split, sprintf, scanf, shellquote
//	pattern.go     match, regsubst
//	number.go      abs, ceiling, floor, round
//	compare.go     max, min, compare, versioncmp
//	collection.go  length, size, empty, keys, values, flatten, unique, sort
//	navigate.go    dig, get, getvar
//	iterate.go     each, map, filter, reduce, any, all, index, partition, …
//	lazy.go        reverse_each, step, tree_each
//	type.go        new, convert_to, type, assert_type, unwrap, defined
//	control.go     call, with, then, lest, break, next, return, fail
//	digest.go      md5, sha1, sha256, fqdn_rand
//	time.go        strftime
//	file.go        file, binary_file, find_file, find_template, epp, …
//	log.go         debug … emerg
//
// and of the module:
//
//	module_text.go        base64, str2bool, bool2str, num2bool, to_bytes, …
//	module_collection.go  pick, merge, delete, union, member, range, zip, …
//	module_data.go        to_json, to_yaml, to_toml, parsejson, parseyaml, …
//	module_shell.go       dirname, basename, shell_escape, shell_split, …
//	module_crypt.go       pw_hash, str2saltedsha512, str2saltedpbkdf2, …
//
// A function that logs, reads files, variables or the clock says so by its
// Effects.
package stdlib
