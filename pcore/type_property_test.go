package pcore

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// leafTypes returns types that contain no other types.
func leafTypes() []Type {
	return []Type{
		AnyType{}, UndefType{}, DefaultType{}, ScalarType{}, ScalarDataType{}, NumericType{}, BinaryType{},
		SemVerRangeType{}, CatalogEntryType{}, &IntegerType{}, integerRange(0, 5), integerRange(3, 9), atLeast(1),
		&FloatType{}, &FloatType{bounds: bounds[float64]{At(0.0), At(1.0)}}, &StringType{}, NewStringType(integerRange(1, 3)),
		newStringValueType("a"), newStringValueType("b"), NewEnumType(false, "a", "b"), NewEnumType(true, "A"),
		pattern(`\Aa`), &PatternType{}, &BooleanType{}, newBooleanType(true), &RegexpType{}, newRegexpType(NewRegexp("a")),
		&SemVerType{}, &TimespanType{}, &TimestampType{}, &URIType{}, &CollectionType{}, newCollectionType(integerRange(1, 2)),
		&ArrayType{}, &HashType{}, &TupleType{}, emptyArrayType(), emptyHashType(), &ClassType{}, newClassType("a"),
		&ResourceType{}, &RuntimeType{}, newRuntimeType("ruby", "Symbol"), &TypeType{}, &SensitiveType{},
		&IterableType{}, &IteratorType{}, &CallableType{}, &ObjectType{}, DeferredType(), ErrorType(), dataType(), richDataType(),
		recursiveTree(),
	}
}

// recursiveTree returns the alias Tree = Variant[Integer, Array[Tree]].
func recursiveTree() Type {
	tree, resolve := NewTypeAliasType("Tree")
	if err := resolve(NewVariantType(&IntegerType{}, NewArrayType(tree, nil))); err != nil {
		panic(err)
	}
	return tree
}

func genSize() *rapid.Generator[*IntegerType] {
	return rapid.SampledFrom([]*IntegerType{nil, nil, atLeast(0), atLeast(1), integerRange(0, 0), integerRange(1, 2), integerRange(2, 4)})
}

// genType draws types up to the given depth, composed of leaves.
func genType(depth int, leaves []Type) *rapid.Generator[Type] {
	leaf := rapid.SampledFrom(leaves)
	if depth == 0 {
		return leaf
	}
	inner := genType(depth-1, leaves)
	return rapid.Custom(func(t *rapid.T) Type {
		switch rapid.IntRange(0, 12).Draw(t, "kind") {
		case 0:
			return NewArrayType(inner.Draw(t, "elem"), genSize().Draw(t, "size"))
		case 1:
			key := rapid.SampledFrom([]Type{&StringType{}, &IntegerType{}, NewEnumType(false, "a", "b"), AnyType{}}).Draw(t, "key")
			return NewHashType(key, inner.Draw(t, "value"), genSize().Draw(t, "size"))
		case 2:
			return NewTupleType(rapid.SliceOfN(inner, 1, 3).Draw(t, "types"), genSize().Draw(t, "size"))
		case 3:
			var elems []StructElement
			for _, name := range []string{"a", "b"} {
				if rapid.Bool().Draw(t, "entry") {
					elems = append(elems, NewStructElement(name, rapid.Bool().Draw(t, "optional"), inner.Draw(t, "value")))
				}
			}
			return structOf(elems...)
		case 4:
			return NewVariantType(rapid.SliceOfN(inner, 1, 3).Draw(t, "types")...)
		case 5:
			return NewOptionalType(inner.Draw(t, "elem"))
		case 6:
			elem := inner.Draw(t, "elem")
			if acceptsUndef(elem) { // NotUndef[Optional[T]] does not accept itself, like in the reference implementation
				elem = nil
			}
			return newNotUndefType(elem)
		case 7:
			return newTypeType(inner.Draw(t, "elem"))
		case 8:
			return NewSensitiveType(inner.Draw(t, "elem"))
		case 9:
			return newIterableType(inner.Draw(t, "elem"))
		case 10:
			params := NewTupleType(rapid.SliceOfN(inner, 1, 2).Draw(t, "params"), nil)
			return NewCallableType(params, nil, inner.Draw(t, "result"))
		default:
			return leaf.Draw(t, "leaf")
		}
	})
}

// genValue draws values up to the given depth.
func genValue(depth int) *rapid.Generator[Value] {
	leaf := rapid.SampledFrom([]Value{
		Undef{}, Default{}, Boolean(true), Boolean(false), Integer(0), Integer(4), Integer(-1), Float(0.5), Float(3),
		String(""), String("a"), String("b"), String("abcd"), NewRegexp("a"), NewBinary([]byte("x")), NewTimestamp(1, 0),
		NewTimespan(5, 0), NewSensitive(String("a")), &IntegerType{}, NewEnumType(false, "a"), NewDeferred("f", nil),
	})
	if depth == 0 {
		return leaf
	}
	inner := genValue(depth - 1)
	return rapid.Custom(func(t *rapid.T) Value {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return NewArray(rapid.SliceOfN(inner, 0, 3).Draw(t, "elements")...)
		case 1:
			var b HashBuilder
			for _, k := range []Value{String("a"), String("b"), Integer(1)} {
				if rapid.Bool().Draw(t, "entry") {
					b.Set(k, inner.Draw(t, "value"))
				}
			}
			return b.Hash()
		default:
			return leaf.Draw(t, "leaf")
		}
	})
}

