package pcore

// tag identifies a kind of types in [typeRules] and in sets.
type tag uint8

const (
	tagUnknown tag = iota // any type
	tagAny
	tagArray
	tagBinary
	tagBoolean
	tagCallable
	tagCatalogEntry
	tagClass
	tagCollection
	tagDefault
	tagEnum
	tagFloat
	tagHash
	tagInit
	tagInteger
	tagIterable
	tagIterator
	tagNotUndef // of a type that accepts undef
	tagNumeric
	tagObject
	tagObjectExtension
	tagPattern
	tagRegexp
	tagResource
	tagRuntime
	tagScalar
	tagScalarData
	tagSemVer
	tagSemVerRange
	tagSensitive
	tagString
	tagStruct
	tagTimespan
	tagTimestamp
	tagTuple
	tagType
	tagTypeReference
	tagTypeSet
	tagUndef
	tagUnit
	tagURI
)

// set is a bit set of tags or of kinds.
type set uint64

func setOf[E ~uint8](elems ...E) set {
	var s set
	for _, e := range elems {
		s |= 1 << e
	}
	return s
}

const everything = ^set(0)

// typeRule contains the types that a type accepts and the values that are its
// instances, as far as their kind alone decides. All other types and values are
// rejected.
type typeRule struct {
	of Type

	accepts   set // these types, regardless of parameters
	compares  set // these types, depending on their parameters
	contains  set // these values
	looksInto set // these values, depending on their content
}

