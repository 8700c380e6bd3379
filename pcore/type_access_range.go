package pcore

import "slices"

func (b *brackets) integer() (Type, error) {
	if err := b.count("Integer", 1, 2); err != nil {
		return nil, err
	}
	from, err := b.integerBound("Integer", 0)
	if err != nil {
		return nil, err
	}
	to, err := b.integerBound("Integer", 1)
	if err != nil {
		return nil, err
	}
	return NewIntegerType(from, to)
}

// integerBound returns the bound at index i: an Integer, or no bound for
// default or a missing parameter.
func (b *brackets) integerBound(name string, i int) (Bound[int64], error) {
	if i >= len(b.keys) || isDefault(b.keys[i]) {
		return Bound[int64]{}, nil
	}
	n, ok := b.keys[i].(Integer)
	if !ok {
		return Bound[int64]{}, b.bad(name, i, "an Integer or default")
	}
	return At(int64(n)), nil
}

func isDefault(v Value) bool {
	_, ok := v.(Default)
	return ok
}

// isRange reports whether v is a bound of a size. The string 'default' counts
// too; sizeBound rejects it in evaluation.
func isRange(v Value) bool {
	switch v := v.(type) {
	case Integer, Default:
		return true
	case String:
		return v == "default"
	default:
		return false
	}
}

// size returns the size given by the parameters from index i on: an Integer
// type, or one or two bounds. It returns nil if there are none.
func (b *brackets) size(name string, i int) (*IntegerType, error) {
	switch len(b.keys) - i {
	case 0:
		return nil, nil
	case 1:
		if t, ok := b.keys[i].(*IntegerType); ok {
			return t, nil
		}
	}
	from, err := b.sizeBound(name, i)
	if err != nil {
		return nil, err
	}
	to, err := b.sizeBound(name, i+1)
	if err != nil {
		return nil, err
	}
	return NewIntegerType(from, to)
}

func (b *brackets) sizeBound(name string, i int) (Bound[int64], error) {
	if b.parsed && i < len(b.keys) && b.keys[i] == Value(String("default")) {
		return Bound[int64]{}, nil
	}
	return b.integerBound(name, i)
}

func (b *brackets) float() (Type, error) {
	if err := b.count("Float", 1, 2); err != nil {
		return nil, err
	}
	from, err := b.floatBound(0)
	if err != nil {
		return nil, err
	}
	to, err := b.floatBound(1)
	if err != nil {
		return nil, err
	}
	return newFloatType(from, to)
}

func (b *brackets) floatBound(i int) (Bound[float64], error) {
	if i >= len(b.keys) || isDefault(b.keys[i]) {
		return Bound[float64]{}, nil
	}
	switch v := b.keys[i].(type) {
	case Float:
		return At(float64(v)), nil
	case Integer:
		return At(float64(v)), nil
	default:
		return Bound[float64]{}, b.bad("Float", i, "a number or default")
	}
}

func (b *brackets) timespan() (Type, error) {
	if err := b.count("Timespan", 0, 2); err != nil {
		return nil, err
	}
	from, err := timeBound(b, 0, timespanOf)
	if err != nil {
		return nil, err
	}
	to, err := timeBound(b, 1, timespanOf)
	if err != nil {
		return nil, err
	}
	return newTimespanType(from, to)
}

func (b *brackets) timestamp() (Type, error) {
	if err := b.count("Timestamp", 0, 2); err != nil {
		return nil, err
	}
	from, err := timeBound(b, 0, timestampOf)
	if err != nil {
		return nil, err
	}
	to, err := timeBound(b, 1, timestampOf)
	if err != nil {
		return nil, err
	}
	return newTimestampType(from, to)
}

// timeBound returns the bound at index i, converted with of.
func timeBound[T any](b *brackets, i int, of func(Value) (T, error)) (Bound[T], error) {
	if i >= len(b.keys) {
		return Bound[T]{}, nil
	}
	switch key := b.keys[i].(type) {
	case Default, Undef:
		return Bound[T]{}, nil
	default:
		v, err := of(key)
		if err != nil {
			return Bound[T]{}, err
		}
		return At(v), nil
	}
}

func (b *brackets) text() (Type, error) {
	if err := b.count("String", 1, 2); err != nil {
		return nil, err
	}
	size, err := b.size("String", 0)
	if err != nil {
		return nil, err
	}
	return NewStringType(size), nil
}

func (b *brackets) collection() (Type, error) {
	if err := b.count("Collection", 1, 2); err != nil {
		return nil, err
	}
	size, err := b.size("Collection", 0)
	if err != nil {
		return nil, err
	}
	return newCollectionType(size), nil
}

