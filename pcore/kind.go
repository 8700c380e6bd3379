package pcore

import "strconv"

// Kind identifies one of the closed set of kinds of [Value], to compare and print them. Kinds are
// ordered as in the package documentation. The zero value is the kind of [Undef].
type Kind uint8

// KindOf returns the kind of a value. A type switch on the value, or [Is], selects a kind.
func KindOf(v Value) Kind { return v.kind() }

// Is reports whether a value is of a Go type, such as Is[Undef](v) or Is[*Array](v).
func Is[T Value](v Value) bool {
	_, ok := v.(T)
	return ok
}

// The kinds of values, in the order of the package documentation.
const (
	kindUndef Kind = iota
	kindDefault
	kindBoolean
	kindInteger
	kindBigInteger
	kindFloat
	kindString
	kindSymbol
	kindRegexp
	kindBinary
	kindTimestamp
	kindTimespan
	kindSemVer
	kindSemVerRange
	kindURI
	kindArray
	kindHash
	kindSensitive
	kindDeferred
	kindObject
	kindIterator
	kindType
)

var kindNames = [...]string{
	kindUndef:       "Undef",
	kindDefault:     "Default",
	kindBoolean:     "Boolean",
	kindInteger:     "Integer",
	kindBigInteger:  "Integer",
	kindFloat:       "Float",
	kindString:      "String",
	kindSymbol:      "Symbol",
	kindRegexp:      "Regexp",
	kindBinary:      "Binary",
	kindTimestamp:   "Timestamp",
	kindTimespan:    "Timespan",
	kindSemVer:      "SemVer",
	kindSemVerRange: "SemVerRange",
	kindURI:         "URI",
	kindArray:       "Array",
	kindHash:        "Hash",
	kindSensitive:   "Sensitive",
	kindDeferred:    "Deferred",
	kindObject:      "Object",
	kindIterator:    "Iterator",
	kindType:        "Type",
}

// String returns the name of the type of values of this kind, as the
// specification writes it: "Integer" for [Integer] and [BigInteger].
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}
