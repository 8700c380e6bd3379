// Package pcore holds the values and types of the Puppet language, whose rich
// data the specification calls Pcore.
//
// # Values
//
// A [Value] is one of a closed set of Go types, told apart by [Kind]:
//
//	Undef, Default            the values undef and default
//	Boolean                   true, false
//	Integer, BigInteger       64 bits; what other programs' JSON holds beyond them
//	Float                     IEEE 754, 64 bits
//	String, Symbol            UTF-8 text; a Ruby symbol
//	*Regexp                   a Ruby regular expression
//	Binary                    bytes
//	Timestamp, Timespan       a point in time, a length of time, in nanoseconds
//	*SemVer, *SemVerRange     a version, a set of versions
//	*URI                      a uniform resource identifier
//	*Array, *Hash             sequences, and ordered maps with any value as key
//	*Sensitive                a secret: printed as [RedactedText], see [Sensitive.Reveal]
//	*Deferred                 a call to be made by the agent
//	*Object                   an instance of an Object type
//	*Iterator                 a lazy sequence
//	Type                      a type is a value, too
//
// # Questions
//
// One file answers one question: [Equal] is `==` of the language, [Identical]
// the sameness of hash keys, [Walk] and [Rewrite] go through a value, [Path]
// tells where in it something stands.
//
// All values are immutable and safe for concurrent use.
package pcore
