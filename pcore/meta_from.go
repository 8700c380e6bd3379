package pcore

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// FromMeta returns the type whose meta type is name and whose attributes are
// attrs. It is the inverse of [MetaOf]. For Pcore::StructElement it returns an
// object. The error wraps [ErrNoMetaType] for an unknown name. An attribute
// that the type does not have, or that has the wrong type, is an error.
func FromMeta(name string, attrs *Hash) (Value, error) {
	kind, ok := strings.CutPrefix(name, metaPrefix)
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNoMetaType, name)
	}
	m := &metaReader{attrs: attrs, known: make(map[string]bool)}
	m.checkRequired(kind)
	v := m.read(kind)
	if v == nil && m.err == nil {
		return nil, fmt.Errorf("%w: %q", ErrNoMetaType, name)
	}
	m.checkUnknown()
	if m.err != nil {
		return nil, fmt.Errorf("%s: %w", name, m.err)
	}
	return v, nil
}

// metaReader reads attributes and keeps the first error.
type metaReader struct {
	attrs *Hash
	known map[string]bool
	err   error
}

func (m *metaReader) fail(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf(format, args...)
	}
}

// get returns an attribute. Undef counts as absent.
func (m *metaReader) get(name string) (Value, bool) {
	m.known[name] = true
	v, ok := m.attrs.GetString(name)
	if _, undef := v.(Undef); !ok || undef {
		return nil, false
	}
	return v, true
}

// metaAttribute returns an attribute of type T, or the zero value if it is
// absent.
func metaAttribute[T Value](m *metaReader, name string) (v T, ok bool) {
	got, ok := m.get(name)
	if !ok {
		return v, false
	}
	if v, ok = got.(T); !ok {
		m.fail("the attribute %s cannot be of type %s", name, Generalize(Infer(got)))
	}
	return v, ok
}

func (m *metaReader) checkUnknown() {
	for k := range m.attrs.Keys() {
		if name, ok := k.(String); !ok || !m.known[string(name)] {
			m.fail("there is no attribute %s", k)
		}
	}
}

// checkRequired reports missing attributes that have no default. No attributes
// at all are valid: they describe the type without parameters.
func (m *metaReader) checkRequired(kind string) {
	if m.attrs.Len() == 0 {
		return
	}
	for _, name := range requiredAttributes(kind) {
		if _, ok := m.attrs.GetString(name); !ok {
			m.fail("the attribute %s is missing", name)
		}
	}
}

// requiredAttributes returns the attributes without a default. It omits the
// attributes of Hash and Init: the reference implementation requires them, but
// does not write them if they have their default.
func requiredAttributes(kind string) []string {
	switch kind {
	case "RuntimeType":
		return []string{"runtime", "name_or_pattern"}
	case "TypeAliasType":
		return []string{"name", "type_expr"}
	}
	return nil
}

func (m *metaReader) typ(name string) Type {
	t, _ := metaAttribute[Type](m, name)
	return t
}

func (m *metaReader) text(name string) string {
	s, _ := metaAttribute[String](m, name)
	return string(s)
}

func (m *metaReader) size(name string) *IntegerType {
	t, _ := metaAttribute[*IntegerType](m, name)
	return t
}

// metaBound returns the bound that read converts from an attribute. A missing
// attribute and default mean no bound.
func metaBound[T any](m *metaReader, name string, read func(Value) (T, error)) Bound[T] {
	v, ok := m.get(name)
	if !ok || v.kind() == kindDefault {
		return Bound[T]{}
	}
	at, err := read(v)
	if err != nil {
		m.fail("the attribute %s cannot be made of the given value of type %s", name, Generalize(Infer(v)))
	}
	return At(at)
}

// errKind indicates a bound of the wrong type; [metaBound] writes the message.
var errKind = errors.New("a value of another type is needed")

func integerBound(v Value) (int64, error) {
	if i, ok := v.(Integer); ok {
		return int64(i), nil
	}
	return 0, errKind
}

func floatBound(v Value) (float64, error) {
	switch v := v.(type) {
	case Float:
		return float64(v), nil
	case Integer:
		return float64(v), nil
	default:
		return 0, errKind
	}
}

// metaList returns the elements of an Array attribute.
func metaList[T Value](m *metaReader, name string) []T {
	a, _ := metaAttribute[*Array](m, name)
	list := make([]T, 0, a.Len())
	for i, e := range a.All() {
		v, ok := e.(T)
		if !ok {
			m.fail("the element %d of the attribute %s cannot be of type %s", i, name, Generalize(Infer(e)))
			return nil
		}
		list = append(list, v)
	}
	return list
}

