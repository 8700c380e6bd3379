// Package yaml reads and writes rich data as YAML, for people: the same data as
// rich-json, in block style, with long texts as literal blocks.
//
// The text of a whole document is kept in memory until its end. Plain scalars are those
// of Ruby's Psych, which Puppet uses: YAML 1.1 with its booleans (yes), octal (017) and
// base-60 numbers (1:30), while 1e3 and 0o17 are Strings. A date without quotes is a
// String, as is a symbol. !!binary is a [pcore.Binary].
// The tags of a catalog dumped by Puppet are accepted:
// !ruby/object:Puppet::Resource::Catalog and other Puppet objects are read as
// their map, !ruby/sym as a String and !ruby/regexp as a Regexp. Any other tag,
// a merge key, a key that is a list or a map, .inf and .nan are errors, as are
// aliases that expand a document too much or contain themselves, and values with
// very many short elements.
//
// Writing quotes every text that any version of YAML would read as another
// value: yes, 1_000, 12:30, =. Ruby reads what is written as the same value.
package yaml
