package typeexpr

import (
	"errors"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
)

// Resolver finds types that are not built-in. The name is in lower case, its
// segments joined by `::`, without leading `::`. For an unknown name it returns
// [ErrUnknownType]. Package-level functions that accept a Resolver allow nil,
// for no further types.
type Resolver interface {
	ResolveType(name string) (pcore.Type, error)
}

// Named returns the type with the given name, ignoring case: a built-in type,
// or one that r finds. The error is, or wraps, [ErrUnknownType] if there is
// none.
func Named(name string, r Resolver) (pcore.Type, error) {
	if t, ok := spelledTypes()[name]; ok {
		return t, nil
	}
	name = strings.ToLower(strings.TrimPrefix(name, "::"))
	if t, ok := languageType(name); ok {
		return t, nil
	}
	if r != nil {
		if t, err := r.ResolveType(name); !errors.Is(err, ErrUnknownType) {
			return t, err
		}
	}
	if t := resourceType(name); t != "" {
		return pcore.NewResourceType(t, nil)
	}
	return builtinType(name)
}

// resourceTypes are Puppet's built-in resource types.
var resourceTypes = [...]string{
	"Component", "Exec", "File", "Filebucket", "Group", "Node", "Notify", "Package", "Resources", "Schedule",
	"Service", "Stage", "Tidy", "User", "Whit",
}

// resourceType returns the element of resourceTypes with the given lower-case
// name, or "".
func resourceType(name string) string {
	for _, t := range resourceTypes {
		if len(t) == len(name) && t[1:] == name[1:] && t[0]-'A'+'a' == name[0] {
			return t
		}
	}
	return ""
}

// languageType returns a built-in type by its lower-case name.
func languageType(name string) (pcore.Type, bool) {
	t, ok := languageTypes()[name]
	if ok {
		return t, true
	}
	switch name { // types created on first use
	case "data":
		return pcore.DataType(), true
	case "richdata":
		return pcore.RichDataType(), true
	case "richdatakey":
		return pcore.RichDataKeyType(), true
	case "deferred":
		return pcore.DeferredType(), true
	case "error":
		return pcore.ErrorType(), true
	case "init":
		return &pcore.InitType{}, true
	case "typealias":
		alias, resolve := pcore.NewTypeAliasType("UnresolvedAlias")
		return alias, resolve(pcore.NewTypeReferenceType("UnresolvedReference")) == nil
	case "typereference":
		return pcore.NewTypeReferenceType("UnresolvedReference"), true
	}
	return nil, false
}

// spelledTypes are languageTypes by their names in canonical case.
var spelledTypes = sync.OnceValue(func() map[string]pcore.Type {
	types := make(map[string]pcore.Type, len(languageTypes()))
	for _, t := range languageTypes() {
		types[pcore.TypeName(t)] = t
	}
	return types
})

// languageTypes are the static built-in types by their lower-case names.
var languageTypes = sync.OnceValue(func() map[string]pcore.Type {
	return map[string]pcore.Type{
		"any":          pcore.AnyType{},
		"array":        &pcore.ArrayType{},
		"binary":       pcore.BinaryType{},
		"boolean":      &pcore.BooleanType{},
		"callable":     &pcore.CallableType{},
		"catalogentry": pcore.CatalogEntryType{},
		"class":        &pcore.ClassType{},
		"collection":   &pcore.CollectionType{},
		"default":      pcore.DefaultType{},
		"enum":         &pcore.EnumType{},
		"float":        &pcore.FloatType{},
		"hash":         &pcore.HashType{},
		"integer":      &pcore.IntegerType{},
		"iterable":     &pcore.IterableType{},
		"iterator":     &pcore.IteratorType{},
		"notundef":     pcore.NewNotUndefType(nil),
		"numeric":      pcore.NumericType{},
		"object":       &pcore.ObjectType{},
		"optional":     pcore.NewOptionalType(nil),
		"pattern":      &pcore.PatternType{},
		"regexp":       &pcore.RegexpType{},
		"resource":     &pcore.ResourceType{},
		"runtime":      &pcore.RuntimeType{},
		"scalar":       pcore.ScalarType{},
		"scalardata":   pcore.ScalarDataType{},
		"semver":       &pcore.SemVerType{},
		"semverrange":  pcore.SemVerRangeType{},
		"sensitive":    &pcore.SensitiveType{},
		"string":       &pcore.StringType{},
		"struct":       &pcore.StructType{},
		"timespan":     &pcore.TimespanType{},
		"timestamp":    &pcore.TimestampType{},
		"tuple":        &pcore.TupleType{},
		"type":         &pcore.TypeType{},
		"typeset":      &pcore.TypeSetType{},
		"undef":        pcore.UndefType{},
		"uri":          &pcore.URIType{},
		"variant":      &pcore.VariantType{},
	}
})
