package pcore

import (
	"strings"
)

// MismatchError describes why a value is not an instance of a type, and where:
// "parameter 'mode' entry 'a' expects an Integer value, got String". The
// messages are those of the reference implementation. They contain only types,
// and strings that do not match a Pattern or an Enum. They never contain the
// value of a Sensitive.
type MismatchError struct {
	// Expected is the required type, Actual the type of the value.
	Expected, Actual Type
	text             string
}

// Error returns one line for each mismatch.
func (e *MismatchError) Error() string { return e.text }

// Mismatch returns why v is not an instance of t, or nil if it is. The
// description starts with subject, such as "parameter 'mode'", which may be
// empty.
func Mismatch(subject string, t Type, v Value) *MismatchError {
	if Contains(t, v) {
		return nil
	}
	actual := InferDetailed(v)
	return &MismatchError{Expected: t, Actual: actual, text: DescribeMismatch(subject, t, actual)}
}

// DescribeMismatch describes why expected does not accept actual, one line for
// each mismatch.
func DescribeMismatch(subject string, expected, actual Type) string {
	var path mismatchPath
	if subject != "" {
		path = path.with(pathSubject, subject)
	}
	d := newDescriber()
	found := d.describe(expected, actual, path)
	if len(found) == 0 { // normalization removed a size
		found = d.compare(expected, expected, actual, path)
	}
	if len(found) == 0 {
		found = []mismatch{typeMismatch(path, expected, actual)}
	}
	if len(found) == 1 {
		return strings.TrimSpace(found[0].String())
	}
	return joinMismatches(found, "\n ")
}

func joinMismatches(found []mismatch, separator string) string {
	lines := make([]string, len(found))
	for i, m := range found {
		lines[i] = m.String()
	}
	return strings.Join(lines, separator)
}

// assertInstance returns an error if v is not an instance of t.
func assertInstance(subject string, t Type, v Value) error {
	if err := Mismatch(subject+" has wrong type,", t, v); err != nil {
		return err
	}
	return nil
}

// ValidateParameters checks arguments given by name. It reports names that
// params does not have, values of the wrong type, and, unless missingOK is set,
// missing values. The error starts with subject, the callee, such as
// "Class[Apache]".
func ValidateParameters(subject string, params *StructType, given *Hash, missingOK bool) error {
	d := newDescriber()
	var found []mismatch
	for k := range given.Keys() {
		name, _ := k.(String)
		if _, ok := params.Element(string(name)); !ok {
			found = append(found, mismatch{kind: invalidParameter, key: keyText(k)})
		}
	}
	for _, e := range params.elems {
		v, ok := given.GetString(e.name)
		switch {
		case ok && !Contains(e.value, v):
			found = append(found, d.describe(e.value, InferDetailed(v), mismatchPath{}.with(pathParameter, e.name))...)
		case !ok && !missingOK && !e.Optional():
			found = append(found, mismatch{kind: missingParameter, key: e.name})
		}
	}
	switch len(found) {
	case 0:
		return nil
	case 1:
		return &MismatchError{Expected: params, Actual: InferDetailed(given), text: subject + ":" + found[0].String()}
	}
	text := subject + ":\n " + joinMismatches(found, "\n ")
	return &MismatchError{Expected: params, Actual: InferDetailed(given), text: text}
}

// mismatch is a single difference between two types.
type mismatch struct {
	kind             mismatchKind
	path             mismatchPath
	key              string // of a hash, or the name of a parameter or a type
	expected, actual Type   // a size is an IntegerType
}

type mismatchKind uint8

const (
	wrongType mismatchKind = iota
	wrongText              // does not match a Pattern or an Enum
	wrongSize
	wrongCount // of arguments
	missingKey
	missingParameter
	extraneousKey
	invalidParameter
	unexpectedBlock
	missingBlock
	unresolvedType
)

// is reports whether k is the kind of, or a special case of it.
func (k mismatchKind) is(of mismatchKind) bool {
	return k == of || k == wrongText && of == wrongType || k == wrongCount && of == wrongSize
}

func typeMismatch(path mismatchPath, expected, actual Type) mismatch {
	return newMismatch(wrongType, path, expected, actual)
}

func newMismatch(kind mismatchKind, path mismatchPath, expected, actual Type) mismatch {
	return mismatch{kind: kind, path: path, expected: Normalize(expected), actual: Normalize(actual)}
}

