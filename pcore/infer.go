package pcore

// Infer returns the type of v in reduced form: the elements of an array have
// one common type. [1, 'a'] is an Array[ScalarData, 2, 2].
func Infer(v Value) Type {
	switch v := v.(type) {
	case *Array:
		if v.Len() == 0 {
			return emptyArrayType()
		}
		var elem reducer
		for e := range v.Values() {
			elem.add(Infer(e))
		}
		return NewArrayType(elem.result(), exactSize(v.Len()))
	case *Hash:
		if v.Len() == 0 {
			return emptyHashType()
		}
		var key, val reducer
		for k, e := range v.All() {
			key.add(Infer(k))
			val.add(Infer(e))
		}
		return NewHashType(key.result(), val.result(), exactSize(v.Len()))
	default:
		return inferOne(v)
	}
}

// InferDetailed returns the type of v including the type of each part: a Tuple
// for an array, a Struct for a hash whose keys are strings. It implements the
// function `type` of the language.
func InferDetailed(v Value) Type {
	switch v := v.(type) {
	case *Array:
		if v.Len() == 0 {
			return emptyArrayType()
		}
		types := make([]Type, v.Len())
		for i, e := range v.All() {
			types[i] = InferDetailed(e)
		}
		return &TupleType{types: types}
	case *Hash:
		return inferHash(v)
	case *SemVer:
		exact := NewSemVerRange(v, v, false)
		return &SemVerType{ranges: []*SemVerRange{exact}}
	default:
		return inferOne(v)
	}
}

func inferHash(v *Hash) Type {
	if v.Len() == 0 {
		return emptyHashType()
	}
	elems := make([]StructElement, 0, v.Len())
	for k, e := range v.All() {
		name, ok := k.(String)
		if !ok || name == "" {
			return inferEntries(v)
		}
		elems = append(elems, entry(string(name), InferDetailed(e)))
	}
	return structOf(elems...)
}

// inferEntries infers the type of a hash whose keys are not valid in a Struct.
func inferEntries(v *Hash) Type {
	var keys, vals distinctTypes
	for k, e := range v.All() {
		keys.add(InferDetailed(k))
		vals.add(InferDetailed(e))
	}
	return NewHashType(NewVariantType(keys.types...), NewVariantType(vals.types...), exactSize(v.Len()))
}

func exactSize(n int) *IntegerType { return integerRange(int64(n), int64(n)) }

// inferOne infers the type of a value that is not an array or a hash.
func inferOne(v Value) Type {
	switch v := v.(type) {
	case Undef:
		return UndefType{}
	case Default:
		return DefaultType{}
	case Boolean:
		return newBooleanType(bool(v))
	case Integer:
		return integerRange(int64(v), int64(v))
	case BigInteger:
		return &IntegerType{} // bounds cannot express a number outside 64 bits
	case Float:
		return &FloatType{bounds: bounds[float64]{At(float64(v)), At(float64(v))}}
	case String:
		return newStringValueType(string(v))
	case Symbol:
		return newRuntimeType("ruby", "Symbol")
	case *Regexp:
		return newRegexpType(v)
	case Binary:
		return BinaryType{}
	case Timestamp:
		return &TimestampType{bounds: bounds[Timestamp]{At(v), At(v)}}
	case Timespan:
		return &TimespanType{bounds: bounds[Timespan]{At(v), At(v)}}
	case *SemVer:
		return &SemVerType{}
	case *SemVerRange:
		return SemVerRangeType{}
	case *URI:
		return v.Type()
	case *Sensitive:
		return NewSensitiveType(withoutSources(Infer(v.Reveal()))) //nolint:forbidigo // the type is general and does not expose the secret
	case *Deferred:
		return DeferredType()
	case *Object:
		return v.inferType()
	case *Iterator:
		return newIteratorType(v.Elem())
	case Type:
		return newTypeType(v)
	default:
		return AnyType{}
	}
}

// withoutSources returns t without the sources of regular expressions. [Generalize]
// keeps them as Puppet does, and so the type of a secret would expose it.
func withoutSources(t Type) Type {
	switch t := t.(type) {
	case *RegexpType:
		return &RegexpType{}
	case *ArrayType:
		return NewArrayType(withoutSources(t.Elem()), t.size)
	case *HashType:
		return NewHashType(withoutSources(t.keyType()), withoutSources(t.Elem()), t.size)
	case *VariantType:
		types, _ := mapTypes(t.types, withoutSources)
		if types == nil {
			return t
		}
		return NewVariantType(types...)
	default:
		return mapElem(t, withoutSources)
	}
}
