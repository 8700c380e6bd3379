package pcore

import (
	"slices"
	"strconv"

	"github.com/pcatdev/pcat/internal/ruby/literal"
)

// TypeNotation selects how much of a type [FormatType] writes.
type TypeNotation uint8

// The notations of types.
const (
	// TypeByName writes aliases and Object types by name. It is the notation of
	// [Type] String.
	TypeByName TypeNotation = iota
	// TypeExpanded also writes the definitions of aliases and Object types: an
	// alias as `Port = Integer[1, 65535]`.
	TypeExpanded
	// TypeDebug writes names, and also the values of String types, for which
	// the language has no notation.
	TypeDebug
)

// FormatType returns t in the given notation.
func FormatType(t Type, n TypeNotation) string {
	f := typeFormatter{expand: n == TypeExpanded, debug: n == TypeDebug}
	f.append(t)
	return string(f.b)
}

// TypeText returns t as the language interpolates it: an alias, an Object type
// or a TypeSet is expanded, all other types are in the notation [TypeByName].
func TypeText(t Type) string {
	switch t.(type) {
	case *TypeAliasType, *ObjectType, *TypeSetType:
		return FormatType(t, TypeExpanded)
	}
	return FormatType(t, TypeByName)
}

func formatType(t Type) string { return FormatType(t, TypeByName) }

type typeFormatter struct {
	b      []byte
	expand bool
	debug  bool
	open   []*TypeAliasType // recursive aliases that are being expanded
	nested bool             // one of them occurred inside itself
	set    *TypeSetType     // its types are written by their short names
}

func (f *typeFormatter) text(s string) { f.b = append(f.b, s...) }

// typeList writes its items in brackets, or nothing if there are none.
type typeList struct {
	f     *typeFormatter
	begun bool
}

func (l *typeList) item() {
	if l.begun {
		l.f.text(", ")
		return
	}
	l.begun = true
	l.f.b = append(l.f.b, '[')
}

func (l *typeList) types(types ...Type) *typeList {
	for _, t := range types {
		if t != nil {
			l.item()
			l.f.append(t)
		}
	}
	return l
}

func (l *typeList) word(s string) *typeList {
	l.item()
	l.f.text(s)
	return l
}

func (l *typeList) values(values ...Value) *typeList {
	for _, v := range values {
		l.item()
		l.f.value(v)
	}
	return l
}

func (l *typeList) size(t *IntegerType) *typeList {
	if t != nil {
		appendRange(l, t.bounds, appendInt)
	}
	return l
}

func (l *typeList) end() {
	if l.begun {
		l.f.b = append(l.f.b, ']')
	}
}

func appendRange[T any](l *typeList, r bounds[T], appendBound func([]byte, T) []byte) *typeList {
	if r.unbounded() {
		return l
	}
	if r.from.set {
		l.item()
		l.f.b = appendBound(l.f.b, r.from.value)
	} else {
		l.word("default")
	}
	if r.to.set {
		l.item()
		l.f.b = appendBound(l.f.b, r.to.value)
	}
	return l
}

