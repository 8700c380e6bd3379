package pcore

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// unlimited is the upper bound of a size without one.
const unlimited = int64(math.MaxInt64)

func sizeLimits(t Type) (from, to int64) {
	size, _ := t.(*IntegerType)
	if size == nil {
		return 0, unlimited
	}
	from, to = size.limits()
	return max(from, 0), to
}

// rangeText formats a size, with zero as the text for 0.
func rangeText(t Type, zero string) string {
	switch from, to := sizeLimits(t); {
	case from == to && from == 0:
		return zero
	case from == to:
		return strconv.FormatInt(from, 10)
	case from == 0 && to == unlimited:
		return "unlimited"
	case from == 0:
		return fmt.Sprintf("at most %d", to)
	case to == unlimited:
		return fmt.Sprintf("at least %d", from)
	default:
		return fmt.Sprintf("between %d and %d", from, to)
	}
}

func plural(t Type) string {
	from, to := sizeLimits(t)
	if from == 1 && (to == 1 || to == unlimited) || from == 0 && to == 1 {
		return ""
	}
	return "s"
}

// describeTypes formats the expected and the actual type: both in full if they
// are of the same kind, by name otherwise.
func describeTypes(expected, actual Type) string {
	var words []string
	if o, ok := expected.(*OptionalType); ok && o.elem != nil {
		words = append(words, "Undef")
		expected = o.elem
	}
	alternatives := []Type{expected}
	if v, ok := expected.(*VariantType); ok && len(v.types) > 0 {
		alternatives = v.types
	}
	got := shortName(actual)
	if isDetailed(alternatives, actual) {
		got = detailedActual(alternatives, actual)
		for _, t := range alternatives {
			words = append(words, FormatType(t, TypeExpanded))
		}
	} else {
		for _, t := range alternatives {
			if name := shortName(t); !slices.Contains(words[len(words)-min(len(words), len(alternatives)):], name) {
				words = append(words, name)
			}
		}
	}
	if len(words) == 1 {
		return withArticle(words[0]) + " value, got " + got
	}
	return "a value of type " + joinWords(words) + ", got " + got
}

func joinWords(words []string) string {
	switch last := len(words) - 1; last {
	case -1:
		return ""
	case 0:
		return words[0]
	case 1:
		return words[0] + " or " + words[1]
	default:
		return strings.Join(words[:last], ", ") + ", or " + words[last]
	}
}

func withArticle(word string) string {
	first := strings.TrimLeft(word, `"'`)
	if first != "" && strings.IndexByte("aeiouyAEIOUY", first[0]) >= 0 {
		return "an " + word
	}
	return "a " + word
}

// isDetailed reports whether the types are so similar that only their
// parameters show the difference.
func isDetailed(alternatives []Type, actual Type) bool {
	return isFullyDetailed(alternatives, actual) || slices.ContainsFunc(alternatives, func(t Type) bool {
		return Accepts(withoutParameters(resolveAlias(t)), actual)
	})
}

func isFullyDetailed(alternatives []Type, actual Type) bool {
	return slices.ContainsFunc(alternatives, func(t Type) bool {
		return isAlias(t) || isAlias(actual) || sameKind(t, actual) || isSpecial(t, actual)
	})
}

// isSpecial reports whether t is a special form of the kind of actual.
func isSpecial(t, actual Type) bool {
	switch t.(type) {
	case *StructType:
		_, ok := actual.(*HashType)
		return ok
	case *TupleType:
		_, ok := actual.(*ArrayType)
		return ok
	}
	return false
}

func detailedActual(alternatives []Type, actual Type) string {
	resolved := make([]Type, len(alternatives))
	for i, t := range alternatives {
		resolved[i] = resolveAlias(t)
	}
	general := Generalize(actual)
	if isFullyDetailed(resolved, actual) ||
		slices.ContainsFunc(resolved, func(t Type) bool { return Accepts(t, general) }) {
		return DescribeType(actual)
	}
	return simpleName(actual)
}

