package pcore

// verdict is the answer to a question that may need more than a look. The least
// of several is what holds for all of them, the greatest what holds for one.
type verdict uint8

const (
	no     verdict = iota
	unsure         // what is inside has to be compared, or an alias to be followed
	yes
)

func verdictOf(ok bool) verdict {
	if ok {
		return yes
	}
	return no
}

// sureOf is for types of which both sides have parts: unsure when u is of the
// kind, no else.
func sureOf(sameKind bool) verdict {
	if sameKind {
		return unsure
	}
	return no
}

// acceptsPlain is accepts without going inside. It takes u apart as
// [acceptor.compare] does, and then asks t. The kinds are looked for one after
// the other: hardly any type is one of them, which a processor foresees better
// than where a switch goes.
func acceptsPlain(t, u Type) verdict {
	if u, ok := u.(*VariantType); ok {
		return acceptsPlainVariant(t, u)
	}
	if u, ok := u.(*OptionalType); ok {
		answer := t.acceptsPlain(UndefType{})
		if answer != no && u.elem != nil {
			answer = min(answer, acceptsPlain(t, u.elem))
		}
		return answer
	}
	if u, ok := u.(*TypeAliasType); ok {
		if u.inward {
			return acceptsPlain(t, u.resolved)
		}
		return unsure
	}
	if u, ok := u.(*NotUndefType); ok && u.elem != nil {
		return unsure
	}
	if isUnit(u) {
		return yes
	}
	return t.acceptsPlain(u)
}

func acceptsPlainVariant(t Type, u *VariantType) verdict {
	if len(u.types) == 0 {
		return unsure
	}
	if v, ok := t.(*VariantType); ok && len(v.types) == 0 {
		return yes
	}
	answer := yes
	for _, alternative := range u.types {
		if answer = min(answer, acceptsPlain(t, alternative)); answer == no {
			break
		}
	}
	return answer
}

// The methods acceptsPlain tell whether a type accepts u, as far as that shows
// without going inside, where aliases may come back to themselves. Here u is
// not made of alternatives; see [acceptor.compare]. Most comparisons end here,
// with one call and without memory.

func (AnyType) acceptsPlain(Type) verdict { return yes }

func (UnitType) acceptsPlain(Type) verdict { return yes }

func (UndefType) acceptsPlain(u Type) verdict { return verdictOf(isUndefType(u)) }

func (DefaultType) acceptsPlain(u Type) verdict { _, ok := u.(DefaultType); return verdictOf(ok) }

func (BinaryType) acceptsPlain(u Type) verdict { _, ok := u.(BinaryType); return verdictOf(ok) }

func (SemVerRangeType) acceptsPlain(u Type) verdict {
	_, ok := u.(SemVerRangeType)
	return verdictOf(ok)
}

func (ScalarType) acceptsPlain(u Type) verdict { return verdictOf(isScalarType(u)) }

func (ScalarDataType) acceptsPlain(u Type) verdict { return verdictOf(isScalarDataType(u)) }

func (NumericType) acceptsPlain(u Type) verdict { return verdictOf(isNumericType(u)) }

func (CatalogEntryType) acceptsPlain(u Type) verdict { return verdictOf(isCatalogEntryType(u)) }

func (t *IntegerType) acceptsPlain(u Type) verdict {
	i, ok := u.(*IntegerType)
	return verdictOf(ok && t.coversSize(i))
}

func (t *FloatType) acceptsPlain(u Type) verdict {
	f, ok := u.(*FloatType)
	return verdictOf(ok && t.covers(f.bounds, compareFloats))
}

func (t *TimespanType) acceptsPlain(u Type) verdict {
	s, ok := u.(*TimespanType)
	return verdictOf(ok && t.covers(s.bounds, Timespan.Compare))
}

func (t *TimestampType) acceptsPlain(u Type) verdict {
	s, ok := u.(*TimestampType)
	return verdictOf(ok && t.covers(s.bounds, Timestamp.Compare))
}

func (t *StringType) acceptsPlain(u Type) verdict { return verdictOf(t.acceptsType(u)) }

func (t *EnumType) acceptsPlain(u Type) verdict { return verdictOf(t.acceptsType(u)) }

func (t *PatternType) acceptsPlain(u Type) verdict { return verdictOf(t.acceptsType(u)) }

func (t *BooleanType) acceptsPlain(u Type) verdict {
	b, ok := u.(*BooleanType)
	return verdictOf(ok && (t.literal == nil || equalPointers(t.literal, b.literal)))
}

func (t *RegexpType) acceptsPlain(u Type) verdict {
	r, ok := u.(*RegexpType)
	return verdictOf(ok && (t.regexp == nil || equalRegexps(t.regexp, r.regexp)))
}

func (t *SemVerType) acceptsPlain(u Type) verdict {
	s, ok := u.(*SemVerType)
	return verdictOf(ok && t.covers(s))
}

func (t *URIType) acceptsPlain(u Type) verdict {
	o, ok := u.(*URIType)
	return verdictOf(ok && acceptsParameters(t.params, o.params))
}

