package pcore

import "sync"

// BuiltinType returns the type of the language with this name, spelled as in `ScalarData` or in
// lower case. Of Object types it knows Deferred and Error. It knows no types of resources.
func BuiltinType(name string) (Type, bool) {
	if t, ok := spelledTypes()[name]; ok {
		return t, true
	}
	if t, ok := languageTypes()[name]; ok {
		return t, true
	}
	switch name { // types created on first use
	case "data", "Data":
		return dataType(), true
	case "richdata", "RichData":
		return richDataType(), true
	case "richdatakey", "RichDataKey":
		return richDataKeyType(), true
	case "deferred", "Deferred":
		return DeferredType(), true
	case "error", "Error":
		return ErrorType(), true
	case "init", "Init":
		return &InitType{}, true
	case "typealias", "TypeAlias":
		alias, resolve := NewTypeAliasType("UnresolvedAlias")
		return alias, resolve(NewTypeReferenceType("UnresolvedReference")) == nil
	case "typereference", "TypeReference":
		return NewTypeReferenceType("UnresolvedReference"), true
	}
	return nil, false
}

// spelledTypes are languageTypes by their names in canonical case.
var spelledTypes = sync.OnceValue(func() map[string]Type {
	types := make(map[string]Type, len(languageTypes()))
	for _, t := range languageTypes() {
		types[TypeName(t)] = t
	}
	return types
})

// languageTypes are the static built-in types by their lower-case names.
var languageTypes = sync.OnceValue(func() map[string]Type {
	return map[string]Type{
		"any":          AnyType{},
		"array":        &ArrayType{},
		"binary":       BinaryType{},
		"boolean":      &BooleanType{},
		"callable":     &CallableType{},
		"catalogentry": CatalogEntryType{},
		"class":        &ClassType{},
		"collection":   &CollectionType{},
		"default":      DefaultType{},
		"enum":         &EnumType{},
		"float":        &FloatType{},
		"hash":         &HashType{},
		"integer":      &IntegerType{},
		"iterable":     &IterableType{},
		"iterator":     &IteratorType{},
		"notundef":     newNotUndefType(nil),
		"numeric":      NumericType{},
		"object":       &ObjectType{},
		"optional":     NewOptionalType(nil),
		"pattern":      &PatternType{},
		"regexp":       &RegexpType{},
		"resource":     &ResourceType{},
		"runtime":      &RuntimeType{},
		"scalar":       ScalarType{},
		"scalardata":   ScalarDataType{},
		"semver":       &SemVerType{},
		"semverrange":  SemVerRangeType{},
		"sensitive":    &SensitiveType{},
		"string":       &StringType{},
		"struct":       &StructType{},
		"timespan":     &TimespanType{},
		"timestamp":    &TimestampType{},
		"tuple":        &TupleType{},
		"type":         &TypeType{},
		"typeset":      &TypeSetType{},
		"undef":        UndefType{},
		"uri":          &URIType{},
		"variant":      &VariantType{},
	}
})
