package pcore

import (
	"errors"
	"fmt"
)

// errEndlessType is wrapped by the error of [MetaOf] for a type that refers to
// itself, such as Data, and so has no finite serialized form.
var errEndlessType = errors.New("the type refers to itself and cannot be written out")

// ErrNoMetaType is wrapped by the error of [FromMeta] for an unknown meta type.
var ErrNoMetaType = errors.New("there is no such meta type")

// metaPrefix is the prefix of the names of meta types.
const metaPrefix = "Pcore::"

// structElementMeta is the type name of the objects that represent the entries
// of a Struct in rich data.
const structElementMeta = metaPrefix + "StructElement"

// MetaName returns the name of the meta type of which t is an instance:
// "Pcore::IntegerType" for Integer[1, 10].
func MetaName(t Type) string {
	switch t := t.(type) {
	case *TypeAliasType:
		return metaPrefix + "TypeAliasType"
	case *TypeReferenceType:
		return metaPrefix + "TypeReferenceType"
	case *ObjectType:
		return metaPrefix + "ObjectType"
	case *ObjectTypeExtension:
		return metaPrefix + "ObjectTypeExtenType" // abbreviated like this in the reference implementation
	case *TypeSetType:
		return metaPrefix + "TypeSetType"
	default:
		return metaPrefix + t.typeName() + "Type"
	}
}

// MetaOf returns t as a rich data object: the name of its meta type, and its
// attributes in the order of the constructor. Trailing attributes that have
// their default are omitted. The attribute values can be types; the entries of
// a Struct are objects named Pcore::StructElement.
//
// The parameters of Boolean and Sensitive are lost, because the reference
// implementation has no attributes for them. It fails for a type that refers
// to itself.
func MetaOf(t Type) (name string, attrs *Hash, err error) {
	attrs, err = metaAttributes(t)
	if err != nil {
		return "", nil, err
	}
	return MetaName(t), attrs, nil
}

// metaBuilder collects attributes and drops trailing ones that have their
// default.
type metaBuilder struct {
	b       HashBuilder
	pending []Entry
}

func (m *metaBuilder) set(name string, v Value) *metaBuilder {
	for _, e := range m.pending {
		m.b.Set(e.Key, e.Value)
	}
	m.pending = nil
	m.b.SetString(name, v)
	return m
}

// optional sets an attribute whose default is absent.
func (m *metaBuilder) optional(name string, v, absent Value) *metaBuilder {
	if Identical(v, absent) {
		m.pending = append(m.pending, Entry{String(name), v})
		return m
	}
	return m.set(name, v)
}

func (m *metaBuilder) hash() *Hash { return m.b.Hash() }