// read returns nil for an unknown meta type.
func (m *metaReader) read(kind string) Value {
	switch kind {
	case "AnyType":
		return AnyType{}
	case "UnitType":
		return UnitType{}
	case "UndefType":
		return UndefType{}
	case "DefaultType":
		return DefaultType{}
	case "ScalarType":
		return ScalarType{}
	case "ScalarDataType":
		return ScalarDataType{}
	case "NumericType":
		return NumericType{}
	case "BinaryType":
		return BinaryType{}
	case "SemVerRangeType":
		return SemVerRangeType{}
	case "CatalogEntryType":
		return CatalogEntryType{}
	case "BooleanType":
		return m.boolean()
	case "SensitiveType":
		return NewSensitiveType(m.typ("type"))
	case "TypeReferenceType":
		return m.reference()
	case "TypeAliasType":
		return m.alias()
	case "ObjectType":
		return m.object()
	case "ObjectTypeExtenType":
		return m.extension()
	case "StructElement":
		return m.structElement()
	}
	if t := m.readRange(kind); t != nil {
		return t
	}
	if t := m.readText(kind); t != nil {
		return t
	}
	return m.readContainer(kind)
}

func (m *metaReader) structElement() Value {
	key, value := m.typ("key_type"), m.typ("value_type")
	if key == nil || value == nil {
		m.fail("a %s needs a key_type and a value_type", structElementMeta)
		return Undef{}
	}
	return NewObject(NewTypeReferenceType(structElementMeta),
		NewHash(Entry{String("key_type"), key}, Entry{String("value_type"), value}))
}

// asValue records the error of a constructor. It does not include the text of
// err, which quotes attributes: they come from a document and may be secret.
func asValue[T Value](m *metaReader, v T, err error) Value {
	if err != nil {
		m.fail("the attributes have values that the type cannot have")
	}
	return v
}

func (m *metaReader) readRange(kind string) Value {
	switch kind {
	case "IntegerType":
		t, err := NewIntegerType(metaBound(m, "from", integerBound), metaBound(m, "to", integerBound))
		return asValue(m, t, err)
	case "FloatType":
		t, err := newFloatType(metaBound(m, "from", floatBound), metaBound(m, "to", floatBound))
		return asValue(m, t, err)
	case "TimespanType":
		t, err := newTimespanType(metaBound(m, "from", timespanFrom), metaBound(m, "to", timespanFrom))
		return asValue(m, t, err)
	case "TimestampType":
		t, err := newTimestampType(metaBound(m, "from", timestampFrom), metaBound(m, "to", timestampFrom))
		return asValue(m, t, err)
	}
	return nil
}

func (m *metaReader) readText(kind string) Value {
	switch kind {
	case "StringType":
		if v, ok := m.get("size_type_or_value"); ok {
			switch v := v.(type) {
			case String:
				return newStringValueType(string(v))
			case Binary:
				t := newStringValueType(v.Raw())
				t.isBytes = true
				return t
			default: // a size
			}
		}
		return NewStringType(m.size("size_type_or_value"))
	case "EnumType":
		fold, _ := metaAttribute[Boolean](m, "case_insensitive")
		var values []string
		for _, s := range metaList[String](m, "values") {
			values = append(values, string(s))
		}
		return NewEnumType(bool(fold), values...)
	case "RegexpType":
		return m.regexp()
	case "PatternType":
		var patterns []*Regexp
		for _, t := range metaList[*RegexpType](m, "patterns") {
			if t.regexp == nil {
				m.fail("a pattern must be a Regexp type with a regular expression")
				return &PatternType{}
			}
			patterns = append(patterns, t.regexp)
		}
		return newPatternType(patterns...)
	case "SemVerType":
		t, err := newSemVerType(m.ranges()...)
		return asValue(m, t, err)
	case "URIType":
		return m.uri()
	case "ClassType":
		return newClassType(m.text("class_name"))
	case "ResourceType":
		var title *string
		if s, ok := metaAttribute[String](m, "title"); ok {
			title = (*string)(&s)
		}
		t, err := newResourceType(m.text("type_name"), title)
		return asValue(m, t, err)
	case "RuntimeType":
		return m.runtime()
	}
	return nil
}

func (m *metaReader) regexp() Value {
	v, ok := m.get("pattern")
	if !ok {
		return &RegexpType{}
	}
	switch v := v.(type) {
	case *Regexp:
		return newRegexpType(v)
	case String:
		r, err := ParseRegexp(string(v))
		if err != nil {
			m.fail("the pattern is no regular expression")
			return &RegexpType{}
		}
		return newRegexpType(r)
	default:
		m.fail("the attribute pattern must be a String or a Regexp")
		return &RegexpType{}
	}
}

// ranges accepts both ranges and their texts.
func (m *metaReader) ranges() []*SemVerRange {
	var ranges []*SemVerRange
	for _, v := range metaList[Value](m, "ranges") {
		switch v := v.(type) {
		case *SemVerRange:
			ranges = append(ranges, v)
		case String:
			r, err := ParseSemVerRange(string(v))
			if err != nil {
				m.fail("a text among the ranges is no range of versions")
				continue
			}
			ranges = append(ranges, r)
		default:
			m.fail("the attribute ranges must be an Array of SemVerRange")
		}
	}
	return ranges
}

// numericPort converts the port to an Integer. The reference implementation
// writes it as a String in the type inferred for a URI.
func numericPort(params *Hash) *Hash {
	text, _ := params.GetString("port")
	s, ok := text.(String)
	if !ok {
		return params
	}
	port, err := strconv.ParseUint(string(s), 10, 16)
	if err != nil {
		return params
	}
	var b HashBuilder
	for k, v := range params.All() {
		b.Set(k, v)
	}
	b.SetString("port", Integer(port))
	return b.Hash()
}