// without returns the leaf types for which f is false.
func without(f func(Type) bool) []Type {
	var kept []Type
	for _, t := range leafTypes() {
		if !f(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

func TestAcceptsIsReflexive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := genType(3, leafTypes()).Draw(t, "a")
		if !Accepts(a, a) {
			t.Fatalf("%s does not accept itself", FormatType(a, TypeDebug))
		}
	})
}

// The test excludes the cases in which the reference implementation is not
// transitive:
//
//   - Collection and Iterable, Array and Tuple, and Hash and Struct compare each
//     other only by size or only by elements;
//   - an empty array or hash has elements of every type;
//   - Struct accepts a Hash without examining optional entries;
//   - Type, Sensitive and Callable of such types.
func TestAcceptsIsTransitive(t *testing.T) {
	simple := without(func(t Type) bool {
		switch t.(type) {
		case *CollectionType, *ArrayType, *HashType, *TupleType, *IterableType, *IteratorType, *CallableType:
			return true
		}
		return false
	})
	gen := rapid.Custom(func(t *rapid.T) Type {
		inner := rapid.SampledFrom(simple)
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return NewOptionalType(inner.Draw(t, "elem"))
		case 1:
			return newNotUndefType(&StringType{})
		case 2:
			return NewVariantType(rapid.SliceOfN(inner, 1, 3).Draw(t, "types")...)
		case 3:
			return NewArrayType(inner.Draw(t, "elem"), rapid.SampledFrom([]*IntegerType{nil, integerRange(1, 2)}).Draw(t, "size"))
		default:
			return inner.Draw(t, "leaf")
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := gen.Draw(t, "a"), gen.Draw(t, "b"), gen.Draw(t, "c")
		if Accepts(a, b) && Accepts(b, c) && !Accepts(a, c) {
			t.Fatalf("%s accepts %s, which accepts %s", FormatType(a, TypeDebug), FormatType(b, TypeDebug), FormatType(c, TypeDebug))
		}
	})
}

// A value is an instance of the types that accept its type. The exceptions are
// those of the reference implementation: a Hash type does not include the keys
// that a Struct requires, and the element type of an Iterable is a common type.
func TestContainsAgreesWithAccepts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ, v := genType(2, leafTypes()).Draw(t, "type"), genValue(2).Draw(t, "value")
		contains, accepts := Contains(typ, v), Accepts(typ, InferDetailed(v))
		if contains == accepts || isExceptional(typ, v) {
			return
		}
		t.Fatalf("%s contains %s: %v, accepts %s: %v", FormatType(typ, TypeDebug), v, contains,
			FormatType(InferDetailed(v), TypeDebug), accepts)
	})
}

func isExceptional(typ Type, v Value) bool {
	exceptional := false
	WalkType(typ, func(u Type) bool {
		switch u := u.(type) {
		case *IterableType, *SensitiveType, *CallableType, *ObjectType: // types are objects, too
			exceptional = true
		case *StructType: // compared with hashes that have keys other than strings, or no keys
			exceptional = true
		case *TypeType:
			exceptional = exceptional || u.elem != nil
		}
		return true
	})
	return exceptional
}

// The exceptions are those of the reference implementation: undef is ignored,
// and a common Enum is case-sensitive.
func TestCommonAcceptsBoth(t *testing.T) {
	leaves := without(func(t Type) bool { e, ok := t.(*EnumType); return ok && e.fold })
	rapid.Check(t, func(t *rapid.T) {
		a, b := genType(2, leaves).Draw(t, "a"), genType(2, leaves).Draw(t, "b")
		common := Common(a, b)
		for _, u := range []Type{a, b} {
			if !Accepts(common, u) && !hasUndef(u) {
				t.Fatalf("the common type of %s and %s is %s", FormatType(a, TypeDebug), FormatType(b, TypeDebug),
					FormatType(common, TypeDebug))
			}
		}
	})
}

func hasUndef(t Type) bool {
	found := false
	WalkType(t, func(u Type) bool {
		found = found || isNothing(u)
		return !found
	})
	return found
}

func TestGeneralTypesContainTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := genValue(3).Draw(t, "value")
		detailed := InferDetailed(v)
		for _, typ := range []Type{detailed, Generalize(detailed), Infer(v), Generalize(Infer(v))} {
			if !Contains(typ, v) && !hasUndef(detailed) { // undef is ignored when types are reduced
				t.Fatalf("%s is not an instance of %s", v, FormatType(typ, TypeDebug))
			}
		}
	})
}

func TestEqualTypesHaveTheSameHash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genType(2, leafTypes()).Draw(t, "a"), genType(2, leafTypes()).Draw(t, "b")
		if EqualTypes(a, b) != EqualTypes(b, a) {
			t.Fatalf("%s and %s are equal one way", a, b)
		}
		if EqualTypes(a, b) && hashOf(a) != hashOf(b) {
			t.Fatalf("%s and %s are equal and hash differently", a, b)
		}
	})
}

