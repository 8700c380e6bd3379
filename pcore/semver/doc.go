// Package semver has the versions and the version ranges of Pcore: the values
// behind the types SemVer and SemVerRange.
//
// [Version] is a version of Semantic Versioning 2.0.0, made by [Parse] from text
// or by [New] from parts. [Range] is a set of versions, written in the range
// grammar of node-semver and made by [ParseRange], or made by [NewRange] from a
// lowest and a highest version. Both are immutable, and comparable in the way Puppet
// compares them: == for a Version, [Range.Equal] for a Range.
//
// The behaviour is that of the library semantic_puppet 1.0.4, which Puppet 7 and 8
// use, with two intended differences, both about ranges that were not made from
// text (see [NewRange]): such a range prints the way it has to be written, and what
// Puppet prints in its place can be read.
//
// The package knows nothing of Pcore values and imports the standard library only.
package semver
