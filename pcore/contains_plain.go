package pcore

import "math"

// The methods containsPlain tell whether v is an instance of a type, as far as
// that shows without looking at what v holds, and without following aliases
// that may come back to themselves. Most questions end here, with one call and
// without memory.

func (AnyType) containsPlain(Value) verdict { return yes }

func (UnitType) containsPlain(Value) verdict { return yes }

func (UndefType) containsPlain(v Value) verdict { return verdictOf(isUndef(v)) }

func (DefaultType) containsPlain(v Value) verdict { _, ok := v.(Default); return verdictOf(ok) }

func (ScalarType) containsPlain(v Value) verdict { return verdictOf(isScalar(v)) }

func (ScalarDataType) containsPlain(v Value) verdict { return verdictOf(isScalarData(v)) }

func (NumericType) containsPlain(v Value) verdict { return verdictOf(isNumber(v)) }

func (BinaryType) containsPlain(v Value) verdict { _, ok := v.(Binary); return verdictOf(ok) }

func (SemVerRangeType) containsPlain(v Value) verdict {
	_, ok := v.(*SemVerRange)
	return verdictOf(ok)
}

func (t *IntegerType) containsPlain(v Value) verdict { return verdictOf(t.containsValue(v)) }

func (t *FloatType) containsPlain(v Value) verdict {
	f, ok := v.(Float)
	return verdictOf(ok && !math.IsNaN(float64(f)) && t.contains(float64(f), compareFloats))
}

func (t *StringType) containsPlain(v Value) verdict {
	s, ok := v.(String)
	return verdictOf(ok && t.containsText(string(s)))
}

func (t *EnumType) containsPlain(v Value) verdict {
	s, ok := v.(String)
	return verdictOf(ok && t.has(string(s)))
}

func (t *PatternType) containsPlain(v Value) verdict {
	s, ok := v.(String)
	return verdictOf(ok && t.matches(string(s)))
}

func (t *BooleanType) containsPlain(v Value) verdict {
	b, ok := v.(Boolean)
	return verdictOf(ok && (t.literal == nil || *t.literal == bool(b)))
}

func (t *RegexpType) containsPlain(v Value) verdict {
	r, ok := v.(*Regexp)
	return verdictOf(ok && (t.regexp == nil || t.regexp.source == r.source))
}

func (t *SemVerType) containsPlain(v Value) verdict {
	version, ok := v.(*SemVer)
	return verdictOf(ok && t.containsVersion(version))
}

func (t *TimespanType) containsPlain(v Value) verdict {
	s, ok := v.(Timespan)
	return verdictOf(ok && t.contains(s, Timespan.Compare))
}

func (t *TimestampType) containsPlain(v Value) verdict {
	s, ok := v.(Timestamp)
	return verdictOf(ok && t.contains(s, Timestamp.Compare))
}

func (t *URIType) containsPlain(v Value) verdict {
	u, ok := v.(*URI)
	return verdictOf(ok && t.containsURI(u))
}

func (t *CollectionType) containsPlain(v Value) verdict {
	if a, ok := v.(*Array); ok {
		return verdictOf(t.size.hasSize(a.Len()))
	}
	h, ok := v.(*Hash)
	return verdictOf(ok && t.size.hasSize(h.Len()))
}

func (t *ArrayType) containsPlain(v Value) verdict {
	a, ok := v.(*Array)
	switch {
	case !ok || !t.size.hasSize(a.Len()):
		return no
	case t.elem == nil || a.Len() == 0 || isAny(t.elem):
		return yes
	}
	return unsure
}

func (t *HashType) containsPlain(v Value) verdict {
	h, ok := v.(*Hash)
	switch {
	case !ok || !t.size.hasSize(h.Len()):
		return no
	case t.key == nil && t.val == nil || h.Len() == 0:
		return yes
	}
	return unsure
}

func (t *TupleType) containsPlain(v Value) verdict {
	a, ok := v.(*Array)
	switch {
	case !ok || !t.takes(a.Len()):
		return no
	case len(t.types) == 0:
		return yes
	}
	return unsure
}

func (t *StructType) containsPlain(v Value) verdict {
	h, ok := v.(*Hash)
	return sureOf(ok && h.Len() <= len(t.elems))
}

func (t *VariantType) containsPlain(v Value) verdict {
	answer := no
	for _, alternative := range t.types {
		if answer = max(answer, alternative.containsPlain(v)); answer == yes {
			break
		}
	}
	return answer
}

func (t *OptionalType) containsPlain(v Value) verdict {
	switch {
	case isUndef(v):
		return yes
	case t.elem == nil:
		return no
	}
	return t.elem.containsPlain(v)
}

func (t *NotUndefType) containsPlain(v Value) verdict {
	switch {
	case isUndef(v):
		return no
	case t.elem == nil:
		return yes
	}
	return t.elem.containsPlain(v)
}

func (t *TypeAliasType) containsPlain(v Value) verdict {
	if t.inward {
		return t.resolved.containsPlain(v)
	}
	return unsure
}

func (t *TypeType) containsPlain(v Value) verdict {
	u, ok := v.(Type)
	switch {
	case !ok:
		return no
	case t.elem == nil:
		return yes
	}
	return acceptsPlain(t.elem, u)
}

func (t *SensitiveType) containsPlain(v Value) verdict {
	_, ok := v.(*Sensitive)
	if ok && t.elem == nil {
		return yes
	}
	return sureOf(ok)
}

func (t *IterableType) containsPlain(v Value) verdict {
	switch v.(type) {
	case String, *Array, *Hash, *Iterator:
		if t.elem == nil {
			return yes
		}
		return unsure
	case Integer, BigInteger, *Object, Type:
		return unsure
	default: // it has no elements
		return no
	}
}

func (t *IteratorType) containsPlain(v Value) verdict {
	_, ok := v.(*Iterator)
	if ok && t.elem == nil {
		return yes
	}
	return sureOf(ok)
}

func (t *InitType) containsPlain(v Value) verdict {
	if t.elem == nil {
		return richDataType().containsPlain(v)
	}
	forms, err := t.forms()
	if err != nil {
		return no
	}
	answer := forms.single.containsPlain(v)
	if answer != no {
		return answer
	}
	for _, list := range forms.lists {
		answer = max(answer, list.containsPlain(v))
		if forms.wrapped && list.takes(1) {
			answer = max(answer, list.first().containsPlain(v))
		}
	}
	return answer
}

func (t *ObjectType) containsPlain(v Value) verdict { return verdictOf(t.containsObject(v)) }

func (t *ObjectTypeExtension) containsPlain(v Value) verdict { return verdictOf(t.containsObject(v)) }

func (*TypeSetType) containsPlain(v Value) verdict { _, ok := v.(*TypeSetType); return verdictOf(ok) }

// No value of the language is an instance of these.

func (CatalogEntryType) containsPlain(Value) verdict { return no }

func (*CallableType) containsPlain(Value) verdict { return no }

func (*ClassType) containsPlain(Value) verdict { return no }

func (*ResourceType) containsPlain(Value) verdict { return no }

func (*RuntimeType) containsPlain(Value) verdict { return no }

func (*TypeReferenceType) containsPlain(Value) verdict { return no }

func isUndef(v Value) bool { _, ok := v.(Undef); return ok }