// array accepts an element type, a size, or both. With only a size, the element
// type is Any in evaluation, and Default in Parse.
func (b *brackets) array() (Type, error) {
	if err := b.count("Array", 1, 3); err != nil {
		return nil, err
	}
	elem, ok := b.keys[0].(Type)
	if !ok && len(b.keys) != 2 {
		return nil, b.bad("Array", 0, "a type")
	}
	start := 1
	if !ok {
		start = 0
		elem = b.sizeOnly()
	}
	size, err := b.size("Array", start)
	if err != nil {
		return nil, err
	}
	return NewArrayType(elem, size), nil
}

// sizeOnly returns the element type for a type with only a size.
func (b *brackets) sizeOnly() Type {
	if b.parsed {
		return DefaultType{}
	}
	return nil
}

func (b *brackets) hash() (Type, error) {
	if err := b.count("Hash", 2, 4); err != nil {
		return nil, err
	}
	if b.isHashSize() {
		size, err := b.size("Hash", 0)
		if err != nil {
			return nil, err
		}
		return NewHashType(b.sizeOnly(), b.sizeOnly(), size), nil
	}
	key, err := b.typ("Hash", 0)
	if err != nil {
		return nil, err
	}
	val, err := b.typ("Hash", 1)
	if err != nil {
		return nil, err
	}
	size, err := b.size("Hash", 2)
	if err != nil {
		return nil, err
	}
	return NewHashType(key, val, size), nil
}

// isHashSize reports whether the parameters are only a size; in evaluation this
// requires two integers.
func (b *brackets) isHashSize() bool {
	if len(b.keys) != 2 {
		return false
	}
	for _, k := range b.keys {
		if _, ok := k.(Integer); !ok && !(b.parsed && isRange(k)) {
			return false
		}
	}
	return true
}

// trailingSize removes one or two bounds from the end of the parameters.
func (b *brackets) trailingSize(name string) (*IntegerType, error) {
	n := len(b.keys)
	var start int
	switch {
	case n >= 2 && isRange(b.keys[n-2]):
		start = n - 2
		if !isRange(b.keys[n-1]) {
			if b.parsed {
				return nil, b.bad(name, n-1, "an Integer or default")
			}
			return nil, nil
		}
	case n >= 1 && isRange(b.keys[n-1]):
		start = n - 1
	default:
		return nil, nil
	}
	size, err := b.size(name, start)
	b.keys = b.keys[:start]
	return size, err
}

func (b *brackets) tuple() (Type, error) {
	if err := b.count("Tuple", 1, -1); err != nil {
		return nil, err
	}
	// Tuple[Integer, default, -1] is an error when it is parsed, unlike Array[Integer, default, -1].
	if i := len(b.keys) - 2; b.parsed && i >= 0 && isRange(b.keys[i]) && b.keys[i].kind() != kindInteger {
		b.keys = slices.Clone(b.keys) // it belongs to the caller
		b.keys[i] = Integer(0)
	}
	size, err := b.trailingSize("Tuple")
	if err != nil {
		return nil, err
	}
	types := make([]Type, len(b.keys))
	for i, k := range b.keys {
		if _, ok := k.(Type); !ok && !b.parsed {
			return nil, b.bad("Tuple", i, "a type")
		}
		types[i] = typeOf(k)
	}
	if len(types) == 0 && !b.parsed {
		return nil, b.count("Tuple", 1, -1)
	}
	return NewTupleType(types, size), nil
}

// structType accepts a hash of key types to value types.
func (b *brackets) structType() (Type, error) {
	if err := b.count("Struct", 1, 1); err != nil {
		return nil, err
	}
	h, ok := b.keys[0].(*Hash)
	if !ok {
		return nil, b.bad("Struct", 0, "a Hash")
	}
	elems := make([]StructElement, 0, h.Len())
	for k, v := range h.All() {
		e, err := structElement(k, typeOf(v))
		if err != nil {
			return nil, err
		}
		elems = append(elems, e)
	}
	return NewStructType(elems...)
}

// structElement returns an element. It is optional if its key is a plain string
// and its value may be undef.
func structElement(key Value, value Type) (StructElement, error) {
	switch key := key.(type) {
	case String:
		return NewStructElement(string(key), Accepts(value, UndefType{}), value), nil
	case Type:
		return newStructElementKey(key, value)
	default:
		b := brackets{keys: []Value{key}}
		return StructElement{}, b.bad("Struct", 0, "a key that is a String or a type of one")
	}
}
