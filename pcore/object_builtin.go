package pcore

import "sync"

// The predefined Object types. Their constructors avoid the functions that
// examine types, because these functions need the predefined types.
var (
	deferredType = sync.OnceValue(newDeferredType)
	errorType    = sync.OnceValue(newErrorType)
)

// DeferredType returns the type of [Deferred] values.
func DeferredType() *ObjectType { return deferredType() }

// ErrorType returns the type Error, with the attributes msg, kind, details and
// issue_code.
func ErrorType() *ObjectType { return errorType() }

// annotationType returns the type Annotation, from which the types of annotations inherit.
func annotationType() Type { return &ObjectType{name: annotationName} }

const annotationName = "Annotation"

func newDeferredType() *ObjectType {
	t := &ObjectType{name: "Deferred"}
	t.attrs.add(&objectAttribute{name: "name", owner: t, typ: literalPattern(`\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z`)})
	t.attrs.add(&objectAttribute{name: "arguments", owner: t, typ: NewOptionalType(&ArrayType{}), value: Undef{}})
	return t
}

func newErrorType() *ObjectType {
	t := &ObjectType{name: "Error"}
	nonEmpty := &StringType{size: &IntegerType{bounds: bounds[int64]{from: At[int64](1)}}}
	filter := NewOptionalType(variant(
		&StringType{}, &RegexpType{}, &TypeType{elem: &EnumType{}}, &TypeType{elem: &PatternType{}},
		&TypeType{elem: newNotUndefType(nil)}, &TypeType{elem: UndefType{}},
	))
	optional := func(name string, elem Type) {
		t.attrs.add(&objectAttribute{name: name, owner: t, typ: NewOptionalType(elem), value: Undef{}})
	}
	for _, name := range []string{"kind", "issue_code"} {
		t.params.add(&objectAttribute{name: name, owner: t, typ: filter, parameter: true})
	}
	t.attrs.add(&objectAttribute{name: "msg", owner: t, typ: nonEmpty})
	optional("kind", nonEmpty)
	optional("details", &HashType{key: nonEmpty, val: dataType()})
	optional("issue_code", nonEmpty)
	t.functions.add(&objectFunction{name: "message", owner: t, typ: &CallableType{
		params: &TupleType{size: &IntegerType{bounds: bounds[int64]{At[int64](0), At[int64](0)}}}, result: nonEmpty,
	}})
	return t
}

func literalPattern(source string) Type {
	return &PatternType{patterns: []*RegexpType{{regexp: NewRegexp(source)}}}
}