func sizeMismatch(kind mismatchKind, path mismatchPath, expected, actual *IntegerType) mismatch {
	return mismatch{kind: kind, path: path, expected: expected, actual: actual}
}

// merge combines two mismatches at the same path.
func (m mismatch) merge(o mismatch) mismatch {
	switch m.kind {
	case wrongType, wrongText:
		return newMismatch(m.kind, m.path, NewVariantType(m.expected, o.expected), m.actual)
	case wrongSize, wrongCount:
		m.expected = sizeHull(m.expected.(*IntegerType), o.expected.(*IntegerType))
	}
	return m
}

func sizeHull(a, b *IntegerType) *IntegerType {
	aFrom, aTo := sizeLimits(a)
	bFrom, bTo := sizeLimits(b)
	if to := max(aTo, bTo); to < unlimited {
		return integerRange(min(aFrom, bFrom), to)
	}
	return atLeast(min(aFrom, bFrom))
}

// String returns the description, with a leading space.
func (m mismatch) String() string {
	path, variant := m.path, ""
	if len(path) > 0 && path[0].kind == pathSignature {
		variant = " " + path[0].String()
		path = path[1:]
	}
	where := variant
	if len(path) > 0 {
		where += " " + path.String()
	}
	switch m.kind {
	case wrongType:
		return where + " expects " + describeTypes(m.expected, m.actual)
	case wrongText:
		return where + " expects " + describeText(m.expected, m.actual)
	case wrongSize:
		return where + " expects size to be " + rangeText(m.expected, "0") + ", got " + rangeText(m.actual, "0")
	case wrongCount:
		return where + " expects " + rangeText(m.expected, "no") + " argument" + plural(m.expected) +
			", got " + rangeText(m.actual, "none")
	case missingKey:
		return where + " expects a value for key '" + m.key + "'"
	case missingParameter:
		return where + " expects a value for parameter '" + m.key + "'"
	case extraneousKey:
		return where + " unrecognized key '" + m.key + "'"
	case invalidParameter:
		return where + " has no parameter named '" + m.key + "'"
	case unexpectedBlock:
		return where + " does not expect a block"
	case missingBlock:
		return where + " expects a block"
	default:
		return where + " references an unresolved type '" + m.key + "'"
	}
}

// mismatchPath is the location of a mismatch.
type mismatchPath []mismatchStep

type mismatchStep struct {
	kind mismatchStepKind
	name string
}

type mismatchStepKind uint8

const (
	pathSubject mismatchStepKind = iota
	pathEntry
	pathKey
	pathParameter
	pathReturn
	pathBlock
	pathIndex
	pathVariant
	pathSignature
)

func (p mismatchPath) with(kind mismatchStepKind, name string) mismatchPath {
	return append(p[:len(p):len(p)], mismatchStep{kind, name})
}

// sameAs reports whether two paths are equal, ignoring the steps for
// alternatives.
func (p mismatchPath) sameAs(o mismatchPath) bool {
	for {
		p, o = p.canonical(), o.canonical()
		if len(p) == 0 || len(o) == 0 {
			return len(p) == len(o)
		}
		if p[0] != o[0] {
			return false
		}
		p, o = p[1:], o[1:]
	}
}

// canonical removes leading steps for alternatives.
func (p mismatchPath) canonical() mismatchPath {
	for len(p) > 0 && (p[0].kind == pathVariant || p[0].kind == pathSignature) {
		p = p[1:]
	}
	return p
}

// without returns the path without the step at index i.
func (p mismatchPath) without(i int) mismatchPath {
	if i >= len(p) {
		return p
	}
	return append(p[:i:i], p[i+1:]...)
}

func (p mismatchPath) String() string {
	steps := make([]string, len(p))
	for i, s := range p {
		steps[i] = s.String()
	}
	return strings.Join(steps, " ")
}

func (s mismatchStep) String() string {
	switch s.kind {
	case pathEntry:
		return "entry '" + s.name + "'"
	case pathKey:
		return "key of entry '" + s.name + "'"
	case pathParameter:
		return "parameter '" + s.name + "'"
	case pathIndex:
		return "index " + s.name
	case pathVariant:
		return "variant " + s.name
	case pathSignature:
		return s.name + "."
	default:
		return s.name
	}
}
