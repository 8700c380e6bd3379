// Package rubyre runs Ruby's regular expressions as Puppet uses them, with the
// syntax and semantics of Onigmo in Ruby 3.1 for UTF-8 strings. Package regexp
// (RE2) runs a pattern if possible, otherwise an engine of this package does.
//
// A pattern goes through these stages, one file each:
//
//	unescape.go  replaces byte and \u escapes by characters, as Ruby does first
//	parse.go     parses the grammar; class.go: bracketed classes; group.go: ( … )
//	resolve.go   resolves group numbers, references, look-behinds; recursion.go: calls
//	fold.go      replaces ignore-case by plain alternatives and sets
//	narrow.go    derives a smaller tree for ASCII strings
//	linear.go    decides whether RE2 can run the tree
//	emit.go      writes the tree as a pattern for RE2
//	compile.go   or compiles it to a program for the backtracking engine, machine.go
//	engine.go    searches, with either engine
//
// The tree (ast.go) has no options that an engine could interpret differently:
// sets are explicit (set.go, property.go), so RE2's definitions of \w, \b or
// letter case do not matter.
//
// # Two engines
//
// RE2 runs a pattern in linear time, unless the pattern contains a construct
// that RE2 lacks or treats differently, such as look-around, back-references,
// atomic groups, \G, \Z, \K, or a repeated expression that can match the empty
// string. The backtracking engine runs all others. It explores the tree in
// Onigmo's order and is limited by [Options.Timeout] and by the size of its
// stack. The result does not depend on the engine.
//
// # Rejected patterns
//
// An [*UnsupportedError] means that a pattern is valid in Ruby, but no engine
// here can run it with Ruby's semantics: recursive calls (\g), the absence
// operator (?~…), back-references with a level or to an enclosing group, nested
// loops with a group that may match the empty string, \K inside a group,
// properties without data in package unicode (\p{Age=…}, \p{In_…}, \p{Emoji…}).
// A [*SyntaxError] means that Ruby rejects the pattern too; its message is
// Ruby's.
//
// Some patterns have Ruby's semantics only in ASCII text, for example if they
// contain a case-insensitive back-reference. They compile, but a search in
// another string returns an [*UnsupportedError].
//
// # Strings
//
// A subject must be valid UTF-8: Ruby raises an error otherwise, and every
// search here returns [ErrInvalidUTF8]. Offsets are in bytes. Character
// properties come from Go's unicode package, which is newer than the Unicode 13
// of Ruby 3.1: characters assigned since then have properties here but not in
// Ruby.
//
// One bug of Ruby is not reproduced: in Ruby, \b and \B right after a
// back-reference that matched the empty string examine the wrong character.
//
// The syntax and the matching of expressions belong here; functions that use them do not.
package rubyre