// append writes t like the reference implementation's TypeFormatter.
func (f *typeFormatter) append(t Type) {
	l := &typeList{f: f}
	switch t := t.(type) {
	case *IntegerType:
		f.text("Integer")
		appendRange(l, t.bounds, appendInt)
	case *FloatType:
		f.text("Float")
		appendRange(l, t.bounds, literal.AppendFloat)
	case *TimespanType:
		f.text("Timespan")
		appendTimes(l, t.bounds, Timespan.Compare)
	case *TimestampType:
		f.text("Timestamp")
		appendTimes(l, t.bounds, Timestamp.Compare)
	case *StringType:
		f.text("String")
		l.size(t.size)
		if f.debug && t.literal != nil {
			l.values(String(*t.literal))
		}
	case *BooleanType:
		f.text("Boolean")
		if t.literal != nil {
			l.values(Boolean(*t.literal))
		}
	case *EnumType:
		f.text("Enum")
		for _, v := range t.values {
			l.values(String(v))
		}
		if t.fold && len(t.values) > 0 {
			l.word("true")
		}
	case *RegexpType:
		f.text("Regexp")
		if t.regexp != nil {
			l.values(t.regexp)
		}
	case *PatternType:
		f.text("Pattern")
		for _, p := range t.patterns {
			l.values(p.regexp)
		}
	case *SemVerType:
		f.text("SemVer")
		for _, r := range t.ranges {
			l.values(r)
		}
	case *URIType:
		f.text("URI")
		if t.params != nil {
			l.values(t.params)
		}
	case *CollectionType:
		f.text("Collection")
		l.size(t.size)
	case *ArrayType:
		f.text("Array")
		f.array(l, t)
	case *HashType:
		f.text("Hash")
		f.hash(l, t)
	case *TupleType:
		f.text("Tuple")
		if len(t.types) > 0 {
			l.types(t.types...).size(t.size)
		}
	case *StructType:
		f.text("Struct")
		if len(t.elems) > 0 {
			l.item()
			f.structElements(t)
		}
	case *VariantType:
		f.text("Variant")
		l.types(t.types...)
	case *OptionalType:
		f.text("Optional")
		f.literalOrType(l, t.elem)
	case *NotUndefType:
		f.text("NotUndef")
		f.literalOrType(l, t.elem)
	case *TypeType:
		f.text("Type")
		l.types(t.elem)
	case *SensitiveType:
		f.text("Sensitive")
		l.types(t.elem)
	case *IterableType:
		f.text("Iterable")
		l.types(t.elem)
	case *IteratorType:
		f.text("Iterator")
		l.types(t.elem)
	case *InitType:
		f.text("Init")
		if t.elem != nil {
			l.types(t.elem).values(t.args...)
		}
	case *CallableType:
		f.text("Callable")
		f.callable(l, t)
	case *ClassType:
		f.text("Class")
		if t.class != "" {
			l.word(t.class)
		}
	case *ResourceType:
		f.resource(l, t)
	case *RuntimeType:
		f.text("Runtime")
		f.runtime(l, t)
	case *TypeReferenceType:
		f.text("TypeReference")
		l.values(String(t.ref))
	case *TypeAliasType:
		f.alias(t)
	case *ObjectType:
		f.object(t)
	case *ObjectTypeExtension:
		f.text(lastSegment(f.nameOf(t.base)))
		f.extension(l, t)
	case *TypeSetType:
		f.typeSet(t)
	default:
		f.text(t.typeName())
	}
	l.end()
}

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

// appendTimes writes a range of times. A range of a single time is written as
// that time only.
func appendTimes[T interface{ Text() string }](l *typeList, r bounds[T], compare func(a, b T) int) {
	if r.from.set && r.to.set && compare(r.from.value, r.to.value) == 0 {
		r.to.set = false
	}
	appendRange(l, r, func(b []byte, v T) []byte {
		return append(append(append(b, '\''), v.Text()...), '\'')
	})
}

func (f *typeFormatter) array(l *typeList, t *ArrayType) {
	switch {
	case t.size != nil && mustBeEmpty(t.size):
		l.word("0").word("0")
	case t.size != nil || !isAny(t.Elem()):
		l.types(t.Elem()).size(t.size)
	}
}

func (f *typeFormatter) hash(l *typeList, t *HashType) {
	switch {
	case t.size != nil && mustBeEmpty(t.size):
		l.word("0").word("0")
	case t.size != nil || !isAny(t.keyType()) || !isAny(t.Elem()):
		l.types(t.keyType(), t.Elem()).size(t.size)
	}
}

// literalOrType writes the type of a single string as a string literal.
func (f *typeFormatter) literalOrType(l *typeList, t Type) {
	if s, ok := t.(*StringType); ok && s.literal != nil {
		l.values(String(*s.literal))
		return
	}
	l.types(t)
}

// structElements writes a key as a plain string if the type of the value
// already implies whether the entry may be missing.
func (f *typeFormatter) structElements(t *StructType) {
	f.b = append(f.b, '{')
	for i, e := range t.elems {
		if i > 0 {
			f.text(", ")
		}
		if mayBeUndef := acceptsUndef(e.value); e.Optional() == mayBeUndef {
			f.b = literal.AppendQuoted(f.b, e.name)
		} else if e.Optional() {
			f.append(e.key)
		} else {
			f.append(newNotUndefType(e.key))
		}
		f.text(" => ")
		f.append(e.value)
	}
	f.b = append(f.b, '}')
}

