package pcore

import "strconv"

// describer finds mismatches like the reference implementation. It stops after
// a number of steps, to keep the description readable.
type describer struct{ left int }

// maxDescriptions bounds the number of comparisons of one description.
const maxDescriptions = 5000

func newDescriber() *describer { return &describer{maxDescriptions} }

// describe returns the mismatches of actual, none if expected accepts it.
func (d *describer) describe(expected, actual Type, path mismatchPath) []mismatch {
	if name, ok := unresolvedReference(expected); ok {
		return []mismatch{{kind: unresolvedType, path: path, key: name}}
	}
	return d.compare(Normalize(expected), expected, actual, path)
}

// unresolvedReference returns the first TypeReference in t.
func unresolvedReference(t Type) (name string, found bool) {
	WalkType(t, func(u Type) bool {
		if r, ok := u.(*TypeReferenceType); ok && !found {
			name, found = r.ref, true
		}
		return !found
	})
	return name, found
}

// compare describes the mismatches by the kind of expected. Messages show
// original, which may be an alias or an Optional around expected.
func (d *describer) compare(expected, original, actual Type, path mismatchPath) []mismatch {
	if d.left--; d.left < 0 {
		if Accepts(expected, actual) {
			return nil
		}
		return []mismatch{typeMismatch(path, original, actual)}
	}
	switch expected := expected.(type) {
	case *VariantType:
		return d.variant(expected, original, actual, path)
	case *StructType:
		return d.structType(expected, original, actual, path)
	case *HashType:
		return d.hash(expected, original, actual, path)
	case *TupleType:
		return d.tuple(expected, original, actual, path, wrongSize)
	case *ArrayType:
		return d.array(expected, original, actual, path)
	case *CollectionType:
		if given, ok := collectionSize(actual); ok && !sizeOrDefault(expected.size).coversSize(given) {
			return []mismatch{sizeMismatch(wrongSize, path, expected.size, given)}
		}
	case *CallableType:
		return d.callable(expected, original, actual, path)
	case *OptionalType:
		if actual == Type(UndefType{}) || expected.elem == nil {
			return nil
		}
		if !isAlias(original) {
			original = expected
		}
		return d.compare(expected.elem, original, actual, path)
	case *PatternType, *EnumType:
		return []mismatch{newMismatch(wrongText, path, original, actual)}
	case *TypeAliasType:
		return d.compare(Normalize(expected.Resolved()), expected, actual, path)
	}
	if Accepts(expected, actual) {
		return nil
	}
	return []mismatch{typeMismatch(path, original, actual)}
}

func collectionSize(t Type) (size *IntegerType, ok bool) {
	switch t := t.(type) {
	case *CollectionType:
		return sizeOrDefault(t.size), true
	case *ArrayType:
		return sizeOrDefault(t.size), true
	case *HashType:
		return sizeOrDefault(t.size), true
	case *TupleType:
		return t.givenSize(), true
	case *StructType:
		return t.sizes(), true
	}
	return nil, false
}

func (d *describer) variant(expected *VariantType, original, actual Type, path mismatchPath) []mismatch {
	types := expected.types
	if _, ok := original.(*OptionalType); ok {
		types = append([]Type{UndefType{}}, types...)
	}
	alternatives := make([][]mismatch, 0, len(types))
	for i, t := range types {
		found := d.different(t, actual, path.with(pathVariant, strconv.Itoa(i)))
		if len(found) == 0 {
			return nil
		}
		alternatives = append(alternatives, found)
	}
	merged := mergeMismatches(len(path), wrongSize, alternatives)
	if isAlias(original) && len(merged) == 1 {
		return []mismatch{typeMismatch(path, original, actual)}
	}
	return merged
}

// mergeMismatches combines the mismatches of all alternatives into one if they
// are alike. varying is the index of the path step that identifies the
// alternative.
func mergeMismatches(varying int, size mismatchKind, alternatives [][]mismatch) []mismatch {
	var all []mismatch
	for _, found := range alternatives {
		all = append(all, found...)
	}
	for _, kind := range []mismatchKind{size, missingBlock, unexpectedBlock, wrongType} {
		if one, ok := mergeKind(kind, all, len(alternatives)); ok {
			all = []mismatch{one}
			break
		}
	}
	if len(all) == 1 {
		all[0].path = all[0].path.without(varying)
	}
	return all
}

// mergeKind merges the mismatches of a kind if there are exactly n of them, all
// at the same path.
func mergeKind(kind mismatchKind, all []mismatch, n int) (one mismatch, ok bool) {
	count := 0
	for _, m := range all {
		if !m.kind.is(kind) {
			continue
		}
		if count++; count == 1 {
			one = m
			continue
		}
		if !one.path.sameAs(m.path) {
			return mismatch{}, false
		}
		one = one.merge(m)
	}
	return one, count == n && n > 0
}

func (d *describer) array(expected *ArrayType, original, actual Type, path mismatchPath) []mismatch {
	switch actual := actual.(type) {
	case *TupleType:
		size := sizeOrDefault(expected.size)
		if given := actual.givenSize(); !size.coversSize(given) {
			return []mismatch{sizeMismatch(wrongSize, path, size, given)}
		}
		var found []mismatch
		for i, t := range actual.types {
			if d.left < 0 {
				break
			}
			if !Accepts(expected.Elem(), t) {
				found = append(found, d.describe(expected.Elem(), t, path.with(pathIndex, strconv.Itoa(i)))...)
			}
		}
		return found
	case *ArrayType:
		if given := sizeOrDefault(actual.size); expected.size != nil && !expected.size.coversSize(given) {
			return []mismatch{sizeMismatch(wrongSize, path, expected.size, given)}
		}
		return []mismatch{typeMismatch(path, original, NewArrayType(actual.Elem(), nil))}
	}
	return []mismatch{typeMismatch(path, original, actual)}
}