// DescribeType returns the text of the type of a value for an error message. If
// a Sensitive in t reveals more than the name of its content type, as
// Sensitive[Regexp[/x/]] does, the result is only the name of t.
func DescribeType(t Type) string {
	secret := false
	WalkType(t, func(u Type) bool {
		if s, ok := u.(*SensitiveType); ok && s.elem != nil && s.elem.String() != s.elem.typeName() {
			secret = true
		}
		return !secret
	})
	if secret {
		return t.typeName()
	}
	return FormatType(t, TypeExpanded)
}

func describeText(expected, actual Type) string {
	prefix := ""
	if o, ok := expected.(*OptionalType); ok && o.elem != nil {
		prefix = "an undef value or "
		expected = o.elem
	}
	got := shortName(actual)
	if s, ok := actual.(*StringType); ok && s.literal != nil {
		got = "'" + *s.literal + "'"
	}
	return prefix + "a match for " + FormatType(expected, TypeExpanded) + ", got " + got
}

// shortName returns the name of a type, including the name of its inner type.
func shortName(t Type) string {
	if inner := innerType(t); inner != nil && !isAny(inner) {
		return plainName(t) + "[" + plainName(inner) + "]"
	}
	return plainName(t)
}

func plainName(t Type) string {
	switch t := t.(type) {
	case *ObjectTypeExtension:
		return simpleName(t)
	case *TypeReferenceType:
		return "TypeReference"
	}
	return t.typeName()
}

// simpleName returns the name of the kind of a type; for an Object type, the
// last segment of its own name.
func simpleName(t Type) string {
	switch t := t.(type) {
	case *TypeAliasType:
		return "TypeAlias"
	case *TypeReferenceType:
		return "TypeReference"
	case *TypeSetType:
		return "TypeSet"
	case *ObjectType, *ObjectTypeExtension:
		return lastSegment(t.typeName())
	}
	return t.typeName()
}

// sameKind reports whether both types are of the same kind.
func sameKind(a, b Type) bool { return kindName(a) == kindName(b) }

// kindName returns the name of the kind of a type.
func kindName(t Type) string { return MetaName(t) }

// withoutParameters returns the type of the same kind without parameters.
func withoutParameters(t Type) Type {
	switch t.(type) {
	case *IntegerType:
		return &IntegerType{}
	case *FloatType:
		return &FloatType{}
	case *TimespanType:
		return &TimespanType{}
	case *TimestampType:
		return &TimestampType{}
	case *StringType:
		return &StringType{}
	case *BooleanType:
		return &BooleanType{}
	case *EnumType:
		return &EnumType{}
	case *PatternType:
		return &PatternType{}
	case *RegexpType:
		return &RegexpType{}
	case *SemVerType:
		return &SemVerType{}
	case *URIType:
		return &URIType{}
	case *CollectionType:
		return &CollectionType{}
	case *ArrayType:
		return &ArrayType{}
	case *HashType:
		return &HashType{}
	case *TupleType:
		return &TupleType{}
	case *StructType:
		return &StructType{}
	case *VariantType:
		return &VariantType{}
	case *OptionalType:
		return NewOptionalType(nil)
	case *NotUndefType:
		return newNotUndefType(nil)
	case *TypeType:
		return &TypeType{}
	case *SensitiveType:
		return &SensitiveType{}
	case *IterableType:
		return &IterableType{}
	case *IteratorType:
		return &IteratorType{}
	case *InitType:
		return &InitType{}
	case *CallableType:
		return &CallableType{}
	case *ClassType:
		return &ClassType{}
	case *ResourceType:
		return &ResourceType{}
	case *RuntimeType:
		return &RuntimeType{}
	case *ObjectType:
		return &ObjectType{}
	case *ObjectTypeExtension:
		return AnyType{}
	case *TypeSetType:
		return &TypeSetType{}
	}
	return t
}
