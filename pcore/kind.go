package pcore

import "strconv"

// Kind identifies one of the closed set of kinds of [Value]. The zero value is
// KindUndef.
type Kind uint8

// The kinds of values, in the order of the package documentation.
const (
	KindUndef Kind = iota
	KindDefault
	KindBoolean
	KindInteger
	KindBigInteger
	KindFloat
	KindString
	KindSymbol
	KindRegexp
	KindBinary
	KindTimestamp
	KindTimespan
	KindSemVer
	KindSemVerRange
	KindURI
	KindArray
	KindHash
	KindSensitive
	KindDeferred
	KindObject
	KindIterator
	KindType
)

var kindNames = [...]string{
	KindUndef:       "Undef",
	KindDefault:     "Default",
	KindBoolean:     "Boolean",
	KindInteger:     "Integer",
	KindBigInteger:  "Integer",
	KindFloat:       "Float",
	KindString:      "String",
	KindSymbol:      "Symbol",
	KindRegexp:      "Regexp",
	KindBinary:      "Binary",
	KindTimestamp:   "Timestamp",
	KindTimespan:    "Timespan",
	KindSemVer:      "SemVer",
	KindSemVerRange: "SemVerRange",
	KindURI:         "URI",
	KindArray:       "Array",
	KindHash:        "Hash",
	KindSensitive:   "Sensitive",
	KindDeferred:    "Deferred",
	KindObject:      "Object",
	KindIterator:    "Iterator",
	KindType:        "Type",
}

// String returns the name of the type of values of this kind, as the
// specification writes it: "Integer" for KindInteger and KindBigInteger.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}
