// Package jsonwire is the only lexer of JSON: primitives that take bytes and a
// position in them. Grammars, limits, errors and values belong to its users.
//
//	SkipBlanks, Literal              between values, and null, true, false
//	ShortEnd, PlainEnd, TextEnd      how far a string goes without escapes
//	AppendString                     the text of a string with escapes
//	AppendQuoted                     a text as a string
//	Number, SmallNumber              the end of a number, the value of a small one
//	StringEnd, ValueEnd, Next, Key   moving over JSON that is known to be valid
//	Blocks                           the structure of 64 bytes at once
//	Odd, Plain, PlainPair, Wide      eight bytes at once, for loops of users
//
// All functions stay within the bytes they are given, whatever these are, keep
// no state and are safe for concurrent use. A position behind the last byte is
// allowed.
package jsonwire