func TestMetaIsTheIdentity(t *testing.T) {
	leaves := without(func(t Type) bool {
		return t == Type(dataType()) || t == Type(richDataType()) || t == Type(errorType()) || TypeName(t) == "Tree"
	})
	rapid.Check(t, func(t *rapid.T) {
		a := genType(3, leaves).Draw(t, "a")
		b, err := throughMeta(a)
		if err != nil {
			t.Fatalf("%s: %v", a, err)
		}
		if want := withoutLost(a); !EqualTypes(want, b) {
			t.Fatalf("want %s, got %s", FormatType(want, TypeDebug), FormatType(b, TypeDebug))
		}
	})
}

// throughMeta converts a type to rich data and back, like a codec.
func throughMeta(t Type) (Type, error) {
	name, attrs, err := MetaOf(t)
	if err != nil {
		return nil, err
	}
	if _, ok := t.(*ObjectType); ok {
		return t, nil
	}
	again, err := Rewrite(attrs, func(c *Cursor) (Value, error) {
		switch v := c.Value().(type) {
		case Type:
			return throughMeta(v)
		case *Object:
			return FromMeta(v.TypeName(), v.Attributes())
		default:
			return v, nil
		}
	})
	if err != nil {
		return nil, err
	}
	v, err := FromMeta(name, again.(*Hash))
	if err != nil {
		return nil, err
	}
	return v.(Type), nil
}

// withoutLost returns the type without the parameters that rich data cannot
// represent.
func withoutLost(t Type) Type {
	switch t := t.(type) {
	case *BooleanType:
		return &BooleanType{}
	case *SensitiveType:
		return &SensitiveType{}
	case *ArrayType:
		return NewArrayType(withoutLost(t.Elem()), t.size)
	case *HashType:
		return NewHashType(withoutLost(t.keyType()), withoutLost(t.Elem()), t.size)
	case *TupleType:
		return NewTupleType(mapAll(t.types), t.size)
	case *VariantType:
		return variant(mapAll(t.types)...)
	case *StructType:
		elems, _ := mapElements(t.elems, withoutLost)
		return t.withElements(elems)
	case *CallableType:
		return mapCallable(t, withoutLost)
	default:
		return mapElem(t, withoutLost)
	}
}

func mapAll(types []Type) []Type {
	mapped := make([]Type, len(types))
	for i, t := range types {
		mapped[i] = withoutLost(t)
	}
	return mapped
}

// A reducer returns the same type as repeated calls of Common.
func TestReduceIsCommon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(genValue(3), 1, 6).Draw(t, "values")
		var r reducer
		var want Type
		for _, v := range values {
			r.add(inferByCommon(v))
			want = Common(want, inferByCommon(v))
		}
		if got := r.result(); !EqualTypes(got, want) {
			t.Fatalf("%v: want %s, got %s", values, FormatType(want, TypeDebug), FormatType(got, TypeDebug))
		}
		if got := Infer(values[0]); !EqualTypes(got, inferByCommon(values[0])) {
			t.Fatalf("%s: got %s", values[0], FormatType(got, TypeDebug))
		}
	})
}

func inferByCommon(v Value) Type {
	switch v := v.(type) {
	case *Array:
		if v.Len() == 0 {
			return emptyArrayType()
		}
		var elem Type
		for e := range v.Values() {
			elem = Common(elem, inferByCommon(e))
		}
		return NewArrayType(elem, exactSize(v.Len()))
	case *Hash:
		if v.Len() == 0 {
			return emptyHashType()
		}
		var key, val Type
		for k, e := range v.All() {
			key, val = Common(key, inferByCommon(k)), Common(val, inferByCommon(e))
		}
		return NewHashType(key, val, exactSize(v.Len()))
	default:
		return inferOne(v)
	}
}

// Operations on aliases that refer to themselves and to each other terminate,
// and their results are consistent.
func TestRecursiveAliasesEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 4
		var aliases [n]*TypeAliasType
		var resolves [n]func(Type) error
		leaves := []Type{&IntegerType{}, &StringType{}, UndefType{}}
		for i := range aliases {
			aliases[i], resolves[i] = NewTypeAliasType(fmt.Sprint("A", i))
			leaves = append(leaves, aliases[i])
		}
		for i := range aliases {
			typ := genType(2, leaves).Draw(t, "type")
			if resolves[i](typ) != nil { // an alias of itself only
				_ = resolves[i](&IntegerType{})
			}
		}
		v := genValue(3).Draw(t, "value")
		for _, a := range aliases {
			contains := Contains(a, v)
			if again := Contains(a, v); contains != again {
				t.Fatal("the answer changes")
			}
			if !Accepts(a, a) {
				t.Fatalf("%s does not accept itself", FormatType(a, TypeExpanded))
			}
			for _, b := range aliases {
				Accepts(a, b)
				Common(a, b)
			}
			_ = Mismatch("", a, v)
		}
	})
}
