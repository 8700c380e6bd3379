// Package rubyre runs Ruby's regular expressions, as Puppet uses them: the syntax
// and the meaning are those of Onigmo in Ruby 3.1 for UTF-8 strings, the work is
// done by package regexp (RE2) where it can, and else by an engine of its own.
//
// A pattern goes through these stages, one file each:
//
//	unescape.go  byte and \u escapes become characters, as Ruby does first
//	parse.go     the grammar; class.go: bracketed classes; group.go: ( … )
//	resolve.go   group numbers, references, look-behinds; recursion.go: calls
//	fold.go      ignore-case becomes plain alternatives and sets
//	narrow.go    a smaller tree for ASCII strings
//	linear.go    whether RE2 can run the tree
//	emit.go      the tree is written down for RE2
//	compile.go   or becomes a program for the backtracking engine, machine.go
//	engine.go    the searches, whichever engine does them
//
// The tree (ast.go) has no options left that an engine could read differently:
// sets are explicit (set.go, property.go), so RE2's idea of \w, \b or of letter
// case takes no part.
//
// # Two engines
//
// A pattern without look-around, back-references, atomic groups, \G, \Z, \K, or
// a repeated expression that can match nothing runs in linear time on RE2. All
// others run on the backtracking engine, which goes the way of Onigmo through the
// tree and is bounded by [Options.Timeout] and by a limit on its stack. Which
// engine works never shows in the answer.
//
// # What is refused
//
// An [*UnsupportedError] says that a pattern is good Ruby that no engine here
// can run with Ruby's meaning: recursive calls (\g), the absence operator (?~…),
// back-references with a level or to a group they are in, loops in loops with a
// group that may match nothing, \K inside a group, properties that the unicode
// package does not know (\p{Age=…}, \p{In_…}, \p{Emoji…}). A [*SyntaxError] says
// that Ruby refuses the pattern too, in Ruby's words.
//
// Some patterns only have Ruby's meaning here in ASCII text: with a
// case-insensitive back-reference, say. They compile, and the search of another
// string answers the [*UnsupportedError].
//
// # Strings
//
// A subject must be valid UTF-8: Ruby raises an error otherwise, and here every
// search answers [ErrInvalidUTF8]. Offsets are bytes. Character properties are
// those of Go's unicode package, which is newer than Ruby 3.1's Unicode 13:
// characters assigned since then have a property here and none there.
//
// One mistake of Ruby is not repeated: there \b and \B right after a
// back-reference that matched the empty string look at the wrong character.
package rubyre