func (m *metaReader) uri() Value {
	v, ok := m.get("parameters")
	if !ok {
		return &URIType{}
	}
	if text, ok := v.(String); ok {
		t, err := parseURIType(string(text))
		return asValue(m, t, err)
	}
	params, _ := metaAttribute[*Hash](m, "parameters")
	t, err := newURIType(numericPort(params))
	if err == nil && t.params != nil {
		t.params = params // so that it is written unchanged
	}
	return asValue(m, t, err)
}

func (m *metaReader) runtime() Value {
	runtime := ""
	switch v, _ := m.get("runtime"); v := v.(type) {
	case Symbol:
		runtime = string(v)
	case String:
		runtime = string(v)
	case nil:
	default:
		m.fail("the attribute runtime must be a Symbol or a String")
	}
	if a, ok := m.attrs.GetString("name_or_pattern"); ok {
		if pair, ok := a.(*Array); ok {
			m.known["name_or_pattern"] = true
			return m.runtimePattern(runtime, pair)
		}
	}
	return newRuntimeType(runtime, m.text("name_or_pattern"))
}

func (m *metaReader) runtimePattern(runtime string, pair *Array) Value {
	if pair.Len() == 2 {
		r, ok := pair.At(0).(*Regexp)
		s, both := pair.At(1).(String)
		if ok && both {
			return newRuntimePatternType(runtime, r, string(s))
		}
	}
	m.fail("a pattern of names is a Regexp and what replaces it")
	return &RuntimeType{}
}

func (m *metaReader) readContainer(kind string) Value {
	switch kind {
	case "CollectionType":
		return newCollectionType(m.size("size_type"))
	case "ArrayType":
		return NewArrayType(m.typ("element_type"), m.size("size_type"))
	case "HashType":
		return NewHashType(m.typ("key_type"), m.typ("value_type"), m.size("size_type"))
	case "TupleType":
		return NewTupleType(metaList[Type](m, "types"), m.size("size_type"))
	case "StructType":
		return m.structType()
	case "VariantType":
		return variant(metaList[Type](m, "types")...)
	case "OptionalType":
		return NewOptionalType(m.typ("type"))
	case "NotUndefType":
		return newNotUndefType(m.typ("type"))
	case "TypeType":
		return newTypeType(m.typ("type"))
	case "IterableType":
		return newIterableType(m.typ("type"))
	case "IteratorType":
		return newIteratorType(m.typ("type"))
	case "InitType":
		t, err := newInitType(m.typ("type"), metaList[Value](m, "init_args")...)
		return asValue(m, t, err)
	case "CallableType":
		params, _ := metaAttribute[*TupleType](m, "param_types")
		return NewCallableType(params, m.typ("block_type"), m.typ("return_type"))
	}
	return nil
}

func (m *metaReader) structType() Value {
	var elems []StructElement
	for _, o := range metaList[*Object](m, "elements") {
		e, err := elementOf(o)
		if err != nil {
			m.fail("%w", err)
			break
		}
		elems = append(elems, e)
	}
	t, err := NewStructType(elems...)
	return asValue(m, t, err)
}

func elementOf(o *Object) (StructElement, error) {
	key, _ := o.Get("key_type")
	value, _ := o.Get("value_type")
	k, ok := key.(Type)
	v, both := value.(Type)
	if !ok || !both || o.TypeName() != structElementMeta {
		return StructElement{}, errors.New("an entry of a Struct is a " + structElementMeta + " with a key_type and a value_type")
	}
	return newStructElementKey(k, v)
}

// boolean reads a parameter that the reference implementation reads but never
// writes.
func (m *metaReader) boolean() Value {
	if v, ok := metaAttribute[Boolean](m, "value"); ok {
		return newBooleanType(bool(v))
	}
	return &BooleanType{}
}

func (m *metaReader) reference() Value {
	if text := m.text("type_string"); text != "" {
		return NewTypeReferenceType(text)
	}
	return NewTypeReferenceType("UnresolvedReference")
}

// alias ignores type_expr: resolved_type contains the aliased type.
func (m *metaReader) alias() Value {
	m.known["type_expr"] = true
	a, resolve := NewTypeAliasType(m.text("name"))
	if t := m.typ("resolved_type"); t != nil {
		if err := resolve(t); err != nil {
			m.fail("%w", err)
		}
	}
	return a
}

func (m *metaReader) object() Value {
	init, _ := metaAttribute[*Hash](m, "_pcore_init_hash")
	t, err := NewObjectType(init)
	return asValue(m, t, err)
}

func (m *metaReader) extension() Value {
	base, ok := metaAttribute[*ObjectType](m, "base_type")
	if !ok {
		m.fail("the attribute base_type is missing")
		return &ObjectType{}
	}
	t, err := base.Parameterize(metaList[Value](m, "init_parameters")...)
	return asValue(m, t, err)
}
