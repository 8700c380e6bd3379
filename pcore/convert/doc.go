// Package convert makes values of other values: by the constructors of types,
// and by the String formats, which are how every value becomes text.
//
//	New, Converter   what T.new(args...) is in the language
//	Error            why no instance of a type could be made
//	String           what String.new(value, formats) is in the language
//
// The files go by what is made:
//
//	constructor.go        which constructor a type has, and how it refuses
//	number.go             Numeric, Integer, Float, Boolean
//	container.go tree.go  Array and Hash
//	time.go               Timespan and Timestamp
//	scalar.go             String, Regexp, SemVer, SemVerRange, Binary, URI, Type
//	object.go             Sensitive, Deferred, Objects, Init
//	format.go             the syntax of formats, and which one a value gets
//	string*.go            values as text
//
// What the arguments of a constructor may be is known to package pcore, see
// [pcore.ConstructorParameters], as the type Init asks for it, too.
//
// # Limits
//
// A few bytes can ask for much: Array.new(1000000000), or a format with a width
// of a million for each element. So what one value may become is bounded, by
// [Converter.Spend], [MaxElements] and [MaxText], and the formats and keys that
// are gone through for each of many values are, too.
//
// # Secrets
//
// No text and no error shows what is in a Sensitive. A String that is none may
// be quoted in an error.
package convert
