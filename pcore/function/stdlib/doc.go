// Package stdlib implements the built-in functions of the Puppet language that
// are useful outside of catalog compilation, and the functions of the
// puppetlabs-stdlib module that templates and catalogs use most. They behave as in the
// reference, including their errors.
//
// The built-in functions, by subject:
//
//	case         upcase, downcase, capitalize, camelcase, strip, chomp, …
//	text         join, split, sprintf, scanf, shellquote
//	patterns     match, regsubst
//	numbers      abs, ceiling, floor, round
//	comparison   max, min, compare, versioncmp
//	collections  length, size, empty, keys, values, flatten, unique, sort
//	navigation   dig, get, getvar
//	iteration    each, map, filter, reduce, any, all, index, partition, …
//	lazy         reverse_each, step, tree_each
//	types        new, convert_to, type, assert_type, unwrap, defined
//	control      call, with, then, lest, break, next, return, fail
//	digests      md5, sha1, sha256, fqdn_rand
//	time         strftime
//	files        file, binary_file, find_file, find_template, epp, …
//	log          debug … emerg
//
// The functions of the module:
//
//	text         base64, str2bool, bool2str, num2bool, to_bytes, …
//	collections  pick, merge, delete, union, member, range, zip, …
//	data         to_json, to_yaml, to_toml, parsejson, parseyaml, …
//	shell        dirname, basename, shell_escape, shell_split, …
//	passwords    pw_hash, str2saltedsha512, str2saltedpbkdf2, …
//	random       fqdn_rand_string, seeded_rand, shuffle, …
//	secrets      stdlib::rewrap_sensitive_data
//	files        loadjson, loadyaml
//
// Two modules for databases: mysql::password, postgresql::postgresql_password and
// postgresql::prepend_sql_password.
//
// A function that logs, or reads files, variables or the clock, declares this in
// its [function.Effects].
package stdlib
