// Package semver implements the versions and the version ranges of Pcore, the
// values of the types SemVer and SemVerRange.
//
// [Version] is a version of Semantic Versioning 2.0.0, created by [Parse] from
// text or by [New] from parts. [Range] is a set of versions, created by
// [ParseRange] from text in the range grammar of node-semver, or by [NewRange]
// from a minimum and a maximum. Both are immutable, and comparable as in
// Puppet: a Version with ==, a Range with [Range.Equal].
//
// The behavior is that of the library semantic_puppet 1.0.4, which Puppet 7 and
// 8 use, with two intentional differences for ranges that were not created from
// text (see [NewRange]): such a range prints as text that parses as an equal
// range, and the text that Puppet prints for it can be parsed.
//
// The package does not depend on Pcore values and only imports the standard
// library.
package semver
