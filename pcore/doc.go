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
// # Types
//
// A [Type] is one of a closed set, too. Those without parameters are empty
// structs, AnyType{}; all others are pointers, whose zero value is the type
// without parameters: &IntegerType{} is Integer.
//
//	AnyType, UndefType, DefaultType        all values; undef; default
//	ScalarType, ScalarDataType             values without parts; those of them that JSON has
//	NumericType                            Integer and Float
//	*IntegerType, *FloatType               numbers of a range
//	*StringType                            texts of a length, or one text
//	*EnumType, *PatternType                texts of a set; texts that match
//	*BooleanType, *RegexpType, BinaryType  both Booleans or one; regular expressions; bytes
//	*TimestampType, *TimespanType          times of a range
//	*SemVerType, SemVerRangeType           versions of ranges; the ranges themselves
//	*URIType                               URIs by their components
//	*CollectionType                        arrays and hashes of a size
//	*ArrayType, *TupleType                 arrays by one type of elements, or element by element
//	*HashType, *StructType                 hashes by types of keys and values, or entry by entry
//	*IterableType, *IteratorType           what can be gone through; lazy sequences
//	*VariantType, *OptionalType            any of some types; a type or undef
//	*NotUndefType                          a type without undef
//	*TypeType                              types that a type accepts
//	*CallableType                          functions, by arguments, block and result
//	*SensitiveType                         secrets, by what they hold
//	*InitType                              what a value of a type can be made of
//	CatalogEntryType, *ResourceType        references to what stands in a catalog
//	*ClassType                             references to classes
//	*RuntimeType                           values of the program that runs
//	*ObjectType, *ObjectTypeExtension      objects by attributes; with parameters
//	*TypeSetType                           named and versioned sets of types
//	*TypeAliasType                         a name for a type; Data and RichData are such
//	*TypeReferenceType                     the text of a type that nobody declares
//	UnitType                               what an empty array has for elements
//
// Deferred and Error are Object types: [DeferredType], [ErrorType].
//
// # Questions
//
// One file answers one question. About values: [Equal] is `==` of the language,
// [Identical] the sameness of hash keys, [Match] that of a case option, [Walk]
// and [Rewrite] go through a value, [Path] tells where in it something stands.
//
// About types: [Contains] asks for instances, [Accepts] whether one type takes
// all of another, [Infer] and [InferDetailed] for the type of a value,
// [Generalize] for its general form, [Common] for what two types have in
// common, [Normalize] for a shorter form, [EqualTypes] for sameness,
// [ElementType] for what an iteration gives, [ConstructorParameters] for what
// T.new takes. [Mismatch] tells why a value is not an instance, [FormatType] the
// text of a type, and [MetaOf] the rich data that it is. Package typeexpr reads
// types.
//
// All values and types are immutable and safe for concurrent use.
package pcore