func (f *typeFormatter) callable(l *typeList, t *CallableType) {
	switch {
	case t.result == nil && t.params == nil:
	case t.result == nil:
		f.callableParams(l, t)
	case t.params == nil:
		l.word("[]").types(t.result)
	default:
		l.item()
		inner := &typeList{f: f}
		f.callableParams(inner, t)
		inner.end()
		l.types(t.result)
	}
}

func (f *typeFormatter) callableParams(l *typeList, t *CallableType) {
	for _, p := range t.params.types {
		if p != Type(UnitType{}) {
			l.types(p)
		}
	}
	if len(t.params.types) == 0 {
		l.word("0").word("0")
	} else {
		l.size(t.params.size)
	}
	l.types(t.block)
}

func (f *typeFormatter) resource(l *typeList, t *ResourceType) {
	if t.resource == "" {
		f.text("Resource")
		return
	}
	f.text(t.resource)
	if t.title != nil {
		l.values(String(*t.title))
	}
}

func (f *typeFormatter) runtime(l *typeList, t *RuntimeType) {
	switch {
	case t.runtime == "" && t.class == "":
		return
	case t.runtime == "":
		l.word("undef")
	default:
		l.word(t.runtime)
	}
	switch {
	case t.pattern != nil:
		l.values(NewArray(t.pattern, String(t.class)))
	case t.class == "":
		l.word("undef")
	default:
		l.values(String(t.class))
	}
}

// alias writes an alias. It does not expand an alias inside itself.
func (f *typeFormatter) alias(t *TypeAliasType) {
	inside := f.set != nil
	f.text(f.aliasName(t, inside))
	if !f.expand || t.isBuiltin() || inside && !f.set.defines(t) {
		return
	}
	if t.isRecursive() && (f.nested || slices.Contains(f.open, t)) {
		f.nested = true
		if inside {
			f.text(f.nameOf(t))
		}
		return
	}
	if !inside {
		f.text(" = ")
	}
	if !t.isRecursive() {
		f.append(t.Resolved())
		return
	}
	f.open = append(f.open, t)
	f.append(t.Resolved())
	f.open = f.open[:len(f.open)-1]
	f.nested = false
}

// aliasName returns the name to write for an alias. It is empty when the alias
// is expanded as a type of the set, because the set writes the name.
func (f *typeFormatter) aliasName(t *TypeAliasType, inside bool) string {
	if inside && f.expand && f.set.defines(t) {
		return ""
	}
	return f.nameOf(t)
}

func (f *typeFormatter) nameOf(t Type) string {
	if f.set != nil {
		return f.set.nameFor(t)
	}
	return t.typeName()
}

// value writes v in the notation of the reference implementation's
// TypeFormatter, which differs from the notation of the language for values of
// rich types.
func (f *typeFormatter) value(v Value) {
	switch v := v.(type) {
	case *SemVer:
		f.text("'" + v.Text() + "'")
	case *SemVerRange:
		f.text("'" + v.Text() + "'")
	case Timespan:
		f.text("'" + v.Text() + "'")
	case Timestamp:
		f.text("'" + v.Text() + "'")
	case Binary, *Sensitive:
		f.text("Instance of " + Generalize(Infer(v)).String())
	case *Iterator:
		f.text("Instance of ")
		f.append(Infer(v))
	case Symbol:
		f.text(string(v))
	case *Array:
		f.b = append(f.b, '[')
		for i, e := range v.All() {
			if i > 0 {
				f.text(", ")
			}
			f.value(e)
		}
		f.b = append(f.b, ']')
	case *Hash:
		f.entries(v, f.value, func(_, e Value) { f.value(e) })
	case *Deferred:
		f.text("Deferred(")
		f.value(deferredInit(v))
		f.b = append(f.b, ')')
	case *Object:
		f.text(v.TypeName() + "(")
		f.value(v.InitHash())
		f.b = append(f.b, ')')
	case Type:
		f.append(v)
	default:
		f.b = appendValue(f.b, v)
	}
}

func (f *typeFormatter) entries(h *Hash, key func(Value), value func(k, v Value)) {
	f.b = append(f.b, '{')
	first := true
	for k, v := range h.All() {
		if !first {
			f.text(", ")
		}
		first = false
		key(k)
		f.text(" => ")
		value(k, v)
	}
	f.b = append(f.b, '}')
}
