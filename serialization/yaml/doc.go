// Package yaml reads and writes rich data as YAML, for people: the same data as
// rich-json, in block style, with long texts as literal blocks.
//
// A whole document is read into memory before it is decoded, so YAML is not
// suitable for catalogs larger than memory. Plain scalars follow the core
// schema of YAML 1.2; integers may also be written as in YAML 1.1 (0x1f, 0o17,
// 1_000), and a date without quotes is a String. !!binary is a [pcore.Binary].
// The tags of a catalog dumped by Puppet are accepted:
// !ruby/object:Puppet::Resource::Catalog and other Puppet objects are read as
// their map, !ruby/sym as a String and !ruby/regexp as a Regexp. Any other tag,
// a merge key, a key that is a list or a map, .inf and .nan are errors, as are
// aliases that expand a document too much or contain themselves.
//
// Writing quotes every text that any version of YAML would read as another
// value: yes, 1_000, 12:30, =.
package yaml