func (d *describer) hash(expected *HashType, original, actual Type, path mismatchPath) []mismatch {
	switch actual := actual.(type) {
	case *StructType:
		size := sizeOrDefault(expected.size)
		if given := actual.sizes(); !size.coversSize(given) {
			return []mismatch{sizeMismatch(wrongSize, path, size, given)}
		}
		var found []mismatch
		for _, e := range actual.elems {
			if d.left < 0 {
				break
			}
			found = append(found, d.entry(expected.keyType(), expected.Elem(), e, path)...)
		}
		return found
	case *HashType:
		if given := sizeOrDefault(actual.size); expected.size != nil && !expected.size.coversSize(given) {
			return []mismatch{sizeMismatch(wrongSize, path, expected.size, given)}
		}
		return []mismatch{typeMismatch(path, original, NewHashType(actual.keyType(), actual.Elem(), nil))}
	}
	return []mismatch{typeMismatch(path, original, actual)}
}

// entry describes the key and the value of an entry.
func (d *describer) entry(key, val Type, e StructElement, path mismatchPath) []mismatch {
	var found []mismatch
	if !Accepts(key, e.key) {
		found = d.describe(key, e.key, path.with(pathKey, e.name))
	}
	if !Accepts(val, e.value) {
		found = append(found, d.describe(val, e.value, path.with(pathEntry, e.name))...)
	}
	return found
}

// sizes returns the range of the number of entries.
func (t *StructType) sizes() *IntegerType {
	required := int64(0)
	for _, e := range t.elems {
		if !e.Optional() {
			required++
		}
	}
	return integerRange(required, int64(len(t.elems)))
}

func (d *describer) structType(expected *StructType, original, actual Type, path mismatchPath) []mismatch {
	switch actual := actual.(type) {
	case *StructType:
		var found []mismatch
		for _, e := range expected.elems {
			given, ok := actual.Element(e.name)
			switch {
			case ok:
				found = append(found, d.entry(e.key, e.value, given, path)...)
			case !e.Optional():
				found = append(found, mismatch{kind: missingKey, path: path, key: e.name})
			}
		}
		for _, e := range actual.elems {
			if _, ok := expected.Element(e.name); !ok {
				found = append(found, mismatch{kind: extraneousKey, path: path, key: e.name})
			}
		}
		return found
	case *HashType:
		if size, given := expected.sizes(), sizeOrDefault(actual.size); !size.coversSize(given) {
			return []mismatch{sizeMismatch(wrongSize, path, size, given)}
		}
		return []mismatch{typeMismatch(path, original, NewHashType(actual.keyType(), actual.Elem(), nil))}
	}
	return []mismatch{typeMismatch(path, original, actual)}
}

// tuple describes Tuples, and the arguments of Callables, for which size is
// wrongCount.
func (d *describer) tuple(
	expected *TupleType, original, actual Type, path mismatchPath, size mismatchKind,
) []mismatch {
	wanted := expected.sizeRange()
	switch actual := actual.(type) {
	case *TupleType:
		if given := actual.sizeRange(); !wanted.coversSize(given) {
			return []mismatch{sizeMismatch(size, path, wanted, given)}
		}
		if len(expected.types) == 0 {
			return nil
		}
		var found []mismatch
		for i, t := range actual.types {
			if d.left < 0 {
				break
			}
			at := min(i, len(expected.types)-1)
			found = append(found, d.different(expected.types[at], t, path.with(pathIndex, strconv.Itoa(at)))...)
		}
		return found
	case *ArrayType:
		if len(expected.types) == 0 {
			return nil
		}
		if given := sizeOrDefault(actual.size); !wanted.coversSize(given) {
			return []mismatch{sizeMismatch(size, path, wanted, given)}
		}
		var found []mismatch
		for i, t := range expected.types {
			found = append(found, d.different(t, actual.Elem(), path.with(pathIndex, strconv.Itoa(i)))...)
		}
		return found
	}
	return []mismatch{typeMismatch(path, original, actual)}
}

// different is describe for types that may match: describe always reports a
// mismatch for an Enum or a Pattern.
func (d *describer) different(expected, actual Type, path mismatchPath) []mismatch {
	if Accepts(expected, actual) {
		return nil
	}
	return d.describe(expected, actual, path)
}

func (d *describer) callable(expected *CallableType, original, actual Type, path mismatchPath) []mismatch {
	given, ok := actual.(*CallableType)
	if !ok {
		return []mismatch{typeMismatch(path, original, actual)}
	}
	if expected.params == nil && expected.result == nil {
		return nil
	}
	if expected.params != nil && given.params != nil {
		if found := d.tuple(expected.params, expected.params, given.params, path, wrongCount); len(found) > 0 {
			return found
		}
	}
	if !Accepts(expected.resultType(), given.resultType()) {
		return []mismatch{typeMismatch(path.with(pathReturn, "return"), expected.resultType(), given.resultType())}
	}
	if wanted, block := blockOrUndef(expected.block), blockOrUndef(given.block); !Accepts(block, wanted) {
		return []mismatch{typeMismatch(path.with(pathBlock, "block"), wanted, block)}
	}
	return nil
}
