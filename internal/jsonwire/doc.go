// Package jsonwire is the only lexer of JSON: primitives that take bytes and a
// position in them. Grammars, limits, errors and values belong to its users.
//
//	SkipBlanks, Literal              whitespace, and null, true, false
//	ShortEnd, PlainEnd, TextEnd      the end of the part of a string without escapes
//	AppendString                     the text of a string with escapes
//	AppendQuoted                     a text as a string
//	Number, SmallNumber              the end of a number, the value of a small one
//	StringEnd, ValueEnd, Next, Key   navigation in valid JSON
//	Blocks                           the structure of 64 bytes at a time
//	Odd, Plain, PlainPair, Wide      eight bytes at a time, for loops of users
//
// No function accesses data outside of its arguments, even for invalid input.
// The functions keep no state and are safe for concurrent use. A position may
// be at the end of the data.
//
// Only the lexical level of JSON belongs here.
package jsonwire