// typeRules returns the rules of the types that are not composed of others. In
// addition, every type accepts Unit.
func typeRules() []typeRule {
	numeric := setOf(tagFloat, tagInteger, tagNumeric)
	scalarData := numeric | setOf(tagBoolean, tagEnum, tagPattern, tagScalarData, tagString)
	scalar := scalarData | setOf(tagRegexp, tagScalar, tagSemVer, tagSemVerRange, tagTimespan, tagTimestamp)
	text := setOf(tagEnum, tagPattern, tagString)
	sized := setOf(tagArray, tagCollection, tagHash, tagStruct, tagTuple)
	iterable := text | sized | setOf(tagInteger, tagIterable, tagIterator, tagObject, tagType)
	object := setOf(tagObject, tagObjectExtension)
	objects := setOf(KindDeferred, KindObject, KindType)

	numbers := setOf(KindBigInteger, KindInteger)
	scalarsData := numbers | setOf(KindBoolean, KindFloat, KindString)
	scalars := scalarsData | setOf(KindRegexp, KindSemVer, KindSemVerRange, KindTimespan, KindTimestamp)
	collections := setOf(KindArray, KindHash)
	iterated := numbers | collections | setOf(KindIterator, KindObject, KindString, KindType)

	return []typeRule{
		tagAny:          {of: AnyType{}, accepts: everything, contains: everything},
		tagArray:        {of: (*ArrayType)(nil), compares: setOf(tagArray, tagTuple), looksInto: setOf(KindArray)},
		tagBinary:       {of: BinaryType{}, accepts: setOf(tagBinary), contains: setOf(KindBinary)},
		tagBoolean:      {of: (*BooleanType)(nil), compares: setOf(tagBoolean), looksInto: setOf(KindBoolean)},
		tagCallable:     {of: (*CallableType)(nil), compares: setOf(tagCallable)},
		tagCatalogEntry: {of: CatalogEntryType{}, accepts: setOf(tagCatalogEntry, tagClass, tagResource)},
		tagClass:        {of: (*ClassType)(nil), compares: setOf(tagClass)},
		tagCollection:   {of: (*CollectionType)(nil), compares: sized, looksInto: collections},
		tagDefault:      {of: DefaultType{}, accepts: setOf(tagDefault), contains: setOf(KindDefault)},
		tagEnum:         {of: (*EnumType)(nil), compares: text, looksInto: setOf(KindString)},
		tagFloat:        {of: (*FloatType)(nil), compares: setOf(tagFloat), looksInto: setOf(KindFloat)},
		tagHash:         {of: (*HashType)(nil), compares: setOf(tagHash, tagStruct), looksInto: setOf(KindHash)},
		tagInit:         {of: (*InitType)(nil), compares: everything, looksInto: everything},
		tagInteger:      {of: (*IntegerType)(nil), compares: setOf(tagInteger), looksInto: numbers},
		tagIterable:     {of: (*IterableType)(nil), compares: iterable, looksInto: iterated},
		tagIterator:     {of: (*IteratorType)(nil), compares: setOf(tagIterator), looksInto: setOf(KindIterator)},
		tagNumeric:      {of: NumericType{}, accepts: numeric, contains: numbers, looksInto: setOf(KindFloat)},
		tagObject:       {of: (*ObjectType)(nil), compares: object, looksInto: objects},

		tagObjectExtension: {of: (*ObjectTypeExtension)(nil), compares: object, looksInto: objects},

		tagPattern:       {of: (*PatternType)(nil), compares: text, looksInto: setOf(KindString)},
		tagRegexp:        {of: (*RegexpType)(nil), compares: setOf(tagRegexp), looksInto: setOf(KindRegexp)},
		tagResource:      {of: (*ResourceType)(nil), compares: setOf(tagResource)},
		tagRuntime:       {of: (*RuntimeType)(nil), compares: setOf(tagRuntime)},
		tagScalar:        {of: ScalarType{}, accepts: scalar, contains: scalars},
		tagScalarData:    {of: ScalarDataType{}, accepts: scalarData, contains: scalarsData},
		tagSemVer:        {of: (*SemVerType)(nil), compares: setOf(tagSemVer), looksInto: setOf(KindSemVer)},
		tagSemVerRange:   {of: SemVerRangeType{}, accepts: setOf(tagSemVerRange), contains: setOf(KindSemVerRange)},
		tagSensitive:     {of: (*SensitiveType)(nil), compares: setOf(tagSensitive), looksInto: setOf(KindSensitive)},
		tagString:        {of: (*StringType)(nil), compares: text, looksInto: setOf(KindString)},
		tagStruct:        {of: (*StructType)(nil), compares: setOf(tagHash, tagStruct), looksInto: setOf(KindHash)},
		tagTimespan:      {of: (*TimespanType)(nil), compares: setOf(tagTimespan), looksInto: setOf(KindTimespan)},
		tagTimestamp:     {of: (*TimestampType)(nil), compares: setOf(tagTimestamp), looksInto: setOf(KindTimestamp)},
		tagTuple:         {of: (*TupleType)(nil), compares: setOf(tagArray, tagTuple), looksInto: setOf(KindArray)},
		tagType:          {of: (*TypeType)(nil), compares: setOf(tagType), looksInto: setOf(KindType)},
		tagTypeReference: {of: (*TypeReferenceType)(nil), compares: setOf(tagTypeReference)},
		tagTypeSet:       {of: (*TypeSetType)(nil), compares: setOf(tagTypeSet), looksInto: setOf(KindType)},
		tagUndef:         {of: UndefType{}, accepts: setOf(tagUndef), contains: setOf(KindUndef)},
		tagUnit:          {of: UnitType{}, accepts: everything, contains: everything},
		tagURI:           {of: (*URIType)(nil), compares: setOf(tagURI), looksInto: setOf(KindURI)},
	}
}

// kindUnknown is the kind of values that this package does not define.
const kindUnknown Kind = 63

// composedTypes returns the types that are composed of others and have their
// own outlines.
func composedTypes() []Type {
	return []Type{(*NotUndefType)(nil), (*OptionalType)(nil), (*TypeAliasType)(nil), (*VariantType)(nil)}
}

// otherValues returns a value of each Go type that implements Value but not
// Type.
func otherValues() []Value {
	return []Value{
		(*Array)(nil), BigInteger{}, Binary{}, Boolean(false), Default{}, (*Deferred)(nil), Float(0), (*Hash)(nil),
		Integer(0), (*Iterator)(nil), (*Object)(nil), (*Regexp)(nil), (*SemVer)(nil), (*SemVerRange)(nil),
		(*Sensitive)(nil), String(""), Symbol(""), Timespan{}, Timestamp{}, (*URI)(nil), Undef{},
	}
}
