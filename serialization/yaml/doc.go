// Package yaml reads and writes rich data as YAML, for people: the same data
// as rich-json, in block style, with long texts as literal blocks.
//
// A document is read whole before anything is made of it, so YAML is not for
// catalogs beyond memory. Plain scalars mean what the core schema of YAML 1.2
// says, and integers may also be written as in YAML 1.1 (0x1f, 0o17, 1_000);
// a date without quotes is a String. !!binary is a [pcore.Binary]. The tags
// with which Puppet dumps a catalog, !ruby/object:Puppet::Resource::Catalog and
// its like, mean the map that they stand at. Any other tag, a merge key, a key that is a list or a map, .inf and .nan are errors,
// and so are aliases that blow up a document or contain themselves.
//
// Writing quotes every text that this or any other version of YAML would take
// for something else: yes, 1_000, 12:30, =.
package yaml
