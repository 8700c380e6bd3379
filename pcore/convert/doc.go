// Package convert creates values from other values: with the constructors of
// types, and with String formats, which convert any value to text.
//
//	New, Converter   T.new(args...) of the language
//	Error            why an instance of a type could not be created
//	String           String.new(value, formats) of the language
//
// The files are organized by result:
//
//	constructor.go        the constructors of types, and errors for arguments
//	number.go             Numeric, Integer, Float, Boolean
//	container.go tree.go  Array and Hash
//	time.go               Timespan and Timestamp
//	scalar.go             String, Regexp, SemVer, SemVerRange, Binary, URI, Type
//	object.go             Sensitive, Deferred, Objects, Init
//	format.go             the syntax of formats, and the selection for a value
//	string*.go            values as text
//
// Package pcore defines the parameter types of constructors, because the type
// Init needs them too; see [pcore.ConstructorParameters].
//
// # Limits
//
// A few bytes can request a large result: Array.new(1000000000), or a format
// with a width of a million for each element. So the size of a result is
// limited by [Converter.Spend], and that of a text to 64 MiB. The number of
// formats and keys to examine for each value is limited too.
//
// # Secrets
//
// No text and no error contains the contents of a Sensitive. An error may quote
// a String that is not Sensitive.
package convert
