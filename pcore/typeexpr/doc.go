// Package typeexpr converts type expressions such as `Array[Integer, 1]` to
// types, in the two ways that Puppet has:
//
//   - [Parse] parses a text without evaluating it: only names of types,
//     literals and brackets are allowed. Puppet does so for `__ptype` strings,
//     for strings given to Type(…), and for the right side of `type X =`. An
//     unknown type becomes a TypeReference.
//   - [Access] returns T[keys…] for values, as in evaluation, and [Evaluate]
//     does so for constant texts. This is stricter: an unknown type is an
//     error.
//
// A [Resolver] provides types beyond the built-in ones; [Define] creates one
// from the definitions in a text: `type My::Port = Integer[1, 65535]`.
//
//	direct.go      Parse for common texts: from text to types
//	interpret.go   Parse for all texts: from trees to types
//	evaluate.go    Evaluate: from trees of constants to values
//	access.go      type parameters, which pcore.Parameterize reads in both ways
//	named.go       types by name
//	define.go      definitions
//	builtin.pp     the Object types that Puppet itself defines
package typeexpr
