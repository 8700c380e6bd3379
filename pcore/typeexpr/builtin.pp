# The types that Puppet itself defines as Object types and aliases: the types of its
# types, by which they are written as rich data, and those of its runtime.

type Annotation = Object[{}]
type Pcore = Object[{}]
type Pcore::AbstractTimeDataType = Object[{parent => Pcore::AnyType}]
type Pcore::AnyType = Object[{parent => Any}]
type Pcore::ArrayType = Object[{parent => Pcore::CollectionType, attributes => {'element_type' => {type => Optional[Type], value => Any}}}]
type Pcore::BinaryType = Object[{parent => Pcore::AnyType}]
type Pcore::BooleanType = Object[{parent => Pcore::ScalarDataType}]
type Pcore::CallableType = Object[{parent => Pcore::AnyType, attributes => {'param_types' => {type => Optional[Type[Tuple]], value => undef}, 'block_type' => {type => Optional[Type[Callable]], value => undef}, 'return_type' => {type => Optional[Type], value => Any}}}]
type Pcore::CatalogEntryType = Object[{parent => Pcore::AnyType}]
type Pcore::ClassType = Object[{parent => Pcore::CatalogEntryType, attributes => {'class_name' => {type => Optional[String[1]], value => undef}}}]
type Pcore::CollectionType = Object[{parent => Pcore::AnyType, attributes => {'size_type' => {type => Optional[Type[Integer]], value => undef}}}]
type Pcore::DefaultType = Object[{parent => Pcore::AnyType}]
type Pcore::EnumType = Object[{parent => Pcore::ScalarDataType, attributes => {'values' => Array[String[1]], 'case_insensitive' => {type => Boolean, value => false}}}]
type Pcore::FloatType = Object[{parent => Pcore::NumericType}]
type Pcore::HashType = Object[{parent => Pcore::CollectionType, attributes => {'key_type' => {type => Optional[Type], value => Any}, 'value_type' => {type => Optional[Type], value => Any}}}]
type Pcore::InitType = Object[{parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}, 'init_args' => {type => Array, value => []}}}]
type Pcore::IntegerType = Object[{parent => Pcore::NumericType}]
type Pcore::IterableType = Object[{parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}}]
type Pcore::IteratorType = Object[{parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}}]
type Pcore::MemberName = Pattern[/\A[a-z_]\w*\z/]
type Pcore::NotUndefType = Object[{parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}}]
type Pcore::NumericType = Object[{parent => Pcore::ScalarDataType, attributes => {'from' => {type => Optional[Numeric], value => undef}, 'to' => {type => Optional[Numeric], value => undef}}}]
type Pcore::ObjectType = Object[{parent => Pcore::AnyType, attributes => {'_pcore_init_hash' => Struct[{
  Optional['name'] => Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/],
  Optional['parent'] => Type,
  Optional['type_parameters'] => Hash[Pattern[/\A[a-z_]\w*\z/], NotUndef],
  Optional['attributes'] => Hash[Pattern[/\A[a-z_]\w*\z/], NotUndef],
  Optional['constants'] => Hash[Pattern[/\A[a-z_]\w*\z/], Any],
  Optional['functions'] => Hash[Variant[Pattern[/\A[a-z_]\w*\z/], String], NotUndef],
  Optional['equality'] => Variant[Pattern[/\A[a-z_]\w*\z/], Array[Pattern[/\A[a-z_]\w*\z/]]],
  Optional['equality_include_type'] => Boolean,
  'checks' => Any,
  'annotations' => Optional[Hash[Type[Annotation], Hash[Pattern[/\A[a-z_]\w*\z/], Any]]],
}]}}]
type Pcore::ObjectTypeExtenType = Object[{parent => Pcore::AnyType, attributes => {'base_type' => Type, 'init_parameters' => Array}}]
type Pcore::OptionalType = Object[{parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}}]
type Pcore::PatternType = Object[{parent => Pcore::ScalarDataType, attributes => {'patterns' => Array[Regexp]}}]
type Pcore::QRef = Pattern[/\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z/]
type Pcore::RegexpType = Object[{parent => Pcore::ScalarType, attributes => {'pattern' => {type => Variant[Undef, String, Regexp], value => undef}}}]
type Pcore::ResourceType = Object[{parent => Pcore::CatalogEntryType, attributes => {'type_name' => {type => Optional[String[1]], value => undef}, 'title' => {type => Optional[String[1]], value => undef}}}]
type Pcore::RuntimeType = Object[{parent => Pcore::AnyType, attributes => {'runtime' => {type => Optional[String[1]], value => undef}, 'name_or_pattern' => {type => Optional[Variant[String[1], Tuple[Regexp, String[1]]]], value => undef}}}]
type Pcore::ScalarDataType = Object[{parent => Pcore::ScalarType}]
type Pcore::ScalarType = Object[{parent => Pcore::AnyType}]
type Pcore::SemVerRangeType = Object[{parent => Pcore::AnyType}]
type Pcore::SemVerType = Object[{parent => Pcore::ScalarType, attributes => {'ranges' => {type => Array[Variant[SemVerRange, String[1]]], value => []}}}]
type Pcore::SensitiveType = Object[{parent => Pcore::AnyType}]
type Pcore::SimpleTypeName = Pattern[/\A[A-Z]\w*\z/]
type Pcore::StringType = Object[{parent => Pcore::ScalarDataType, attributes => {'size_type_or_value' => {type => Optional[Variant[String, Type[Integer]]], value => undef}}}]
type Pcore::StructElement = Object[{attributes => {'key_type' => Type, 'value_type' => Type}}]
type Pcore::StructType = Object[{parent => Pcore::AnyType, attributes => {'elements' => Array[Pcore::StructElement]}}]
type Pcore::TimespanType = Object[{parent => Pcore::ScalarType, attributes => {'from' => {type => Optional[Timespan], value => undef}, 'to' => {type => Optional[Timespan], value => undef}}}]
type Pcore::TimestampType = Object[{parent => Pcore::ScalarType, attributes => {'from' => {type => Optional[Timestamp], value => undef}, 'to' => {type => Optional[Timestamp], value => undef}}}]
type Pcore::TupleType = Object[{parent => Pcore::AnyType, attributes => {'types' => Array[Type], 'size_type' => {type => Optional[Type[Integer]], value => undef}}}]
type Pcore::TypeAliasType = Object[{parent => Pcore::AnyType, attributes => {'name' => String[1], 'type_expr' => Any, 'resolved_type' => {type => Optional[Type], value => undef}}}]
type Pcore::TypeName = Pattern[/\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z/]
type Pcore::TypeReferenceType = Object[{parent => Pcore::AnyType, attributes => {'type_string' => String[1]}}]
type Pcore::TypeSetType = Object[{parent => Pcore::AnyType}]
type Pcore::TypeType = Object[{parent => Pcore::AnyType, attributes => {'type' => {type => Optional[Type], value => undef}}}]
type Pcore::URIType = Object[{parent => Pcore::AnyType, attributes => {'parameters' => {type => Optional[Variant[String[1], Struct[{
  'scheme' => Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]],
  'userinfo' => Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]],
  'host' => Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]],
  'port' => Optional[Variant[Integer[0], Type[NotUndef], Type[Undef]]],
  'path' => Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]],
  'query' => Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]],
  'fragment' => Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]],
  'opaque' => Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]],
}]]], value => undef}}}]
type Pcore::UndefType = Object[{parent => Pcore::AnyType}]
type Pcore::UnitType = Object[{parent => Pcore::AnyType}]
type Pcore::VariantType = Object[{parent => Pcore::AnyType, attributes => {'types' => Array[Type]}}]
type Puppet::LookupContext = Object[{parent => Any, attributes => {'environment_name' => {type => String[1], kind => derived}, 'module_name' => Variant[String[1], Undef]}, functions => {'not_found' => Callable[[0, 0], Undef], 'explain' => Callable[[0, 0, Callable[0, 0]], Undef], 'interpolate' => Callable[1, 1], 'cache' => Callable[Optional[Scalar], Any], 'cache_all' => Callable[[Hash[Optional[Scalar], Any]], Undef], 'cache_has_key' => Callable[[Optional[Scalar]], Boolean], 'cached_value' => Callable[Optional[Scalar]], 'cached_entries' => Variant[Callable[[0, 0, Callable[1, 1]], Undef], Callable[[0, 0, Callable[2, 2]], Undef], Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]], 'cached_file_data' => Callable[String, Optional[Callable[Array[Integer]]]]}}]
type Puppet::LookupKey = RichDataKey
type Puppet::LookupValue = RichData
type Puppet::Resource::Param = Object[{attributes => {'type' => Type, 'name' => String[1], 'name_var' => {type => Boolean, value => false}}, equality => ['name']}]
type Puppet::Resource::ResourceType3 = Object[{attributes => {'name' => String[1], 'properties' => {type => Array[Puppet::Resource::Param], value => []}, 'parameters' => {type => Array[Puppet::Resource::Param], value => []}, 'title_patterns_hash' => {type => Optional[Hash[Regexp, Array[String[1]]]], value => undef}, 'isomorphic' => {type => Boolean, value => true}, 'capability' => {type => Boolean, value => false}}, equality => ['name']}]
type RubyMethod = Object[{parent => Annotation, attributes => {'body' => String, 'parameters' => {type => Optional[String[1]], value => undef}}}]