func (t *CollectionType) acceptsPlain(u Type) verdict { return verdictOf(t.acceptsType(u)) }

func (t *ArrayType) acceptsPlain(u Type) verdict {
	if o, ok := u.(*ArrayType); ok {
		switch {
		case !coversSizes(t.size, o.size):
			return no
		case t.elem == nil || isAny(t.elem):
			return yes
		}
		return unsure
	}
	_, ok := u.(*TupleType)
	return sureOf(ok)
}

func (t *HashType) acceptsPlain(u Type) verdict {
	if o, ok := u.(*HashType); ok {
		if t.key == nil && t.val == nil && t.size == nil {
			return verdictOf(coversSizes(t.size, o.size))
		}
		return unsure
	}
	_, ok := u.(*StructType)
	return sureOf(ok)
}

func (t *TupleType) acceptsPlain(u Type) verdict {
	if _, ok := u.(*TupleType); ok {
		return unsure
	}
	_, ok := u.(*ArrayType)
	return sureOf(ok)
}

func (t *StructType) acceptsPlain(u Type) verdict {
	if _, ok := u.(*StructType); ok {
		return unsure
	}
	_, ok := u.(*HashType)
	return sureOf(ok)
}

func (t *VariantType) acceptsPlain(u Type) verdict {
	answer := no
	for _, alternative := range t.types {
		if answer = max(answer, alternative.acceptsPlain(u)); answer == yes {
			break
		}
	}
	return answer
}

func (t *OptionalType) acceptsPlain(u Type) verdict {
	if t.elem == nil || isUndefType(u) {
		return yes
	}
	return t.elem.acceptsPlain(u)
}

func (t *NotUndefType) acceptsPlain(u Type) verdict {
	switch {
	case AcceptsUndef(u):
		return no
	case t.elem == nil:
		return yes
	}
	return t.elem.acceptsPlain(u)
}

func (t *TypeAliasType) acceptsPlain(u Type) verdict {
	if t.inward {
		return t.resolved.acceptsPlain(u)
	}
	return unsure
}

func (t *TypeType) acceptsPlain(u Type) verdict {
	o, ok := u.(*TypeType)
	if ok && t.elem == nil {
		return yes
	}
	return sureOf(ok && o.elem != nil)
}

func (t *SensitiveType) acceptsPlain(u Type) verdict { _, ok := u.(*SensitiveType); return sureOf(ok) }

func (t *IterableType) acceptsPlain(u Type) verdict {
	switch u.(type) {
	case *TypeType, *TypeAliasType, *ObjectType:
		return unsure
	case *IntegerType, *StringType, *EnumType, *CollectionType, *ArrayType, *HashType, *TupleType, *StructType,
		*IterableType, *IteratorType:
		if t.elem == nil {
			return yes
		}
		return unsure
	default: // it has no elements
		return no
	}
}

func (t *IteratorType) acceptsPlain(u Type) verdict {
	o, ok := u.(*IteratorType)
	if ok && t.elem == nil {
		return yes
	}
	return sureOf(ok && o.elem != nil)
}

func (t *InitType) acceptsPlain(u Type) verdict {
	if _, ok := u.(*InitType); ok {
		return unsure
	}
	if t.elem == nil {
		return richDataType().acceptsPlain(u)
	}
	forms, err := t.forms()
	if err != nil {
		return no
	}
	answer := forms.single.acceptsPlain(u)
	if answer != no {
		return answer
	}
	for _, list := range forms.lists { // of which hardly any accepts what is no list
		answer = max(answer, list.acceptsPlain(u))
		if forms.wrapped && list.takes(1) {
			answer = max(answer, list.first().acceptsPlain(u))
		}
	}
	return answer
}

func (t *CallableType) acceptsPlain(u Type) verdict {
	_, ok := u.(*CallableType)
	if ok && t.params == nil && t.result == nil {
		return yes
	}
	return sureOf(ok)
}

func (t *ClassType) acceptsPlain(u Type) verdict {
	c, ok := u.(*ClassType)
	return verdictOf(ok && (t.class == "" || t.class == c.class))
}

func (t *ResourceType) acceptsPlain(u Type) verdict {
	r, ok := u.(*ResourceType)
	return verdictOf(ok && t.acceptsResource(r))
}

func (t *RuntimeType) acceptsPlain(u Type) verdict {
	r, ok := u.(*RuntimeType)
	return verdictOf(ok && t.acceptsRuntime(r))
}

func (t *ObjectType) acceptsPlain(u Type) verdict { return verdictOf(t.acceptsObjectType(u)) }

func (t *ObjectTypeExtension) acceptsPlain(u Type) verdict { return verdictOf(t.acceptsObjectType(u)) }

func (t *TypeSetType) acceptsPlain(u Type) verdict {
	s, ok := u.(*TypeSetType)
	return verdictOf(ok && (t.isDefault() || equalTypeSets(t, s)))
}

func (t *TypeReferenceType) acceptsPlain(u Type) verdict {
	r, ok := u.(*TypeReferenceType)
	return verdictOf(ok && t.ref == r.ref)
}