func metaAttributes(t Type) (*Hash, error) {
	var m metaBuilder
	switch t := t.(type) {
	case *IntegerType:
		setBounds(&m, t.bounds, func(n int64) Value { return Integer(n) })
	case *FloatType:
		setBounds(&m, t.bounds, func(f float64) Value { return Float(f) })
	case *TimespanType:
		setBounds(&m, t.bounds, func(s Timespan) Value { return s })
	case *TimestampType:
		setBounds(&m, t.bounds, func(s Timestamp) Value { return s })
	case *StringType:
		switch {
		case t.isBytes:
			m.set("size_type_or_value", NewBinaryString(*t.literal))
		case t.literal != nil:
			m.set("size_type_or_value", String(*t.literal))
		default:
			m.optional("size_type_or_value", sizeOrUndef(t.size), Undef{})
		}
	case *EnumType:
		m.set("values", arrayOf(t.values, func(s string) Value { return String(s) }))
		m.optional("case_insensitive", Boolean(t.fold), Boolean(false))
	case *RegexpType:
		if t.regexp != nil {
			m.set("pattern", String(t.regexp.source))
		}
	case *PatternType:
		m.set("patterns", arrayOf(t.patterns, func(p *RegexpType) Value { return p }))
	case *SemVerType:
		m.optional("ranges", arrayOf(t.ranges, func(r *SemVerRange) Value { return r }), &Array{})
	case *URIType:
		if t.params != nil {
			m.set("parameters", t.params)
		}
	case *CollectionType:
		m.optional("size_type", sizeOrUndef(t.size), Undef{})
	case *ArrayType:
		m.optional("element_type", t.Elem(), AnyType{}).optional("size_type", sizeOrUndef(t.size), Undef{})
	case *HashType:
		m.optional("key_type", t.keyType(), AnyType{}).optional("value_type", t.Elem(), AnyType{}).
			optional("size_type", sizeOrUndef(t.size), Undef{})
	case *TupleType:
		m.set("types", typeArray(t.types)).optional("size_type", sizeOrUndef(t.size), Undef{})
	case *StructType:
		m.set("elements", arrayOf(t.elems, StructElement.meta))
	case *VariantType:
		m.set("types", typeArray(t.types))
	case *OptionalType, *NotUndefType, *TypeType, *IterableType, *IteratorType:
		m.optional("type", typeOrUndef(innerType(t)), Undef{})
	case *InitType:
		m.optional("type", typeOrUndef(t.elem), Undef{}).optional("init_args", NewArray(t.args...), &Array{})
	case *CallableType:
		m.setCallable(t)
	case *ClassType:
		m.optional("class_name", textOrUndef(t.class), Undef{})
	case *ResourceType:
		m.optional("type_name", textOrUndef(t.resource), Undef{})
		if t.title != nil {
			m.set("title", String(*t.title))
		}
	case *RuntimeType:
		m.setRuntime(t)
	case *TypeReferenceType:
		m.set("type_string", String(t.ref))
	case *TypeAliasType:
		if t.isRecursive() {
			return nil, fmt.Errorf("type %s: %w", t.name, errEndlessType)
		}
		m.set("name", String(t.name)).set("type_expr", Undef{}).set("resolved_type", t.Resolved())
	case *ObjectType:
		if refersToItself(t) {
			return nil, fmt.Errorf("type %s: %w", t.Name(), errEndlessType)
		}
		m.set("_pcore_init_hash", t.InitHash())
	case *ObjectTypeExtension:
		m.set("base_type", t.base).set("init_parameters", t.initParameters())
	case *TypeSetType:
		return nil, fmt.Errorf("type %s: a TypeSet cannot be written out", t.typeName())
	}
	return m.hash(), nil
}

func setBounds[T any](m *metaBuilder, r bounds[T], value func(T) Value) {
	end := func(b Bound[T]) Value {
		if !b.set {
			return Undef{}
		}
		return value(b.value)
	}
	m.optional("from", end(r.from), Undef{}).optional("to", end(r.to), Undef{})
}

func sizeOrUndef(t *IntegerType) Value {
	if t == nil {
		return Undef{}
	}
	return t
}

func typeOrUndef(t Type) Value {
	if t == nil {
		return Undef{}
	}
	return t
}

func textOrUndef(s string) Value {
	if s == "" {
		return Undef{}
	}
	return String(s)
}

func arrayOf[T any](items []T, value func(T) Value) *Array {
	values := make([]Value, len(items))
	for i, item := range items {
		values[i] = value(item)
	}
	return NewArray(values...)
}

func typeArray(types []Type) *Array { return arrayOf(types, func(t Type) Value { return t }) }

func (e StructElement) meta() Value {
	return NewObject(NewTypeReferenceType(structElementMeta),
		NewHash(Entry{String("key_type"), e.key}, Entry{String("value_type"), e.value}))
}

// setCallable writes all attributes: the default of the last one is Any, but a
// Callable without a result type has undef.
func (m *metaBuilder) setCallable(t *CallableType) {
	params := Value(Undef{})
	if t.params != nil {
		params = t.params
	}
	m.set("param_types", params).set("block_type", typeOrUndef(t.block)).set("return_type", typeOrUndef(t.result))
}

func (m *metaBuilder) setRuntime(t *RuntimeType) {
	runtime, class := Value(Undef{}), textOrUndef(t.class)
	if t.runtime != "" {
		runtime = Symbol(t.runtime)
	}
	if t.pattern != nil {
		class = NewArray(t.pattern, String(t.class))
	}
	m.optional("runtime", runtime, Undef{}).optional("name_or_pattern", class, Undef{})
}

// refersToItself reports whether t contains itself or a recursive alias.
func refersToItself(t *ObjectType) bool {
	found := false
	for _, inner := range t.memberTypes() {
		if inner == nil {
			continue
		}
		WalkType(inner, func(u Type) bool {
			a, ok := u.(*TypeAliasType)
			found = found || u == Type(t) || ok && a.isRecursive()
			return !found
		})
	}
	return found
}
