// Package pcore implements the values and types of the Puppet language. The
// specification calls its rich data Pcore.
//
// # Values
//
// A [Value] is one of a closed set of Go types, selected by a type switch or [Is]:
//
//	Undef, Default            the values undef and default
//	Boolean                   true, false
//	Integer, BigInteger       64-bit integers; larger ones, found only in foreign JSON
//	Float                     IEEE 754, 64 bits
//	String, Symbol            UTF-8 text; a Ruby symbol
//	*Regexp                   a Ruby regular expression
//	Binary                    bytes
//	Timestamp, Timespan       an instant, a duration, in nanoseconds
//	*SemVer, *SemVerRange     a version, a set of versions
//	*URI                      a uniform resource identifier
//	*Array, *Hash             sequences, and ordered maps with any value as key
//	*Sensitive                a secret: printed as [RedactedText], see [Sensitive.Reveal]
//	*Deferred                 a call to be made by the agent
//	*Object                   an instance of an Object type
//	*Iterator                 a lazy sequence
//	Type                      a type is a value, too
//
// # Types
//
// A [Type] is also one of a closed set. Types without parameters are empty
// structs, such as AnyType{}. All others are pointers, whose zero value is the
// type without parameters: &IntegerType{} is Integer.
//
//	AnyType, UndefType, DefaultType        all values; undef; default
//	ScalarType, ScalarDataType             values without parts; scalars that JSON has
//	NumericType                            Integer and Float
//	*IntegerType, *FloatType               numbers in a range
//	*StringType                            strings of a length, or one string
//	*EnumType, *PatternType                strings of a set; strings that match a pattern
//	*BooleanType, *RegexpType, BinaryType  both Booleans or one; regular expressions; bytes
//	*TimestampType, *TimespanType          times in a range
//	*SemVerType, SemVerRangeType           versions in ranges; version ranges
//	*URIType                               URIs by their components
//	*CollectionType                        arrays and hashes of a size
//	*ArrayType, *TupleType                 arrays by one element type, or element by element
//	*HashType, *StructType                 hashes by key and value type, or entry by entry
//	*IterableType, *IteratorType           values that can be iterated; lazy sequences
//	*VariantType, *OptionalType            any of several types; a type or undef
//	*NotUndefType                          a type without undef
//	*TypeType                              types that a type accepts
//	*CallableType                          functions, by arguments, block and result
//	*SensitiveType                         secrets, by the type of their content
//	*InitType                              values from which an instance of a type can be created
//	CatalogEntryType, *ResourceType        references to catalog entries; to resources
//	*ClassType                             references to classes
//	*RuntimeType                           values of a language runtime, such as Ruby objects
//	*ObjectType, *ObjectTypeExtension      objects by attributes; with parameters
//	*TypeSetType                           named and versioned sets of types
//	*TypeAliasType                         a name for a type, such as Data and RichData
//	*TypeReferenceType                     the text of a type that is not declared
//	UnitType                               the element type of an empty array
//
// Deferred and Error are Object types: [DeferredType], [ErrorType].
//
// # Operations
//
// For values, [Equal] is the operator `==` of the language, [Identical] is the
// equality of hash keys, and [Match] matches a case option. [Walk] and
// [Rewrite] visit the parts of a value; a [Path] is the location of a part.
//
// For types, [Contains] reports whether a value is an instance, and [Accepts]
// whether one type accepts all instances of another. [Infer] and
// [InferDetailed] return the type of a value. [Generalize] widens a type,
// [Common] returns a type that accepts two types, [Normalize] simplifies a
// type, and [EqualTypes] compares two types. [ConstructorParameters] returns the
// parameters of T.new. [Mismatch] describes why a value is not an instance.
// [FormatType] returns the text of a type, and [MetaOf] its rich data. Package
// typeexpr parses types.
//
// All values and types are immutable and safe for concurrent use.
package pcore
