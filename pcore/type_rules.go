package pcore

// tag identifies a type in [factsByTag] and in sets, regardless of its
// parameters.
type tag uint8

const (
	tagUnknown tag = iota // any type; nil
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

// Sets of types.
const (
	numericTypes    set = 1<<tagFloat | 1<<tagInteger | 1<<tagNumeric
	scalarDataTypes     = numericTypes | stringTypes | 1<<tagBoolean | 1<<tagScalarData
	scalarTypes         = scalarDataTypes | 1<<tagRegexp | 1<<tagScalar | 1<<tagSemVer | 1<<tagSemVerRange | 1<<tagTimespan | 1<<tagTimestamp
	stringTypes     set = 1<<tagEnum | 1<<tagPattern | 1<<tagString
	collectionTypes set = 1<<tagArray | 1<<tagCollection | 1<<tagHash | 1<<tagStruct | 1<<tagTuple
	iterableTypes       = stringTypes | collectionTypes | 1<<tagInteger | 1<<tagIterable | 1<<tagIterator | 1<<tagObject | 1<<tagType
	objectTypes     set = 1<<tagObject | 1<<tagObjectExtension
)

// kindNil represents nil, which is not a value, in sets of kinds.
const kindNil Kind = 63

// Sets of kinds of values.
const (
	integerKinds    set = 1<<kindBigInteger | 1<<kindInteger
	scalarDataKinds     = integerKinds | 1<<kindBoolean | 1<<kindFloat | 1<<kindString
	scalarKinds         = scalarDataKinds | 1<<kindRegexp | 1<<kindSemVer | 1<<kindSemVerRange | 1<<kindTimespan | 1<<kindTimestamp
	collectionKinds set = 1<<kindArray | 1<<kindHash
	iterableKinds       = integerKinds | collectionKinds | 1<<kindIterator | 1<<kindObject | 1<<kindString | 1<<kindType
	objectKinds     set = 1<<kindDeferred | 1<<kindObject | 1<<kindType
)

// accepting returns the rule of a type that accepts the types in always, and
// those in depending only with certain parameters. In addition, every type
// accepts Unit.
func accepting(always, depending set) rule {
	always |= 1 << tagUnit
	return rule{always, always | depending | 1<<tagUnknown}
}

// containing returns the rule of a type whose instances are all values of the
// kinds in always, and some of the kinds in depending.
func containing(always, depending set) rule {
	return rule{always, always | depending | 1<<kindNil}
}

// factsByTag contains the facts of all types that are not composed of others.
var factsByTag = [...]typeFacts{
	tagUnknown:         {1 << tagUnknown, rule{possible: everything}, rule{possible: everything}},
	tagAny:             {1 << tagAny, accepting(everything, 0), containing(everything, 0)},
	tagArray:           {1 << tagArray, accepting(0, 1<<tagArray|1<<tagTuple), containing(0, 1<<kindArray)},
	tagBinary:          {1 << tagBinary, accepting(1<<tagBinary, 0), containing(1<<kindBinary, 0)},
	tagBoolean:         {1 << tagBoolean, accepting(0, 1<<tagBoolean), containing(0, 1<<kindBoolean)},
	tagCallable:        {1 << tagCallable, accepting(0, 1<<tagCallable), containing(0, 0)},
	tagCatalogEntry:    {1 << tagCatalogEntry, accepting(1<<tagCatalogEntry|1<<tagClass|1<<tagResource, 0), containing(0, 0)},
	tagClass:           {1 << tagClass, accepting(0, 1<<tagClass), containing(0, 0)},
	tagCollection:      {1 << tagCollection, accepting(0, collectionTypes), containing(0, collectionKinds)},
	tagDefault:         {1 << tagDefault, accepting(1<<tagDefault, 0), containing(1<<kindDefault, 0)},
	tagEnum:            {1 << tagEnum, accepting(0, stringTypes), containing(0, 1<<kindString)},
	tagFloat:           {1 << tagFloat, accepting(0, 1<<tagFloat), containing(0, 1<<kindFloat)},
	tagHash:            {1 << tagHash, accepting(0, 1<<tagHash|1<<tagStruct), containing(0, 1<<kindHash)},
	tagInit:            {1 << tagInit, accepting(0, everything), containing(0, everything)},
	tagInteger:         {1 << tagInteger, accepting(0, 1<<tagInteger), containing(0, integerKinds)},
	tagIterable:        {1 << tagIterable, accepting(0, iterableTypes), containing(0, iterableKinds)},
	tagIterator:        {1 << tagIterator, accepting(0, 1<<tagIterator), containing(0, 1<<kindIterator)},
	tagNumeric:         {1 << tagNumeric, accepting(numericTypes, 0), containing(integerKinds, 1<<kindFloat)},
	tagObject:          {1 << tagObject, accepting(0, objectTypes), containing(0, objectKinds)},
	tagObjectExtension: {1 << tagObjectExtension, accepting(0, objectTypes), containing(0, objectKinds)},
	tagPattern:         {1 << tagPattern, accepting(0, stringTypes), containing(0, 1<<kindString)},
	tagRegexp:          {1 << tagRegexp, accepting(0, 1<<tagRegexp), containing(0, 1<<kindRegexp)},
	tagResource:        {1 << tagResource, accepting(0, 1<<tagResource), containing(0, 0)},
	tagRuntime:         {1 << tagRuntime, accepting(0, 1<<tagRuntime), containing(0, 0)},
	tagScalar:          {1 << tagScalar, accepting(scalarTypes, 0), containing(scalarKinds, 0)},
	tagScalarData:      {1 << tagScalarData, accepting(scalarDataTypes, 0), containing(scalarDataKinds, 0)},
	tagSemVer:          {1 << tagSemVer, accepting(0, 1<<tagSemVer), containing(0, 1<<kindSemVer)},
	tagSemVerRange:     {1 << tagSemVerRange, accepting(1<<tagSemVerRange, 0), containing(1<<kindSemVerRange, 0)},
	tagSensitive:       {1 << tagSensitive, accepting(0, 1<<tagSensitive), containing(0, 1<<kindSensitive)},
	tagString:          {1 << tagString, accepting(0, stringTypes), containing(0, 1<<kindString)},
	tagStruct:          {1 << tagStruct, accepting(0, 1<<tagHash|1<<tagStruct), containing(0, 1<<kindHash)},
	tagTimespan:        {1 << tagTimespan, accepting(0, 1<<tagTimespan), containing(0, 1<<kindTimespan)},
	tagTimestamp:       {1 << tagTimestamp, accepting(0, 1<<tagTimestamp), containing(0, 1<<kindTimestamp)},
	tagTuple:           {1 << tagTuple, accepting(0, 1<<tagArray|1<<tagTuple), containing(0, 1<<kindArray)},
	tagType:            {1 << tagType, accepting(0, 1<<tagType), containing(0, 1<<kindType)},
	tagTypeReference:   {1 << tagTypeReference, accepting(0, 1<<tagTypeReference), containing(0, 0)},
	tagTypeSet:         {1 << tagTypeSet, accepting(0, 1<<tagTypeSet), containing(0, 1<<kindType)},
	tagUndef:           {1 << tagUndef, accepting(1<<tagUndef, 0), containing(1<<kindUndef, 0)},
	tagUnit:            {1 << tagUnit, accepting(everything, 0), containing(everything, 0)},
	tagURI:             {1 << tagURI, accepting(0, 1<<tagURI), containing(0, 1<<kindURI)},
}

func (AnyType) facts() *typeFacts              { return &factsByTag[tagAny] }
func (*ArrayType) facts() *typeFacts           { return &factsByTag[tagArray] }
func (BinaryType) facts() *typeFacts           { return &factsByTag[tagBinary] }
func (*BooleanType) facts() *typeFacts         { return &factsByTag[tagBoolean] }
func (*CallableType) facts() *typeFacts        { return &factsByTag[tagCallable] }
func (CatalogEntryType) facts() *typeFacts     { return &factsByTag[tagCatalogEntry] }
func (*ClassType) facts() *typeFacts           { return &factsByTag[tagClass] }
func (*CollectionType) facts() *typeFacts      { return &factsByTag[tagCollection] }
func (DefaultType) facts() *typeFacts          { return &factsByTag[tagDefault] }
func (*EnumType) facts() *typeFacts            { return &factsByTag[tagEnum] }
func (*FloatType) facts() *typeFacts           { return &factsByTag[tagFloat] }
func (*HashType) facts() *typeFacts            { return &factsByTag[tagHash] }
func (*InitType) facts() *typeFacts            { return &factsByTag[tagInit] }
func (*IntegerType) facts() *typeFacts         { return &factsByTag[tagInteger] }
func (*IterableType) facts() *typeFacts        { return &factsByTag[tagIterable] }
func (*IteratorType) facts() *typeFacts        { return &factsByTag[tagIterator] }
func (NumericType) facts() *typeFacts          { return &factsByTag[tagNumeric] }
func (*ObjectType) facts() *typeFacts          { return &factsByTag[tagObject] }
func (*ObjectTypeExtension) facts() *typeFacts { return &factsByTag[tagObjectExtension] }
func (*PatternType) facts() *typeFacts         { return &factsByTag[tagPattern] }
func (*RegexpType) facts() *typeFacts          { return &factsByTag[tagRegexp] }
func (*ResourceType) facts() *typeFacts        { return &factsByTag[tagResource] }
func (*RuntimeType) facts() *typeFacts         { return &factsByTag[tagRuntime] }
func (ScalarType) facts() *typeFacts           { return &factsByTag[tagScalar] }
func (ScalarDataType) facts() *typeFacts       { return &factsByTag[tagScalarData] }
func (*SemVerType) facts() *typeFacts          { return &factsByTag[tagSemVer] }
func (SemVerRangeType) facts() *typeFacts      { return &factsByTag[tagSemVerRange] }
func (*SensitiveType) facts() *typeFacts       { return &factsByTag[tagSensitive] }
func (*StringType) facts() *typeFacts          { return &factsByTag[tagString] }
func (*StructType) facts() *typeFacts          { return &factsByTag[tagStruct] }
func (*TimespanType) facts() *typeFacts        { return &factsByTag[tagTimespan] }
func (*TimestampType) facts() *typeFacts       { return &factsByTag[tagTimestamp] }
func (*TupleType) facts() *typeFacts           { return &factsByTag[tagTuple] }
func (*TypeType) facts() *typeFacts            { return &factsByTag[tagType] }
func (*TypeReferenceType) facts() *typeFacts   { return &factsByTag[tagTypeReference] }
func (*TypeSetType) facts() *typeFacts         { return &factsByTag[tagTypeSet] }
func (UndefType) facts() *typeFacts            { return &factsByTag[tagUndef] }
func (UnitType) facts() *typeFacts             { return &factsByTag[tagUnit] }
func (*URIType) facts() *typeFacts             { return &factsByTag[tagURI] }

func (t *NotUndefType) facts() *typeFacts  { return t.composed.orUnknown() }
func (t *OptionalType) facts() *typeFacts  { return t.composed.orUnknown() }
func (t *TypeAliasType) facts() *typeFacts { return t.composed.orUnknown() }
func (t *VariantType) facts() *typeFacts   { return t.composed.orUnknown() }
