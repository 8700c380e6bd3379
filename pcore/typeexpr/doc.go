// Package typeexpr makes types of type expressions, `Array[Integer, 1]`, on the
// two roads that Puppet has:
//
//   - [Parse] reads a text by itself, without evaluating it: names of types,
//     literals and brackets only. It is the road of `__ptype` strings, of
//     strings given to Type(…), and of what stands behind `type X =`. A type
//     that nobody declares becomes a TypeReference.
//   - [Access] gives T[keys…] of values, as an evaluator does when it comes to
//     brackets behind a type, and [Evaluate] does so for constant texts. It is
//     stricter, and an unknown type is an error.
//
// Types beyond those of the language come from a [Resolver]; [Define] makes one
// of the definitions in a text: `type My::Port = Integer[1, 65535]`.
//
//	direct.go      texts to types, the first road where it is even
//	interpret.go   trees to types, the first road anywhere
//	evaluate.go    trees to values, the second road, for constants
//	access.go      what stands in brackets, for both
//	access_text.go, access_range.go, access_object.go   the same, by kinds of types
//	named.go       the types of the language by name
//	define.go      definitions
//	builtin.pp     the Object types that Puppet defines itself
package typeexpr
